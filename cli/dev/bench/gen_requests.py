#!/usr/bin/env python3
"""gen_requests.py OUT - a snapshot of 10,000 routes, and RPCs that each match one of them.

Writes OUT/snapshot.json, OUT/many.jsonl (200,000 RPCs), OUT/few.jsonl (100) and OUT/one.jsonl. A third of the routes has
an exact path, a third a prefix, a third one prefix and a header value of its own. The same bytes at every run.
"""
import json
import os
import random
import sys

ROUTES, CLUSTERS, HOSTS, MANY, FEW = 10000, 100, 3, 200000, 100
TYPE = "type.googleapis.com/envoy.config."
FILTERS = "type.googleapis.com/envoy.extensions.filters."


def match_and_request(i):
    """The match of route i, and an RPC that only this route takes."""
    if i % 3 == 0:
        return {"path": f"/pkg.Service{i}/Get"}, {"path": f"/pkg.Service{i}/Get"}
    if i % 3 == 1:
        return {"prefix": f"/pkg.Service{i}/"}, {"path": f"/pkg.Service{i}/List"}
    header = {"name": "x-tenant", "exact_match": f"tenant-{i}"}
    return ({"prefix": "/pkg.Shared/", "headers": [header]},
            {"path": "/pkg.Shared/Get", "headers": [["x-tenant", f"tenant-{i}"]]})


def listener():
    manager = {"@type": FILTERS + "network.http_connection_manager.v3.HttpConnectionManager",
               "rds": {"route_config_name": "routes", "config_source": {"ads": {}}},
               "http_filters": [{"name": "router", "typed_config": {"@type": FILTERS + "http.router.v3.Router"}}]}
    return {"@type": TYPE + "listener.v3.Listener", "name": "svc", "api_listener": {"api_listener": manager}}


def cluster(i):
    return {"@type": TYPE + "cluster.v3.Cluster", "name": f"c{i}", "type": "EDS",
            "eds_cluster_config": {"eds_config": {"ads": {}}}}


def endpoints(i):
    hosts = [{"endpoint": {"address": {"socket_address": {"address": f"{10 + (i >> 16)}.{i >> 8 & 255}.{i & 255}.{k}", "port_value": 80}}}}
             for k in range(HOSTS)]
    return {"@type": TYPE + "endpoint.v3.ClusterLoadAssignment", "cluster_name": f"c{i}",
            "endpoints": [{"locality": {"region": "r"}, "load_balancing_weight": 1, "lb_endpoints": hosts}]}


def main(out):
    os.makedirs(out, exist_ok=True)
    pairs = [match_and_request(i) for i in range(ROUTES)]
    routes = [{"match": match, "route": {"cluster": f"c{i % CLUSTERS}"}} for i, (match, _) in enumerate(pairs)]
    config = {"@type": TYPE + "route.v3.RouteConfiguration", "name": "routes",
              "virtual_hosts": [{"name": "all", "domains": ["*"], "routes": routes}]}
    with open(f"{out}/snapshot.json", "w") as file:
        json.dump({"listeners": [listener()], "routes": [config], "clusters": [cluster(i) for i in range(CLUSTERS)],
                   "endpoints": [endpoints(i) for i in range(CLUSTERS)]}, file)
    draw = random.Random(1)
    for name, n in (("many", MANY), ("few", FEW), ("one", 1)):
        with open(f"{out}/{name}.jsonl", "w") as file:
            file.writelines(json.dumps(pairs[draw.randrange(ROUTES)][1]) + "\n" for _ in range(n))


if __name__ == "__main__":
    main(sys.argv[1])
