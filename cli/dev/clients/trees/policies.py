"""Random clusters: LB policies as trees, by lb_policy or load_balancing_policy, and outlier
detection."""
from discovery import PREFIX

LB = "envoy.extensions.load_balancing_policies."
STRUCTS = ("xds.type.v3.TypedStruct", "udpa.type.v1.TypedStruct")
DEEPEST = 4
SIZES = [0, 1, 2, 7, 1000, 1024, 4096, 4097, 8388608] * 3 + [8388609, 2**32, 2**63, 2**64 - 1]
COUNTS = [0, 1, 2, 3, 10, 11, 100, 101, 2**31, 2**32 - 1]
DURATIONS = ["0s", "1s", "0.1s", "0.0999s", "1.5009s", "10s", "0.000000001s", "3600s",
             "315576000000s"] * 4 + ["-1s", "-0.5s"]
# The longest one that all clients read as it is: of longer ones the model keeps 292 years.
TIMES = [t for t in DURATIONS if not t.startswith("315")] + ["9000000000s"]
PERCENTS = [0, 1, 50, 99, 100] * 8 + [101, 2**32 - 1]
FLOATS = [0, 0.5, 1, 1.5, 0.1, 3.25, 1e9, 1e-7] * 2 + [-1]
CLIENTS_NAMES = {    # names of policies, as they are in the registries of clients
    "round_robin", "pick_first", "ring_hash_experimental", "ring_hash", "weighted_round_robin",
    "least_request_experimental", "xds_wrr_locality_experimental", "wrr_locality_experimental",
    "xds_wrr_locality", "weighted_target_experimental", "weighted_target", "priority_experimental",
    "priority", "outlier_detection", "outlier_detection_experimental", "cds_experimental",
    "random_subsetting_experimental", "rls_experimental", "grpclb", "no_such_policy", ""}


def any_of(name, /, **fields):
    return {"@type": PREFIX + name, **fields}


