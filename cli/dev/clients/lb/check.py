#!/usr/bin/env python3
"""check.py - random sequences of events, played by the LB policies of clients and by xdscope.

Every step is compared. What xdscope does in another way is made as short as it can be and
printed; the exit status is 1 unless explained.json has its reason. Sequences that are not the
same in repeated plays of the client, by random order or timers of one instant, are left out.

Environment: CLIENTS (default "go java"; "go@1.60.1" is a release), N sequences of each policy
(200), SEED (1), POLICIES (all), XDSCOPE.
"""
import collections
import copy
import json
import os
import subprocess
import sys

import clients

HERE = os.path.dirname(os.path.abspath(__file__))
XDSCOPE = os.environ.get("XDSCOPE", "build/release/xdscope")
BATCH = 500
AGAIN = 20
SETS = {"exists", "created", "deleted", "deactivated", "failover_pending", "told_to_exit_idle",
        "lb_children", "lb_children_kept"}


# ---- xdscope ----

def document(scenario):
    keys = ("scenario", "subject", "env", "target", "snapshot")
    out = {k: scenario[k] for k in keys if scenario.get(k)}
    out["steps"] = [{"at": "%dms" % s["at_ms"], "event": s["event"]} for s in scenario["steps"]]
    return out


def reader(player):
    return player.client + "@" + player.release


def simulate(client, scenarios):
    """For each the results of its steps, and what stopped it, or None."""
    text = "".join(json.dumps(document(s)) + "\n" for s in scenarios)
    run = subprocess.run([XDSCOPE, "simulate", "--client", client, "-f", "json", "-"],
                         input=text.encode(), capture_output=True, check=False)
    if run.returncode not in (0, 1):
        sys.exit("xdscope: %d %s" % (run.returncode, run.stderr.decode()[:500]))
    played = json.loads(run.stdout)["scenarios"]
    return [([step["result"] for step in s["steps"]],
             [f["message"] for f in s.get("findings", [])] or None) for s in played]


def explain(client, scenario):
    """How many entries of its ring each host has."""
    run = subprocess.run(
        [XDSCOPE, "explain", "--client", client, "--ring", "-f", "json", "--path", "/a",
         *["--env=%s=%s" % pair for pair in scenario["env"].items()], "-"],
        input=json.dumps(scenario["snapshot"]).encode(), capture_output=True, check=False)
    if not run.stdout:
        sys.exit("xdscope: %d %s" % (run.returncode, run.stderr.decode()[:500]))
    return {h["key"]: h["entries"] for ring in json.loads(run.stdout)["rings"]
            for h in ring["hosts"] if h["entries"]}


def ours_of(player, scenarios):
    if hasattr(player, "compared"):
        return player.compared(scenarios)
    return simulate(reader(player), scenarios)


# ---- comparing ----

def plain(key, value):
    """A value as it is compared: lists of names are sets, errors differ in their words."""
    if value is None:
        return [] if key in SETS else None
    if key in SETS:
        return sorted(value)
    if key == "config_error":
        return bool(value)
    if key == "reresolution_forwarded":
        return bool(value)
    if key == "pick_probabilities":
        return {k: round(v, 6) for k, v in value.items() if v > 0}
    if key == "child_addresses":
        return {k: [(a["address"], a.get("path") or []) for a in v] for k, v in value.items() if v}
    if key == "reported":
        return {k: value.get(k) for k in ("state", "child", "picker")}
    if key == "pick":
        return {k: value.get(k) for k in ("result", "host", "child") if value.get(k)}
    return value


def difference(real, ours):
    """{key: (the client's, xdscope's)} of what the client's player tells."""
    out = {}
    for key, value in real.items():
        mine = ours.get(key)
        if key in ("policies", "connections"):
            mine = {k: v for k, v in (mine or {}).items() if key == "connections" or k in value}
        a, b = plain(key, value), plain(key, mine)
        if key == "pick" and a and b:
            a, b = ({k: v for k, v in x.items() if k in y} for x, y in ((a, b), (b, a)))
        if a != b:
            out[key] = (a, b)
    if ours.get("config_error") and "config_error" not in real:
        out["config_error"] = (None, ours["config_error"])
    return out


