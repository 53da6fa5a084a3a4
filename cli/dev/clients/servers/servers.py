"""servers.py - what real xDS servers make of connections and RPCs. See README.md.

A server program gets a line of JSON for each case, {"address", "seconds"}: it starts a server of its
client on this address, stops the one before, and answers {"modes": [...], "error"}: what it was
told of its listener in that time. Its service has all methods of PATHS, and says x-served in its
initial metadata. It takes plaintext where the listener asks for no TLS.

The peer (peer.go.txt) gets {"rpcs": [...]} and gives a list of answers.

A case is kept as a line of JSON: {"client", "seed", "case", "address", "snapshot", "server":
{"modes", "verdicts", "died"}, "rpcs", "answers"}. A verdict is "" for an ACK, or the NACK.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import socket
import subprocess
import sys
import time
from typing import Callable, NamedTuple

HERE = pathlib.Path(__file__).resolve().parent
sys.path[1:1] = [str(HERE.parent), str(HERE.parent / "live")]

import cases  # noqa: E402
import certificates  # noqa: E402
import compare_servers  # noqa: E402
import each_client  # noqa: E402
import live  # noqa: E402
import serve  # noqa: E402
import xdscope  # noqa: E402
from adapter import Adapter, Died  # noqa: E402
from clients import BUILD  # noqa: E402
from generate import PATHS  # noqa: E402
from server_cases import LISTENER, ServerGenerator  # noqa: E402
from discovery import LDS, RDS  # noqa: E402
from xds_resource import Resource  # noqa: E402

OUT = BUILD / "servers"
RPCS = 25            # of a case
FIRST_PORT = 21000   # of servers: above those of peers
SECONDS = 8          # for a listener to serve
MISSING_SECONDS = 18 # with a resource that does not come: clients wait 15 seconds for it
MISSING = 0.015      # the share of cases with one
REJECTED = 0.07      # the share of cases that may have resources that the client rejects
ATTEMPTS = 30        # to make a case that it accepts
RPC_SECONDS = 3
SETTLE_SECONDS = 0.1 # from the last ACK to the first RPC
SHOWN = 10           # disagreements of a client that are printed
COLUMNS = ("cases", "RPCs", "served", "denied", "handshakes", "agree", "explained", "differ")

# A network of its own, as 127.0.0.0/8 has loopback addresses alone.
NETWORK = ("ip link set lo up && ip addr add 10.77.0.1/24 dev lo && "
           "ip -6 addr add fd00::1/64 dev lo && exec \"$@\"")


# ---- the servers ----

class Server(NamedTuple):
    setup: Callable
    command: Callable
    any_address: bool = False    # it listens on all addresses alone
    env: tuple = ()              # pairs: variables that it needs for its filters
    composite: bool = False      # it has filters that choose filters


def build_go(folder, sources, modules):
    """A program, in a module of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    for source in sources:
        shutil.copyfile(HERE / source, folder / source.removesuffix(".txt"))
    (folder / "go.mod").write_text("module program\n\ngo 1.19\n\n" + "".join(
        "require %s\n" % m for m in modules))
    for words in (("mod", "tidy"), ("build", "-p", "1", "-o", "program", ".")):
        subprocess.run(["go", *words], cwd=folder, check=True, stderr=subprocess.DEVNULL)


def setup_java(installed):
    folder = installed.folder / "servers"
    folder.mkdir(exist_ok=True)
    subprocess.run(["javac", "-nowarn", "-Xlint:-deprecation", "-cp",
                    "%s/lib/*" % installed.folder, "-d", folder, HERE / "XdsServer.java"],
                   check=True)


SERVERS = {
    "core": Server(lambda i: None, lambda i: [
        str(i.folder / "bin/python"), str(HERE / "core_server.py")],
                   env=(("GRPC_EXPERIMENTAL_XDS_COMPOSITE_FILTER", "true"),), composite=True),
    "go": Server(lambda i: build_go(i.folder / "servers", ["go_server.go.txt"],
                                    ["google.golang.org/grpc v" + i.release]),
                 lambda i: [str(i.folder / "servers/program")]),
    "java": Server(setup_java, lambda i: [
        "java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx700m", "-cp",
        "{0}/lib/*:{0}/servers".format(i.folder), "XdsServer"], True),
    "node": Server(lambda i: None, lambda i: [
        "node", str(HERE / "node_server.js"), str(i.folder), *PATHS, "/any.Service/Method"],
                   env=(("GRPC_XDS_EXPERIMENTAL_RBAC", "true"),)),
}


# ---- one client ----

