#!/usr/bin/env python3
"""gen_growth.py OUT - snapshots that differ in one number, to see how the cost of a lint grows with it.

Writes OUT/SHAPE/N.json: N routes of one virtual host, N clusters with their endpoints, or N clusters with findings.
The same bytes at every run.
"""
import json
import os
import sys

from gen_requests import TYPE, cluster, endpoints, listener

SIZES = (10, 100, 1000, 10000, 100000)
NESTED = 100  # so many prefixes are in each other
MOST_COMMENTS = 10000  # of one run, see XDS_MAX_COMMENTS

ROUTES = {
    "exact": lambda i: {"path": f"/pkg.Service{i}/Get"},
    # The longest first, so that each is reached.
    "nested": lambda i: {"prefix": f"/pkg{i // NESTED}/" + "a/" * (NESTED - i % NESTED)},
    "regex": lambda i: {"safe_regex": {"regex": f"/pkg[.]Service{i}/(Get|List)[a-z]*"}},
    "headers": lambda i: {"path": "/pkg.Shared/Get", "headers": [{"name": "x-tenant", "exact_match": f"tenant-{i}"}]},
    # All but the first are never reached: a finding each.
    "hidden": lambda i: {"prefix": f"/pkg.Service{i}/"} if i else {"prefix": "/"},
}

# What some client rejects in a cluster, by one rule each.
FAULTS = ({"type": "STATIC"}, {"lb_policy": "MAGLEV"}, {"eds_cluster_config": {}}, {"lrs_server": {"ads": {}}},
          {"ring_hash_lb_config": {"minimum_ring_size": 9, "maximum_ring_size": 8}, "lb_policy": "RING_HASH"},
          {"outlier_detection": {"interval": "-1s"}})


def snapshot(routes, clusters):
    virtual_host = {"name": "all", "domains": ["*"], "routes": routes}
    return {"listeners": [listener()],
            "routes": [{"@type": TYPE + "route.v3.RouteConfiguration", "name": "routes", "virtual_hosts": [virtual_host]}],
            "clusters": [cluster(i) for i in range(clusters)], "endpoints": [endpoints(i) for i in range(clusters)]}


def route(match, to=0):
    return {"match": match, "route": {"cluster": f"c{to}"}}


def routes(match):
    return lambda n: snapshot([route(match(i)) for i in range(n)], 1)


def clusters_used(n):
    return snapshot([route(ROUTES["exact"](i), i) for i in range(n)], n)


def clusters_unused(n):
    return snapshot([route({"prefix": "/"})], n)


def findings(faults):
    return lambda n: {"clusters": [{**cluster(i), **faults[i % len(faults)]} for i in range(n)]}


SHAPES = {
    **{"routes-" + name: routes(match) for name, match in ROUTES.items()},
    "clusters-used": clusters_used,
    "clusters-unused": clusters_unused,
    "findings-alike": findings(FAULTS[:1]),
    "findings-mixed": findings(FAULTS),
}


def suppressed(n):
    """The findings that are alike, each with a comment on its line; so it is YAML."""
    lines = (json.dumps(each) for each in SHAPES["findings-alike"](n)["clusters"])
    return "clusters:\n" + "".join(f"- {line} # xdscope: ignore=cluster-discovery-type -- known\n" for line in lines)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def main(out):
    for n in SIZES:
        for name, shape in SHAPES.items():
            write(f"{out}/{name}/{n}.json", json.dumps(shape(n), separators=(",", ":")))
        if n <= MOST_COMMENTS:
            write(f"{out}/findings-suppressed/{n}.yaml", suppressed(n))


if __name__ == "__main__":
    main(*sys.argv[1:])
