"""Compares what an adapter saw of the RPCs of a request with the decision of `xdscope explain`."""
import itertools
import math

SIGMA = 4
KNOWN = 1e-9        # what rounding leaves of a probability
ABOVE = 0.999999    # a number that no open fraction contains
MOST_FRACTIONS = 6
WEIGHTS = 32        # more than the weights of a route are in sum


def is_wrong(count, total, share):
    """Is a count further from its share than chance explains?"""
    if share <= KNOWN or share >= 1 - KNOWN:
        return count != (total if share > 0.5 else 0)
    spread = math.sqrt(total * share * (1 - share))
    return abs(count - total * share) > max(SIGMA * spread, 1)


def passes(decision, cluster):
    """The share of the RPCs of a cluster that its drop categories let pass."""
    certain = decision["cluster"] and decision["drop_probability"]
    return 1 - ((certain or cluster.get("drop_probability")) or 0)


def aborted(decision):
    abort = (decision["faults"] or {}).get("abort")
    return abort["probability"] if abort else 0


def spared(decision, cluster):
    """The share of the RPCs of a cluster that no fault aborts."""
    if len(decision["clusters"]) == 1:
        return 1 - aborted(decision)
    route = decision["route"] and decision["route"]["index"]
    return 1 - decision.get("aborts", {}).get((route, cluster["name"]), 0)


def shares(decision):
    """The share of each cluster and of each host among the RPCs of a request."""
    clusters, hosts = {}, {}
    for c in decision["clusters"]:
        clusters[c["name"]] = clusters.get(c["name"], 0) + c["probability"]
        for h in decision["hosts"]:
            if h["cluster"] == c["name"] and decision["outcome"] == "routed":
                share = c["probability"] * passes(decision, c) * (h["probability"] or 0)
                hosts[h["address"]] = hosts.get(h["address"], 0) + share * spared(decision, c)
    return clusters, hosts


def host_shares(decision):
    """Faults depend on the route."""
    if len(possible(decision)) == 1 or not aborted(decision):
        return shares(decision)[1]
    by_route, hosts = {r["index"]: r["probability"] for r in decision["routes"]}, {}
    for d in possible(decision):
        for host, share in shares(d)[1].items():
            hosts[host] = hosts.get(host, 0) + share * by_route[d["route"]["index"]]
    return hosts


def is_open(decision):
    """Does chance decide on the RPC?"""
    clusters, hosts = shares(decision)
    return any(KNOWN < p < 1 - KNOWN for p in (*clusters.values(), *hosts.values()))


def virtual_hosts(case):
    for resource in case["snapshot"]:
        if "virtual_hosts" in resource:
            return resource["virtual_hosts"]
    listener = case["snapshot"][0]["api_listener"]["api_listener"]
    return listener["route_config"]["virtual_hosts"]


def draws(case, decision):
    """Random numbers for each route that chance can choose, and for each cluster if faults may
    abort some. Empty if both are certain."""
    by_cluster = aborted(decision) > 0 and len(decision["clusters"]) > 1
    if not decision["routes"] or (decision["route"] and not by_cluster):
        return []
    routes = virtual_hosts(case)[decision["virtual_host"]["index"]]["routes"]
    fractions = sum("runtime_fraction" in routes[r["index"]]["match"] for r in decision["routes"])
    of_routes = [numbers for n in range(min(fractions, MOST_FRACTIONS) + 1)
                 for numbers in itertools.product((0, ABOVE), repeat=n)]
    return of_routes + [(*numbers, (2 * i + 1) / (2 * WEIGHTS)) for numbers in of_routes
                        for i in range(WEIGHTS if by_cluster else 0)]


def aborts(decisions):
    """How many of the RPCs faults abort, by route and cluster."""
    return {(d["route"]["index"], d["clusters"][0]["name"]): aborted(d) for d in decisions
            if d["route"] and len(d["clusters"]) == 1}


def certain(decisions):
    """Of those with these numbers: one for each route, where no number decides on the cluster."""
    by_route = {}
    for d in decisions:
        if d["route"] or not d["clusters"]:
            route = d["route"] and d["route"]["index"]
            by_route[route] = max(by_route.get(route, d), d, key=lambda d: len(d["clusters"]))
    return list(by_route.values())


def possible(decision):
    return decision.get("possible") or [decision]


def counts_differ(what, counts, expected):
    total = sum(counts.values())
    for name in sorted({*counts, *expected}):
        if is_wrong(counts.get(name, 0), total, expected.get(name, 0)):
            return "%s %s: %d of %d, expected a share of %.6g" % (
                what, name, counts.get(name, 0), total, expected.get(name, 0))
    return None


def rings(case):
    """The clusters of a case that choose hosts by the hash of the RPC."""
    return {r["name"] for r in case["snapshot"]
            if r.get("lb_policy") == "RING_HASH" or "load_balancing_policy" in r}


def merge_rings(case, decision, hosts, expected):
    """Where the hash is one for all RPCs of a channel, the hosts of a ring count as one. Returns
    counts, shares, and a sentence if RPCs of the channel went to several."""
    counts, merged, why = dict(hosts), dict(expected), None
    for ring in rings(case):
        members = {h["address"] for h in decision["hosts"] if h["cluster"] == ring}
        seen = sorted(members & set(counts))
        if len(seen) > 1 and len(possible(decision)) == 1:
            why = "hosts %s of %s: expected one for each channel" % (seen, ring)
        name = "one of " + ring
        counts[name] = sum(counts.pop(h) for h in seen)
        merged[name] = sum(merged.pop(h, 0) for h in members)
    return counts, merged, why


