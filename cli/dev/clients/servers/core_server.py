"""An xDS server of gRPC C-core. A line of JSON in starts one and stops the one before, a line out
says what its listener is. See servers.py."""
import json
import sys
from concurrent import futures

import grpc


class Service(grpc.GenericRpcHandler):
    def service(self, _call):
        return grpc.stream_stream_rpc_method_handler(self.answer)

    @staticmethod
    def answer(messages, context):
        """Until the peer has sent all that it has."""
        context.send_initial_metadata((("x-served", "1"),))
        try:
            for _ in messages:
                pass
        except Exception:  # it has gone: the class depends on the release of grpcio
            pass
        return iter(())


def start(address, grace):
    options = [("grpc.so_reuseport", 0)]
    if grace is not None:
        options.append(("grpc.experimental.server_config_change_drain_grace_time_ms",
                        int(1000 * grace)))
    server = grpc.server(futures.ThreadPoolExecutor(32), handlers=(Service(),), xds=True,
                         options=options)
    server.add_secure_port(address, grpc.xds_server_credentials(
        grpc.insecure_server_credentials()))
    server.start()
    return server


running = None
for line in sys.stdin:
    asked = json.loads(line)
    if asked.get("modes"):    # its applications are not told
        print(json.dumps({"modes": []}), flush=True)
        continue
    before, told = running, {"modes": []}
    try:
        running = start(asked["address"], asked.get("grace"))
    except (RuntimeError, ValueError) as error:
        running, told = None, {"modes": [], "error": str(error)}
    if before:
        before.stop(0)
    print(json.dumps(told), flush=True)
