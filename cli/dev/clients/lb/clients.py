"""clients.py - the players of clients, and where their sequences of events come from.

A player has a client and a policy. make(n, seed) gives scenarios, {scenario, subject, env,
target, snapshot, steps: [{at_ms, event}]}, and for each the client's results of its steps;
play(scenarios) gives the results of given ones, None for what the client cannot play.
"""
import json
import os
import random
import subprocess
import tempfile

ROOT = "build/clients/lb"
POLICIES = ["priority", "weighted_target", "cluster_manager", "ring_hash", "cds_child_names",
            "channel", "rings"]
NEWEST = {"go": "1.85.0", "java": "1.85.1"}
REPEATS = 2
SHARES = "GRPC_EXPERIMENTAL_PF_WEIGHTED_SHUFFLING"
CACHE = "GRPC_EXPERIMENTAL_ENABLE_PRIORITY_LB_CHILD_POLICY_CACHE"


def minor(release):
    return int(release.split(".")[1])


def players(client, release, simulate, explain):
    """All policies, or those that the players of older releases have."""
    if client == "go":
        scripted = [Go(release, p) for p in ("priority", "weighted_target", "cds_child_names")]
        if release == NEWEST["go"]:
            channels = [Go(release, p, "Channel")
                        for p in ("cluster_manager", "ring_hash", "channel")]
            return scripted + channels + [Rings(release, explain)]
        return scripted + [Manager(client, release, simulate), Ring(client, release)]
    names = [Names(client, release)] if minor(release) >= 79 else []
    return [Drawn(client, release, "priority", priority),
            Drawn(client, release, "weighted_target", weighted_target),
            Manager(client, release, simulate), Ring(client, release)] + names


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def dump(scenarios):
    return "".join(json.dumps(s) + "\n" for s in scenarios)


# ---- go: it makes the sequences as it plays, for it knows which children exist ----

class Go:
    client = "go"

    def __init__(self, release, policy, suffix=""):
        self.release, self.policy = release, policy
        self.suffix = suffix

    def run(self, test, *arguments):
        with tempfile.NamedTemporaryFile() as out:
            run = subprocess.run(["%s/go/%s/lbplay.test" % (ROOT, self.release), "-test.run", "^%s%s$" % (test, self.suffix),
                                  "-test.timeout", "60m", "-subject", self.policy, "-out", out.name,
                                  *arguments], stdout=subprocess.DEVNULL, check=False,
                                 env=dict(os.environ, GODEBUG="asynctimerchan=0"))
            return lines(out.read().decode()) if run.returncode == 0 else None

    def run_file(self, test, scenarios):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(dump(scenarios))
            file.flush()
            return self.run(test, "-in", file.name)

    def replay(self, scenarios):
        return self.run_file("TestPlay", scenarios)

    @staticmethod
    def results(scenario):
        out = []
        for step in scenario["steps"]:
            result = dict(step["result"])
            # Of several connections to one address xdscope shows the best.
            if "conns" in result:
                result["connections"] = {k: min(v, key=STATES.index)
                                         for k, v in result.pop("conns").items()}
            if len(result.get("pick_probabilities") or {}) > 1:
                result.pop("pick", None)
            if "pick" in result:
                result["pick"] = {k: result["pick"][k] for k in ("result", "host")
                                  if result["pick"].get(k)}
            if "config_error" in result:
                result["config_error"] = True
            out.append(result)
        return out

    @staticmethod
    def bare(scenario):
        return dict(scenario, steps=[{k: s[k] for k in ("at_ms", "event")}
                                     for s in scenario["steps"]])

    def make(self, n, seed):
        made = self.run("TestMake", "-n", str(n), "-seed", str(seed))
        scenarios = [self.bare(s) for s in made]
        real = [self.results(s) for s in made]
        for _ in range(REPEATS):
            again = [self.results(s) for s in self.replay(scenarios)]
            same = [i for i in range(len(real)) if again[i] == real[i]]
            scenarios, real = [scenarios[i] for i in same], [real[i] for i in same]
        return scenarios, real

    def play(self, scenarios):
        played = self.replay(scenarios)
        return played and [self.results(s) for s in played]


# ---- java ----

# The best first.
STATES, WEIGHTS = ["READY", "CONNECTING", "IDLE", "TRANSIENT_FAILURE"], [3, 4, 1, 3]


