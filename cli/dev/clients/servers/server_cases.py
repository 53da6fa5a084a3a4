"""Random listeners of servers, and RPCs to them. Matchers and routes are those of
live/generate.py."""
import ipaddress
import itertools
import json

import certificates
from generate import FILTERS, HEADERS, PATHS, VALUES, Generator, any_of
from discovery import LDS, RDS

RBAC = FILTERS + "http.rbac.v3.RBAC"
MANAGER = FILTERS + "network.http_connection_manager.v3.HttpConnectionManager"
TLS = "envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext"
COMPOSITE = FILTERS + "http.composite.v3."
MATCHER = "envoy.extensions.common.matching.v3.ExtensionWithMatcher"
HEADER_INPUT = "envoy.type.matcher.v3.HttpRequestHeaderMatchInput"
SKIP = "envoy.extensions.filters.common.matcher.action.v3.SkipFilter"
LISTENER = "grpc/server?xds.resource.listening_address="

# 10.77.0.0/24 are addresses of the loopback interface as well, but no loopback addresses.
SOURCES = ["127.0.0.1", "127.0.0.2", "127.3.2.1", "10.77.0.1", "10.77.0.2", "10.77.0.130"]
DESTINATIONS = ["127.0.0.1", "127.0.0.2", "10.77.0.1", "10.77.0.2"]
PORTS = [20001, 20002]    # of peers; others are above 32767
PREFIXES = ["127.0.0.0/8", "127.0.0.2/31", "127.0.0.1/32", "10.77.0.0/16", "10.77.0.0/25",
            "10.77.0.2/32", "10.77.0.7/24", "0.0.0.0/0", "::/0", "fd00::/8"]
RESERVED = ["content-type", "user-agent", "te", "host", ":path", ":authority", ":method",
            "x-c-bin", "cookie", "User-Agent", "X-A", "grpc-timeout", "grpc-encoding",
            "grpc-accept-encoding", "x-missing"]
REJECTED = [":scheme", "grpc-foo", "host"]    # by one client or another
PRINCIPALS = ["spiffe://mesh/ns/a/sa/shop", "a.example.com", "spiffe://mesh/second", "",
              "O=mesh,CN=none", "CN=none,O=mesh", "u@example.com"]
AUTHORITIES = ["svc.example.com", "a.example.com", "foo.com", "svc.org", "SVC.example.com",
               "svc.example.com:80", "other"]
GRPC_HEADERS = [("grpc-timeout", "9S"), ("grpc-encoding", "identity"),
                ("grpc-accept-encoding", "identity,gzip"), ("grpc-previous-rpc-attempts", "1")]
AGENTS = ["x", "grpc-test/1.0"]
DEEP = 3


def cidr(text):
    address, _, length = text.partition("/")
    return {"address_prefix": address, "prefix_len": int(length)}


def network(text):
    return str(ipaddress.ip_network(text, strict=False))


