"""client.py NAME: a channel of gRPC C-core to xds:///NAME, until stdin closes."""
import sys

import grpc

channel = grpc.insecure_channel("xds:///" + sys.argv[1])
channel.subscribe(lambda state: None, try_to_connect=True)
sys.stdin.read()
