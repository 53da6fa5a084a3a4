"""Answers of the Client Status Discovery Service, as bytes."""
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "clients"))
from wire import any_message, data, uint  # noqa: E402

TYPES = {
    "listener": "type.googleapis.com/envoy.config.listener.v3.Listener",
    "route": "type.googleapis.com/envoy.config.route.v3.RouteConfiguration",
    "cluster": "type.googleapis.com/envoy.config.cluster.v3.Cluster",
    "endpoint": "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment",
}
REQUESTED, DOES_NOT_EXIST, ACKED, NACKED = 1, 2, 3, 4


class Messages:
    """By name: what a step of a server calls a message or a resource."""

    def __init__(self, program, *folders):
        self.resources = {}
        for path in (path for folder in folders for path in folder.glob("*.yaml")):
            done = subprocess.run([program, "convert", "--bare", "-f", "binary", str(path)], check=True,
                                  stdout=subprocess.PIPE)
            self.resources[path.stem] = done.stdout

    def entry(self, kind, name, status=ACKED, extra=b""):
        url = TYPES[kind]
        return data(3, data(1, url) + data(2, name) + data(3, "7") +
                    data(4, any_message(url, self.resources[kind])) + uint(7, status) + extra)

    def client(self, *entries, extra=b""):
        node = data(1, "shop-client-1") + data(6, "gRPC Go") + data(7, "1.72.0")
        return data(1, data(1, node) + b"".join(entries) + extra)

    def good(self):
        """A client of the newest kind, with a resource of each type; it has rejected a later cluster."""
        error = data(8, data(3, "cluster: unexpected lb policy") + data(4, "8"))
        return self.client(
            self.entry("listener", "shop.example.com"), self.entry("route", "shop"),
            self.entry("cluster", "cart", NACKED, error), self.entry("endpoint", "cart"))

    def unknown_field(self):
        """What no schema has: JSON cannot hold it."""
        return self.client(self.entry("listener", "shop.example.com"), extra=data(999, "kept"))

    def get(self, words):
        """good, empty, unknown-field, garbage, large MB."""
        if words[0] == "large":
            one, size = self.entry("cluster", "cart"), int(words[1]) << 20
            return self.client(*[one] * (size // len(one)))
        return {"good": self.good, "empty": lambda: b"", "unknown-field": self.unknown_field,
                "garbage": lambda: b"\xff" * 10}[words[0]]()
