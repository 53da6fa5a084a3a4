"""Random snapshots and requests. A client's TAGS say which features they may have."""
import base64

from discovery import CDS, EDS, LDS, PREFIX, RDS

FILTERS = "envoy.extensions.filters."
SESSION = FILTERS + "http.stateful_session.v3.StatefulSession"
COOKIE_STATE = "envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState"
RING_HASH = "envoy.extensions.load_balancing_policies.ring_hash.v3.RingHash"
AGGREGATE = "envoy.extensions.clusters.aggregate.v3.ClusterConfig"

PATHS = ["/a.S/M", "/a.S/m", "/A.S/M", "/b.S/M", "/b.S/Mx", "/c.d.E/F", "/a.S/Other"]
AUTHORITIES = [None, None, "svc.example.com", "a.example.com", "foo.com", "svc.org",
               "SVC.example.com", "svc.example.com:80", "other"]
HEADERS = ["x-a", "x-b", "x-num", "x-c"]
RESERVED = ["content-type", "user-agent", "grpc-encoding", "grpc-timeout", "te", "host", ":path",
            ":authority", ":method", ":scheme", "x-c-bin", "cookie", "x-missing", "X-A"]
HASHED = [h for h in RESERVED if h != "grpc-timeout"]    # its value is that of the moment
VALUES = ["x", "X", "xy", "yx", "a,b", "a", "b", "1", "5", "-3", "10", "05", "+5", " x ", "x y",
          "abc", "9223372036854775808", "1.5", ""]
WANTED = ["x", "X", "a", "y", "a,b", "application/grpc", "5", "b", ",", "xy", "/a.S/M", "trailers"]
REGEXES = ["x.*", "a,b", "[0-9]+", ".*", "(a|b)", "x", "X", ".+y", "", "(?i)x", "/a.*", ".+"]
RANGES = [("0", "6"), ("-5", "0"), ("5", "6"), ("1", "11")]
DOMAINS = [["svc.example.com"], ["*.example.com", "foo.com"], ["svc.*", "SVC.example.com:80"],
           ["*"]]
ODD_DOMAINS = ["", "a*b", "svc.*.com"]
STATUSES = ["UNAVAILABLE", "INTERNAL", "NOT_FOUND", "CANCELLED", "RESOURCE_EXHAUSTED"]
RETRY_ON = ["", "unavailable", "unavailable,internal", "cancelled,resource-exhausted", "5xx"]
SESSION_COOKIES = ["sess", "other"]
DIRECT = 8    # clusters of one host


def any_of(name, **fields):
    return {"@type": PREFIX + name, **fields}


