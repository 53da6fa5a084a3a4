"""client.py TARGET: a channel of gRPC C-core and its CSDS, whose port it prints, until stdin closes."""
import sys
from concurrent import futures

import grpc
import grpc_csds

server = grpc.server(futures.ThreadPoolExecutor(4), options=[("grpc.so_reuseport", 0)])
grpc_csds.add_csds_servicer(server)
print(server.add_insecure_port("127.0.0.1:0"), flush=True)
server.start()
channel = grpc.insecure_channel(sys.argv[1])
channel.subscribe(lambda state: None, try_to_connect=True)
sys.stdin.read()