def times(r, n):
    """Steps near 10 s and 15 min after something that happened."""
    at, marks = 0, [0]
    for _ in range(n):
        k = r.random()
        if k < 0.55:
            at += r.choice([0, 1, 7, 333, 1001, 2503, 4999])
        elif k < 0.95:
            due = r.choice(marks[-6:]) + r.choice([10000, 10000, 20000, 900000, 910000])
            at = max(at, due + r.choice([-1, 0, 0, 1, 17]))
        else:
            at += r.choice([60011, 899999])
        marks.append(at)
        yield at


def state(r):
    return r.choices(STATES, WEIGHTS)[0]


def some(r, names):
    return r.sample(names, r.randint(1, len(names)))


def priority_update(r, names, chosen):
    listed = list(chosen)
    odd = r.random()
    if odd < 0.01:
        listed = []
    elif odd < 0.02:
        listed.append(r.choice(chosen))
    elif odd < 0.03:
        listed.pop()
    elif odd < 0.04:
        listed.append("stranger")
    children = {c: {"ignore_reresolution_requests": True} if r.random() < 0.3 else {} for c in chosen}
    event = {"type": "config_update", "config": {"children": children, "priorities": listed}}
    if r.random() < 0.4:
        event["addresses"] = [{"address": "10.0.0.%d:80" % r.randint(1, 9),
                               "path": r.choice([[r.choice(names)], [r.choice(names), "z"], []])}
                              for _ in range(r.randint(0, 4))]
    if r.random() < 0.35:
        event["child_reports"] = {c: state(r) for c in some(r, chosen)}
    return event


def priority(r):
    names = ["p%d" % j for j in range(r.randint(1, 5))]
    steps, known = [], []
    for at in times(r, r.randint(4, 22)):
        k = r.random()
        if not steps or k < 0.22:
            chosen = list(known) if known and r.random() < 0.35 else some(r, names)
            if r.random() < 0.5:
                chosen.sort()
            event = priority_update(r, names, chosen)
            known = chosen
        elif k < 0.8:
            event = {"type": "child_state", "child": r.choice(names), "state": state(r)}
            if r.random() < 0.2:
                event["picker"] = "k%d" % r.randint(1, 3)
        elif k < 0.86:
            event = {"type": "child_reresolution", "child": r.choice(names)}
        else:
            event = {"type": "advance"}
        steps.append({"at_ms": at, "event": event})
    return {"subject": "priority", "env": {CACHE: "true"} if r.random() < 0.4 else {}, "steps": steps}


def weighted_target(r):
    names = ["t%d" % j for j in range(r.randint(1, 5))]
    steps = []
    for at in times(r, r.randint(4, 20)):
        k = r.random()
        if not steps or k < 0.25:
            chosen = sorted(some(r, names)) if r.random() < 0.98 else []
            event = {"type": "config_update", "config": {"targets": {
                c: {"weight": r.choice([0, 1, 1, 2, 3, 10, 100])} for c in chosen}}}
            if chosen and r.random() < 0.3:
                event["child_reports"] = {c: state(r) for c in some(r, chosen)}
        elif k < 0.75:
            event = {"type": "child_state", "child": r.choice(names), "state": state(r)}
        elif k < 0.92:
            event = {"type": "pick", "random": [r.choice([0, 0.25, 0.5, 0.999, r.random()])]}
        else:
            event = {"type": "advance"}
        steps.append({"at_ms": at, "event": event})
    return {"subject": "weighted_target", "steps": steps}


