"""Random certificates of servers, and clusters with matchers for them. See handshakes.py."""
import pathlib
import subprocess

LEAF = "basicConstraints=CA:FALSE\n"
NAMES = {
    "DNS": ["a.example.com", "A.Example.com", "*.example.com", "*.b.example.com", "b.example.com",
            "x.b.example.com", "*", "*.com", "f*.example.com", "a.*.com", "example.com", "localhost"],
    "URI": ["spiffe://mesh/ns/a/sa/shop", "spiffe://mesh/ns/b/sa/Shop", "https://a.example.com/x",
            "spiffe://other/ns/a"],
    "IP": ["127.0.0.1", "10.0.0.1", "2001:db8::1", "::1", "2001:db8:0:1::ab"],
    "email": ["u@example.com", "U@Example.com", "a.example.com@example.com"],
}
# Name: how the certificate is made; the share of cases.
KINDS = (("good", 0.7), ("other_ca", 0.05), ("intermediate", 0.08), ("intermediate_alone", 0.03),
         ("expired", 0.03), ("client_only", 0.04), ("server_only", 0.04), ("no_signing", 0.03))
USAGE = {"client_only": "extendedKeyUsage=clientAuth\n", "server_only": "extendedKeyUsage=serverAuth\n",
         "no_signing": "keyUsage=keyCertSign\n"}
TLS = "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext"
HCM = ("type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3."
       "HttpConnectionManager")
ROUTER = "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router"
CLUSTER = "type.googleapis.com/envoy.config.cluster.v3.Cluster"
LISTENER = "type.googleapis.com/envoy.config.listener.v3.Listener"
ENDPOINTS = "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment"


