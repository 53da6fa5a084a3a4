#!/usr/bin/env python3
"""requests.py LABEL PROGRAM... - what a gRPC client sends on its ADS stream, request by request.

PROGRAM is one of cli/dev/clients with its arguments up to the name of the target, such as
`build/clients/core/1.85.1/bin/python cli/dev/clients/core/client.py`; for java and node, which
are asked by their parsers there, any program that opens a channel to xds:///NAME. The server
plays the steps of `play` below on loopback, with LAST=more in the environment those of
`play_more`, and prints what comes. What the client logs goes into LABEL.err. Rows of clients.def
in this folder are read off that. Needs grpcio: run it in build/clients/venv.
"""
import json
import os
import pathlib
import queue
import subprocess
import sys
import tempfile
import threading
import time
from concurrent import futures

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "cli/dev/clients"))

import grpc  # noqa: E402
import wire  # noqa: E402
import xds  # noqa: E402

LAST = os.environ.get("LAST")    # what comes at the end: "type", "more" (other steps), or garbage
SETTLE = 1.0        # seconds without a request: the client has no more to say
NAME = "target"
SHORT = {xds.LDS: "LDS", xds.RDS: "RDS", xds.CDS: "CDS", xds.EDS: "EDS"}
AGGREGATE = xds.PREFIX + "envoy.extensions.clusters.aggregate.v3.ClusterConfig"


# ---- messages ----

def listener(name, routes):
    filters = xds.PREFIX + "envoy.extensions.filters."
    rds = wire.data(1, wire.data(3, b"")) + wire.data(2, routes)
    router = wire.any_message(filters + "http.router.v3.Router", b"")
    manager = wire.data(3, rds) + wire.data(5, wire.data(1, "router") + wire.data(4, router))
    kind = filters + "network.http_connection_manager.v3.HttpConnectionManager"
    return wire.data(1, name) + wire.data(19, wire.data(1, wire.any_message(kind, manager)))


def routes(name, hosts):
    """hosts: {domain: [clusters]}"""
    out = wire.data(1, name)
    for domain, clusters in hosts.items():
        made = b"".join(wire.data(3, wire.data(1, wire.data(1, "/" + c)) +
                                  wire.data(2, wire.data(1, c))) for c in clusters)
        out += wire.data(2, wire.data(1, "v" + domain) + wire.data(2, domain) + made)
    return out


def cluster(name, kind=3, children=None):
    """kind: 3 EDS, 2 LOGICAL_DNS"""
    out = wire.data(1, name)
    if children:
        config = b"".join(wire.data(1, c) for c in children)
        return out + wire.data(38, wire.data(1, "envoy.clusters.aggregate") +
                               wire.data(2, wire.any_message(AGGREGATE, config)))
    return out + wire.uint(2, kind) + wire.data(3, wire.data(1, wire.data(3, b"")))


def endpoints(name):
    return wire.data(1, name)


def response(kind, version, nonce, resources):
    return (wire.data(1, version) + b"".join(
        wire.data(2, wire.any_message(kind, r)) for r in resources) +
        wire.data(4, kind) + wire.data(5, nonce))


# ---- what comes, as text ----

def text_of_struct(message):
    def value(v):
        for f, _, x in wire.fields(v):
            if f == 3:
                return json.dumps(x.decode())
            if f == 4:
                return "true" if x else "false"
            return "field%d" % f
        return "?"
    out = {}
    for f, _, v in wire.fields(message):
        if f == 1:
            out[wire.last(v, 1).decode()] = value(wire.last(v, 2))
    return out


def node(message):
    out = []
    names = {1: "id", 2: "cluster", 6: "user_agent_name", 7: "user_agent_version",
             10: "client_features", 5: "build_version"}
    for f, _, v in wire.fields(message):
        if f in names:
            out.append("%s=%r" % (names[f], v.decode()))
        elif f == 3:
            out.append("metadata=%s" % text_of_struct(v))
        elif f == 4:
            out.append("locality=%s" % [(n, x.decode()) for n, _, x in wire.fields(v)])
        else:
            out.append("field%d=%r" % (f, v))
    return " ".join(out)


