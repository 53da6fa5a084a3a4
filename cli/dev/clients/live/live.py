"""live.py - where real RPCs go beside what `xdscope explain` says. See README.md.

An adapter makes the RPCs of one client. It is a module with the client's name in this folder:

  NEEDS = ("go",)                 programs that it needs
  CHANNEL = True                  it opens channels: it gets an ADS server and backends. False: it
                                  decides without them, by the client's own code
  TAGS = {"session", ...}         what snapshots may have, see generate.py
  setup(installed)                builds what it needs; may raise CalledProcessError
  command(installed)              the program: a line of JSON on stdin for each case, an answer on
                                  stdout for each
  explained(case, request, answer, decision, why)
                                  optional: the reason of what xdscope cannot know, or None

A case: {"case", "target", "resources": [{"type_url", "name", "value"}], "requests": [{"path",
"headers", "authority", "deadline", "repeat", "random"}]}. value is base64, and so are the values
of headers whose name ends in -bin. A request is made `repeat` times; deadline is in seconds. With
CHANNEL, GRPC_XDS_BOOTSTRAP_CONFIG has the ADS server, and backends say x-host in their initial
metadata. Without, `random` has the numbers in [0,1) that are drawn, in their order.

An answer: {"case", "nack": text} or {"case", "error": text}, which fails all of its requests, or
{"case", "answers": [...]}, for each request what is known of these:

  hosts, clusters, failures       how many RPCs went there, failed with that status
  attempts                        how many RPCs failed at which attempt
  set_cookie                      each list of Set-Cookie headers that RPCs got
  virtual_host, route             their indexes, null if there is none
  hash, timeout                   of the RPC, null if it has none, or each RPC another hash
  retry                           {"attempts", "initial", "max", "codes"} or null
  choices                         with channels: each different {"cluster", "hash", "timeout",
                                  "retry"} of its RPCs
  drawn                           how many of the random numbers were used
"""
import argparse
import base64
import collections
import importlib
import json
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import cases  # noqa: E402
import compare_live  # noqa: E402
import serve  # noqa: E402
import each_client  # noqa: E402
from adapter import Adapter, Died  # noqa: E402
from clients import environment  # noqa: E402
from generate import Generator  # noqa: E402

REQUESTS = 50          # of a case
REPEAT = 4             # RPCs of a request that chance does not decide
REPEAT_OPEN = 60       # of one that it does; those that seem wrong are made ten times as often
BACKENDS, CLOSED = 48, 16
DYING = "the client dies unless"
SHOWN = 10             # disagreements of a client that are printed
NACK_SHOWN = 500       # characters of a NACK
COLUMNS = ("requests", "routed", "RPCs", "agree", "explained", "differ")


def say(text):
    print(text, flush=True)


# ---- xdscope ----

def headers(request):
    """With that of the deadline, whose digits depend on the moment."""
    deadline = request.get("deadline")
    return request["headers"] + ([["grpc-timeout", "%dm" % (1000 * deadline - 1)]] if deadline else [])


def explain(client, case, requests):
    """A decision for each request."""
    known = ("path", "authority", "down", "random")
    lines = "".join(json.dumps({"target": case["target"], "headers": headers(r),
                                **{k: r[k] for k in known if r.get(k)}}) + "\n" for r in requests)
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "snapshot.json"
        source.write_text(json.dumps(case["snapshot"]))
        done = subprocess.run([cases.XDSCOPE, "explain", "--client", client, "-q", "-f", "json",
                               "--requests", "-", source], input=lines.encode(),
                              capture_output=True, env=environment({}))
    decisions = [json.loads(line) for line in done.stdout.decode().splitlines()]
    if len(decisions) != len(requests):
        sys.exit("xdscope: %s" % done.stderr.decode())
    return decisions


# ---- an adapter ----

def bootstrap(port):
    return {"node": {"id": "n", "locality": {"region": "r", "zone": "z"}}, "xds_servers": [{
        "server_uri": "127.0.0.1:%d" % port, "channel_creds": [{"type": "insecure"}],
        "server_features": ["xds_v3"]}]}


# ---- a client ----

