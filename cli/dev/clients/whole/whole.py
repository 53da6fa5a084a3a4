"""Whole resources at random, made from all of Envoy's protos and not from the rule cases: most are
plausible, half have odd texts in them, half 1 to 3 faults. The same seed gives the same resources."""
import json
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[1:1] = [str(HERE), str(HERE.parent / "trees")]

from google.protobuf import json_format  # noqa: E402

import faults  # noqa: E402
from odd import Texts  # noqa: E402
from resources import Resources  # noqa: E402
from discovery import CDS, EDS, LDS, RDS  # noqa: E402
from xds_resource import Resource  # noqa: E402

WORLDS = 20    # of environment and bootstrap: each is a process of the client
VARIABLES = """GRPC_EXPERIMENTAL_ENABLE_LEAST_REQUEST GRPC_EXPERIMENTAL_ENABLE_OUTLIER_DETECTION
GRPC_EXPERIMENTAL_XDS_CUSTOM_LB_CONFIG GRPC_EXPERIMENTAL_XDS_WRR_LB GRPC_EXPERIMENTAL_XDS_RLS_LB
GRPC_EXPERIMENTAL_XDS_FEDERATION GRPC_EXPERIMENTAL_XDS_ENABLE_OVERRIDE_HOST
GRPC_EXPERIMENTAL_XDS_RBAC_AUDIT_LOGGING GRPC_EXPERIMENTAL_XDS_COMPOSITE_FILTER
GRPC_EXPERIMENTAL_XDS_GCP_AUTHENTICATION_FILTER GRPC_EXPERIMENTAL_XDS_HTTP_CONNECT
GRPC_EXPERIMENTAL_XDS_DUALSTACK_ENDPOINTS GRPC_EXPERIMENTAL_XDS_SYSTEM_ROOT_CERTS
GRPC_EXPERIMENTAL_XDS_AUTHORITY_REWRITE GRPC_EXPERIMENTAL_RING_HASH_SET_REQUEST_HASH_KEY
GRPC_EXPERIMENTAL_PICKFIRST_LB_CONFIG GRPC_XDS_EXPERIMENTAL_ENABLE_RETRY GRPC_XDS_EXPERIMENTAL_RBAC
GRPC_XDS_EXPERIMENTAL_ENABLE_RING_HASH GRPC_EXPERIMENTAL_XDS_SNI GRPC_EXPERIMENTAL_XDS_MTLS_SPIFFE
GRPC_EXPERIMENTAL_XDS_ORCA_LRS_PROPAGATION GRPC_EXPERIMENTAL_XDS_DATA_ERROR_HANDLING
GRPC_EXPERIMENTAL_WRR_CUSTOM_METRICS GRPC_XDS_EXPERIMENTAL_FAULT_INJECTION
GRPC_EXPERIMENTAL_XDS_EXT_AUTHZ_ON_CLIENT GRPC_EXPERIMENTAL_XDS_EXT_AUTHZ_ON_SERVER
GRPC_EXPERIMENTAL_XDS_EXT_PROC_ON_CLIENT GRPC_EXPERIMENTAL_XDS_EXT_PROC_ON_SERVER""".split()
SERVER = {"server_uri": "xds.example.com", "channel_creds": [{"type": "insecure"}]}
PROVIDER = {"plugin_name": "file_watcher", "config": {"certificate_file": "c", "private_key_file": "k",
                                                      "ca_certificate_file": "a", "refresh_interval": "60s"}}


def bootstrap(r):
    """None, or one with what resources name: certificate providers, authorities, features."""
    if r.random() < 0.3:
        return ""
    server = {**SERVER, "server_features": ["xds_v3", *r.sample(
        ["trusted_xds_server", "ignore_resource_deletion", "fail_on_data_errors"], r.randrange(3))]}
    more = {}
    if r.random() < 0.7:
        more["certificate_providers"] = {name: PROVIDER for name in r.sample(["a", "b", "missing"], r.randrange(1, 3))}
    if r.random() < 0.5:
        more["authorities"] = {name: {} for name in r.sample(["a", "b:80", ""], r.randrange(1, 3))}
    return json.dumps({"xds_servers": [server], "node": {"id": "n"}, **more})


def world(r):
    how = r.random()
    names = [] if how < 0.4 else VARIABLES if how < 0.6 else r.sample(VARIABLES, r.randrange(1, 6))
    return (tuple(sorted((name, "false" if r.random() < 0.2 else "true") for name in names)), bootstrap(r))


class Whole:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.prefix = "w%d-" % seed
        self.plain, self.odd = (Texts(self.random, p) for p in (0.02, 0.3))
        self.faults = faults.Faults(self.random, self.odd, faults.load())
        self.worlds = [world(self.random) for _ in range(WORLDS)]

    def message(self, kind, texts):
        make = Resources(self.random, texts)
        name = self.random.choice(["w", "w", "w", "w", texts.name()])
        return {LDS: make.listener, RDS: make.routes, CDS: make.cluster, EDS: make.assignment}[kind](name)

    def value(self, kind):
        texts = self.random.choice((self.plain, self.odd))
        while True:
            message = faults.new(kind.split("/")[1])
            try:
                json_format.ParseDict(self.message(kind, texts), message)
            except json_format.ParseError:    # a number that JSON may not have there
                continue
            for _ in range(self.random.choice((0, 0, 0, 1, 1, 2, 3))):
                self.faults.put(message)
            return message.SerializeToString(deterministic=True)

    def resources(self, count):
        """Each once, so that `count` of them differ; those of a world together."""
        seen = set()
        for env, boot in self.worlds:
            wanted = len(seen) + count // WORLDS
            while len(seen) < wanted:
                kind = self.random.choices((LDS, RDS, CDS, EDS), (3, 3, 3, 1))[0]
                new = Resource(self.prefix + str(len(seen)), kind, kind, self.value(kind), env, boot)
                if new[1:] not in seen:
                    seen.add(new[1:])
                    yield new
