#!/usr/bin/env python3
"""raw_client.py PORT CLUSTERS - takes what server.py serves as bytes by grpcio, acknowledges it, and looks at
nothing: what any client in Python needs at least.
"""
import queue
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "clients"))
import grpc  # noqa: E402
from server import TARGET, TYPES, URL  # noqa: E402
from wire import data  # noqa: E402


def main():
    port, n = sys.argv[1], int(sys.argv[2])
    names = {"listener": [TARGET], "route": ["shop"], "cluster": [f"c{i}" for i in range(n)]}
    names["endpoint"] = names["cluster"]
    requests = queue.Queue()
    channel = grpc.insecure_channel(f"localhost:{port}", options=[("grpc.max_receive_message_length", -1)])
    call = channel.stream_stream("/envoy.service.discovery.v3.AggregatedDiscoveryService/StreamAggregatedResources")
    answers = call(iter(requests.get, None))
    held = []
    for kind, url in TYPES.items():
        request = b"".join(data(3, name) for name in names[kind]) + data(4, URL + url)
        requests.put(request)
        held.append(next(answers))
        requests.put(data(1, "1") + request + data(5, kind))
    requests.put(None)
    for _ in answers:
        pass


if __name__ == "__main__":
    main()