class HandshakeGenerator:
    def __init__(self, rng, folder):
        self.random, self.folder = rng, pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)

    def make(self):
        """Authorities and keys."""
        for ca in ("ca", "ca2"):
            self.openssl("req", "-newkey", "rsa:2048", "-nodes", "-x509", "-days", "30", "-subj",
                         "/CN=" + ca, "-keyout", ca + ".key", "-out", ca + ".pem")
        for name in ("server", "client", "middle"):
            self.openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=" + name, "-keyout",
                         name + ".key", "-out", name + ".csr")
        self.sign("client", "ca", LEAF, "client.pem")
        self.sign("middle", "ca", "basicConstraints=critical,CA:TRUE\n", "middle.pem")

    def openssl(self, *words):
        subprocess.run(["openssl", *words], cwd=self.folder, check=True, capture_output=True)

    def sign(self, request, ca, extensions, out, days="30"):
        (self.folder / "extensions").write_text(extensions)
        self.openssl("x509", "-req", "-days", days, "-in", request + ".csr", "-CA", ca + ".pem",
                     "-CAkey", ca + ".key", "-CAcreateserial", "-extfile", "extensions", "-out", out)

    def ca(self, name):
        return str(self.folder / (name + ".pem"))

    def providers(self):
        """certificate_providers of a bootstrap."""
        def watched(ca):
            return {"plugin_name": "file_watcher", "config": {
                "certificate_file": self.ca("client"), "private_key_file": str(self.folder / "client.key"),
                "ca_certificate_file": self.ca(ca), "refresh_interval": "600s"}}

        return {"first": watched("ca"), "second": watched("ca2")}

    # ---- certificates ----

    def sans(self):
        r = self.random
        kinds = r.choices(list(NAMES), [5, 3, 2, 1], k=r.choice([0, 1, 1, 1, 2, 2, 3]))
        return [(k, r.choice(NAMES[k])) for k in kinds]

    def certificate(self, number, what, sans):
        """A file with the chain that is sent."""
        extensions = LEAF + USAGE.get(what, "")
        if sans:
            extensions += "subjectAltName=%s\n" % ",".join("%s:%s" % s for s in sans)
        ca = {"other_ca": "ca2", "intermediate": "middle", "intermediate_alone": "middle"}.get(what, "ca")
        out = self.folder / ("%d.pem" % number)
        self.sign("server", ca, extensions, out.name, "-1" if what == "expired" else "30")
        if what == "intermediate":
            out.write_text(out.read_text() + (self.folder / "middle.pem").read_text())
        return str(out)

    # ---- clusters ----

    def matcher(self, sans):
        r = self.random
        pool = [v for _, v in sans] if sans and r.random() < 0.6 else [
            n for names in NAMES.values() for n in names]
        text = r.choice(pool)
        if text.startswith("*.") and r.random() < 0.7:
            text = r.choice(["a", "A", "x.y", ""]) + text[1:]
        kind = r.choice(["exact"] * 4 + ["prefix", "suffix", "contains", "regex"])
        if r.random() < 0.2:
            text = text.swapcase()
        if r.random() < 0.05:
            text += "."
        if kind == "prefix":
            text = text[:r.randint(1, len(text))]
        elif kind in ("suffix", "contains"):
            text = text[r.randrange(len(text)):]
        fold = {"ignore_case": True} if r.random() < 0.25 else {}
        if kind == "regex":
            dotted = text.replace(".", r"\.").replace("*", r"\*")
            return {"safe_regex": {"regex": r.choice([dotted, dotted + ".*", dotted[:4] + "|x", ".*"])}}
        return {kind: text, **fold}

    def names_of_sni(self):
        return self.random.choice(["a.example.com", "A.example.com", "b.example.com", "x.b.example.com",
                                   "other.test", "localhost"])

    def context(self, sans):
        r = self.random
        validation = {"ca_certificate_provider_instance": {
            "instance_name": "second" if r.random() < 0.08 else "first"}}
        matchers = [self.matcher(sans) for _ in range(r.choice([0, 1, 1, 1, 2, 3]))]
        if matchers:
            validation["match_subject_alt_names"] = matchers
        out = {"@type": TLS, "common_tls_context": {"validation_context": validation}}
        if r.random() < 0.3:
            out["common_tls_context"] = {"combined_validation_context": {
                "default_validation_context": validation}}
        if r.random() < 0.4:
            out["common_tls_context"]["tls_certificate_provider_instance"] = {"instance_name": "first"}
        if r.random() < 0.35:
            out["sni"] = self.names_of_sni()
        if r.random() < 0.3:
            out["auto_host_sni"] = True
        if r.random() < 0.3:
            out["auto_sni_san_validation"] = True
        return out

    def case(self, number, port):
        r, name = self.random, "case%d" % number
        sans, what = self.sans(), r.choices(*zip(*KINDS))[0]
        endpoint = {"address": {"socket_address": {"address": "127.0.0.1", "port_value": port}}}
        if r.random() < 0.6:
            endpoint["hostname"] = self.names_of_sni() + r.choice(["", "", ":443"])
        context = self.context(sans)
        instance = (context["common_tls_context"].get("validation_context") or context[
            "common_tls_context"]["combined_validation_context"]["default_validation_context"])
        trusted = instance["ca_certificate_provider_instance"]["instance_name"]
        return {"case": number, "name": name, "what": what, "sans": sans,
                "certificate": self.certificate(number, what, sans),
                "key": str(self.folder / "server.key"),
                "ca": self.ca("ca" if trusted == "first" else "ca2"),
                "snapshot": self.snapshot(name, context, endpoint)}

    @staticmethod
    def snapshot(name, context, endpoint):
        return [
            {"@type": LISTENER, "name": name, "api_listener": {"api_listener": {
                "@type": HCM, "route_config": {"name": name, "virtual_hosts": [{
                    "name": "v", "domains": ["*"], "routes": [
                        {"match": {"prefix": ""}, "route": {"cluster": name}}]}]},
                "http_filters": [{"name": "router", "typed_config": {"@type": ROUTER}}]}}},
            {"@type": CLUSTER, "name": name, "type": "EDS",
             "eds_cluster_config": {"eds_config": {"ads": {}}},
             "transport_socket": {"name": "envoy.transport_sockets.tls", "typed_config": context}},
            {"@type": ENDPOINTS, "cluster_name": name, "endpoints": [{
                "locality": {"zone": "z"}, "load_balancing_weight": 1,
                "lb_endpoints": [{"endpoint": endpoint}]}]},
        ]