class Drawn:
    """Its sequences are drawn here."""

    def __init__(self, client, release, policy, generate):
        self.client, self.release = client, release
        self.policy, self.generate = policy, generate

    def run(self, scenarios):
        if self.client == "go":
            return [[t["result"] for t in s["steps"]]
                    for s in Go(self.release, self.policy).replay(scenarios)]
        documents = [dict(s, steps=[{"at": "%dms" % t["at_ms"], "event": t["event"]}
                                    for t in s["steps"]]) for s in scenarios]
        root = "%s/java/%s" % (ROOT, self.release)
        run = subprocess.run(["java", "-cp", "%s/classes:%s/lib/*" % (root, root),
                              "io.grpc.xds.Player"], input=dump(documents).encode(),
                             stdout=subprocess.PIPE, check=True)
        return [s["steps"] for s in lines(run.stdout.decode())]

    def scenarios(self, n, seed):
        return [dict(self.generate(random.Random("%s/%d/%d" % (self.policy, seed, i))),
                     scenario="%s-%d-%d" % (self.policy, seed, i)) for i in range(n)]

    @staticmethod
    def clean(scenario, played):
        """Events of children that do not exist become advance; results as they are compared."""
        out = []
        for step, result in zip(scenario["steps"], played):
            event, result = step["event"], dict(result)
            if result.pop("no_child", False):
                step["event"] = {"type": "advance"}
            unsaid = result.pop("unsaid", [])
            if result.get("config_error"):
                event.pop("child_reports", None)
            elif "child_reports" in event:
                event["child_reports"] = {k: v for k, v in event["child_reports"].items()
                                          if k not in unsaid}
            if "exception" in result:
                result = {"fault": result["exception"]}
            if result.get("reported", {}).get("picker", "").startswith("Connection timeout"):
                # Not the child's own picker, so xdscope names no child.
                result["reported"] = dict(result["reported"], picker="fail", child=None)
            # The player says false of every step, xdscope of those that ask.
            if result.get("reresolution_forwarded") is False:
                del result["reresolution_forwarded"]
            # A picker that outlives its targets is not asked.
            if scenario["subject"] == "weighted_target" and not result.get("exists", True):
                result.pop("pick", None)
            out.append(result)
        return out

    def play(self, scenarios):
        return [self.clean(s, p) for s, p in zip(scenarios, self.run(scenarios))]

    def make(self, n, seed):
        scenarios = self.scenarios(n, seed)
        return scenarios, self.play(scenarios)


class Names(Drawn):
    def __init__(self, client, release):
        super().__init__(client, release, "cds_child_names", self.names)

    @staticmethod
    def names(r):
        steps = []
        for i in range(r.randint(4, 16)):
            left = r.sample("abcdefg", 7)
            priorities = []
            for _ in range(r.randint(1, 4)):
                size = min(r.randint(1, 3), len(left))
                if size:
                    priorities.append(left[:size])
                left = left[size:]
            steps.append({"at_ms": i, "event": {"type": "eds_update", "priorities": priorities}})
        return {"subject": "cds_child_names", "steps": steps}


# ---- the cluster manager gets the configs that xdscope says are sent ----

HCM = "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager"
ROUTER = "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router"
RING = "type.googleapis.com/envoy.extensions.load_balancing_policies.ring_hash.v3.RingHash"


def snapshot(clusters, endpoints, routes):
    hcm = {"@type": HCM, "rds": {"route_config_name": "rc", "config_source": {"ads": {}}},
           "http_filters": [{"name": "router", "typed_config": {"@type": ROUTER}}]}
    return {"listeners": [{"name": "shop", "api_listener": {"api_listener": hcm}}],
            "routes": [routes], "clusters": clusters, "endpoints": endpoints}


def eds(name, hosts):
    return {"cluster_name": name, "endpoints": [{
        "locality": {"zone": "z"}, "load_balancing_weight": 1, "lb_endpoints": [
            {"endpoint": {"address": {"socket_address": {
                "address": h.rsplit(":", 1)[0].strip("[]"), "port_value": int(h.rsplit(":", 1)[1])}}},
             "load_balancing_weight": w} for h, w in hosts]}]}


def routes_to(names):
    return {"name": "rc", "virtual_hosts": [{"name": "all", "domains": ["*"], "routes": [
        {"match": {"prefix": "/" + n}, "route": {"cluster": n}} for n in names]}]}


