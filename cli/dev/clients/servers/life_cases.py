"""Random lives of servers: listeners and routes that come, change and go, connections, and RPCs
that stay open."""
import copy

from generate import FILTERS, PATHS, any_of
from server_cases import LISTENER, MANAGER, RBAC, TLS

GRACE_SECONDS = 3         # of drained connections, where the server has an option for it
WAIT_SECONDS = 4          # until it is over, and no other timer is
MISSING_SECONDS = 17      # more than a client waits for a resource
STEPS = 16
HASTE = 3                 # steps after which a drained connection with an RPC is looked after
CONNECTIONS = ("a", "b", "c", "d")
PEERS = ["127.0.0.1", "10.77.0.2"]


SOCKET = {"transport_socket": {
    "name": "envoy.transport_sockets.tls", "typed_config": any_of(TLS, common_tls_context={
        "tls_certificate_provider_instance": {"instance_name": "first"}})}}


class Seen:
    """What is known of the connections and RPCs of a life."""

    def __init__(self):
        self.open, self.away = set(), {}    # ids; and of those told to go away, since which step
        self.rpcs = {}                      # running: their connections, by id
        self.asked = set()                  # names of resources that the server asks for


class LifeGenerator:
    """One life, event by event."""

    def __init__(self, random, number, address, missing):
        self.r, self.number, self.address = random, number, address
        self.wait_at = random.randrange(4, STEPS - 3) if random.random() < missing else None
        self.names = ["r%d-%d" % (number, i) for i in range(2)]
        self.made, self.waited = 0, False
        self.past = []
        self.known = {}    # the listener that the control plane has

    def head(self):
        return {"subject": "server", "config": {
            "server": self.address, "listener": LISTENER + self.address,
            "drain_grace_time": "%ds" % GRACE_SECONDS}, "steps": []}

    # ---- resources ----

    def route_config(self, name, variant):
        """Variants: who is served; bad: no client accepts it."""
        action = {"non_forwarding_action": {}} if variant != "fails" else {
            "route": {"cluster": "c"}}
        match = {"prefix": ""} if variant != "bad" else {}
        domains = ["*"] if variant != "other" else ["other.example.com"]
        return {"name": name, "virtual_hosts": [
            {"name": "v-" + variant, "domains": domains, "routes": [{"match": match, **action}]}]}

    def rbac(self, deny):
        return {"name": "rbac", "typed_config": any_of(RBAC, rules={
            "action": "DENY" if deny else "ALLOW",
            "policies": {"p": {"permissions": [{"any": True}], "principals": [{"any": True}]}}})}

    def chain(self, name, kind, match=None):
        filters = [{"name": "router", "typed_config": any_of(FILTERS + "http.router.v3.Router")}]
        if kind == "denies":
            filters.insert(0, self.rbac(True))
        if kind == "allows":
            filters.insert(0, self.rbac(False))
        manager = {"http_filters": filters}
        if kind in self.names:
            manager["rds"] = {"route_config_name": kind, "config_source": {"ads": {}}}
        else:
            manager["route_config"] = self.route_config(
                "inline", "fails" if kind == "fails" else "serves")
        return {"name": name, **({"filter_chain_match": match} if match else {}),
                "filters": [{"name": "hcm", "typed_config": any_of(MANAGER, **manager)}]}

    def listener(self, variant):
        port = int(self.address.rsplit(":", 1)[1])
        out = {"name": LISTENER + self.address, "address": {"socket_address": {
            "address": "0.0.0.0", "port_value": port}}}
        kinds = ["allows", "denies", "fails", *self.names]
        if variant == "misfit":
            out["address"]["socket_address"]["port_value"] = 1
            out["filter_chains"] = [self.chain("x", "allows")]
        elif variant == "bad":
            out["filter_chains"] = [{"name": "x", "filters": []}]
        elif variant == "two":
            out["filter_chains"] = [self.chain("near", self.r.choice(kinds), {
                "source_prefix_ranges": [{"address_prefix": "127.0.0.0", "prefix_len": 8}],
                "transport_protocol": "raw_buffer"})]
            if self.r.random() < 0.5:
                out["default_filter_chain"] = self.chain("far", self.r.choice(kinds))
        elif variant == "tls":
            out["default_filter_chain"] = {**self.chain("allows", "allows"), **SOCKET}
        else:
            out["default_filter_chain"] = self.chain(variant, variant)
        return out

    # ---- events ----

    def update_listener(self, _seen):
        variant = self.r.choice(["allows", "allows", "denies", "fails", "two", "two", self.names[0],
                                 self.names[0], self.names[1], "misfit", "bad", "again", "back",
                                 "tls"])
        if not self.past and self.r.random() < 0.2:
            variant = "bad"
        if variant in ("again", "back") and self.past:
            found = copy.deepcopy(self.past[-1 if variant == "again" else -2:][0])
        else:
            found = self.listener("allows" if variant in ("again", "back") else variant)
        self.past.append(found)
        self.known = found
        return {"type": "xds_update", "listeners": [found]}

    def update_routes(self, seen):
        name = self.r.choice(self.names)
        variant = self.r.choice(["serves", "serves", "fails", "other", "bad"])
        if variant == "bad" and name not in seen.asked:
            variant = "serves"
        return {"type": "xds_update", "routes": [self.route_config(name, variant)]}

    def remove(self, _seen):
        if not self.known:
            return None
        self.known = None
        return {"type": "xds_remove", "resource_type": "listener", "name": LISTENER + self.address}

    def connect(self, seen):
        free = [c for c in CONNECTIONS if c not in seen.open and c not in seen.away]
        return free and {"type": "connect", "id": free[0], "tls": False,
                         "peer": self.r.choice(PEERS),
                         "local": "127.0.0.1:" + self.address.rsplit(":", 1)[1]}

    def disconnect(self, seen):
        return seen.open and {"type": "disconnect", "id": self.r.choice(sorted(seen.open))}

    def rpc(self, seen):
        return seen.open and {"type": "rpc", "connection": self.r.choice(sorted(seen.open)),
                              "path": PATHS[0], "authority": "svc.example.com"}

    def rpc_start(self, seen):
        self.made += 1
        return seen.open and {**self.rpc(seen), "type": "rpc_start", "id": "x%d" % self.made}

    def rpc_end(self, seen):
        return seen.rpcs and {"type": "rpc_end", "id": self.r.choice(sorted(seen.rpcs))}

    @staticmethod
    def wait(seconds):
        return {"type": "advance"}, seconds

    def next(self, step, seen):
        """An event, and the seconds that pass before it."""
        if step == self.wait_at:
            return self.wait(MISSING_SECONDS)
        old = [c for c, since in seen.away.items() if step - since >= HASTE]
        held = sorted(r for r, c in seen.rpcs.items() if c in old)
        if held and not self.waited and self.r.random() < 0.4:
            self.waited = True
            return self.wait(WAIT_SECONDS)
        if held:
            return {"type": "rpc_end", "id": held[0]}, 0
        kinds = [(self.update_listener, 5), (self.update_routes, 4), (self.remove, 1),
                 (self.connect, 5), (self.disconnect, 1), (self.rpc, 5), (self.rpc_start, 4),
                 (self.rpc_end, 2)]
        while True:
            make, = self.r.choices([k for k, _ in kinds], [w for _, w in kinds])
            event = make(seen)
            if event:
                return event, 0