def first_difference(real, ours):
    """(step, {key: pair}), or None."""
    results, fault = ours
    for i, step in enumerate(real):
        if i >= len(results):
            return i, {"fault": (None, fault)}
        found = {"fault": (step["fault"], None)} if "fault" in step else difference(step, results[i])
        if found:
            return i, found
    return None


def varies(player, scenario, real):
    """Does the client do something else in another play? Goroutines race."""
    again = player.play([copy.deepcopy(scenario) for _ in range(AGAIN)])
    return any(played not in (None, real) for played in again or [])


# ---- making it short ----

def without(scenario, i):
    out = copy.deepcopy(scenario)
    del out["steps"][i]
    return out


def shrink(player, scenario, found):
    """As few steps as show a difference of the same keys."""
    keys = set(found[1])
    scenario = dict(scenario, steps=scenario["steps"][:found[0] + 1])
    i = len(scenario["steps"]) - 2
    while i >= 0:
        shorter = without(scenario, i)
        real = player.play([shorter])
        if real and real[0] is not None:
            again = first_difference(real[0], ours_of(player, [shorter])[0])
            if again and set(again[1]) == keys:
                scenario, found = dict(shorter, steps=shorter["steps"][:again[0] + 1]), again
                i = min(i, len(scenario["steps"]) - 1)
        i -= 1
    return scenario, found


def show(scenario, found):
    if scenario.get("env"):
        print("    env: %s" % json.dumps(scenario["env"]))
    if scenario.get("snapshot"):
        print("    snapshot: %s" % json.dumps({k: scenario["snapshot"][k]
                                              for k in ("clusters", "endpoints")}))
    for step in scenario["steps"]:
        print("    - {at: %dms, event: %s}" % (step["at_ms"], json.dumps(step["event"])))
    for key, (real, ours) in found[1].items():
        print("      %s: client %s, xdscope %s" % (key, json.dumps(real), json.dumps(ours)))


# ---- the whole ----

def is_explained(explained, player, event, keys):
    return any(e["client"] == player.client and e["policy"] == player.policy and
               e["event"] == event and set(keys) <= set(e["keys"]) for e in explained)


def check(player, n, seed, explained):
    """Prints a row, and the shortest difference of each kind; how many are not explained."""
    scenarios, real = player.make(n, seed)
    steps, left_out, groups = 0, n - len(scenarios), collections.defaultdict(list)
    for at in range(0, len(scenarios), BATCH):
        part = scenarios[at:at + BATCH]
        for s, r, ours in zip(part, real[at:at + BATCH], ours_of(player, part)):
            steps += len(r)
            found = first_difference(r, ours)
            if found and varies(player, s, r):
                left_out += 1
            elif found:
                event = s["steps"][found[0]]["event"]["type"]
                groups[event, tuple(sorted(found[1]))].append((s, found))
    differing = sum(map(len, groups.values()))
    open_ones = sum(len(v) for k, v in groups.items()
                    if not is_explained(explained, player, *k))
    print("%-11s %-16s %6d sequences %7d steps %5d left out %6d differ %6d unexplained" %
          (reader(player), player.policy, len(scenarios), steps, left_out, differing, open_ones))
    for key, list_ in sorted(groups.items(), key=lambda item: -len(item[1])):
        print("  %d at %s: %s" % (len(list_), key[0], ", ".join(key[1])))
        show(*shrink(player, *min(list_, key=lambda pair: pair[1][0])))
    return open_ones


def main():
    n, seed = int(os.environ.get("N", "200")), int(os.environ.get("SEED", "1"))
    with open(os.path.join(HERE, "explained.json"), encoding="utf-8") as file:
        explained = json.load(file)
    policies = os.environ.get("POLICIES", "").split() or clients.POLICIES
    bad = 0
    for asked in os.environ.get("CLIENTS", "go java").split():
        client, _, release = asked.partition("@")
        release = release or clients.NEWEST[client]
        setup = subprocess.run(["sh", os.path.join(HERE, "setup.sh"), client, release],
                               check=False, stdout=subprocess.PIPE)
        if setup.returncode == 77:
            print("%s is skipped: %s" % (client, setup.stdout.decode().strip()))
            continue
        if setup.returncode:
            sys.exit("%s cannot be set up" % client)
        for player in clients.players(client, release, lambda s, c=asked: simulate(c, s),
                                      lambda s, c=asked: explain(c, s)):
            if player.policy in policies:
                bad += check(player, n, seed, explained)
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
