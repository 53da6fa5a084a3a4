"""An xDS server of gRPC C-core. A line of JSON in starts one and stops the one before, a line out
says what its listener is. See servers.py."""
import json
import sys
from concurrent import futures

import grpc


class Service(grpc.GenericRpcHandler):
    def service(self, _call):
        return grpc.unary_unary_rpc_method_handler(self.answer)

    @staticmethod
    def answer(_message, context):
        context.send_initial_metadata((("x-served", "1"),))
        return b""


def start(address):
    server = grpc.server(futures.ThreadPoolExecutor(8), handlers=(Service(),), xds=True,
                         options=[("grpc.so_reuseport", 0)])
    server.add_secure_port(address, grpc.xds_server_credentials(
        grpc.insecure_server_credentials()))
    server.start()
    return server


running = None
for line in sys.stdin:
    before, told = running, {"modes": []}
    try:
        running = start(json.loads(line)["address"])
    except (RuntimeError, ValueError) as error:
        running, told = None, {"modes": [], "error": str(error)}
    if before:
        before.stop(0)
    print(json.dumps(told), flush=True)
