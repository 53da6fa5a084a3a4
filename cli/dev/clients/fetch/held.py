"""held.py - what a client holds, in every state, beside what its RPC does. See README.md."""
import argparse
import collections
import json
import pathlib
import queue
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "live")]

import ads  # noqa: E402
import cases  # noqa: E402
import dumps  # noqa: E402
import each_client  # noqa: E402
import programs  # noqa: E402
import serve  # noqa: E402
import wire  # noqa: E402
from channel import full_bootstrap  # noqa: E402
from clients import environment  # noqa: E402
from snapshots import MANAGER, PEER, cluster, listener, routes  # noqa: E402
from discovery import CDS, EDS, LDS, PREFIX, RDS, TYPES, response  # noqa: E402

TLS = PREFIX + "envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext"
# Other targets of the process: an xDS client each, with the routes of the first one.
OTHER, THIRD = "other.example.com", "xdstp://auth/envoy.config.listener.v3.Listener/third"
TARGET = "xds:///" + PEER
MORE = ((), ("xds:///" + OTHER,), ("xds://auth/third",))
BOOTSTRAP = json.dumps({"certificate_providers": {"known": {"plugin_name": "file_watcher"}},
                        "authorities": {"auth": {}}})
POLL_SECONDS, STILL, SETTLE_SECONDS, RPC_SECONDS = 0.5, 3, 60, 120
MOST_TURNS = 4
# What becomes of one resource of the chain: before the channel asks for it, and afterwards.
FATES = ("good", "good then bad", "bad", "absent", "withheld", "good then gone", "bad then good")
COLUMNS = ("states", "routed", "failing", "equal", "open", "explained", "differ")
# Client, type, fate, target, status of the RPC: what a dump cannot tell.
EXPLAINED = {
    # The endpoints of the update have no weight: java has accepted them, and goes on with those before.
    ("java", EDS, "good then bad", TARGET, "OK"),
}


def endpoints(port):
    address = wire.data(2, "127.0.0.1") + wire.uint(3, port)
    endpoint = wire.data(2, wire.data(1, wire.data(1, wire.data(1, address))))
    return EDS, wire.data(1, PEER) + wire.data(2, wire.data(1, wire.data(1, "r")) + endpoint +
                                              wire.data(3, wire.uint(1, 1)))


def secured(instance):
    """A cluster whose certificates come from an instance of the bootstrap."""
    ca = wire.data(1, wire.data(3, wire.data(13, wire.data(1, instance))))
    socket = wire.data(1, "envoy.transport_sockets.tls") + wire.data(3, wire.any_message(TLS, ca))
    return cluster(PEER)[1] + wire.data(24, socket)


class Plane(threading.Thread):
    """Serves a chain of resources, each as its fate wants it."""

    def __init__(self):
        super().__init__(daemon=True)
        self.server = ads.Server()
        self.resources, self.withheld = {}, set()
        self.asked, self.sent = {}, 0
        self.lock = threading.Lock()
        self.start()

    def run(self):
        while True:
            stream, request = self.server.requests.get()
            if request is None:
                continue
            with self.lock:
                key = stream, request.type_url
                if self.asked.get(key) != set(request.names):
                    self.asked[key] = set(request.names)
                    self.answer(key)

    def answer(self, key):
        stream, type_url = key
        value = self.resources.get(type_url)
        if type_url in self.withheld:
            return
        self.sent += 1
        names = self.asked[key]
        found = [(type_url, value)] if value is not None and PEER in names else []
        found += [listener(name, PEER) for name in (OTHER, THIRD) if type_url == LDS and name in names]
        stream.put(response(type_url, str(self.sent), found))

    def change(self, type_url, value):
        with self.lock:
            self.resources[type_url] = value
            for key in list(self.asked):
                if key[1] == type_url:
                    self.answer(key)


def good_and_bad(rng, port):
    """Of each type; of clusters the good one may need the bootstrap, and the bad one lack it."""
    instance = rng.random() < 0.6
    good_cluster = secured("known") if instance else cluster(PEER)[1]
    bad_cluster = secured("unknown") if rng.random() < 0.5 else cluster(PEER, 4)[1]
    good_routes = routes(PEER, [PEER])[1]
    bad_routes = wire.data(1, PEER) + wire.data(2, wire.data(1, "v") + wire.data(2, "a*b"))
    bad_manager = wire.any_message(MANAGER, wire.data(5, wire.data(1, "none")))
    return {LDS: (listener(PEER, PEER)[1], wire.data(1, PEER) + wire.data(19, wire.data(1, bad_manager))),
            RDS: (good_routes, bad_routes), CDS: (good_cluster, bad_cluster),
            EDS: (endpoints(port)[1], wire.data(1, PEER) + wire.data(2, wire.data(2, b"") + wire.uint(5, 200)))}


def xdscope(*words):
    return subprocess.run([cases.XDSCOPE, *map(str, words)], capture_output=True, timeout=120,
                          env=environment({}), check=False)


def without_times(dump):
    return {k: (h.status, h.version, h.value, h.failed_version) for k, h in dumps.read(dump).items()}


