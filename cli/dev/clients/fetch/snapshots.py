"""Snapshots that are served: those of testdata/snapshots, random ones, resources of rule cases with
what is missing around them, and what a control plane lacks."""
import json
import pathlib
import random
import re
from typing import NamedTuple

import cases
import wire
from generate import Generator
from discovery import CDS, EDS, LDS, PREFIX, RDS, TYPES

PEER = "peer.example.com"
PLAIN = re.compile(r"[A-Za-z0-9._-]+")
MANAGER = PREFIX + "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager"
ROUTER = PREFIX + "envoy.extensions.filters.http.router.v3.Router"
RANDOM_TAGS = {"session", "drops", "priorities", "ring", "locality", "draining", "aggregate",
               "retries", "timeouts", "fractions", "weighted", "fault"}


# What Istio's agent gives a client besides the server; the files are filled in.
ISTIO_BOOTSTRAP = json.dumps({
    "certificate_providers": {"default": {"plugin_name": "file_watcher",
                                          "config": {"refresh_interval": "900s"}}},
    "server_listener_resource_name_template": "xds.istio.io/grpc/lds/inbound/%s"})


class Snapshot(NamedTuple):
    name: str
    target: str             # the name of a listener
    resources: tuple        # pairs of type URL and bytes
    bootstrap: str = ""


# ---- resources that are filled in ----

def listener(name, routes):
    rds = wire.data(1, wire.data(3, b"")) + wire.data(2, routes)
    router = wire.data(1, "router") + wire.data(4, wire.any_message(ROUTER, b""))
    manager = wire.any_message(MANAGER, wire.data(3, rds) + wire.data(5, router))
    return LDS, wire.data(1, name) + wire.data(19, wire.data(1, manager))


def routes(name, clusters):
    """One route to each cluster, in one virtual host for all."""
    made = b"".join(wire.data(3, wire.data(1, wire.data(1, "/%d" % i)) +
                              wire.data(2, wire.data(1, c))) for i, c in enumerate(clusters))
    return RDS, wire.data(1, name) + wire.data(2, wire.data(1, "v") + wire.data(2, "*") + made)


def cluster(name, kind=3):
    """EDS, unless another discovery type is given: that is a NACK."""
    return CDS, wire.data(1, name) + wire.uint(2, kind) + wire.data(3, wire.data(1, wire.data(3, b"")))


def endpoints(name):
    address = wire.data(2, "127.0.0.1") + wire.uint(3, 1)
    endpoint = wire.data(2, wire.data(1, wire.data(1, wire.data(1, address))))
    place = wire.data(1, wire.data(1, "r")) + endpoint + wire.data(3, wire.data(1, b"") + wire.uint(1, 1))
    return EDS, wire.data(1, name) + wire.data(2, place)


# ---- what resources lead to ----

def parts(message, *path):
    """The values of a field of messages, along a path of fields."""
    found = [message]
    for field in path:
        found = [v for m in found for f, kind, v in wire.fields(m)
                 if f == field and kind == wire.BYTES]
    return found


def names_of(values):
    return [v.decode("utf-8", "replace") for v in values]


def leads(url, value):
    """Pairs of type URL and name."""
    if url == LDS:
        return [(RDS, n) for n in names_of(parts(value, 19, 1, 2, 3, 2))]
    if url == RDS:
        actions = parts(value, 2, 3, 2)
        found = [n for a in actions for n in parts(a, 1) + parts(a, 3, 1, 1)]
        return [(CDS, n) for n in names_of(found)]
    if url == CDS:
        children = names_of(parts(value, 38, 2, 2, 1))
        kind = wire.last(value, 2, 0)
        if children:
            return [(CDS, n) for n in children]
        own = names_of(parts(value, 3, 2)) or names_of(parts(value, 1))
        return [(EDS, n) for n in own[-1:]] if kind == 3 else []
    return []


def name_of(value):
    return wire.last(value, 1).decode("utf-8", "replace")


def inline_leads(value):
    """Of a listener with its routes in it."""
    return [lead for config in parts(value, 19, 1, 2, 4) for lead in leads(RDS, config)]


def filled(resources):
    """With a good one of each that is named and is not there."""
    resources = list(resources)
    known = {(url, name_of(value)) for url, value in resources}
    for url, value in resources:    # it grows
        for kind, name in leads(url, value) + (inline_leads(value) if url == LDS else []):
            if name and (kind, name) not in known:
                known.add((kind, name))
                resources.append({RDS: lambda n: routes(n, [PEER]), CDS: cluster,
                                  EDS: endpoints}[kind](name))
    return tuple(resources)


def around(resources):
    """(target, resources) with a listener that leads to them."""
    by_type = {url: [v for u, v in resources if u == url] for url in TYPES}
    if by_type[LDS]:
        return name_of(by_type[LDS][0]), filled(resources)
    if by_type[RDS]:
        domains = names_of(parts(by_type[RDS][0], 2, 2))
        target = next((d for d in domains if PLAIN.fullmatch(d)), PEER)
        return target, filled([listener(target, name_of(by_type[RDS][0])), *resources])
    clusters = [name_of(v) for v in by_type[CDS] or by_type[EDS]]
    return PEER, filled([listener(PEER, PEER), routes(PEER, clusters), *resources])


