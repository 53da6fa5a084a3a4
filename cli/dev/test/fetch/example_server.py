"""example_server.py control-plane PORT PROGRAM | pod PORT: what the live sessions of the manual ask.

The control plane serves testdata/snapshots/shop, and what istiod served of testdata/examples/istio,
by name, and, as go-control-plane and java-control-plane do, answers a rejection at once with the same. The pod answers CSDS with
testdata/fetch/pod.binpb, which a client of grpc-go 1.85.0 has said of itself.
"""
import subprocess
import sys
import threading
from concurrent import futures
from pathlib import Path

import grpc

from ads_messages import METHODS
from client_status import TYPES
from wire import data, fields, last

ROOT = Path(__file__).resolve().parents[4]


def name_of(url, value):
    return url, last(value, 1).decode()


def snapshot(program):
    """By type URL and name: google.protobuf.Any."""
    found = {}
    folders = (ROOT / "testdata/snapshots/shop", ROOT / "testdata/examples/istio/served")
    for path in sorted(path for folder in folders for path in folder.glob("*.yaml")):
        # Exit status 1: of what no client reads, the content is left out.
        done = subprocess.run([program, "convert", "-q", "-f", "binary", path], check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert done.returncode <= 1 and done.stdout, path
        for any_message in (v for f, _, v in fields(done.stdout) if f == 2):
            url = last(any_message, 1).decode()
            if url in TYPES.values():
                found[name_of(url, last(any_message, 2))] = any_message
    return found


class ControlPlane(grpc.GenericRpcHandler):
    def __init__(self, program):
        self.resources = snapshot(program)

    def service(self, call):
        return grpc.stream_stream_rpc_method_handler(self.stream) if call.method == METHODS[0] else None

    def stream(self, requests, _context):
        asked, nonce = {}, 0
        for request in requests:
            url = last(request, 4).decode()
            names = [v.decode() for f, _, v in fields(request) if f == 3]
            rejects = any(f == 6 for f, _, _ in fields(request))
            if asked.get(url) == names and not rejects:
                continue
            asked[url], nonce = names, nonce + 1
            found = [self.resources[url, name] for name in names if (url, name) in self.resources]
            yield (data(1, "1") + b"".join(data(2, one) for one in found) + data(4, url) +
                   data(5, str(nonce)))


class Pod(grpc.GenericRpcHandler):
    def service(self, call):
        if not call.method.endswith("/FetchClientStatus"):
            return None
        return grpc.unary_unary_rpc_method_handler(
            lambda _request, _context: (ROOT / "testdata/fetch/pod.binpb").read_bytes())


def main():
    kind, port, *program = sys.argv[1:]
    server = grpc.server(futures.ThreadPoolExecutor(4))
    server.add_generic_rpc_handlers((Pod() if kind == "pod" else ControlPlane(*program),))
    server.add_insecure_port(f"localhost:{port}")
    server.start()
    print("ready", flush=True)
    threading.Event().wait()


main()