def show(message):
    out, names, sent, url = [], [], "", ""
    for f, _, v in wire.fields(message):
        if f == 2:
            sent = "\n        node: " + node(v)
        elif f == 3:
            names.append(v.decode())
        elif f == 4:
            url = v.decode()
        elif f == 6:
            out.append("error code=%s %r" % (wire.last(v, 1, 0), wire.last(v, 2)))
        else:
            out.append("%s=%r" % ({1: "version", 5: "nonce"}.get(f, "field%d" % f), v.decode()))
    return "%s %s %s%s" % (SHORT.get(url, url), names, " ".join(out), sent)


# ---- the server ----

class Server(grpc.GenericRpcHandler):
    def __init__(self):
        self.came = queue.Queue()
        self.out = None
        self.begin = time.time()
        self.grpc = server = grpc.server(futures.ThreadPoolExecutor(16))
        server.add_generic_rpc_handlers((self,))
        self.port = server.add_insecure_port("127.0.0.1:0")
        server.start()

    def service(self, call):
        if "StreamAggregatedResources" in call.method:
            return grpc.stream_stream_rpc_method_handler(self.stream)
        return None

    def say(self, text):
        print("%6.1f  %s" % (time.time() - self.begin, text), flush=True)

    def stream(self, messages, _):
        mine = self.out = queue.Queue()
        self.say("<stream>")

        def read():
            try:
                for m in messages:
                    self.say(show(m))
                    self.came.put(m)
            except Exception:  # the client has gone
                pass
            self.say("<end of stream>")
            mine.put(None)
        threading.Thread(target=read, daemon=True).start()
        yield from iter(mine.get, None)

    def settle(self, seconds=SETTLE):
        while True:
            try:
                self.came.get(timeout=seconds)
            except queue.Empty:
                return

    def step(self, title, *sent):
        self.say("--- " + title)
        for message in sent:
            self.out.put(message)
        self.settle()


def play_more(s):
    s.came.get(timeout=60)
    s.settle()
    R = response
    s.step("listener", R(xds.LDS, "1", "n1", [listener(NAME, "r")]))
    s.step("routes", R(xds.RDS, "2", "n2", [routes("r", {NAME: ["b", "a"]})]))
    s.step("both", R(xds.CDS, "1", "n3", [cluster("b"), cluster("a")]))
    s.step("b bad, another one good", R(xds.CDS, "2", "n4", [cluster("b", 4), cluster("other"), cluster("a", 4)]))
    s.step("b twice", R(xds.CDS, "3", "n5", [cluster("b"), cluster("b"), cluster("a")]))
    s.step("none", R(xds.CDS, "4", "n6", []))
    s.step("endpoints", R(xds.EDS, "3", "n7", []))
    s.step("both again", R(xds.CDS, "5", "n8", [cluster("b"), cluster("a")]))
    s.step("LOGICAL_DNS", R(xds.CDS, "6", "n9", [cluster("b", 2) + DNS, cluster("a", 2) + DNS]))
    s.step("EDS again", R(xds.CDS, "7", "n10", [cluster("b"), cluster("a")]))
    s.step("listener that names no routes of its own", R(xds.LDS, "2", "n11", [wire.data(1, NAME)]))
    s.step("a bad listener that nobody asked for", R(xds.LDS, "3", "n12", [listener(NAME, "r"), wire.data(1, "x") + wire.data(19, b"")]))


def dns():
    address = wire.data(1, wire.data(2, "localhost") + wire.uint(3, 80))
    return wire.data(33, wire.data(1, "b") + wire.data(2, wire.data(2, wire.data(1, wire.data(1, address)))))


DNS = dns()


