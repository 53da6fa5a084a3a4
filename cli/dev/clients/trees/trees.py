"""trees.py - the LB policies that real clients make of random clusters, beside `xdscope lb-config`.
See README.md.

An answer of a client, and what xdscope says, has for a cluster: nack, a text or None; policy, the
config of the child of the priority policy, as JSON; outlier, that of outlier detection."""
import argparse
import collections
import json
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import ask  # noqa: E402
import cases  # noqa: E402
import each_client  # noqa: E402
from clients import environment  # noqa: E402
from policies import Policies  # noqa: E402
from discovery import PREFIX  # noqa: E402

BATCH = 200            # clusters of a run of xdscope
SHOWN = 10             # disagreements of a client that are printed
COLUMNS = ("clusters", "accepted", "agree", "differ")
SECONDS = re.compile(r"(-?)(\d+)(?:\.(\d{1,9}))?s")


def endpoints(name):
    place = {"locality": {"region": "r"}, "load_balancing_weight": 1, "lb_endpoints": [
        {"endpoint": {"address": {"socket_address": {"address": "10.0.0.1", "port_value": 80}}}}]}
    return {"@type": PREFIX + "envoy.config.endpoint.v3.ClusterLoadAssignment",
            "cluster_name": name, "endpoints": [place]}


# ---- xdscope ----

def only(config):
    """The name and the config of the one policy of a list."""
    (policy,) = config
    ((name, value),) = policy.items()
    return name, value


def read_tree(config):
    """What is compared of a tree. The policies of a cluster come after its cluster impl and the
    priority policy, whose order depends on the client."""
    out, above = {}, {"impl", "priority"}
    while above:
        name, value = only(config)
        if "priorities" in value:
            ((child,),) = (value["children"].values(),)
            config, above = child["config"], above - {"priority"}
            continue
        (key,) = {"childPolicy", "child_policy"} & set(value)
        config = value[key]
        if "cluster_impl" in name:
            above = above - {"impl"}
        elif "outlier" in name:
            out["outlier"] = {k: v for k, v in value.items() if k != key}
    return {**out, "policy": config}


def lb_configs(client, clusters):
    """By cluster: what is compared of its tree. A rejected one is not there."""
    assigned = [endpoints(c["name"]) for c in clusters]
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "snapshot.json"
        source.write_text(json.dumps(clusters + assigned))
        done = subprocess.run([cases.XDSCOPE, "lb-config", "--client", client, "-q", "-f", "json",
                               source], capture_output=True, env=environment({}))
    if done.returncode > 1:
        sys.exit("xdscope: %s" % done.stderr.decode())
    trees = [json.loads(line) for line in done.stdout.decode().splitlines()]
    return {t["cluster"]: read_tree(t["lb_policy"]) for t in trees}


# ---- comparing ----

# go writes none of the defaults
DEFAULTS = {"interval": "10s", "baseEjectionTime": "30s", "maxEjectionTime": "300s",
            "maxEjectionPercent": 10}
SUCCESS_RATE = {"stdevFactor": 1900, "enforcementPercentage": 100, "minimumHosts": 5,
                "requestVolume": 100}
FAILURE_PERCENTAGE = {"threshold": 85, "minimumHosts": 5, "requestVolume": 50}


def with_defaults(outlier):
    out = {**DEFAULTS, **outlier}
    for key, defaults in (("successRateEjection", SUCCESS_RATE),
                          ("failurePercentageEjection", FAILURE_PERCENTAGE)):
        if key in out:
            out[key] = {**defaults, **out[key]}
    return out


def same_form(value):
    """Durations as nanoseconds and numbers as precise as a float, without what is null."""
    if isinstance(value, dict) and set(value) == {"seconds", "nanos"}:
        return "%d ns" % (int(value["seconds"]) * 10**9 + value["nanos"])
    if isinstance(value, dict):
        return {k: same_form(v) for k, v in value.items() if v is not None}
    if isinstance(value, list):
        return [same_form(v) for v in value]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return struct.unpack("f", struct.pack("f", float(value)))[0]
    found = SECONDS.fullmatch(value) if isinstance(value, str) else None
    if not found:
        return value
    nanos = int(found[2] + (found[3] or "").ljust(9, "0"))
    return "%d ns" % (-nanos if found[1] else nanos)


