"""Whole resources of the four types, in Envoy's JSON."""
from parts import FILTERS, Parts, any_of

HCM = FILTERS + "network.http_connection_manager.v3.HttpConnectionManager"


class Resources(Parts):
    # ---- RouteConfiguration ----

    def route_match(self):
        kind = self.one("prefix", "prefix", "path", "safe_regex", "path_separated_prefix", "connect_matcher")
        if kind in ("path_separated_prefix", "connect_matcher") and not self.slip(0.4):
            kind = "prefix"
        value = {"safe_regex": self.regex, "connect_matcher": dict}.get(kind, self.t.path)()
        return {kind: value, **self.some(0.3, headers=lambda: self.many(self.header_match)),
                **self.some(0.12, case_sensitive=lambda: self.one(True, False), query_parameters=lambda: [self.query_match()],
                            runtime_fraction=lambda: self.some(0.9, default_value=self.fraction), grpc=dict,
                            tls_context=lambda: {"presented": True}, dynamic_metadata=lambda: [self.metadata()])}

    def weighted_cluster(self):
        return {"name": self.t.name(), **self.some(0.9, weight=self.t.count),
                **self.some(0.15, typed_per_filter_config=self.overrides),
                **self.some(0.04, cluster_header=self.t.header, metadata_match=dict)}

    def retry_policy(self):
        back_off = self.some(0.8, base_interval=self.t.duration, max_interval=self.t.duration)
        return {"retry_on": self.t.codes(), **self.some(0.5, num_retries=lambda: self.one(0, 1, 2, 5, 2**32 - 1)),
                **self.some(0.3, retry_back_off=lambda: back_off),
                **self.some(0.05, per_try_timeout=self.t.duration, retriable_status_codes=lambda: [503],
                            host_selection_retry_max_attempts=lambda: "5")}

    def hash_policy(self):
        return {**self.one(
            {"header": {"header_name": self.t.header(), **self.some(regex_rewrite=lambda: {
                "pattern": self.regex(), "substitution": self.one("", "\\1", "\\0x", "\\9", "\\")})}},
            {"filter_state": {"key": self.one("io.grpc.channel_id", "x", "")}}, {"cookie": {"name": "c"}},
            {"connection_properties": {"source_ip": True}}, {"query_parameter": {"name": "q"}}, {}),
            **self.some(terminal=lambda: True)}

    def route_action(self):
        kind = self.one("cluster", "cluster", "weighted_clusters")
        if self.slip(0.3):
            kind = self.one("cluster_header", "cluster_specifier_plugin", "inline_cluster_specifier_plugin")
        value = {"cluster": self.t.name, "cluster_header": self.t.header, "cluster_specifier_plugin": lambda: self.one("rls", "x"),
                 "inline_cluster_specifier_plugin": lambda: {"extension": self.extension(self.rls())},
                 "weighted_clusters": lambda: {"clusters": self.many(self.weighted_cluster, 0, 1, 2, 2, 3),
                                               **self.some(0.1, total_weight=self.t.count)}}[kind]()
        return {kind: value, **self.some(
            0.2, max_stream_duration=lambda: self.some(0.6, max_stream_duration=self.t.duration,
                                                       grpc_timeout_header_max=self.t.duration,
                                                       grpc_timeout_header_offset=self.t.duration),
            hash_policy=lambda: self.many(self.hash_policy), retry_policy=self.retry_policy),
            **self.some(0.05, auto_host_rewrite=lambda: True, timeout=self.t.duration, prefix_rewrite=self.t.path,
                        host_rewrite_literal=self.t.domain, cluster_not_found_response_code=lambda: "NOT_FOUND")}

    def route(self):
        action = ("route", self.route_action)
        if self.slip(0.3) or self.chance(0.1):
            action = self.one(("non_forwarding_action", dict), ("redirect", dict),
                              ("direct_response", lambda: {"status": 200}), (None, dict))
        return {"match": self.route_match(), **({action[0]: action[1]()} if action[0] else {}),
                **self.some(0.15, typed_per_filter_config=self.overrides, name=lambda: "r"),
                **self.some(0.03, metadata=dict, decorator=lambda: {"operation": "o"})}

    def virtual_host(self):
        return {"name": self.one("v", "", "w"), "domains": self.many(self.t.domain, 1, 1, 2, 3, 0),
                "routes": self.many(self.route, 1, 1, 2, 3, 0),
                **self.some(0.15, typed_per_filter_config=self.overrides, retry_policy=self.retry_policy),
                **self.some(0.03, require_tls=lambda: "ALL", matcher=dict)}

    def rls(self):
        def key_builder():
            return {"names": self.many(lambda: {"service": self.one("pkg.Svc", ""), **self.some(method=lambda: "M")}, 1, 1, 2, 0),
                    **self.some(0.4, headers=lambda: self.many(lambda: {
                        "key": self.one("k", "h", ""), "names": self.many(self.t.header), **self.some(0.1, required_match=lambda: True)}),
                        extra_keys=lambda: {"host": self.one("host", "k"), "method": "m"}, constant_keys=lambda: {"k": "v"})}

        config = {"grpc_keybuilders": self.many(key_builder, 1, 1, 2, 0), "lookup_service": self.t.target(),
                  **self.some(0.9, cache_size_bytes=lambda: self.one("1", "1000", "0", "-1", str(2**63 - 1))),
                  **self.some(lookup_service_timeout=self.t.duration, max_age=self.t.duration, stale_age=self.t.duration,
                              default_target=self.t.name)}
        kind = self.one("grpc.lookup.v1.RouteLookupClusterSpecifier", "xds.type.v3.TypedStruct")
        if kind.startswith("xds"):
            return any_of(kind, type_url="type.googleapis.com/grpc.lookup.v1.RouteLookupClusterSpecifier",
                          value={"routeLookupConfig": {"lookupService": "x"}})
        return any_of(kind, **self.some(0.95, route_lookup_config=lambda: config))

    def specifier(self):
        return {**self.some(0.95, extension=lambda: {"name": self.one("rls", "rls", "x", ""), "typed_config": self.one(
            self.rls(), self.rls(), any_of("google.protobuf.Empty"))}), **self.some(0.3, is_optional=lambda: True)}

    def routes(self, name):
        return {"name": name, "virtual_hosts": self.many(self.virtual_host, 1, 1, 1, 2, 0),
                **self.some(0.2 if self.slip(1) else 0.02, cluster_specifier_plugins=lambda: self.many(self.specifier, 1, 2)),
                **self.some(0.03, vhds=dict, validate_clusters=lambda: True, typed_per_filter_config=self.overrides,
                            internal_only_headers=lambda: ["x"])}

    # ---- Listener ----

    def manager(self, server):
        where = self.one("rds", "rds", "route_config", "scoped_routes", None)
        if where in ("scoped_routes", None) and not self.slip(0.3):
            where = "rds"
        value = {"rds": lambda: {"config_source": self.config_source(), **self.some(0.97 if self.slip(1) else 1, route_config_name=self.t.name)},
                 "route_config": lambda: self.routes("inline")}.get(where, dict)()
        return any_of(HCM, **({where: value} if where else {}), http_filters=self.http_filters(server),
                      **self.some(0.06, stat_prefix=lambda: "s", codec_type=lambda: "HTTP2",
                                  xff_num_trusted_hops=lambda: self.one(0, 1),
                                  original_ip_detection_extensions=lambda: self.many(
                                      lambda: self.extension(any_of("google.protobuf.Empty")), 0, 1),
                                  common_http_protocol_options=lambda: {"max_stream_duration": self.t.duration()},
                                  upgrade_configs=lambda: [{"upgrade_type": "websocket"}]))

    def chain_match(self):
        return self.some(0.25, prefix_ranges=lambda: self.many(self.cidr), destination_port=lambda: self.one(0, 1, 8080, 65536),
                         source_type=lambda: self.one("ANY", "SAME_IP_OR_LOOPBACK", "EXTERNAL"),
                         source_prefix_ranges=lambda: self.many(self.cidr), direct_source_prefix_ranges=lambda: [self.cidr()],
                         source_ports=lambda: self.many(lambda: self.one(1, 2, 80, 65536)),
                         server_names=lambda: self.one(["a"], [], [""]), transport_protocol=lambda: self.one("", "raw_buffer", "tls"),
                         application_protocols=lambda: self.one(["h2"], [], [""]))

    def chain(self):
        filters = [self.extension(self.manager(True))]
        if self.slip(0.15):
            filters = self.one([], filters * 2, [self.extension(any_of(FILTERS + "network.tcp_proxy.v3.TcpProxy"))],
                               [{"name": "x"}], [*filters, {"name": "y", "typed_config": any_of("google.protobuf.Empty")}])
        return {**self.some(0.7, filter_chain_match=self.chain_match), "filters": filters,
                **self.some(0.3, transport_socket=lambda: self.transport_socket(self.downstream_tls)),
                **self.some(0.03, use_proxy_proto=lambda: True, name=lambda: "n", transport_socket_connect_timeout=self.t.duration)}

    def listener(self, name):
        if self.chance(0.5):
            return {"name": name, **self.some(0.97 if self.slip(1) else 1, api_listener=lambda: {"api_listener": self.manager(False)})}
        return {"name": name, **self.some(0.9, address=lambda: self.address()),
                "filter_chains": self.many(self.chain, 1, 1, 2, 3, 0),
                **self.some(0.2, default_filter_chain=self.chain),
                **self.some(0.03, listener_filters=lambda: [self.extension(any_of("google.protobuf.Empty"))],
                            use_original_dst=lambda: self.one(True, False), traffic_direction=lambda: "INBOUND",
                            additional_addresses=lambda: [{"address": self.address()}], api_listener=dict,
                            tcp_fast_open_queue_length=self.t.count, freebind=lambda: True)}

    # ---- Cluster ----

    def cluster(self, name):
        more = self.lb.by_enum() if self.chance(0.7) else {"load_balancing_policy": self.lb.policy_list()}
        return {"name": name, **self.discovery(name), **more, **self.some(
            0.2, transport_socket=lambda: self.transport_socket(self.upstream_tls), outlier_detection=self.lb.outlier_detection,
            lrs_server=lambda: {"self": {}} if not self.slip(0.3) else self.config_source(), circuit_breakers=self.breakers, common_lb_config=self.common_lb),
            **self.some(0.1, metadata=self.cluster_metadata, max_requests_per_connection=self.t.count,
                        connect_timeout=self.t.duration, upstream_connection_options=lambda: {"tcp_keepalive": {}},
                        lrs_report_endpoint_metrics=lambda: self.many(lambda: self.one("cpu", "named_metrics.*", "x", ""))),
            **self.some(0.02, http2_protocol_options=dict, health_checks=lambda: [{}], upstream_bind_config=dict,
                        transport_socket_matches=lambda: [{"name": "m"}], track_cluster_stats=dict, dns_lookup_family=lambda: "V4_ONLY",
                        typed_extension_protocol_options=lambda: {"x": any_of("google.protobuf.Empty")})}

    def discovery(self, name):
        kind = self.r.random()
        if self.slip(0.15):
            return {"type": self.one("STATIC", "STRICT_DNS", "ORIGINAL_DST", "EDS")}
        if kind < 0.6:
            return {"type": "EDS", "eds_cluster_config": {**self.some(0.97 if self.slip(1) else 1, eds_config=self.config_source),
                                                          **self.some(0.4, service_name=self.t.name)}}
        if kind < 0.8:
            counts = (1, 1, 1, 0, 2) if self.slip(0.5) else (1,)
            return {"type": "LOGICAL_DNS", "load_assignment": {"cluster_name": name, "endpoints": self.many(
                lambda: {"lb_endpoints": self.many(lambda: {"endpoint": {"address": self.address(
                    lambda: self.t.domain() if self.chance(0.7) else self.t.host())}}, *counts)}, *counts)},
                **self.some(0.1, dns_refresh_rate=self.t.duration)}
        aggregate = any_of("envoy.extensions.clusters.aggregate.v3.ClusterConfig", clusters=self.many(self.t.name, 1, 2, 2, 0))
        return {"cluster_type": {"name": "x" if self.slip(0.2) else "envoy.clusters.aggregate", "typed_config": aggregate if not self.slip(
            0.2) else self.one(any_of("envoy.extensions.clusters.dns.v3.DnsCluster"), any_of("google.protobuf.Empty"))}}

    def breakers(self):
        return {"thresholds": self.many(lambda: self.some(
            0.6, priority=lambda: self.one("DEFAULT", "HIGH"), max_requests=self.t.count, max_connections=self.t.count))}

    def common_lb(self):
        return {**self.some(0.6, override_host_status=lambda: {"statuses": self.many(lambda: self.one(
            "UNKNOWN", "HEALTHY", "DRAINING", "UNHEALTHY", "TIMEOUT", "DEGRADED"))}),
            **self.some(0.2, healthy_panic_threshold=lambda: {"value": 50}, zone_aware_lb_config=dict,
                        locality_weighted_lb_config=dict)}

    def cluster_metadata(self):
        return {**self.some(0.6, filter_metadata=lambda: {self.one("com.google.csm.telemetry_labels", "x"): {
            "service_name": self.one("s", 1, None), "service_namespace": "n"}}),
            **self.some(0.5, typed_filter_metadata=lambda: {self.one("a", "envoy.http11_proxy_transport_socket.proxy_address"): self.one(
                any_of("envoy.extensions.filters.http.gcp_authn.v3.Audience", url=self.one("u", "")),
                any_of("envoy.config.core.v3.Address", **self.address()), any_of("google.protobuf.Empty"))})}

    # ---- ClusterLoadAssignment ----

    def endpoint(self):
        return {"endpoint": {**self.some(0.98, address=self.address),
                             **self.some(0.06, additional_addresses=lambda: self.many(lambda: {"address": self.address()}),
                                         hostname=self.t.domain, health_check_config=lambda: {"port_value": 1})},
                **self.some(0.3, load_balancing_weight=self.t.count,
                            health_status=lambda: self.one("UNKNOWN", "HEALTHY", "DRAINING", "UNHEALTHY", "TIMEOUT", "DEGRADED")),
                **self.some(0.05, metadata=self.cluster_metadata)}

    def place(self, priority):
        zone = {"region": self.one("r", "s", "t", "u", "v", "w"), **self.some(zone=lambda: self.one("a", "b"), sub_zone=lambda: "z")}
        return {**self.some(0.97 if self.slip(1) else 1, locality=lambda: zone, load_balancing_weight=self.t.count),
                "priority": priority, "lb_endpoints": self.many(self.endpoint, 1, 1, 2, 3, 0),
                **self.some(0.03, proximity=self.t.count, metadata=self.cluster_metadata, leds_cluster_locality_config=dict)}

    def assignment(self, name):
        places = [self.place(i // 2 if not self.slip(0.2) else self.one(1, 128, 129, 2))
                  for i in range(self.one(1, 1, 2, 3, 0))]
        drops = {"drop_overloads": self.many(lambda: {**self.some(0.9, category=lambda: "d"), **self.some(0.9, drop_percentage=self.fraction)})}
        return {"cluster_name": name, "endpoints": places,
                **self.some(0.1, policy=lambda: {**drops, **self.some(
                    0.3, overprovisioning_factor=self.t.count, endpoint_stale_after=self.t.duration)})}