def play(s):
    s.came.get(timeout=60)
    s.settle()
    R = response
    s.step("listener", R(xds.LDS, "1", "n1", [listener(NAME, "r")]))
    s.step("bad routes, the first version", R(xds.RDS, "1", "n2", [wire.data(1, "r") + wire.data(
        2, wire.data(1, "v") + wire.data(2, "*") + wire.data(3, wire.data(1, wire.data(6, b"")) +
                                                           wire.data(2, wire.data(1, "c"))) +
        wire.data(9, wire.data(7, wire.data(1, ""))))] +
        [wire.data(1, "r") + wire.data(2, wire.data(1, "v") + wire.data(2, "a*b"))]))
    s.step("good routes", R(xds.RDS, "2", "n3", [routes("r", {NAME: ["b", "a", "b"], "*": ["z"]})]))
    s.step("one of two clusters, and one that nobody asked for",
           R(xds.CDS, "2", "n4", [cluster("b"), cluster("other")]))
    s.step("both, one bad, and a bad one that nobody asked for",
           R(xds.CDS, "3", "n5", [cluster("b"), cluster("a", 4), cluster("other", 4)]))
    s.step("an aggregate", R(xds.CDS, "4", "n6", [cluster("b"), cluster("a", 0, ["a2", "a1"])]))
    s.step("its children", R(xds.CDS, "5", "n7", [
        cluster("b"), cluster("a", 0, ["a2", "a1"]), cluster("a1"), cluster("a2")]))
    s.step("endpoints, with one nobody asked for", R(xds.EDS, "1", "n8", [
        endpoints("b"), endpoints("a1"), endpoints("a2"), endpoints("other")]))
    s.step("bad endpoints that nobody asked for", R(xds.EDS, "2", "n9", [
        endpoints("b"), wire.data(1, "other") + wire.data(2, wire.data(2, wire.data(1, wire.data(
            1, wire.data(1, wire.data(1, wire.data(2, "no ip")))))) + wire.data(3, wire.uint(1, 1)))]))
    s.step("cluster a1 missing", R(xds.CDS, "6", "n10", [
        cluster("b"), cluster("a", 0, ["a2", "a1"]), cluster("a2")]))
    s.step("an Any of another type", R(xds.CDS, "7", "n11", [
        cluster("b"), cluster("a", 0, ["a2", "a1"]), cluster("a2")]) +
        wire.data(2, wire.any_message(xds.EDS, endpoints("q"))))
    s.step("routes lead to b alone", R(xds.RDS, "3", "n12", [routes("r", {NAME: ["b"]})]))
    s.step("no virtual host matches", R(xds.RDS, "4", "n13", [routes("r", {"none": ["b"]})]))
    s.step("back to b", R(xds.RDS, "5", "n14", [routes("r", {NAME: ["b"]})]))
    s.step("other endpoints alone", R(xds.EDS, "3", "n15", []))
    s.say("--- the stream ends")
    s.out.put(None)
    s.settle(6)
    s.step("listener after that", R(xds.LDS, "1", "n1", [listener(NAME, "r")]))
    s.step("listener deleted", R(xds.LDS, "2", "n2", []))
    s.step("listener back, with other routes", R(xds.LDS, "3", "n3", [listener(NAME, "r2")]))
    s.say("--- routes do not come: 15 s")
    s.settle(20)
    s.step("now they come", R(xds.RDS, "6", "n4", [routes("r2", {NAME: ["b"]})]))
    s.step("clusters of another listener's", R(xds.CDS, "7", "n5", [cluster("b"), cluster("x")]))
    if LAST == "type":
        s.step("an unknown type of response", R("type.googleapis.com/a.B", "1", "n6", []))
    else:
        s.step("garbage", b"\xff\xff\xff")
    s.settle(4)
    s.step("does it read on?", R(xds.LDS, "9", "n9", [listener(NAME, "r2")]))


def main():
    label, program = sys.argv[1], sys.argv[2:]
    server = Server()
    bootstrap = {"xds_servers": [{"server_uri": "127.0.0.1:%d" % server.port,
                                  "channel_creds": [{"type": "insecure"}],
                                  "server_features": ["xds_v3"]}],
                 "node": {"id": "i", "cluster": "c", "locality": {"region": "r", "zone": "z"},
                          "metadata": {"k": "v"}}}
    print("== %s" % label)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(bootstrap, file)
        file.flush()
        env = {k: v for k, v in os.environ.items() if not k.startswith("GRPC_")}
        client = subprocess.Popen(program + [NAME], stdin=subprocess.PIPE,
                                  stderr=open(label + ".err", "wb"), stdout=subprocess.DEVNULL,
                                  env={**env, "GRPC_XDS_BOOTSTRAP": file.name})
        try:
            (play_more if LAST == "more" else play)(server)
        finally:
            client.kill()


main()