class ServerGenerator(Generator):
    """One case: `address` is that on which the server listens; composite: its client has
    such filters."""

    def __init__(self, number, random, address, tls, composite=False):
        super().__init__(number, random, {"non_forwarding"}, [], [])
        self.address, self.tls, self.composite = address, tls, composite
        self.listener = LISTENER + address
        self.configs = []
        self.names = ["s"]    # that headers may have

    # ---- RBAC ----

    def rbac_header(self):
        matcher = self.header_matcher()
        if self.chance(0.4):
            matcher["name"] = self.one(RESERVED)
        elif self.chance(0.02):
            matcher["name"] = self.one(REJECTED)
        return matcher

    def nested(self, rule, depth, words):
        """and, or and not, by their names."""
        if depth >= DEEP or self.chance(0.6):
            return None
        kind = self.one(["all", "any", "not"])
        if kind == "not":
            return {words[2]: rule(depth + 1)}
        below = [rule(depth + 1) for _ in range(self.one([1, 2, 2, 3]))]
        return {words[0 if kind == "all" else 1]: {words[3]: below}}

    def path_rule(self):
        matcher = self.string_matcher()
        if self.chance(0.6):
            matcher = {"exact": self.one(PATHS)}
        return {"url_path": {"path": matcher}}

    def metadata_rule(self):
        return {"metadata": {"filter": "f", "path": [{"key": "k"}], "value": {"present_match": True},
                             **({"invert": True} if self.chance(0.5) else {})}}

    def permission(self, depth=0):
        found = self.nested(self.permission, depth, ("and_rules", "or_rules", "not_rule", "rules"))
        if found:
            return found
        kind = self.r.random()
        if kind < 0.2:
            return {"any": True}
        if kind < 0.5:
            return {"header": self.rbac_header()}
        if kind < 0.75:
            return self.path_rule()
        if kind < 0.85:
            return {"destination_ip": cidr(self.one(PREFIXES))}
        if kind < 0.92:
            return {"destination_port": self.one([int(self.address.rsplit(":", 1)[1]), 1])}
        return self.one([self.metadata_rule(),
                         {"requested_server_name": self.one([{"exact": ""}, {"exact": "s"},
                                                             {"prefix": ""}])}])

    def authenticated(self):
        if self.chance(0.3):
            return {"authenticated": {}}
        matcher = self.string_matcher() if self.chance(0.2) else {
            self.one(["exact", "exact", "prefix", "suffix", "contains"]): self.one(PRINCIPALS)}
        if not next(iter(matcher.values())):
            matcher = {"exact": ""}
        return {"authenticated": {"principal_name": matcher}}

    def principal(self, depth=0):
        found = self.nested(self.principal, depth, ("and_ids", "or_ids", "not_id", "ids"))
        if found:
            return found
        kind = self.r.random()
        if kind < 0.25:
            return {"any": True}
        if kind < 0.45:
            return {"header": self.rbac_header()}
        if kind < 0.55:
            return self.path_rule()
        if kind < (0.85 if self.tls else 0.65):
            return self.authenticated()
        if kind < 0.95:
            return {self.one(["direct_remote_ip", "remote_ip", "source_ip"]):
                    cidr(self.one(PREFIXES))}
        return self.metadata_rule()

    def policies(self):
        return {"p%d" % i: {"permissions": [self.permission() for _ in range(self.one([1, 1, 2]))],
                            "principals": [self.principal() for _ in range(self.one([1, 1, 2]))]}
                for i in range(self.one([0, 1, 1, 2, 3]))}

    def rbac(self):
        kind = self.r.random()
        config = {}
        if kind > 0.06:
            action = self.one(["ALLOW", "ALLOW", "DENY", "DENY", "LOG"])
            config["rules"] = {"action": action, "policies": self.policies()}
        if self.chance(0.1):
            config["shadow_rules"] = {"action": "DENY", "policies": self.policies()}
        return config

    # ---- filters that choose filters ----

    def action(self, depth):
        def typed(name, config):
            return {"name": name, "typed_config": config}
        if self.chance(0.3):
            return {"action": typed("skip", any_of(SKIP))}
        run = self.matching(depth + 1) if depth < 2 and self.chance(0.2) else any_of(RBAC, **self.rbac())
        return {"action": typed("run", any_of(COMPOSITE + "ExecuteFilterAction", typed_config=typed("r", run)))}

    def tree(self, depth):
        form, keys = self.one([("exact_match_map", VALUES), ("prefix_match_map", ["x", "a", "1", "xy", ""])])
        header = {"name": "h", "typed_config": any_of(HEADER_INPUT, header_name=self.one(HEADERS + ["te", "x-c-bin"]))}
        cases = {self.one(keys): self.action(depth) for _ in range(self.one([1, 2, 3]))}
        found = {"matcher_tree": {"input": header, form: {"map": cases}}}
        if self.chance(0.6):
            found["on_no_match"] = self.action(depth)
        return found

    def matching(self, depth=0):
        return any_of(MATCHER, extension_config={"name": "c", "typed_config": any_of(COMPOSITE + "Composite")},
                      xds_matcher=self.tree(depth))

    # ---- routes ----

    def overrides(self, share):
        found = {}
        for name in self.filters:
            if self.chance(share) and name.startswith("any"):
                found[name] = any_of(MATCHER + "PerRoute", xds_matcher=self.tree(0))
            elif self.chance(share):
                found[name] = any_of(RBAC + "PerRoute", **(
                    {"rbac": self.rbac()} if self.chance(0.7) else {}))
        return {"typed_per_filter_config": found} if found else {}

    def route(self, i):
        route = {"name": "r%d" % i, "match": self.match(), **self.overrides(0.2)}
        if self.chance(0.1):
            route["match"] = {"prefix": ""}
        kind = self.r.random()
        if kind < 0.1:
            route["route"] = {"cluster": "c"}
        elif kind < 0.12:
            route["redirect"] = {}
        else:
            route["non_forwarding_action"] = {}
        return route

    def virtual_hosts(self):
        if self.chance(0.3):
            hosts = [{"name": "v", "domains": ["*"], "routes": [
                {"match": {"prefix": ""}, "non_forwarding_action": {}, **self.overrides(0.3)}]}]
        else:
            hosts = super().virtual_hosts()
        return [{**h, **self.overrides(0.15)} for h in hosts]

    def route_config(self, name):
        hosts, seen = self.virtual_hosts(), set()
        for host in hosts if self.chance(0.95) else []:
            routes, host["routes"] = host["routes"], []
            for route in routes:    # no two are equal: with these a server of java never serves
                match = {k: v for k, v in route["match"].items() if k != "case_sensitive"}
                text = json.dumps({**route, "name": None, "match": match})
                if text not in seen:
                    host["routes"].append(route)
                seen.add(text)
        return {"name": name, "virtual_hosts": hosts}

    # ---- filter chains ----

    def manager(self, i):
        self.filters = ["rbac%d" % k for k in range(self.one([0, 1, 1, 1, 2, 3]))]
        if self.composite and self.chance(0.4):
            self.filters.insert(self.one([0, len(self.filters)]), "any")
        filters = [{"name": n, "typed_config": self.matching() if n == "any" else any_of(RBAC, **self.rbac())}
                   for n in self.filters]
        if self.chance(0.03):
            filters.insert(0, {"name": "fault", **self.one([{}, {"is_optional": True}]),
                               "typed_config": any_of(FILTERS + "http.fault.v3.HTTPFault", abort={
                                   "grpc_status": 5, "percentage": {"numerator": 100}})})
        filters.append({"name": "router", "typed_config": any_of(FILTERS + "http.router.v3.Router")})
        manager = {"http_filters": filters}
        if self.chance(0.5):
            manager["route_config"] = self.route_config("inline")
        else:
            name = "routes%d%s" % (i, self.mark)
            manager["rds"] = {"route_config_name": name, "config_source": {"ads": {}}}
            self.configs.append(self.route_config(name))
        return any_of(MANAGER, **manager)

    def socket(self):
        own = {"tls_certificate_provider_instance": {
            "instance_name": self.one(["first", "first", "second"])}}
        kind = self.r.random()
        more = {}
        if kind > 0.3:
            own["validation_context"] = {"ca_certificate_provider_instance": {
                "instance_name": self.one(["first", "first", "first", "second"])}}
            more = self.one([{}, {"require_client_certificate": True},
                             {"require_client_certificate": True}])
        return {"transport_socket": {"name": "envoy.transport_sockets.tls", "typed_config": any_of(
            TLS, common_tls_context=own, **more)}}

    def some(self, items, share, most=2):
        return self.r.sample(items, self.one(range(1, most + 1))) if self.chance(share) else []

    def chain_match(self):
        """None if the chain has none."""
        if self.chance(0.15):
            return None
        match = {}
        for field, items, share in (("prefix_ranges", PREFIXES, 0.4),
                                    ("source_prefix_ranges", PREFIXES, 0.4),
                                    ("source_ports", PORTS, 0.2)):
            found = self.some(items, share)
            if found:
                match[field] = found if items is PORTS else [cidr(x) for x in found]
        if self.chance(0.35):
            match["source_type"] = self.one(["ANY", "SAME_IP_OR_LOOPBACK", "EXTERNAL"])
        for share, more in ((0.35, {"transport_protocol": "raw_buffer"}),
                            (0.03, {"transport_protocol": "tls"}),
                            (0.03, {"server_names": ["a.example.com"]}),
                            (0.03, {"application_protocols": ["h2"]}),
                            (0.03, {"destination_port": 1})):
            if self.chance(share):
                match.update(more)
        return match

    @staticmethod
    def combinations(match):
        """What no two chains of a listener may have in common."""
        match = match or {}
        if {"server_names", "application_protocols", "destination_port"} & set(match):
            return set()

        def ranges(field):
            return {network("%(address_prefix)s/%(prefix_len)d" % r)
                    for r in match.get(field, [])} or {None}

        return set(itertools.product(
            ranges("prefix_ranges"), [match.get("source_type", "ANY")],
            ranges("source_prefix_ranges"), match.get("source_ports", [None])))

    def chain(self, i, match):
        chain = {"name": "chain%d" % i, "filters": [{"name": "hcm", "typed_config": self.manager(i)}]}
        if match is not None:
            chain["filter_chain_match"] = match
        if self.tls and self.chance(0.8):
            chain.update(self.socket())
        return chain

    def chains(self):
        taken, found = set(), []
        for i in range(self.one([1, 1, 2, 3, 4])):
            match = self.chain_match()
            own = self.combinations(match)
            if own & taken and self.chance(0.97):
                continue
            taken |= own
            found.append(self.chain(i, match))
        return found

    def snapshot(self):
        host, port = self.address.rsplit(":", 1)
        listener = {"name": self.listener, "address": {"socket_address": {
            "address": host.strip("[]"), "port_value": int(port)}}, "filter_chains": self.chains()}
        if self.chance(0.5):
            listener["default_filter_chain"] = self.chain(9, None)
        if self.chance(0.01):
            listener["address"]["socket_address"]["port_value"] -= 1
        return [{"@type": LDS, **listener}] + [{"@type": RDS, **c} for c in self.configs]

    # ---- RPCs ----

    def pair(self):
        """The addresses of a peer and of the server, which the kernel connects."""
        host = self.address.rsplit(":", 1)[0]
        to = self.one(DESTINATIONS) if host in ("0.0.0.0", "[::]") else host
        return "%s:%d" % (self.one(SOURCES), self.one([0, 0, 0, *PORTS])), to

    def rpc(self):
        source, to = self.pair()
        rpc = {"from": source, "to": "%s:%s" % (to, self.address.rsplit(":", 1)[1]),
               "path": self.one(PATHS), "authority": self.one(AUTHORITIES),
               "headers": self.headers()}
        names = {name for name, _ in rpc["headers"]}
        rpc["headers"] += [list(h) for h in GRPC_HEADERS if self.chance(0.1)]
        if "te" not in names:
            rpc["headers"].append(["te", "trailers"])
        rpc["headers"].append(["content-type", self.one(["application/grpc"] * 9 + [
            "application/grpc+proto"])])
        if self.chance(0.7):
            rpc["headers"].append(["user-agent", self.one(AGENTS)])
        if self.tls:
            rpc["tls"] = self.chance(0.85)
            if rpc["tls"]:
                rpc["cert"] = self.one([None, *certificates.PEERS])
                rpc["server_name"] = self.one(["server.test", "", "a.example.com"])
        return rpc