# ---- where they come from ----

def of_folder(name):
    """Of a folder in testdata."""
    found = cases.samples(cases.ROOT / "testdata" / name)
    resources = tuple((r.type_url, r.value) for r in found)
    return Snapshot(name, name_of(next(v for u, v in resources if u == LDS)), resources)


def lacking():
    """What a control plane does not have, or has in a bad version, of two of each."""
    whole = (listener(PEER, PEER), routes(PEER, ["a", "b"]), cluster("a"), cluster("b"),
             endpoints("a"), endpoints("b"))
    bad_routes = RDS, wire.data(1, PEER) + wire.data(2, wire.data(1, "v") + wire.data(2, "a*b"))
    return [Snapshot("lacking/" + name, PEER, resources) for name, resources in (
        ("nothing", whole),
        ("routes", whole[:1] + whole[2:]),
        ("cluster", whole[:3] + whole[4:]),
        ("endpoints", whole[:5]),
        ("good-cluster", (*whole[:3], cluster("b", 4), *whole[4:])),
        ("good-clusters", (*whole[:2], cluster("a", 4), cluster("b", 4), *whole[4:])),
        ("good-routes", (whole[0], bad_routes, *whole[2:])),
        ("good-listener", ((LDS, wire.data(1, PEER) + wire.data(19, b"")), *whole[1:])))]


def generated(count, seed):
    out = []
    for i in range(count):
        made = Generator(i, random.Random(seed * 1000 + i), RANDOM_TAGS,
                         ["127.0.0.1:%d" % p for p in range(1, 60)],
                         ["127.0.0.1:%d" % p for p in range(60, 90)])
        found = cases.encode(made.snapshot())
        out.append(Snapshot("random/%d" % i, made.case,
                            tuple((r["type_url"], r["bytes"]) for r in found)))
    return out


def of_case(path):
    """A snapshot, or None: it needs variables, or has what no control plane sends by its name."""
    name = str(path.relative_to(cases.ROOT / "testdata/rules"))[:-len(".case")]
    try:
        found = cases.read_case(path, name)
    except cases.LeftOut:
        return None
    if any(r.env or r.url != r.type_url for r in found):
        return None
    try:
        names = [(r.type_url, name_of(r.value)) for r in found]
        target, resources = around([(r.type_url, r.value) for r in found])
    except wire.Malformed:
        return None
    if len(set(names)) < len(names) or not all(n for _, n in names) or not PLAIN.fullmatch(target):
        return None
    return Snapshot("rules/" + name, target, resources, found[0].bootstrap)


def of_cases(count, seed):
    """As many good and bad ones, of rules that are drawn."""
    paths = sorted((cases.ROOT / "testdata/rules").glob("*/*.case"))
    random.Random(seed).shuffle(paths)
    out, rules = [], set()
    for path in paths:
        if len(out) == count:
            break
        found = None if path.parent in rules else of_case(path)
        if found:
            rules.add(path.parent)
            out.append(found)
    return out


# The services of istio/config: with subsets and all kinds of routes, with a cookie, over TLS to a
# name of DNS, with a LB policy that no client has, over a Unix socket; a short name; none.
ISTIO_TARGETS = ("greeter.shop.svc.cluster.local:50051", "cart.shop.svc.cluster.local:7070",
                 "pay.example.com:443", "search.shop.svc.cluster.local:8080",
                 "dbsock.shop.svc.cluster.local:6000", "greeter:50051", "none.shop.svc.cluster.local:1")


def of_istio(_count, _seed):
    return [Snapshot("istio/" + target, target, (), ISTIO_BOOTSTRAP) for target in ISTIO_TARGETS]


def one_each():
    """Of a control plane with one of each type, and without one of them."""
    whole = (listener(PEER, PEER), routes(PEER, ["a"]), cluster("a"), endpoints("a"))
    bad_cluster = cluster("a", 4)
    return [Snapshot("one/" + name, PEER, resources) for name, resources in (
        ("nothing-lacks", whole),
        ("routes-lack", whole[:1] + whole[2:]),
        ("cluster-lacks", whole[:2] + whole[3:]),
        ("endpoints-lack", whole[:3]),
        ("good-cluster-lacks", (*whole[:2], bad_cluster, whole[3])),
        ("good-listener-lacks", ((LDS, wire.data(1, PEER) + wire.data(19, b"")), *whole[1:])))]


def of_one_each(count, seed):
    """Those with one resource of each type: Cilium does not answer a name that is asked for later."""
    found = one_each() + of_cases(4 * count, seed)
    return [s for s in found if len({url for url, _ in s.resources}) == len(s.resources)][:count]


def draw(count, seed):
    fixed = [of_folder("snapshots/" + n) for n in ("shop", "shop-next", "gateway")] + lacking()
    made = generated(max(0, min(8, count - len(fixed))), seed)
    return (fixed + made + of_cases(max(0, count - len(fixed) - len(made)), seed))[:count]