class Manager(Drawn):
    def __init__(self, client, release, simulate):
        super().__init__(client, release, "cluster_manager", self.manager)
        self.simulate = simulate
        self.root = ("xds_" if client == "go" else "") + "cluster_manager_experimental"

    @staticmethod
    def manager(r):
        names = "ABCD"[:r.randint(1, 4)]
        at, steps = 0, [{"at_ms": 0, "event": {"type": "advance"}}]
        for _ in range(r.randint(5, 25)):
            at += r.choice([0, 5, 1000, 9000, 10001, 450000, 900000])
            if r.random() < 0.25:
                event = {"type": "xds_update", "routes": [routes_to(sorted(some(r, names)))]}
            else:
                event = {"type": "subchannel_state", "state": r.choice(STATES),
                         "address": "10.0.0.%d:80" % (r.randrange(len(names)) + 1)}
            steps.append({"at_ms": at, "event": event})
        clusters = [{"name": n, "type": "EDS", "eds_cluster_config": {"eds_config": {"ads": {}}}}
                    for n in names]
        endpoints = [eds(n, [("10.0.0.%d:80" % (j + 1), 1)]) for j, n in enumerate(names)]
        return {"subject": "channel", "target": "xds:///shop", "steps": steps,
                "snapshot": snapshot(clusters, endpoints, routes_to(sorted(some(r, names))))}

    @staticmethod
    def gives_up(step, before):
        """From CONNECTING to IDLE: go reports IDLE for an instant, which no result shows."""
        event = step["event"]
        return event.get("state") == "IDLE" and \
            before.get("connections", {}).get(event.get("address")) == "CONNECTING"

    def repair(self, scenarios):
        """An event of an address without a subchannel becomes advance."""
        while True:
            played = self.simulate(scenarios)
            quiet = [(s, i) for s, (results, _) in zip(scenarios, played) if self.client == "go"
                     for i in range(1, len(results)) if self.gives_up(s["steps"][i], results[i - 1])]
            for s, i in quiet:
                s["steps"][i]["event"] = {"type": "advance"}
            if quiet:
                continue
            short = [(s, len(p[0])) for s, p in zip(scenarios, played) if len(p[0]) < len(s["steps"])]
            if not short:
                return [p[0] for p in played]
            for s, i in short:
                s["steps"][i]["event"] = {"type": "advance"}

    def translate(self, scenario, results):
        steps, groups = [], []
        for i, (step, result) in enumerate(zip(scenario["steps"], results)):
            before, states = len(steps), result["policies"]
            children = sorted(k.split("/")[1] for k in states if k.count("/") == 1)
            add = lambda event, at=step["at_ms"]: steps.append({"at_ms": at, "event": event})
            add({"type": "advance"})
            for config in result["service_configs_sent"] or ([children] if i == 0 else []):
                add({"type": "config_update", "config": {"children": config}})
            for c in children:
                add({"type": "child_state", "child": c, "state": states[self.root + "/" + c]})
            groups.append(len(steps) - before)
        return {"scenario": scenario["scenario"], "subject": "cluster_manager", "steps": steps}, groups

    def play(self, scenarios):
        pairs = [self.translate(s, r) for s, r in zip(scenarios, self.repair(scenarios))]
        out = []
        for (_, groups), played in zip(pairs, self.run([p[0] for p in pairs])):
            at, results = 0, []
            for n in groups:
                at += n
                results.append({"policies": {self.root: played[at - 1]["reported_state"],
                                             **{self.root + "/" + c: s for c, s in
                                                played[at - 1].get("states", {}).items()}}})
                if any("exception" in p for p in played[at - n:at]):
                    results[-1] = {"fault": "exception"}
            out.append(results)
        return out


# ---- ring_hash: states of subchannels are drawn step by step, as it has them ----