class Policies:
    def __init__(self, random):
        self.r = random

    def one(self, items):
        return self.r.choice(items)

    def chance(self, p):
        return self.r.random() < p

    def some(self, **values):
        """Each of the fields with one of its values, or not at all."""
        return {k: self.one(v) for k, v in values.items() if self.chance(0.45)}

    # ---- LB policies of JSON, which are in a TypedStruct ----

    def struct_value(self, depth):
        kind = self.r.random()
        if kind < 0.25 and depth < DEEPEST:
            return {self.one(["childPolicy", "child_policy"]): self.config_list(depth + 1)}
        if kind < 0.4:
            return {}
        return {k: self.one(v) for k, v in (
            ("shuffleAddressList", [True, False, "x", None]),
            ("choiceCount", [0, 1, 2, 3, 11, "3", 2.5, -1]),
            ("minRingSize", [0, 1, 7, 5000, 2**23 + 1, "8", -1, 1.5]),
            ("maxRingSize", [0, 1, 7, 5000, 2**23 + 1, "8"]),
            ("enableOobLoadReport", [True, False, "x"]),
            ("blackoutPeriod", DURATIONS + ["x", 3]),
            ("weightUpdatePeriod", DURATIONS),
            ("errorUtilizationPenalty", FLOATS + ["x"]),
            ("interval", DURATIONS),
            ("subsetSize", [0, 1, 3, "x"]),
            ("other", [1, None, [], {}, [1, {"a": "b"}], "text", 0.1, 1e21, 1e-7, 123456789012])
        ) if self.chance(0.15)}

    def config_list(self, depth):
        return [{self.one(self.names()): self.struct_value(depth)}
                for _ in range(self.one([1, 1, 1, 2, 0]))]

    @staticmethod
    def names():
        return sorted(CLIENTS_NAMES)

    def typed_struct(self, depth):
        name = self.one(["", "a/", "type.googleapis.com/"]) + self.one(self.names())
        out = any_of(self.one(STRUCTS), type_url=name)
        return {**out, **({"value": self.struct_value(depth)} if self.chance(0.9) else {})}

    # ---- typed LB policies ----

    def ring_hash(self):
        return {**({} if self.chance(0.15) else {"hash_function": self.one(
            ["XX_HASH"] * 8 + ["MURMUR_HASH_2", "DEFAULT_HASH"])}),
            **self.some(minimum_ring_size=SIZES, maximum_ring_size=SIZES)}

    def weighted_round_robin(self):
        return self.some(
            enable_oob_load_report=[True, False], oob_reporting_period=DURATIONS,
            blackout_period=DURATIONS, weight_expiration_period=DURATIONS,
            weight_update_period=DURATIONS, error_utilization_penalty=FLOATS,
            metric_names_for_computing_utilization=[[], ["cpu"], ["a", "named_metrics.b", ""]])

    def typed(self, depth):
        kind = self.r.random()
        if kind < 0.3:
            return self.typed_struct(depth)
        if kind < 0.5 and depth < DEEPEST:
            children = {} if self.chance(0.05) else {
                "endpoint_picking_policy": self.policy_list(depth + 1)}
            return any_of(LB + "wrr_locality.v3.WrrLocality", **children)
        name, fields = self.one([
            ("round_robin.v3.RoundRobin", {}),
            ("pick_first.v3.PickFirst", self.some(shuffle_address_list=[True, False])),
            ("ring_hash.v3.RingHash", self.ring_hash()),
            ("least_request.v3.LeastRequest", self.some(choice_count=COUNTS)),
            ("client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin",
             self.weighted_round_robin()),
            ("wrr_locality.v3.WrrLocality", {})])
        return any_of(LB + name, **fields)

    def policy_list(self, depth=0):
        count = self.one([1, 1, 1, 2, 3, 0] if depth else [1, 1, 1, 1, 2, 3])
        entries = [{"typed_extension_config": {"name": "x", "typed_config": self.typed(depth)}}
                   for _ in range(count)]
        if self.chance(0.02):
            entries.insert(0, self.one([{}, {"typed_extension_config": {"name": "x"}}]))
        return {"policies": entries}

    # ---- clusters ----

    def by_enum(self):
        policy = self.one(["ROUND_ROBIN", "RING_HASH", "LEAST_REQUEST", None] * 5 + ["RANDOM"])
        out = {"lb_policy": policy} if policy else {}
        if self.chance(0.7 if policy == "RING_HASH" else 0.1):
            out["ring_hash_lb_config"] = {
                **self.some(hash_function=["XX_HASH"] * 4 + ["MURMUR_HASH_2"]),
                **self.some(minimum_ring_size=SIZES, maximum_ring_size=SIZES)}
        elif self.chance(0.7 if policy == "LEAST_REQUEST" else 0.1):
            out["least_request_lb_config"] = self.some(choice_count=COUNTS)
        return out

    def outlier_detection(self):
        return self.some(
            interval=TIMES, base_ejection_time=TIMES, max_ejection_time=TIMES,
            max_ejection_percent=PERCENTS, enforcing_success_rate=PERCENTS,
            success_rate_minimum_hosts=COUNTS, success_rate_request_volume=COUNTS,
            success_rate_stdev_factor=COUNTS, enforcing_failure_percentage=PERCENTS,
            failure_percentage_threshold=PERCENTS, failure_percentage_minimum_hosts=COUNTS,
            failure_percentage_request_volume=COUNTS)

    def cluster(self, name):
        more = self.by_enum() if self.chance(0.25) else {
            "load_balancing_policy": self.policy_list()}
        if self.chance(0.3):
            more["outlier_detection"] = self.outlier_detection()
        return {"@type": PREFIX + "envoy.config.cluster.v3.Cluster", "name": name, "type": "EDS",
                "eds_cluster_config": {"eds_config": {"ads": {}}}, **more}