class Generator:
    """One case. `backends` and `closed` are addresses that serve, and that refuse."""

    def __init__(self, number, random, tags, backends, closed):
        self.case = "case-%d" % number
        self.mark = "-%d" % number    # at the end of the names of this case
        self.r = random
        self.tags = tags
        self.backends = iter(backends)
        self.closed = iter(closed)
        self.clusters, self.assignments = [], []
        self.down = []
        self.sessions = "session" in tags and self.chance(0.5)

    def chance(self, p):
        return self.r.random() < p

    def one(self, items):
        return self.r.choice(items)

    def name(self, cluster):
        return cluster + self.mark

    # ---- endpoints and clusters ----

    def address(self, may_be_down=False):
        if may_be_down and "down" in self.tags and self.chance(0.15):
            address = next(self.closed, None)
            if address:
                self.down.append(address)
                return address
        return next(self.backends)

    def endpoint(self, may_be_down=False, **more):
        host, port = self.address(may_be_down).rsplit(":", 1)
        return {"endpoint": {"address": {"socket_address": {
            "address": host, "port_value": int(port)}}}, **more}

    def locality(self, endpoints, zone="a", weight=1, priority=0):
        return {"locality": {"region": "r", "zone": zone}, "load_balancing_weight": weight,
                "priority": priority, "lb_endpoints": endpoints}

    def cluster(self, name, localities, policy=None, **more):
        name = self.name(name)
        self.clusters.append({"name": name, "type": "EDS", "eds_cluster_config": {
            "eds_config": {"ads": {}}}, **more})
        self.assignments.append({"cluster_name": name, "endpoints": localities,
                                 **({"policy": policy} if policy else {})})

    def ring_sizes(self):
        least = self.one([1, 3, 16, 64, 1000, 1024] + [0] * ("ring_zero" in self.tags))
        return {"minimum_ring_size": least, "maximum_ring_size": max(least, self.one([3, 1024]))}

    def add_clusters(self):
        """Returns the names that routes may use."""
        end, place = self.endpoint, self.locality
        for i in range(DIRECT):
            self.cluster("s%d" % i, [place([end()])])
        self.cluster("rr", [place([end(True), end(), end(health_status="UNHEALTHY")])])
        names = ["rr"]
        if "ring" in self.tags:
            self.cluster("ring", [
                place([end(True, load_balancing_weight=self.one([1, 2, 5])), end(), end()],
                      weight=self.one([1, 3])),
                place([end()], "b", self.one([1, 2]))],
                lb_policy="RING_HASH", ring_hash_lb_config=self.ring_sizes())
            sizes = self.ring_sizes() if "ring_typed" in self.tags else {}
            typed = any_of(RING_HASH, hash_function="XX_HASH", **sizes)
            self.cluster("ring2", [place([end(), end(), end(health_status="DRAINING")])],
                         load_balancing_policy={"policies": [{"typed_extension_config": {
                             "name": "x", "typed_config": typed}}]})
            names += ["ring", "ring", "ring2"]
        if "locality" in self.tags:
            self.cluster("local", [place([end()], "a", 3), place([end(), end()], "b", 1),
                                   place([end()], "a", 1, 1)])
            names.append("local")
        if "priorities" in self.tags:
            health = self.one(["HEALTHY", "DEGRADED", "UNKNOWN", "TIMEOUT"])
            self.cluster("prio", [place([end(health_status="UNHEALTHY")]),
                                  place([end(True, health_status=health)], "a", 1, 1),
                                  place([end()], "b", 1, 2)])
            names.append("prio")
        if "draining" in self.tags:
            statuses = self.one([None, ["UNKNOWN", "HEALTHY", "DRAINING"], ["DRAINING"], []])
            more = {} if statuses is None else {"common_lb_config": {
                "override_host_status": {"statuses": statuses}}}
            self.cluster("drain", [place([end(health_status="DRAINING"), end(),
                                          end(health_status="UNHEALTHY"), end()])], **more)
            names.append("drain")
        if "drops" in self.tags:
            drop = {"numerator": self.one([0, 30, 100, 150]), "denominator": "HUNDRED"}
            self.cluster("drop", [place([end()])], {"drop_overloads": [
                {"category": "c", "drop_percentage": drop}]})
            names += ["drop", "drop"]
        self.cluster("none", [])
        names.append("none")
        if "aggregate" in self.tags:
            below = [self.name(n) for n in self.one([["none", "rr"], ["rr", "s0"]])]
            self.clusters.append({"name": self.name("agg"), "cluster_type": {
                "name": "envoy.clusters.aggregate", "typed_config": any_of(AGGREGATE, clusters=below)}})
            names.append("agg")
        return [self.name(n) for n in names]

    # ---- routes ----

    def string_matcher(self):
        kind = self.one(["exact", "prefix", "suffix", "contains", "safe_regex"])
        if kind == "safe_regex":
            return {kind: {"regex": self.one(REGEXES)}}
        return {kind: self.one(WANTED), **({"ignore_case": True} if self.chance(0.3) else {})}

    def header_matcher(self):
        reserved = self.chance(0.3)
        m = {"name": self.one(RESERVED if reserved else HEADERS)}
        kind = self.one(["string_match"] * 3 + ["exact_match", "prefix_match", "suffix_match",
                                                "safe_regex_match", "range_match", "present_match"])
        if reserved and self.chance(0.5):
            kind = "present_match"
        if kind == "string_match":
            m[kind] = self.string_matcher()
        elif kind == "safe_regex_match":
            m[kind] = {"regex": self.one(REGEXES)}
        elif kind == "range_match":
            m[kind] = dict(zip(("start", "end"), self.one(RANGES)))
        else:
            m[kind] = self.chance(0.7) if kind == "present_match" else self.one(WANTED)
        if self.chance(0.25):
            m["invert_match"] = True
        return m

    def hash_policy(self):
        kind = self.one(["header"] * 6 + ["channel", "other", "source_ip", "cookie"])
        if kind == "header":
            header = {"header_name": self.one(HEADERS if self.chance(0.7) else HASHED)}
            if self.chance(0.25):
                header["regex_rewrite"] = {
                    "pattern": {"regex": self.one(["x", "[a-z]", "(.)(.)", ".+"])},
                    "substitution": self.one(["z", "zz"])}
            policy = {"header": header}
        else:
            policy = {"channel": {"filter_state": {"key": "io.grpc.channel_id"}},
                      "other": {"filter_state": {"key": "other"}},
                      "source_ip": {"connection_properties": {"source_ip": True}},
                      "cookie": {"cookie": {"name": "x"}}}[kind]
        return {**policy, **({"terminal": True} if self.chance(0.3) else {})}

    def destination(self, i):
        kind = self.r.random()
        own = self.name("s%d" % (i % DIRECT))
        if kind < 0.15 and "weighted" in self.tags:
            some = sorted({self.one(self.names) for _ in range(3)} - {own})
            entries = [{"name": n, "weight": self.one([0, 1, 5, 10])} for n in some]
            return {"weighted_clusters": {"clusters": entries + [{"name": own, "weight": 1}]}}
        if kind < 0.2 and "cluster_header" in self.tags:
            return {"cluster_header": "x-a"}
        return {"cluster": own if kind < 0.6 else self.one(self.names)}

    def action(self, i):
        a = self.destination(i)
        if self.chance(0.6):
            a["hash_policy"] = [self.hash_policy() for _ in range(self.one([1, 1, 2, 3]))]
        if "timeouts" in self.tags and self.chance(0.2):
            a["max_stream_duration"] = self.one([
                {"max_stream_duration": "7s"}, {"max_stream_duration": "0s"}, {},
                {"grpc_timeout_header_max": "6s", "max_stream_duration": "8s"}])
        if "retries" in self.tags and self.chance(0.4):
            a["retry_policy"] = {"retry_on": self.one(RETRY_ON), "num_retries": self.one([1, 2, 6]),
                                 "retry_back_off": {"base_interval": "0.005s"}}
        return a

    def match(self):
        kind = self.r.random()
        if kind < 0.35:
            m = {"prefix": self.one(["/a.S/", "", "/", "/A.S/", "/b.S/M", "/a.S", "/c.d", "a", "//"])}
        elif kind < 0.6:
            m = {"path": self.one(PATHS + ["/a.S/Mx"])}
        elif kind < 0.8:
            m = {"safe_regex": {"regex": self.one(["/a.*", "/[ab].S/M", ".*", "/a\\.S/M", "/b",
                                                   "/b.S/M.?", "(?i)/A.s/m"])}}
        elif kind < 0.85 and "query" in self.tags:
            m = {"prefix": "/b", "query_parameters": [{"name": "q", "present_match": True}]}
        else:
            m = {"prefix": ""}
        if self.chance(0.25) and "safe_regex" not in m:
            m["case_sensitive"] = False
        if self.chance(0.5):
            m["headers"] = [self.header_matcher() for _ in range(self.one([1, 1, 2]))]
        if "fractions" in self.tags and self.chance(0.12):
            m["runtime_fraction"] = {"default_value": self.one([
                {"numerator": 50}, {"numerator": 0}, {"numerator": 100},
                {"numerator": 2500, "denominator": "TEN_THOUSAND"}])}
        return m

    def route(self, i):
        route = {"name": "r%d" % i, "match": self.match()}
        kind = self.r.random()
        if kind < 0.04 and "redirect" in self.tags:
            route["redirect"] = {}
        elif kind > 0.97 and "non_forwarding" in self.tags:
            route["non_forwarding_action"] = {}
        else:
            route["route"] = self.action(i)
        overrides = {}
        if self.sessions and self.chance(0.15):
            overrides["session"] = any_of(SESSION + "PerRoute", **self.one([
                {"disabled": True}, {"stateful_session": {}},
                {"stateful_session": self.cookie_state("other")}]))
        if "fault" in self.tags and self.chance(0.1):
            overrides["fault"] = any_of(FILTERS + "http.fault.v3.HTTPFault", abort={
                "grpc_status": 5, "percentage": {"numerator": self.one([0, 40, 100])}})
        return {**route, **({"typed_per_filter_config": overrides} if overrides else {})}

    # ---- the listener ----

    def cookie_state(self, name):
        cookie = {"name": name, **self.one([{}, {"ttl": "60s"}, {"path": "/a.S"}, {"path": "/"}])}
        return {"session_state": {"name": "c", "typed_config": any_of(COOKIE_STATE, cookie=cookie)}}

    def http_filters(self):
        filters = []
        if self.sessions:
            filters.append({"name": "session", "typed_config": any_of(
                SESSION, **self.cookie_state("sess"))})
        if "fault" in self.tags:
            filters.append({"name": "fault", "typed_config": any_of(
                FILTERS + "http.fault.v3.HTTPFault")})
        return filters + [{"name": "router", "typed_config": any_of(
            FILTERS + "http.router.v3.Router")}]

    def virtual_hosts(self):
        domains = [list(d) for d in DOMAINS]
        self.r.shuffle(domains)
        domains = domains[:self.one([1, 2, 4])]
        if "domains" in self.tags and self.chance(0.05):
            self.one(domains).insert(self.one([0, 1]), self.one(ODD_DOMAINS))
        if not any("*" in d for d in domains) and self.chance(0.8):
            domains.append(["*"])
        return [{"name": "v%d" % i, "domains": d,
                 "routes": [self.route(8 * i + k) for k in range(self.one([3, 5, 8]))]}
                for i, d in enumerate(domains)]

    def snapshot(self):
        """Resources as JSON with @type, the listener first."""
        self.names = self.add_clusters()
        config = {"name": "routes" + self.mark, "virtual_hosts": self.virtual_hosts()}
        manager = {"http_filters": self.http_filters()}
        if "timeouts" in self.tags and self.chance(0.3):
            manager["common_http_protocol_options"] = {"max_stream_duration": "9s"}
        inline = self.chance(0.5)
        if inline:
            manager["route_config"] = config
        else:
            manager["rds"] = {"route_config_name": config["name"], "config_source": {"ads": {}}}
        manager = any_of(FILTERS + "network.http_connection_manager.v3.HttpConnectionManager",
                         **manager)
        listener = {"name": self.case, "api_listener": {"api_listener": manager}}
        typed = [(LDS, listener)] + ([] if inline else [(RDS, config)])
        typed += [(CDS, c) for c in self.clusters] + [(EDS, a) for a in self.assignments]
        return [{"@type": t, **resource} for t, resource in typed]

    # ---- requests ----

    def session_cookie(self):
        hosts = [e["endpoint"]["address"]["socket_address"] for a in self.assignments
                 for place in a["endpoints"] for e in place["lb_endpoints"]]
        host = self.one(hosts)
        value = "%s:%d" % (host["address"], host["port_value"])
        named = self.one([None] + self.names)
        if named:
            value += self.one([";cluster:", ";cluster:", ";"]) + named
        cookie = "%s=%s" % (self.one(SESSION_COOKIES), base64.b64encode(value.encode()).decode())
        return self.one([cookie, cookie, "a=b; %s; z=1" % cookie])

    def headers(self):
        headers = []
        for name in HEADERS:
            for p in (0.5, 0.1):
                if self.chance(p):
                    headers.append([name, self.one(VALUES)])
        for p, header in ((0.2, ["x-c-bin", "AQL/"]), (0.1, ["te", "trailers"]), (0.1, ["host", "h"]),
                          (0.15, ["x-a", self.one(self.names)])):
            if self.chance(p):
                headers.append(header)
        if self.sessions and self.chance(0.5):
            headers.append(["cookie", self.session_cookie()])
        if "retries" in self.tags and self.chance(0.1):
            headers.append(["x-fail", self.one(STATUSES)])
        return headers

    def request(self):
        authority = self.one(AUTHORITIES)
        request = {"path": self.one(PATHS), "headers": self.headers()}
        if authority:
            request["authority"] = authority
        if self.down:
            request["down"] = self.down
        if "deadline" in self.tags and self.chance(0.7):
            request["deadline"] = 10
        return request