def as_asked(rpc):
    """As the peer takes it."""
    pseudo = [[":method", "POST"], [":scheme", "https" if rpc.get("tls") else "http"],
              [":path", rpc["path"]], [":authority", rpc["authority"]]]
    cert = rpc.get("cert")
    files = {"cert": str(OUT / "certificates" / (cert + ".pem")),
             "key": str(OUT / "certificates" / (cert + ".key"))} if cert else {}
    return {"from": rpc["from"], "to": rpc["to"], "tls": rpc.get("tls", False), **files,
            "server_name": rpc.get("server_name", ""), "alpn": "h2",
            "headers": pseudo + rpc["headers"], "seconds": RPC_SECONDS}


def is_open(address):
    host, port = address.rsplit(":", 1)
    try:
        socket.create_connection((host.replace("0.0.0.0", "127.0.0.1"), int(port)), 1).close()
    except OSError:
        return False
    return True


class Run:
    of = ""    # what its cases are; "": random ones of a seed

    def __init__(self, options, name, installed):
        self.options, self.name, self.client = options, name, installed.name()
        self.server = SERVERS[name]
        self.random = random.Random("%s/%d" % (name, options.seed))
        self.snapshots = serve.Snapshots()
        bootstrap = {
            **live.bootstrap(self.snapshots.port),
            "server_listener_resource_name_template": LISTENER + "%s",
            "certificate_providers": certificates.providers(OUT / "certificates")}
        self.bootstrap, self.env = json.dumps(bootstrap), self.server.env
        self.adapter = Adapter(self.server.command(installed), bootstrap)
        self.adapter.variables.update(self.env)
        self.peer = Adapter([str(OUT / "peer/program")])
        self.counts = collections.Counter()
        self.shown = 0
        self.kept = OUT / ("%s-%s.jsonl" % (self.client, self.of or options.seed))

    def make(self, number):
        r = self.random
        host = "0.0.0.0" if self.server.any_address or r.random() < 0.7 else r.choice(
            ["127.0.0.1", "127.0.0.2", "10.77.0.1"])
        address = "%s:%d" % (host, FIRST_PORT + number)
        tls, any_verdict = r.random() < self.options.tls, r.random() < REJECTED
        for _ in range(ATTEMPTS):
            generator = ServerGenerator(number, r, address, tls, self.server.composite)
            snapshot = generator.snapshot()
            judged = self.judge(snapshot)
            if any_verdict or set(judged.values()) == {"ACK"}:
                break
        rpcs = [generator.rpc() for _ in range(RPCS)]
        if r.random() < MISSING and len(snapshot) > 1:
            snapshot.pop()
        return {"client": self.client, "seed": self.options.seed, "case": number,
                "address": address, "snapshot": snapshot, "judged": judged, "rpcs": rpcs}

    def judge(self, snapshot):
        """The verdict of xdscope on each resource, by name."""
        return xdscope.verdicts([
            Resource(r["name"], r["type_url"], r["type_url"], r["bytes"], self.env, self.bootstrap)
            for r in cases.encode(snapshot)], self.client)

    @staticmethod
    def named(snapshot):
        """The names of route configurations that its listener asks for."""
        chains = snapshot[0]["filter_chains"] + [snapshot[0].get("default_filter_chain")]
        managers = [c["filters"][0]["typed_config"] for c in chains if c]
        return {m["rds"]["route_config_name"] for m in managers if "rds" in m}

    def verdicts(self, snapshot):
        names = [(LDS, snapshot[0]["name"])] + [(RDS, n) for n in sorted(self.named(snapshot))]
        return {n: self.snapshots.verdicts[t, n] for t, n in names
                if (t, n) in self.snapshots.verdicts}

    def settle(self, case, seconds):
        """Waits until the server has answered all resources. Not all servers say that they serve."""
        wanted = 1 + len(self.named(case["snapshot"]))
        end = time.time() + seconds
        while time.time() < end:
            found = self.verdicts(case["snapshot"])
            if any(found.values()) or (len(found) == wanted and is_open(case["address"])):
                break
            time.sleep(0.02)
        time.sleep(SETTLE_SECONDS)

    def play(self, case):
        """Adds what the server is and answers."""
        self.snapshots.add(cases.encode(case["snapshot"]))
        routes = self.named(case["snapshot"])
        missing = len(routes) >= len(case["snapshot"])
        # java before some release takes rejected routes for missing ones.
        rejected = any(case["judged"].get(n, "ACK") != "ACK" for n in routes)
        seconds = MISSING_SECONDS if missing or rejected else SECONDS
        told, died = {"modes": []}, None
        try:
            told = self.adapter.ask({"address": case["address"], "seconds": seconds})
            self.settle(case, seconds if self.name == "core" or told["modes"] else 0)
        except Died as words:
            died = str(words)
        case["answers"] = self.peer.ask({"rpcs": [as_asked(r) for r in case["rpcs"]]})
        if self.adapter.process and any(a.get("failed") for a in case["answers"]):
            time.sleep(SETTLE_SECONDS)
            if self.adapter.process.poll() is not None:
                died = self.adapter.stop()
        case["server"] = {**told, "verdicts": self.verdicts(case["snapshot"]), "died": died}

    def count(self, case):
        self.counts["cases"] += 1
        self.counts["RPCs"] += len(case["rpcs"])
        for r, a in zip(case["rpcs"], case["answers"], strict=True):
            self.counts["served"] += a["served"]
            self.counts["denied"] += a.get("code") == "7"
            self.counts["handshakes"] += bool(r.get("tls"))

    def differences(self, case):
        decisions = compare_servers.explain(case, self.bootstrap, self.env)
        return decisions, compare_servers.differences(case, decisions)

    def ask_again(self, case):
        """What seems wrong, as certificates may come late."""
        _, found = self.differences(case)
        if not found or case["server"]["died"] is not None:
            return
        again = [i for i, _ in found]
        told = self.peer.ask({"rpcs": [as_asked(case["rpcs"][i]) for i in again]})
        for i, answer in zip(again, told, strict=True):
            case["answers"][i] = answer

    def compare(self, case):
        decisions, found = self.differences(case)
        self.counts["agree"] += len(decisions) - len(found)
        for i, why in found:
            reason = compare_servers.explained(case, i, decisions[i], why)
            self.counts["explained" if reason else "differ"] += 1
            if not reason:
                self.report(case, i, decisions[i], why)

    def report(self, case, i, decision, why):
        self.shown += 1
        if self.shown > SHOWN:
            return
        source = OUT / ("%s-%s-%s.json" % (self.client, self.of or self.options.seed,
                                           str(case["case"]).replace("/", "-")))
        source.write_text(json.dumps(case["snapshot"], indent=1))
        for what, value in (("DIFFERS", "%s: %s" % (self.client, why)), ("  snapshot", source),
                            ("  RPC", json.dumps(compare_servers.request(
                                case, case["rpcs"][i], case["answers"][i]))),
                            ("  server", json.dumps({**case["answers"][i], **case["server"]})),
                            ("  xdscope", json.dumps(compare_servers.summary(decision)))):
            live.say("%s: %s" % (what, value))

    def run_again(self):
        """Compares what an earlier run has kept."""
        for line in self.kept.open():
            case = json.loads(line)
            self.bootstrap = case.get("bootstrap", self.bootstrap)
            self.env = tuple(map(tuple, case.get("env", self.env)))
            self.count(case)
            self.compare(case)
        return self.counts

    def run(self):
        if self.options.kept:
            return self.run_again()
        with self.kept.open("w") as kept:
            for number in range(1, 1 + -(-self.options.count // RPCS)):
                case = self.make(number)
                self.play(case)
                self.ask_again(case)
                kept.write(json.dumps(case) + "\n")
                self.count(case)
                self.compare(case)
        self.adapter.stop()
        self.peer.stop()
        return self.counts


# ---- the program ----

def arguments():
    parser = argparse.ArgumentParser(prog="servers.py")
    parser.add_argument("--clients", default="core go java node", help="names, by space or comma")
    parser.add_argument("--release", default="newest", help="newest, or 1.64")
    parser.add_argument("--count", type=int, default=5000, help="RPCs to the server of each client")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tls", type=float, default=0.4, help="the share of cases with TLS")
    parser.add_argument("--kept", action="store_true", help="no servers: compare what an earlier run "
                        "with this seed has kept")
    parser.add_argument("--inside", action="store_true", help="all is installed, and this is a "
                        "network of its own")
    return parser.parse_args()


def find(name, release):
    return each_client.ready(name, release, (), SERVERS[name].setup)


def enter(options, network):
    """Installs what needs the network outside, and runs this program again in one of its own."""
    for name in options.clients.replace(",", " ").split():
        find(name, options.release)
    build_go(OUT / "peer", ["peer.go.txt", "peer_lives.go.txt"], ["golang.org/x/net v0.38.0"])
    certificates.make(OUT / "certificates")
    os.execvp("unshare", ["unshare", "-rn", "sh", "-c", network, "sh", sys.executable, "-B",
                          *sys.argv, "--inside"])


def play_all(run, network):
    """run: a class of runs."""
    options = arguments()
    if not options.inside and not options.kept:
        enter(options, network)
    each_client.play(options.clients, COLUMNS, lambda name: find(name, options.release),
                     lambda name, installed: run(options, name, installed).run())


def main():
    play_all(Run, NETWORK)


if __name__ == "__main__":
    main()
