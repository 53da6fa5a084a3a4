#!/usr/bin/env python3
"""gen_changed.py SNAPSHOT OUT - the snapshot in JSON with every hundredth resource changed, so that RPCs change.

Route configurations get their routes in reverse, clusters another LB policy, endpoints lose all but one host of a
locality, API listeners get another timeout. Other listeners are as they were.
"""
import json
import sys

EVERY = 100


def change(resource):
    for host in resource.get("virtualHosts", ()):
        host["routes"].reverse()
    for locality in resource.get("endpoints", ())[:1]:
        del locality["lbEndpoints"][1:]
    if resource["@type"].endswith(".Cluster"):
        resource["lbPolicy"] = "RING_HASH" if resource.get("lbPolicy", "ROUND_ROBIN") == "ROUND_ROBIN" else "ROUND_ROBIN"
    if "apiListener" in resource:
        resource["apiListener"]["apiListener"]["commonHttpProtocolOptions"] = {"maxStreamDuration": "7s"}


def main(snapshot, out):
    with open(snapshot) as file:
        response = json.load(file)
    for resource in response["resources"][::EVERY]:
        change(resource)
    with open(out, "w") as file:
        json.dump(response, file, separators=(",", ":"))


if __name__ == "__main__":
    main(*sys.argv[1:])