class Client:
    def __init__(self, installed, folder, port):
        self.folder = folder
        self.bootstrap = folder / "bootstrap.json"
        self.bootstrap.write_text(full_bootstrap(BOOTSTRAP, port))
        self.log = tempfile.TemporaryFile()
        self.program = programs.Program(installed, PEER, str(self.bootstrap), self.log)
        self.answers = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.program.process.stdout:
            self.answers.put(line.decode().strip())

    def rpc(self, target=TARGET):
        self.program.process.stdin.write(b"/0 %s\n" % target.encode())
        self.program.process.stdin.flush()
        return self.answers.get(timeout=RPC_SECONDS)

    def dump(self):
        out = self.folder / "dump.binpb"
        xdscope("fetch", "csds", "127.0.0.1:%d" % self.program.port, "-f", "binary", "-q", "-o", out)
        return out.read_bytes() if out.exists() else b""

    def settled(self):
        """The dump once it stays."""
        last, still, end = None, 0, time.monotonic() + SETTLE_SECONDS
        while still < STILL and time.monotonic() < end:
            dump = self.dump()
            now = without_times(dump)
            still = still + 1 if now == last else 0
            last = now
            time.sleep(POLL_SECONDS)
        return dump

    def explained(self, target, *more):
        done = xdscope("explain", "-f", "json", "--target", target, "--path", "/0", *more,
                       self.folder / "dump.binpb")
        try:
            return json.loads(done.stdout)["outcome"]
        except (ValueError, KeyError):
            return "no answer: " + done.stderr.decode("utf-8", "replace").strip()


def play(client, plane, fate, chain):
    """Leads the client into the state. Returns what happens to the resource."""
    type_url, then = fate
    good, bad = chain[type_url]
    first, _, second = then.partition(" then ")
    values = {"good": good, "bad": bad, "absent": None, "gone": None}
    plane.withheld = {type_url} if first == "withheld" else set()
    plane.resources = {t: pair[0] for t, pair in chain.items()}
    plane.resources[type_url] = values.get(first, good)
    made = client()
    if second:
        made.settled()
        made.rpc()
        plane.change(type_url, values[second])
    return made


def rpcs(client, targets):
    """The status of an RPC to each, while the dump stays what it is."""
    before, statuses = None, {}
    for _ in range(MOST_TURNS):
        now = without_times(client.settled())
        if now == before:
            return statuses
        before = now
        statuses = {target: client.rpc(target) for target in targets}
    return statuses


def kept(keep, installed, number, fate, client, statuses):
    """For cases of testdata: the dump, and what became of the RPCs."""
    name = "%s-%02d-%s-%s" % (installed.client.name, number, fate[0].split(".")[-1], fate[1].replace(" ", "-"))
    shutil.copyfile(client.folder / "dump.binpb", keep / (name + ".binpb"))
    (keep / (name + ".json")).write_text(json.dumps(statuses))


def one(installed, plane, backend, number, args, counts):
    seed = args.seed
    rng = random.Random(seed * 10007 + number)
    # Every fate of every type in turn, in an order of the seed.
    every = [(t, f) for t in TYPES for f in FATES]
    random.Random(seed).shuffle(every)
    fate = every[number % len(every)]
    chain = good_and_bad(rng, backend)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        client = play(lambda: Client(installed, folder, plane.server.port), plane, fate, chain)
        try:
            client.settled()
            statuses = rpcs(client, (TARGET, *MORE[number % len(MORE)]))
            said = {target: {" ".join(map(str, more)).split(" ")[0] or "no bootstrap":
                             client.explained(target, *more)
                             for more in ((), ("--bootstrap", client.bootstrap))} for target in statuses}
            if args.keep:
                kept(args.keep, installed, number, fate, client, statuses)
        finally:
            client.program.close()
    counts["states"] += 1
    for target, status in statuses.items():
        counts["routed" if status == "OK" else "failing"] += 1
        wrong = {k: v for k, v in said[target].items() if (v == "routed") != (status == "OK")}
        known = (installed.client.name, *fate, target, status) in EXPLAINED
        # node's CSDS does not have the version in use of a resource with a rejected update.
        is_open = bool(wrong) and set(wrong.values()) == {"undecided"}
        counts["equal" if not wrong else "open" if is_open else "explained" if known else "differ"] += 1
        if wrong and not known and not is_open:
            print("%s %s, seed %d, state %d: %s %s: its RPC to %s ends with %s, explain says %s" %
                  (installed.client.name, installed.release, seed, number, fate[0].split(".")[-1],
                   fate[1], target, status, wrong), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--clients", default="core go")
    parser.add_argument("--count", type=int, default=28)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the dumps")
    args = parser.parse_args()
    backend = serve.backends(1)[0]
    port = int(backend.address.rpartition(":")[2])

    def run(_name, installed):
        counts = collections.Counter()
        for number in range(args.count):
            one(installed, Plane(), port, number, args, counts)
        return counts

    each_client.play(args.clients, COLUMNS,
                     lambda name: each_client.ready(name, "newest", (), programs.setup), run)


main()
