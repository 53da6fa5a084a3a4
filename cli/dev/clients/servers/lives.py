"""lives.py - what becomes of a real xDS server, its connections and open RPCs while its listener
and routes come, change and go, beside `xdscope simulate`. See README.md.

A life is a list of events of subject `server`, played step by step. After each the peer says which
connections were told to go away and which were closed, and the server what its application was told.

A life is kept as a line of JSON: {"client", "seed", "life", "scenario", "seen": [...]}.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[1:1] = [str(HERE.parent), str(HERE.parent / "live")]

import cases  # noqa: E402
import certificates  # noqa: E402
import compare_servers  # noqa: E402
import each_client  # noqa: E402
import live  # noqa: E402
import servers  # noqa: E402
from adapter import Adapter, Died  # noqa: E402
from clients import environment  # noqa: E402
from discovery import LDS, RDS, response  # noqa: E402
from life_cases import GRACE_SECONDS, MISSING_SECONDS, STEPS, WAIT_SECONDS, LifeGenerator, Seen  # noqa: E402
from server_cases import LISTENER  # noqa: E402

FIRST_PORT = 27000
SETTLE_SECONDS = 0.25    # from an ACK to what it changes
ACK_SECONDS = 3
START_SECONDS = 10
RPC_SECONDS = 2
SHOWN = 10
CONNECTED = {"open": ("open",), "closed": ("closed",), "refused": ("refused",), "waits": ("timeout",),
             "no_handshake": ("closed", "tls", "timeout"), "crash": ("closed",)}
COLUMNS = ("lives", "steps", "drained", "closed", "agree", "differ")


class Snapshots:
    """An ADS server whose resources change."""

    def __init__(self):
        import ads
        self.server = ads.Server()
        self.lock = threading.Condition()
        self.resources = {}    # by type URL and name
        self.asked = {}        # by stream and type: names
        self.told = {}         # by nonce: type, names
        self.verdicts = {}     # by nonce
        self.sent = 0
        threading.Thread(target=self.run, daemon=True).start()

    @property
    def port(self):
        return self.server.port

    def send(self, stream, type_url):
        """Under the lock. The nonce."""
        names = self.asked.get((stream, type_url), set())
        self.sent += 1
        nonce = str(self.sent)
        found = [(type_url, self.resources[type_url, n]) for n in sorted(names)
                 if (type_url, n) in self.resources]
        self.told[nonce] = {n for n in names if (type_url, n) in self.resources}
        stream.put(response(type_url, nonce, found))
        return nonce

    def run(self):
        while True:
            stream, request = self.server.requests.get()
            with self.lock:
                if request is None:
                    self.asked = {k: v for k, v in self.asked.items() if k[0] is not stream}
                    continue
                if request.nonce:
                    self.verdicts[request.nonce] = request.error or ""
                    self.lock.notify_all()
                key, names = (stream, request.type_url), set(request.names)
                if self.asked.get(key) != names:
                    new = names - self.asked.get(key, set())
                    self.asked[key] = names
                    if any((request.type_url, n) in self.resources for n in new):
                        self.send(stream, request.type_url)

    def clear(self):
        with self.lock:
            self.resources.clear()

    def wait_for(self, name):
        """Until a server asks for it."""
        end = time.time() + START_SECONDS
        while name not in self.names() and time.time() < end:
            time.sleep(0.02)

    def names(self):
        """Of the resources that somebody asks for."""
        with self.lock:
            return set().union(*self.asked.values())

    def change(self, type_url, changed, removed=()):
        """Verdicts of those that ask for it: "" or the text of a NACK."""
        with self.lock:
            for name in removed:
                self.resources.pop((type_url, name), None)
            before = {(type_url, r["name"]): self.resources.get((type_url, r["name"]))
                      for r in changed}
            self.resources.update({(type_url, r["name"]): r["bytes"] for r in changed})
            names = {r["name"] for r in changed} | set(removed)
            nonces = [self.send(stream, t) for (stream, t), asked in list(self.asked.items())
                      if t == type_url and names & asked]
            end = time.time() + ACK_SECONDS
            while any(n not in self.verdicts for n in nonces) and time.time() < end:
                self.lock.wait(0.05)
            if any(self.verdicts.get(n) for n in nonces):    # what is rejected is sent no more
                self.resources.update({k: v for k, v in before.items() if v})
            return [self.verdicts.get(n) for n in nonces]


class Run:
    def __init__(self, options, name, installed):
        self.options, self.name, self.client = options, name, installed.name()
        self.server = servers.SERVERS[name]
        self.snapshots = Snapshots()
        self.bootstrap = {
            **live.bootstrap(self.snapshots.port),
            "server_listener_resource_name_template": LISTENER + "%s",
            "certificate_providers": certificates.providers(servers.OUT / "certificates")}
        self.adapter = Adapter(self.server.command(installed), self.bootstrap)
        self.adapter.variables.update(self.server.env)
        self.peer = Adapter([str(servers.OUT / "peer/program")])
        self.counts = collections.Counter()
        self.kept = servers.OUT / ("lives-%s-%d.jsonl" % (self.client, options.seed))

    # ---- one life ----

    def ask(self, do, **more):
        return self.peer.ask({"life": {"do": do, "seconds": RPC_SECONDS, **more}})

    @staticmethod
    def headers(event):
        return [[":method", "POST"], [":scheme", "http"], [":path", event["path"]],
                [":authority", event["authority"]], ["te", "trailers"],
                ["content-type", "application/grpc"],
                *[list(h) for h in event.get("headers", {}).items()]]

    def play(self, event, rpcs):
        """What is seen of the event itself."""
        kind = event["type"]
        if kind == "xds_update":
            out = []
            for type_url, key in ((RDS, "routes"), (LDS, "listeners")):
                found = event.get(key, [])
                if found:
                    encoded = cases.encode([{"@type": type_url, **r} for r in found])
                    out += self.snapshots.change(type_url, encoded)
            return {"verdicts": out}
        if kind == "xds_remove":
            return {"verdicts": self.snapshots.change(LDS, [], [event["name"]])}
        if kind == "connect":
            out = self.ask("connect", id=event["id"], **{"from": event["peer"] + ":0",
                           "to": event["local"]})
            return {"connect": out.get("failed", "open"), "words": out.get("words", "")}
        if kind == "disconnect":
            return self.ask("close", id=event["id"])
        if kind in ("rpc", "rpc_start"):
            out = self.ask("start", id=event["connection"], headers=self.headers(event),
                           ends=kind == "rpc")
            if kind == "rpc_start":
                rpcs[event["id"]] = (event["connection"], out["rpc"])
            return {"answer": out["answer"], "ended": out["ended"]}
        if kind == "rpc_end":
            connection, rpc = rpcs.pop(event["id"])
            return {"answer": self.ask("end", id=connection, rpc=rpc)["answer"]}
        return {}

    def step(self, event, rpcs, started):
        """All that is seen of a step. started: what the server gets before the first one."""
        one, told = {}, []
        try:
            if started:
                told += self.adapter.ask(started)["modes"]
                self.snapshots.wait_for(LISTENER + started["address"])
            one = self.play(event, rpcs)
            looked = self.ask("look", seconds=SETTLE_SECONDS)
            told += self.adapter.ask({"modes": True})["modes"]
        except Died as words:
            one["died"] = str(words)
            looked = self.ask("look", seconds=SETTLE_SECONDS)
        return {**one, "told": told, "away": sorted(looked.get("away", {})),
                "shut": sorted(looked.get("closed", {}))}

    @staticmethod
    def learn(known, i, event, one):
        """What the peer knows after the step; adds what is new to it."""
        kind = event["type"]
        if kind == "connect" and one.get("connect") == "open":
            known.open.add(event["id"])
        if kind == "disconnect":
            known.open.discard(event["id"])
        if kind == "rpc_start" and one["answer"]["served"] and not one["ended"]:
            known.rpcs[event["id"]] = event["connection"]
        if kind == "rpc_end":
            known.rpcs.pop(event["id"])
        there = known.open | set(known.away)
        one["drained"] = sorted(set(one.pop("away")) & known.open)
        one["closed"] = sorted(set(one.pop("shut")) & there)
        for c in one["drained"]:
            known.open.discard(c)
            known.away[c] = i
        for c in one["closed"]:
            known.open.discard(c)
            known.away.pop(c, None)
        known.rpcs = {r: c for r, c in known.rpcs.items() if c in known.open or c in known.away}

    def live(self, number):
        generator = LifeGenerator(
            random.Random("%s/%d/%d" % (self.name, self.options.seed, number)), number,
            "0.0.0.0:%d" % (FIRST_PORT + number), self.options.missing)
        self.ask("reset")
        self.snapshots.clear()
        scenario, seen, rpcs, known, at = generator.head(), [], {}, Seen(), 0
        started = {"address": generator.address, "seconds": 0.3, "grace": GRACE_SECONDS}
        for i in range(STEPS):
            known.asked = self.snapshots.names()
            event, seconds = generator.next(i, known)
            time.sleep(seconds)
            at += seconds
            scenario["steps"].append({"at": "%ds" % at, "event": event})
            one = self.step(event, rpcs, started if i == 0 else None)
            seen.append(one)
            if "died" in one:
                one["drained"] = one["closed"] = []
                break
            self.learn(known, i, event, one)
            if seconds > WAIT_SECONDS:
                break
        if self.name == "go":    # it has no such option
            scenario["config"].pop("drain_grace_time")
        return scenario, seen

    # ---- comparing ----

    def simulate(self, scenario):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "life.json"
            path.write_text(json.dumps(scenario))
            done = subprocess.run(
                [cases.XDSCOPE, "simulate", "-q", "-f", "json", "--client", self.client,
                 *("--env=%s=%s" % pair for pair in self.server.env), path],
                capture_output=True, env=environment({}))
        try:
            return [s["result"] for s in json.loads(done.stdout)["scenarios"][0]["steps"]]
        except (ValueError, KeyError, IndexError):
            sys.exit("xdscope: %s" % done.stderr.decode())

    def differences(self, event, want, one):
        """Sentences."""
        kind, out = event["type"], []
        if "died" in one:
            return [] if want["serving"] == "CRASHED" else ["the server died: " + one["died"][-300:]]
        if kind == "connect":
            wanted = want["connected"][0]["result"]
            if one["connect"] not in CONNECTED[wanted]:
                out.append("connect %s, but: %s %s" % (wanted, one["connect"], one["words"]))
        if kind in ("rpc", "rpc_start") and want["answer"]["outcome"] != "not_sent":
            why = compare_servers.difference({}, one["answer"], want["answer"])
            out += [why] if why else []
        for key in ("drained", "closed"):
            wanted = sorted(e["connection"] for e in want[key])
            if kind == "disconnect" and event["id"] in wanted and key == "closed":
                wanted.remove(event["id"])
            got = one[key]
            # A connection that is closed at once may be closed before its GOAWAY is read.
            if wanted != got and not (key == "drained" and set(got) <= set(wanted) and
                                      set(wanted) - set(got) <= set(one["closed"])):
                out.append("%s %s, but: %s" % (key, wanted, got))
        if self.name != "core":    # Python has no callback for it
            wanted = [t.split(":")[0] for t in want["told"]]
            got = [t.split(":")[0] for t in one["told"] if not t.startswith("LOG")]
            if wanted != got:
                out.append("told %s, but: %s" % (want["told"], one["told"]))
        return out

    def compare(self, number, scenario, seen):
        results = self.simulate(scenario)
        for i, (step, one) in enumerate(zip(scenario["steps"], seen)):
            self.counts["steps"] += 1
            if i >= len(results):
                self.counts["differ"] += 1
                self.report(number, scenario, i, ["xdscope plays it no further"], seen)
                return
            want = results[i]
            self.counts["drained"] += len(one["drained"])
            self.counts["closed"] += len(one["closed"])
            found = self.differences(step["event"], want, one)
            self.counts["differ" if found else "agree"] += 1
            if found:
                self.report(number, scenario, i, found, seen)
                return    # what follows may come of it

    def report(self, number, scenario, i, found, seen):
        if self.counts["differ"] >= SHOWN:
            return
        path = servers.OUT / ("life-%s-%d-%d.json" % (self.client, self.options.seed, number))
        path.write_text(json.dumps(scenario, indent=1))
        live.say("DIFFERS: %s, life %d, step %d: %s" % (self.client, number, i, "; ".join(found)))
        live.say("  scenario: %s" % path)
        for k, (step, one) in enumerate(zip(scenario["steps"][:i + 1], seen)):
            live.say("  %d %s -> %s" % (k, brief(step["event"]), json.dumps(one)))

    def lives(self):
        """(number, scenario, what was seen); of --kept, what an earlier run has seen."""
        if self.options.kept:
            for line in self.kept.open():
                told = json.loads(line)
                yield told["life"], told["scenario"], told["seen"]
            return
        with self.kept.open("w") as kept:
            for number in range(1, 1 + self.options.count):
                scenario, seen = self.live(number)
                kept.write(json.dumps({"client": self.client, "seed": self.options.seed,
                                       "life": number, "scenario": scenario, "seen": seen}) + "\n")
                yield number, scenario, seen

    def run(self):
        for number, scenario, seen in self.lives():
            self.counts["lives"] += 1
            self.compare(number, scenario, seen)
        self.adapter.stop()
        self.peer.stop()
        return self.counts


def short(value):
    """A listener or routes without what all of them have."""
    if "virtual_hosts" in value:
        return [h["name"] for h in value["virtual_hosts"]]
    chains = [*value.get("filter_chains", []), value.get("default_filter_chain")]
    managers = [(c["name"], c["filters"][0]["typed_config"] if c["filters"] else {})
                for c in chains if c]
    return ["%s:%s" % (n, m.get("rds", {}).get("route_config_name", "inline")) for n, m in managers]


def brief(event):
    """One line."""
    out = {k: [short(x) for x in v] if k in ("listeners", "routes") else v
           for k, v in event.items()}
    return json.dumps(out)


def arguments():
    parser = argparse.ArgumentParser(prog="lives.py")
    parser.add_argument("--clients", default="core go java node", help="names, by space or comma")
    parser.add_argument("--release", default="newest", help="newest, or 1.64")
    parser.add_argument("--count", type=int, default=100, help="lives of the server of each client")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--missing", type=float, default=0.1, help="the share of lives in which "
                        "%d seconds pass while a resource is missing" % MISSING_SECONDS)
    parser.add_argument("--kept", action="store_true", help="no servers: compare what an earlier run "
                        "with this seed has kept")
    parser.add_argument("--inside", action="store_true", help="all is installed, and this is a "
                        "network of its own")
    return parser.parse_args()


def main():
    options = arguments()
    if not options.inside and not options.kept:
        servers.enter(options, servers.NETWORK)
    each_client.play(options.clients, COLUMNS, lambda name: servers.find(name, options.release),
                     lambda name, installed: Run(options, name, installed).run())


if __name__ == "__main__":
    main()
