"""client.py TARGET: a channel of gRPC C-core and its CSDS, whose port it prints, until stdin closes.
A line of stdin is the path of an RPC, and another target if it is not for that; it prints the status."""
import sys
from concurrent import futures

import grpc
import grpc_csds

server = grpc.server(futures.ThreadPoolExecutor(4), options=[("grpc.so_reuseport", 0)])
grpc_csds.add_csds_servicer(server)
print(server.add_insecure_port("127.0.0.1:0"), flush=True)
server.start()
channels = {sys.argv[1]: grpc.insecure_channel(sys.argv[1])}
channels[sys.argv[1]].subscribe(lambda state: None, try_to_connect=True)
for line in sys.stdin:
    path, target = [*line.split(), sys.argv[1]][:2]
    if target not in channels:
        channels[target] = grpc.insecure_channel(target)
    try:
        channels[target].unary_unary(path)(b"", timeout=8)
        print("OK", flush=True)
    except grpc.RpcError as e:
        print(e.code().name, flush=True)
