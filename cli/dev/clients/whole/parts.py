"""The parts of resources in Envoy's JSON: matchers, filters, security, LB policies. Plausible as they
are; what is wrong with them comes from odd texts and from faults.py."""
from policies import Policies, any_of


FILTERS = "envoy.extensions.filters."
HTTP = FILTERS + "http."
RBAC = "envoy.config.rbac.v3.RBAC"
TLS = "envoy.extensions.transport_sockets.tls.v3."


class Parts:
    def __init__(self, random, texts):
        self.r, self.t = random, texts
        self.lb = Policies(random)

    def one(self, *items):
        return self.r.choice(items)

    def chance(self, p):
        return self.r.random() < p

    def slip(self, p=0.1):
        """Whether something is wrong here: seldom in a resource of usual texts."""
        return self.chance(p * (1 if self.t.odd > 0.1 else 0.08))

    def some(self, p=0.4, **makers):
        """Each of the fields, or not."""
        return {k: make() for k, make in makers.items() if self.chance(p)}

    def many(self, make, *counts):
        count = self.one(*(counts or (0, 1, 1, 2, 3)))
        return [make() for _ in range(count or (0 if not counts or self.slip(0.5) else 1))]

    def extension(self, config, name=None):
        return {"name": name or ("" if self.slip() else self.one("x", "a.b")), "typed_config": config}

    # ---- matchers ----

    def regex(self):
        return {"regex": self.t.regex(), **self.some(0.2, google_re2=dict)}

    def string(self, text=None):
        text = text or self.t.header_value
        kind = self.one("exact", "prefix", "suffix", "contains", "safe_regex", "safe_regex", "custom")
        if kind == "custom" and not self.slip(0.5):
            kind = "exact"
        value = (self.regex() if kind == "safe_regex" else
                 self.extension(any_of("xds.type.v3.TypedStruct")) if kind == "custom" else text())
        return {kind: value, **self.some(0.2, ignore_case=lambda: True)}

    def int_range(self):
        first = self.one(0, 1, -1, 5, -2**63)
        return {"start": str(first), "end": str(self.one(first, first + 1, 10, 0, 2**63 - 1))}

    def header_match(self):
        kind = self.one("exact_match", "safe_regex_match", "range_match", "present_match", "prefix_match",
                        "suffix_match", "contains_match", "string_match", None)
        if kind is None and not self.slip(0.5):
            kind = "string_match"
        value = {"safe_regex_match": self.regex, "range_match": self.int_range, "string_match": self.string,
                 "present_match": lambda: self.one(True, False), None: dict}.get(kind, self.t.header_value)()
        return {"name": self.t.header(), **({kind: value} if kind else {}),
                **self.some(0.15, invert_match=lambda: True, treat_missing_header_as_empty=lambda: True)}

    def query_match(self):
        return {"name": "q", **self.one({"present_match": True}, {"string_match": self.string()})}

    def cidr(self):
        host = self.t.host()
        return {"address_prefix": host, **self.some(0.8, prefix_len=lambda: self.one(
            0, 8, 24, 32, 33, 64, 128, 129, 2**32 - 1) if self.chance(0.3) else 24)}

    def fraction(self):
        return {"numerator": self.one(0, 1, 50, 100, 101, 1000000, 2**32 - 1),
                **self.some(0.6, denominator=lambda: self.one("HUNDRED", "TEN_THOUSAND", "MILLION"))}

    def address(self, make_host=None):
        kind = self.r.random()
        if kind < 0.4 and self.slip():
            return self.one({"pipe": {"path": "/tmp/s"}}, {}, {"envoy_internal_address": {"server_listener_name": "x"}})
        port = {"named_port": "http"} if kind < 0.4 and self.slip() else {} if kind < 0.1 else {
            "port_value": self.one(80, 443, 8080, 1, 65535, 0) if not self.slip() else self.one(65536, 2**32 - 1)}
        return {"socket_address": {"address": (make_host or self.t.host)(), **port,
                                   **self.some(0.05, protocol=lambda: "UDP", resolver_name=lambda: "r")}}

    # ---- RBAC ----

    def rule(self, leaves, depth=0):
        """A permission or a principal: one of the leaves, or some of them under a set or a not."""
        kind = self.r.random()
        if depth < 3 and kind < 0.15:
            return {self.one("and_rules", "or_rules"): {"rules": self.many(lambda: self.rule(leaves, depth + 1), 0, 1, 2)}}
        if depth < 3 and kind < 0.25:
            return {"not_rule": self.rule(leaves, depth + 1)}
        return leaves()

    def permission(self):
        return self.rule(lambda: self.one(
            lambda: {"any": True}, lambda: {"header": self.header_match()}, lambda: {"url_path": {"path": self.string(self.t.path)}},
            lambda: {"destination_ip": self.cidr()}, lambda: {"destination_port": self.one(80, 0, 65536)},
            lambda: {"destination_port_range": {"start": 1, "end": 2}}, lambda: {"metadata": self.metadata()},
            lambda: {"requested_server_name": self.string()}, dict,
            lambda: {"matcher": self.extension(any_of("xds.type.v3.TypedStruct"))},
            lambda: {"uri_template": self.extension(any_of(
                "envoy.extensions.path.match.uri_template.v3.UriTemplateMatchConfig", path_template="/a/*"))})())

    def principal(self):
        def set_of(rule):
            """Their sets have names of their own."""
            return {{"and_rules": "and_ids", "or_rules": "or_ids", "not_rule": "not_id"}.get(k, k):
                    ({"ids": [set_of(v) for v in value["rules"]]} if k in ("and_rules", "or_rules") else
                     set_of(value) if k == "not_rule" else value) for k, value in rule.items()}

        return set_of(self.rule(lambda: self.one(
            lambda: {"any": True}, lambda: {"authenticated": self.some(0.7, principal_name=lambda: self.string(self.t.san))},
            lambda: {"source_ip": self.cidr()}, lambda: {"direct_remote_ip": self.cidr()},
            lambda: {"remote_ip": self.cidr()}, lambda: {"header": self.header_match()},
            lambda: {"url_path": {"path": self.string(self.t.path)}}, lambda: {"metadata": self.metadata()},
            lambda: {"filter_state": {"key": "k", "string_match": self.string()}}, dict)()))

    def metadata(self):
        return {"filter": self.one("f", ""), "path": [{"key": "k"}], "value": {"present_match": True},
                **self.some(0.2, invert=lambda: True)}

    def policy(self):
        return {"permissions": self.many(self.permission, 0, 1, 1, 2), "principals": self.many(self.principal, 0, 1, 1, 2),
                **self.some(0.05, condition=lambda: {"const_expr": {"bool_value": True}},
                            checked_condition=lambda: {"expr": {"const_expr": {"bool_value": True}}})}

    def audit(self):
        return {"audit_condition": self.one("NONE", "ON_DENY", "ON_ALLOW", "ON_DENY_AND_ALLOW"),
                "logger_configs": self.many(lambda: {
                    "audit_logger": self.extension(self.one(
                        any_of("envoy.extensions.rbac.audit_loggers.stream.v3.StdoutAuditLog"),
                        any_of("xds.type.v3.TypedStruct", type_url="x/stdout_logger"), any_of("google.protobuf.Empty"))),
                    **self.some(is_optional=lambda: True)})}

    def rbac_rules(self):
        return {"action": self.one("ALLOW", "DENY", "ALLOW", "LOG"),
                "policies": {"p%d" % i: self.policy() for i in range(self.one(0, 1, 1, 2))},
                **self.some(0.2, audit_logging_options=self.audit)}

    def rbac(self):
        return any_of(HTTP + "rbac.v3.RBAC", **self.some(0.85, rules=self.rbac_rules),
                      **self.some(0.05, shadow_rules=self.rbac_rules, rules_stat_prefix=lambda: "s",
                                  matcher=dict))

    # ---- HTTP filters ----

    def fault(self):
        code = self.one({"http_status": self.one(200, 503, 599, 600, 0, 199)}, {"grpc_status": self.one(0, 14, 16, 17)},
                        {"header_abort": {}}, {})
        delay = self.one({"fixed_delay": self.t.duration()}, {"header_delay": {}}, {})
        return any_of(HTTP + "fault.v3.HTTPFault", **self.some(
            0.5, abort=lambda: {**code, **self.some(0.8, percentage=self.fraction)},
            delay=lambda: {**delay, **self.some(0.8, percentage=self.fraction)}),
            **self.some(0.15, headers=lambda: self.many(self.header_match), max_active_faults=self.t.count,
                        upstream_cluster=self.t.name))

    def session(self):
        path = {"name": self.t.cookie(), **self.some(0.5, path=self.t.path, ttl=self.t.duration)}
        state = self.one(
            any_of("envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState", cookie=path),
            any_of("envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState"),
            any_of("envoy.extensions.http.stateful_session.header.v3.HeaderBasedSessionState"))
        return any_of(HTTP + "stateful_session.v3.StatefulSession",
                      **self.some(0.9, session_state=lambda: self.extension(state)), **self.some(0.1, strict=lambda: True))

    def gcp(self):
        return any_of(HTTP + "gcp_authn.v3.GcpAuthnFilterConfig", **self.some(
            0.5, cache_config=lambda: self.some(0.7, cache_size=lambda: self.one("0", "1", str(2**63), str(2**64 - 1)))),
            **self.some(0.2, cluster=self.t.name, timeout=self.t.duration))

    def ext_authz(self):
        return any_of(HTTP + "ext_authz.v3.ExtAuthz", **self.some(0.7, grpc_service=self.grpc_service),
                      **self.some(0.3, failure_mode_allow=lambda: True, filter_enabled=lambda: {"default_value": self.fraction()},
                                  deny_at_disable=lambda: {"default_value": True}, status_on_error=lambda: {"code": "Forbidden"},
                                  allowed_headers=lambda: {"patterns": self.many(self.string)},
                                  decoder_header_mutation_rules=lambda: {"disallow_expression": self.regex()}))

    def ext_proc(self):
        return any_of(HTTP + "ext_proc.v3.ExternalProcessor", **self.some(0.7, grpc_service=self.grpc_service),
                      **self.some(0.4, processing_mode=lambda: {"request_header_mode": self.one("SEND", "SKIP"),
                                                                "request_body_mode": self.one("NONE", "GRPC", "BUFFERED")},
                                  failure_mode_allow=lambda: True, message_timeout=self.t.duration,
                                  request_attributes=lambda: ["request.path"]))

    def grpc_service(self):
        kind = self.one(
            {"google_grpc": {"target_uri": self.t.target(), "stat_prefix": "s", "channel_credentials_plugin": [any_of(
                "envoy.extensions.grpc_service.channel_credentials.insecure.v3.InsecureCredentials")]}},
            {"google_grpc": {"target_uri": self.t.target()}}, {"envoy_grpc": {"cluster_name": "c"}}, {})
        return {**kind, **self.some(0.3, timeout=self.t.duration,
                                    initial_metadata=lambda: [{"key": self.t.header(), "value": self.t.header_value()}])}

    def rlqs(self):
        return any_of(HTTP + "rate_limit_quota.v3.RateLimitQuotaFilterConfig", domain=self.one("d", ""),
                      **self.some(0.7, rlqs_server=self.grpc_service))

    def composite(self):
        action = self.extension(any_of(HTTP + "composite.v3.ExecuteFilterAction",
                                       typed_config=self.extension(self.one(self.rbac, self.fault)())))
        match = {"matcher_list": {"matchers": [{
            "predicate": {"single_predicate": {
                "input": self.extension(any_of("envoy.type.matcher.v3.HttpRequestHeaderMatchInput", header_name=self.t.header())),
                "value_match": self.string()}},
            "on_match": {"action": action}}]}}
        return any_of("envoy.extensions.common.matching.v3.ExtensionWithMatcher",
                      extension_config=self.extension(any_of(HTTP + "composite.v3.Composite")),
                      **self.some(0.9, xds_matcher=lambda: match))

    def filter_config(self, server):
        known = [self.rbac] if server and not self.slip(0.4) else [self.fault, self.session, self.rbac]
        if not self.slip(0.8):
            return self.one(*known)()
        return self.one(*known, self.gcp, self.ext_authz, self.ext_proc, self.rlqs,
                        self.composite, lambda: any_of(HTTP + self.one("cors.v3.Cors", "lua.v3.Lua", "health_check.v3.HealthCheck")),
                        lambda: any_of("xds.type.v3.TypedStruct", type_url="x/" + self.one(HTTP + "fault.v3.HTTPFault", "foo.Bar"),
                                       value={"a": 1}))()

    def http_filters(self, server):
        found = [{"name": "f%d" % i, "typed_config": self.filter_config(server), **self.some(0.25, is_optional=lambda: True),
                  **self.some(0.04, disabled=lambda: True)} for i in range(self.one(0, 0, 1, 1, 2))]
        if not self.slip(0.15):
            found.append({"name": "router", "typed_config": any_of(HTTP + "router.v3.Router")})
        if self.slip():
            self.r.shuffle(found)
        return found

    def override(self):
        """Of a filter, on a virtual host, route or weighted cluster."""
        config = self.one(
            self.fault, lambda: any_of(HTTP + "rbac.v3.RBACPerRoute", **self.some(0.8, rbac=lambda: self.bare(self.rbac()))),
            lambda: any_of(HTTP + "stateful_session.v3.StatefulSessionPerRoute", **self.one(
                {"disabled": True}, {"stateful_session": self.bare(self.session())}, {})),
            *([lambda: any_of(HTTP + "gcp_authn.v3.GcpAuthnFilterConfig"), lambda: any_of(HTTP + "router.v3.Router"),
               lambda: any_of(HTTP + "cors.v3.CorsPolicy")] if self.slip(0.8) else []))()
        if self.chance(0.3):
            return any_of("envoy.config.route.v3.FilterConfig", **self.some(0.85, config=lambda: config),
                          **self.some(0.3, is_optional=lambda: True, disabled=lambda: True))
        return config

    @staticmethod
    def bare(config):
        return {k: v for k, v in config.items() if k != "@type"}

    def overrides(self):
        return {self.one("f0", "f1", "rbac", "x"): self.override() for _ in range(self.one(1, 1, 2))}

    # ---- TLS ----

    def provider(self):
        return {"instance_name": self.one("a", "b", "missing", "") if self.slip(0.3) else "a",
                **self.some(0.4, certificate_name=lambda: "c")}

    def validation(self):
        return {**self.some(0.4 if self.slip(0.4) else 1, ca_certificate_provider_instance=self.provider),
                **self.some(0.3, match_subject_alt_names=lambda: self.many(lambda: self.string(self.t.san))),
                **self.some(0.1 if self.slip(0.5) else 0, verify_certificate_spki=lambda: ["x"], verify_certificate_hash=lambda: ["x"],
                            crl=lambda: {"filename": "f"}, require_signed_certificate_timestamp=lambda: True,
                            system_root_certs=dict, trusted_ca=lambda: {"filename": "f"}, allow_expired_certificate=lambda: True,
                            custom_validator_config=lambda: self.extension(any_of("google.protobuf.Empty")),
                            match_typed_subject_alt_names=lambda: [{"san_type": "DNS", "matcher": self.string()}])}

    def common_tls(self):
        kind = self.one("validation_context", "combined_validation_context")
        if self.slip(0.3):
            kind = self.one(None, "validation_context_sds_secret_config")
        value = {"combined_validation_context": lambda: {"default_validation_context": self.validation()},
                 "validation_context": self.validation}.get(kind, lambda: {"name": "s"})()
        return {**({kind: value} if kind else {}),
                **self.some(0.6 if self.slip(0.8) else 1, tls_certificate_provider_instance=self.provider),
                **self.some(0.1 if self.slip(0.5) else 0, tls_params=dict, custom_handshaker=lambda: self.extension(any_of("google.protobuf.Empty")),
                            tls_certificates=lambda: [{}], alpn_protocols=lambda: ["h2"],
                            tls_certificate_certificate_provider=lambda: {"name": "n"},
                            tls_certificate_sds_secret_configs=lambda: [{"name": "s"}])}

    def upstream_tls(self):
        return any_of(TLS + "UpstreamTlsContext", common_tls_context=self.common_tls(),
                      **self.some(0.15, sni=self.t.san, auto_host_sni=lambda: True, auto_sni_san_validation=lambda: True,
                                  allow_renegotiation=lambda: True, max_session_keys=self.t.count))

    def downstream_tls(self):
        return any_of(TLS + "DownstreamTlsContext", common_tls_context=self.common_tls(),
                      **self.some(0.2, require_client_certificate=lambda: True, require_sni=lambda: self.one(True, False),
                                  ocsp_staple_policy=lambda: self.one("LENIENT_STAPLING", "STRICT_STAPLING", "MUST_STAPLE")))

    def transport_socket(self, tls):
        config = tls() if not self.slip(0.2) else self.one(
            any_of(TLS + "UpstreamTlsContext"), any_of("envoy.extensions.transport_sockets.raw_buffer.v3.RawBuffer"),
            any_of("envoy.extensions.transport_sockets.http_11_proxy.v3.Http11ProxyUpstreamTransport",
                   **self.some(transport_socket=lambda: self.extension(tls()))), any_of(TLS + "DownstreamTlsContext"))
        return {"name": "envoy.transport_sockets.tls" if not self.slip(0.2) else self.one("tls", ""), **self.some(0.95, typed_config=lambda: config)}

    def config_source(self):
        return self.one({"ads": {}}, {"self": {}}) if not self.slip() else self.one(
            {}, {"path": "/x"}, {"api_config_source": {"api_type": "GRPC"}})