def hosts_differ(case, answer, decision, failing_backend):
    """Where RPCs went, or failed. A backend that fails counts as a host that is not seen."""
    hosts, failures = answer["hosts"], answer.get("failures", {})
    expected, why = host_shares(decision), None
    if failing_backend:
        expected = {}
    elif decision["hash_of_channel"]:
        hosts, expected, why = merge_rings(case, decision, hosts, expected)
    return why or counts_differ("host", {**hosts, "none": sum(failures.values())},
                                {**expected, "none": 1 - sum(expected.values())})


def statuses(decision):
    """With which RPCs end that get nowhere."""
    out = {decision["status"]["code"]} if decision["status"] else set()
    return out | ({decision["faults"]["abort"]["code"]} if aborted(decision) else set())


def status_differs(answer, decision):
    failures = answer.get("failures", {})
    if decision["outcome"] == "routed" or not failures:
        return None
    expected = {code for d in possible(decision) for code in statuses(d)}
    return None if not expected or set(failures) <= expected else "status %s, expected %s" % (
        sorted(failures), sorted(expected))


def attempts_of(decision, code):
    policy = (decision["method_config"] or {}).get("retryPolicy") or {}
    more = code in policy.get("retryableStatusCodes", ())
    return str(min(5, policy["maxAttempts"])) if more else "1"


def attempts_differ(request, answer, decision):
    """How often an RPC was tried whose backend fails."""
    code = dict(request["headers"]).get("x-fail")
    if "attempts" not in answer or not code or decision["outcome"] != "routed":
        return None
    expected, seen = {attempts_of(d, code) for d in possible(decision)}, set(answer["attempts"])
    return None if seen <= expected else "attempts %s, expected %s" % (
        sorted(seen), sorted(expected))


def cookies_differ(answer, decision):
    if "set_cookie" not in answer or not decision["host"] or not answer["hosts"]:
        return None
    expected = [[decision["set_cookie"]] if decision["set_cookie"] else []]
    if answer["set_cookie"] != expected:
        return "Set-Cookie %s, expected %s" % (answer["set_cookie"], expected)
    return None


def seconds(text):
    return float(text.rstrip("s")) if text else None


def retry_of(decision):
    policy = (decision["method_config"] or {}).get("retryPolicy")
    if not policy or not policy["retryableStatusCodes"]:
        return None
    return {"attempts": min(5, policy["maxAttempts"]),
                       "initial": seconds(policy["initialBackoff"]),
                       "max": seconds(policy["maxBackoff"]),
                       "codes": sorted(policy["retryableStatusCodes"])}


def facts(decision):
    """What adapters may say of the client's decision itself."""
    host, route, config = (decision[k] for k in ("virtual_host", "route", "method_config"))
    return {"virtual_host": host and host["index"], "route": route and route["index"],
            "hash": decision["hash"], "timeout": seconds((config or {}).get("timeout")),
            "retry": retry_of(decision)}


def allows(decision, choice):
    """Can the decision be that of an RPC? A hash that is null may be any."""
    expected = facts(decision)
    known = shares(decision)[0]
    # Node before 1.14.1 draws beyond the weights: then there is none.
    picked = choice["cluster"] in known or (not choice["cluster"] and sum(known.values()) < 1 - KNOWN)
    return (picked and expected["hash"] in (None, choice["hash"])
            and all(choice[key] == expected[key] for key in ("timeout", "retry")))


def choices_differ(answer, decision):
    for choice in answer.get("choices", ()):
        if not any(allows(d, choice) for d in possible(decision)):
            return "choice %s, expected one of %s" % (choice, [
                {"clusters": sorted(shares(d)[0]), **facts(d)} for d in possible(decision)])
    return None


def facts_differ(answer, decision):
    expected = facts(decision)
    if answer.get("hash") and (decision["hash_of_channel"] or "" in answer.get("clusters", ())):
        expected["hash"] = answer["hash"]    # of an RPC without a cluster xdscope says none
    for key in ("virtual_host", "route", "hash", "timeout", "retry"):
        if key in answer and answer[key] != expected[key]:
            return "%s %s, expected %s" % (key, answer[key], expected[key])
    return None


def difference(case, request, answer, decision):
    """A sentence, or None."""
    is_certain = len(possible(decision)) == 1
    found = choices_differ(answer, decision) or (is_certain and facts_differ(answer, decision))
    if found:
        return found
    if "clusters" in answer:
        known = shares(decision)[0]
        none = {"": 1 - sum(known.values())} if "" in answer["clusters"] else {}
        found = counts_differ("cluster", answer["clusters"], {**known, **none})
        if found:
            return found
    if "hosts" not in answer:    # it ends at the choice of a cluster
        fails = bool(answer.get("failures"))
        return None if fails == (not decision["clusters"]) else "%s, expected %s" % (
            "failed: %s" % answer.get("message") if fails else "routed", decision["outcome"])
    failing = any(k == "x-fail" for k, _ in request["headers"])
    return (hosts_differ(case, answer, decision, failing) or status_differs(answer, decision) or
            attempts_differ(request, answer, decision) or cookies_differ(answer, decision))


def summary(decision):
    """What is shown of a decision that differs."""
    keys = ("outcome", "status", "virtual_host", "route", "clusters", "hash", "hash_of_channel", "host",
            "drop_probability", "faults", "method_config", "set_cookie", "notes")
    out = {k: decision[k] for k in keys if decision[k] not in (None, [])}
    out["hosts"] = {h["address"]: h["probability"] for h in decision["hosts"]}
    return out