class Run:
    def __init__(self, options, name):
        self.name, self.options = name, options
        self.module = importlib.import_module(name)
        self.explained = getattr(self.module, "explained", lambda *_: None)
        self.random = random.Random("%s/%d" % (name, options.seed))
        self.snapshots = self.adapter = None
        self.backends, self.closed = self.addresses()
        self.counts = collections.Counter()
        self.shown = 0

    def addresses(self):
        if self.module.CHANNEL:
            self.servers = serve.backends(BACKENDS)
            closed, self.sockets = serve.closed_ports(CLOSED)
            return [s.address for s in self.servers], closed
        return ["10.0.0.%d:80" % i for i in range(1, BACKENDS)], []

    def start(self, installed):
        self.snapshots = serve.Snapshots() if self.module.CHANNEL else None
        self.adapter = Adapter(self.module.command(installed),
                               bootstrap(self.snapshots.port if self.snapshots else 1))
        self.client = installed.name()

    def make(self, number):
        generator = Generator(number, self.random, self.module.TAGS, self.backends, self.closed)
        snapshot = generator.snapshot()
        requests = [generator.request() for _ in range(REQUESTS)]
        if not self.module.CHANNEL:
            for r in requests:
                r["random"] = [round(self.random.random(), 6) for _ in range(12)]
        return {"case": number, "target": "xds:///" + generator.case, "snapshot": snapshot,
                "resources": cases.encode(snapshot), "requests": requests}

    def decide(self, case, requests, answers):
        """xdscope's decisions, those between which chance chooses as "possible"; an adapter says
        how many random numbers were drawn."""
        if not self.module.CHANNEL:
            requests = [{**r, "random": r["random"][:a["drawn"]] if "drawn" in a else r["random"]}
                        for r, a in zip(requests, answers)]
        decisions = explain(self.client, case, requests)
        forced = [(i, {**requests[i], "random": numbers}) for i, d in enumerate(decisions)
                  for numbers in compare_live.draws(case, d)]
        if forced:
            found = collections.defaultdict(list)
            for (i, _), one in zip(forced, explain(self.client, case, [r for _, r in forced])):
                found[i].append(one)
            for i, each in found.items():
                decisions[i]["possible"] = compare_live.certain(each)
                for d in (decisions[i], *decisions[i]["possible"]):
                    d["aborts"] = compare_live.aborts(each)
        return decisions

    def run_case(self, case):
        requests = case["requests"]
        if self.snapshots:
            self.snapshots.add(case["resources"])
            self.snapshots.nacks.clear()
            requests = self.without_deaths(case, requests)
            for r, d in zip(requests, explain(self.client, case, requests)):
                r["repeat"] = REPEAT_OPEN if compare_live.is_open(d) else REPEAT
        else:
            for r in requests:
                r["repeat"] = 1
        asked = requests
        answers = self.answers(case, requests)
        if answers is None:
            return
        wrong = self.compare(case, requests, answers)
        self.counts["routed"] += sum(bool(a.get("clusters") or a.get("hosts")) for a in answers)
        if wrong and self.snapshots:
            again = [{**requests[i], "repeat": 10 * requests[i]["repeat"]} for i, *_ in wrong]
            answers = self.answers(case, again)
            if answers is None:
                return
            wrong = self.compare(case, again, answers)
            requests = again
        self.counts["requests"] += len(asked)
        self.counts["RPCs"] += sum(r["repeat"] for r in asked)
        self.counts["agree"] += len(asked) - len(wrong)
        for i, answer, decision, why in wrong:
            self.report(case, requests[i], answer, decision, why)

    def without_deaths(self, case, requests):
        """The others; each of those of which the client is to die is asked alone. What it may die
        of, by its connections, is left out."""
        kept = []
        for request, decision in zip(requests, explain(self.client, case, requests)):
            if any(DYING in note for note in decision.get("notes", ())):
                continue
            if decision["outcome"] != "crash":
                kept.append(request)
                continue
            self.counts["requests"] += 1
            if self.dies(case, request):
                self.counts["agree"] += 1
            else:
                self.fail("LIVES: %s: case %d: %s" % (self.client, case["case"], json.dumps(request)))
        return kept

    def dies(self, case, request):
        try:
            self.ask(case, [{**request, "repeat": 1}])
        except Died:
            return True
        return False

    def ask(self, case, requests):
        return self.adapter.ask({
            "case": case["case"], "target": case["target"], "requests": requests,
            "resources": [{"type_url": r["type_url"], "name": r["name"],
                           "value": base64.b64encode(r["bytes"]).decode()}
                          for r in case["resources"]]})

    def answers(self, case, requests):
        """For each request, or None."""
        try:
            told = self.ask(case, requests)
        except Died as died:
            one = next((r for r in requests if self.dies(case, r)), "no request alone")
            self.fail("DIED: %s: case %d: %s %s" % (self.client, case["case"], json.dumps(one), died))
            return None
        nacks = [told["nack"]] if "nack" in told else self.snapshots and self.snapshots.nacks
        if nacks:
            self.fail("NACK: %s: case %d: %s" % (self.client, case["case"], nacks[0][:NACK_SHOWN]))
            return None
        if "error" in told:
            return [{"failures": {"UNAVAILABLE": r["repeat"]}, "message": told["error"]}
                    for r in requests]
        return told["answers"]

    def compare(self, case, requests, answers):
        decisions = self.decide(case, requests, answers)
        out = []
        for i, (r, a, d) in enumerate(zip(requests, answers, decisions, strict=True)):
            why = compare_live.difference(case, r, a, d)
            if why:
                out.append((i, a, d, why))
        return out

    def fail(self, text):
        self.counts["differ"] += 1
        self.shown += 1
        if self.shown <= SHOWN:
            say(text)

    def report(self, case, request, answer, decision, why):
        reason = self.explained(case, request, answer, decision, why)
        if reason:
            self.counts["explained"] += 1
            return
        self.counts["differ"] += 1
        self.shown += 1
        if self.shown > SHOWN:
            return
        kept = pathlib.Path(self.options.out) / ("%s-%s.json" % (self.client, case["case"]))
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(case["snapshot"], indent=1))
        for what, value in (("DIFFERS", "%s: %s" % (self.client, why)), ("  snapshot", kept),
                            ("  request", json.dumps({"target": case["target"], **request})),
                            ("  client", json.dumps(answer)),
                            ("  xdscope", json.dumps(compare_live.summary(decision)))):
            say("%s: %s" % (what, value))

    def run(self):
        number = 0
        while self.counts["requests"] < self.options.count and number * REQUESTS < (
                2 * self.options.count):
            number += 1
            self.run_case(self.make(number))
        self.adapter.stop()
        return self.counts


def arguments():
    parser = argparse.ArgumentParser(prog="live.py")
    parser.add_argument("--clients", default="core go java node", help="names, by space or comma")
    parser.add_argument("--release", default="newest", help="newest, or 1.64")
    parser.add_argument("--count", type=int, default=5000, help="requests for each client")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="build/clients/live", help="for snapshots that differ")
    return parser.parse_args()


def main():
    options = arguments()

    def find(name):
        module = importlib.import_module(name)
        return each_client.ready(name, options.release, module.NEEDS, module.setup)

    def run(name, installed):
        played = Run(options, name)
        played.start(installed)
        return played.run()

    each_client.play(options.clients, COLUMNS, find, run)


if __name__ == "__main__":
    main()