class Ring(Drawn):
    next_states = {"CONNECTING": ["READY", "TRANSIENT_FAILURE", "TRANSIENT_FAILURE"],
                   "READY": ["IDLE"], "TRANSIENT_FAILURE": ["CONNECTING"], "IDLE": []}

    def __init__(self, client, release):
        super().__init__(client, release, "ring_hash", self.ring)

    @staticmethod
    def ring(r):
        hosts = ["10.0.0.%d:80" % j for j in range(1, r.randint(2, 7))]
        hosts += ["[2001:db8::%x]:80" % r.randint(1, 60000) for _ in range(r.randint(0, 2))]
        size = r.choice([(8, 16), (7, 4096), (64, 128), (1024, 4096)])
        pick = lambda: [[h, r.choice([1, 1, 1, 2, 5])] for h in some(r, hosts)]
        at, steps = 0, []
        for _ in range(r.randint(6, 30)):
            k = r.random()
            at += r.choice([0, 10, 500])
            if not steps or k < 0.1:
                event = {"type": "config_update", "config": {"min": size[0], "max": size[1]},
                         "endpoints": pick()}
            elif k < 0.5:
                event = {"type": "rpc", "headers": {"k": "key%d" % r.randint(0, 40)}}
            else:
                event = {"type": "subchannel_state", "address": "", "roll": r.random()}
            steps.append({"at_ms": at, "event": event})
        return {"subject": "ring_hash", "steps": steps}

    def settle(self, scenarios):
        while True:
            todo = [(s, i) for s in scenarios for i in
                    [next((i for i, t in enumerate(s["steps"]) if "roll" in t["event"]), None)]
                    if i is not None]
            if not todo:
                return
            played = self.run([dict(s, steps=s["steps"][:i]) for s, i in todo])
            for (s, i), steps in zip(todo, played):
                event, live = s["steps"][i]["event"], steps[-1].get("connections", {})
                may = [(a, x) for a in sorted(live) for x in self.next_states[live[a]]]
                roll = event.pop("roll")
                if may:
                    event["address"], event["state"] = may[int(roll * len(may))]
                else:
                    s["steps"][i]["event"] = {"type": "advance"}

    @staticmethod
    def channel(scenario):
        first, steps = scenario["steps"][0]["event"], []
        config = {"@type": RING, "hash_function": "XX_HASH",
                  "minimum_ring_size": first["config"]["min"],
                  "maximum_ring_size": first["config"]["max"]}
        cluster = {"name": "a", "type": "EDS", "eds_cluster_config": {"eds_config": {"ads": {}}},
                   "load_balancing_policy": {"policies": [
                       {"typed_extension_config": {"name": "x", "typed_config": config}}]}}
        routes = routes_to("a")
        routes["virtual_hosts"][0]["routes"][0] = {
            "match": {"prefix": "/"},
            "route": {"cluster": "a", "hash_policy": [{"header": {"header_name": "k"}}]}}
        for i, step in enumerate(scenario["steps"]):
            event = step["event"]
            if event["type"] == "config_update":
                event = ({"type": "xds_update", "endpoints": [eds("a", event["endpoints"])]} if i
                         else {"type": "advance"})
            elif event["type"] == "rpc":
                event = dict(event, path="/a.B/C")
            steps.append({"at_ms": step["at_ms"], "event": event})
        # The policy gets the weights as they are here, not as shares (gRFC A113).
        return {"scenario": scenario["scenario"], "subject": "channel", "target": "xds:///shop",
                "env": {SHARES: "false"}, "snapshot": snapshot([cluster], [eds("a", first["endpoints"])], routes), "steps": steps}

    def make(self, n, seed):
        scenarios = self.scenarios(n, seed)
        self.settle(scenarios)
        child = "cluster_manager_experimental/cluster:a/a[child1]"
        if self.client == "go":
            child = "xds_cluster_manager_experimental/cluster:a/priority-0-0"
        real = []
        for played in self.run(scenarios):
            real.append([{"fault": p["exception"]} if "exception" in p else
                         {"policies": {child: p["reported_state"]}, "connections": p["connections"],
                          **({"pick": p["pick"]} if "pick" in p else {})} for p in played])
        return [self.channel(s) for s in scenarios], real

    def play(self, scenarios):
        """What it was made from is not in a scenario: it is shown as it is."""
        return [None] * len(scenarios)


# ---- rings of go, from the resources on, beside those of explain --ring ----

class Rings:
    """A sequence is one snapshot; what is compared is how many entries each host has."""
    client, policy = "go", "rings"

    def __init__(self, release, explain):
        self.release, self.explain = release, explain

    @staticmethod
    def ring(r):
        least = r.choice([1, 5, 7, 10, 100, 1024])
        cluster = {"name": "a", "type": "EDS", "eds_cluster_config": {"eds_config": {"ads": {}}},
                   "lb_policy": "RING_HASH", "ring_hash_lb_config": {
                       "minimum_ring_size": least,
                       "maximum_ring_size": r.choice([least, least + 3, least * 2, 4096])}}
        localities = []
        for i in range(r.choice([1, 1, 2, 3])):
            hosts = ["10.%d.0.%d:%d" % (i, k, r.choice([80, 443])) for k in range(r.randint(1, 6))]
            hosts += ["[2001:db8::%x:%x]:80" % (i + 1, r.randint(1, 60000))] * r.randint(0, 1)
            locality = eds("a", [(h, r.choice([1, 1, 1, 2, 3, 7, 100, 70000])) for h in hosts])
            localities += [dict(locality["endpoints"][0], locality={"zone": "z%d" % i},
                                load_balancing_weight=r.choice([1, 2, 3, 10, 100, 70000]))]
        return {"subject": "rings", "steps": [{"at_ms": 0, "event": {"type": "ring"}}],
                "env": {SHARES: r.choice(["true", "false"])},
                "snapshot": snapshot([cluster], [{"cluster_name": "a", "endpoints": localities}],
                                     routes_to("a"))}

    def make(self, n, seed):
        scenarios = [dict(self.ring(random.Random("rings/%d/%d" % (seed, i))),
                          scenario="rings-%d-%d" % (seed, i)) for i in range(n)]
        return scenarios, self.play(scenarios)

    def play(self, scenarios):
        played = Go(self.release, self.policy).run_file("TestRings", scenarios)
        return [[{"entries": entries}] for entries in played]

    def compared(self, scenarios):
        return [([{"entries": self.explain(s)}], None) for s in scenarios]
