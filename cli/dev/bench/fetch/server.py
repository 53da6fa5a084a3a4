#!/usr/bin/env python3
"""server.py CLUSTERS MB REPORT - a control plane that serves one target with so many EDS clusters and
their endpoints, together about so many MB, to whoever asks.

Each call of ADS is a line in the file REPORT, once its last type was acknowledged: seconds since the first request.
Prints its port.
"""
import sys
import time
from concurrent import futures
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "clients"))
import grpc  # noqa: E402
from wire import any_message, data, fields, last, uint  # noqa: E402

URL = "type.googleapis.com/envoy.config."
TYPES = {"listener": "listener.v3.Listener", "route": "route.v3.RouteConfiguration",
         "cluster": "cluster.v3.Cluster", "endpoint": "endpoint.v3.ClusterLoadAssignment"}
TARGET = "shop.example.com"
ADS = b""


def any_of(kind, message):
    return any_message(URL + TYPES[kind], message)


def response(kind, messages):
    return (data(1, "1") + b"".join(data(2, any_of(kind, one)) for one in messages) +
            data(4, URL + TYPES[kind]) + data(5, kind))


def listener():
    router = data(1, "router") + data(4, any_message(
        "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router", b""))
    manager = data(3, data(1, data(3, ADS)) + data(2, "shop")) + data(5, router)
    return data(1, TARGET) + data(19, data(1, any_message(
        URL[:20] + "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager", manager)))


def routes(n):
    def route(i):
        return data(3, data(1, data(1, f"/s{i}/")) + data(2, data(1, f"c{i}")))
    return data(1, "shop") + data(2, data(1, "v") + data(2, "*") + b"".join(map(route, range(n))))


def cluster(i, padding):
    """Its name for statistics is what makes it long; no gRPC client reads it."""
    return data(1, f"c{i}") + uint(2, 3) + data(3, data(1, data(3, ADS))) + data(28, "x" * padding)


def endpoints(i, padding):
    def endpoint(n):
        address = data(1, data(1, data(2, f"10.{i >> 8 & 255}.{i & 255}.{n & 255}") + uint(3, 1024 + (n >> 8))))
        return data(2, data(1, address))
    one = len(endpoint(0))
    locality = data(1, data(1, "eu")) + b"".join(map(endpoint, range(max(1, padding // one)))) + data(3, uint(1, 1))
    return data(1, f"c{i}") + data(2, locality)


class Server(grpc.GenericRpcHandler):
    def __init__(self, n, size, report):
        self.report = report
        each = size // (2 * n)
        self.answers = {
            "listener": response("listener", [listener()]), "route": response("route", [routes(n)]),
            "cluster": response("cluster", [cluster(i, each) for i in range(n)]),
            "endpoint": response("endpoint", [endpoints(i, each) for i in range(n)])}
        self.needed = {"listener": 1, "route": 1, "cluster": n, "endpoint": n}

    def service(self, call):
        return grpc.stream_stream_rpc_method_handler(self.serve) if "StreamAgg" in call.method else None

    def serve(self, requests, context):
        """Each type once all of it is asked for; a client may name its resources one by one."""
        begun, sent = None, set()
        for request in requests:
            begun = begun or time.monotonic()
            kind = next(k for k, v in TYPES.items() if last(request, 4, b"").decode() == URL + v)
            if kind in sent:
                if last(request, 6, None) is not None:
                    raise AssertionError(last(request, 6))
                if kind == "endpoint" and last(request, 5, b"") == b"endpoint":
                    with open(self.report, "a") as out:
                        out.write(f"{time.monotonic() - begun:.4f}\n")
                    sent.add("done")
            elif sum(field == 3 for field, _, _ in fields(request)) >= self.needed[kind]:
                sent.add(kind)
                yield self.answers[kind]


def main():
    n, size, report = int(sys.argv[1]), int(sys.argv[2]) * 1000000, sys.argv[3]
    handler = Server(n, size, report)
    server = grpc.server(futures.ThreadPoolExecutor(4), options=[("grpc.max_send_message_length", -1)])
    server.add_generic_rpc_handlers((handler,))
    print(server.add_insecure_port("localhost:0"), max(map(len, handler.answers.values())),
          sum(map(len, handler.answers.values())), flush=True)
    server.start()
    sys.stdin.read()
    server.stop(0)


if __name__ == "__main__":
    main()