def own(config):
    """Without the child that outlier detection is asked with."""
    if isinstance(config, list):
        return config
    return {k: v for k, v in (config or {}).items() if k not in ("childPolicy", "child_policy")}


def used_by_go(config):
    """Without what its policies forget: sizes of 0, and how often load is reported, if it is not.
    The config of a policy, which is null where a TypedStruct has no value, is empty."""
    if isinstance(config, list):
        return [used_by_go(c) for c in config]
    if not isinstance(config, dict):
        return config
    if list(config.values()) == [None]:
        return dict.fromkeys(config, {})
    forgotten = {k for k in ("minRingSize", "maxRingSize") if config.get(k) == 0}
    if config.get("enableOobLoadReport") is not True:
        forgotten.add("oobReportingPeriod")
    return {k: used_by_go(v) for k, v in config.items() if k not in forgotten}


def used_by_node(config):
    """With the sizes of a ring below another policy as numbers: they are text, which nothing reads
    as RPCs never get to that ring."""
    if isinstance(config, list):
        return [used_by_node(c) for c in config]
    if not isinstance(config, dict):
        return config
    return {k: int(v) if k in ("min_ring_size", "max_ring_size") and isinstance(v, str)
            and v.isdigit() else used_by_node(v) for k, v in config.items()}


USED = {"go": used_by_go, "node": used_by_node}


def difference(client, cluster, answer, tree):
    """A sentence, or None."""
    if tree and "outlier_detection" not in cluster:
        answer = {k: v for k, v in answer.items() if k != "outlier"}
    elif tree and client == "go":
        tree = {**tree, "outlier": with_defaults(tree.get("outlier", {}))}
    used = USED.get(client, dict)
    answer, tree = used(answer), used(tree) if tree else tree
    if (answer.get("nack") is None) != (tree is not None):
        return "NACK: %s" % answer["nack"] if answer.get("nack") is not None else "accepts it"
    for key in ("policy", "outlier"):
        if tree and key in answer and same_form(own(answer[key])) != same_form(tree.get(key, {})):
            return "%s %s" % (key, json.dumps(answer[key]))
    return None


class Run:
    def __init__(self, options, installed):
        self.options, self.installed = options, installed
        name = installed.client.name
        self.name = installed.name()
        self.policies = Policies(random.Random("%s/%d" % (name, options.seed)))
        self.counts = collections.Counter()

    def run(self):
        client = ask.CLIENTS[self.installed.client.name](self.installed)
        for first in range(0, self.options.count, BATCH):
            last = min(first + BATCH, self.options.count)
            clusters = [self.policies.cluster("c%d" % i) for i in range(first, last)]
            answers = client.ask(cases.encode(clusters))
            trees = lb_configs(self.name, clusters)
            for cluster in clusters:
                self.compare(cluster, answers[cluster["name"]], trees.get(cluster["name"]))
        client.close()
        return self.counts

    def compare(self, cluster, answer, tree):
        why = difference(self.installed.client.name, cluster, answer, tree)
        self.counts["clusters"] += 1
        self.counts["accepted"] += answer.get("nack") is None
        self.counts["differ" if why else "agree"] += 1
        if why and self.counts["differ"] <= SHOWN:
            print("DIFFERS: %s: %s" % (self.name, why))
            print("  xdscope: %s" % json.dumps(tree))
            print("  cluster: %s" % json.dumps(cluster))


def arguments():
    parser = argparse.ArgumentParser(prog="trees.py")
    parser.add_argument("--clients", default="core go java node", help="names, by space or comma")
    parser.add_argument("--count", type=int, default=5000, help="clusters for each client")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main():
    options = arguments()
    each_client.play(
        options.clients, COLUMNS,
        lambda name: each_client.ready(name, "newest", (), ask.setup),
        lambda name, installed: Run(options, installed).run())


if __name__ == "__main__":
    main()
