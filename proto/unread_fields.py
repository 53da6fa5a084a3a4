"""unread_fields.py: writes unread_fields.txt, from the published messages.

Run it in this folder with a Python that has the package xds-protos (and protobuf), after a
message was declared empty, or to follow a newer schema:

    python3 -m venv venv && venv/bin/pip install xds-protos protobuf
    venv/bin/python unread_fields.py >unread_fields.txt

It lists the messages that are declared empty in *.proto and all that these hold.
"""
import glob
import importlib
import os
import re

import envoy
import udpa
import xds
from google.protobuf import descriptor_pool

# What that package does not have: messages of newer xDS, and those of gRPC itself.
OTHERS = """
envoy.config.cluster.v3.Cluster.QueuingPolicies 1:envoy.config.core.v3.TypedExtensionConfig
envoy.config.route.v3.CookieMatcher 1:string 2:envoy.type.matcher.v3.StringMatcher 3:varint32
envoy.extensions.filters.http.gcp_authn.v3.Audience.AccessToken
envoy.extensions.filters.http.gcp_authn.v3.Audience.BoundAccessToken
envoy.extensions.filters.http.gcp_authn.v3.Audience.BoundJwt 1:string
envoy.extensions.filters.network.http_connection_manager.v3.ForwardProtoConfig 1:*varint32 2:*varint32
envoy.extensions.load_balancing_policies.common.v3.OrcaOobReportingConfig 1:varint32 2:string 3:google.protobuf.Struct
grpc.lookup.v1.HttpKeyBuilder 1:*string 2:*string 3:*grpc.lookup.v1.NameMatcher 4:*grpc.lookup.v1.NameMatcher 5:%grpc.lookup.v1.HttpKeyBuilder.ConstantKeysEntry 6:string
grpc.lookup.v1.HttpKeyBuilder.ConstantKeysEntry 1:string 2:string
grpc.lookup.v1.NameMatcher 1:string 2:*string 3:varint32
"""

SCALARS = {
    1: "fixed64", 2: "fixed32", 3: "varint64", 4: "varint64", 5: "varint32", 6: "fixed64",
    7: "fixed32", 8: "varint32", 9: "string", 12: "bytes", 13: "varint32", 14: "varint32",
    15: "fixed32", 16: "fixed64", 17: "varint32", 18: "varint64",
}


def load(package):
    for base in package.__path__:
        for folder, _, names in os.walk(base):
            for name in names:
                if name.endswith("_pb2.py"):
                    path = os.path.relpath(os.path.join(folder, name), os.path.dirname(base))
                    importlib.import_module(path[:-3].replace(os.sep, "."))


def declared_empty():
    for path in sorted(glob.glob("*.proto")):
        blocks = []  # of a message its name, and whether it is empty so far
        for line in open(path):
            for found in re.finditer(r"\bmessage (\w+) *\{|\{|(\})|= *\d+", line.split("//")[0]):
                if found[0].endswith("{"):
                    blocks.append([found[1], True])
                elif not found[2]:
                    for block in reversed(blocks):
                        block[1] = False
                        if block[0]:
                            break
                else:
                    name, is_empty = blocks.pop()
                    if name and is_empty:
                        yield ".".join([os.path.basename(path)[: -len(".proto")]] + [b[0] for b in blocks] + [name])


def text_of(field):
    kind = SCALARS.get(field.type) or field.message_type.full_name
    is_map = field.message_type and field.message_type.GetOptions().map_entry
    mark = "%" if is_map else "*" if field.is_repeated else ""
    return f" {field.number}:{mark}{kind}"


def main():
    for package in (envoy, udpa, xds):
        load(package)
    pool = descriptor_pool.Default()
    lines = {line.split()[0]: line for line in OTHERS.split("\n") if line}
    todo = list(declared_empty())
    todo += [word.split(":")[1].strip("*%") for line in lines.values() for word in line.split()[1:]]
    while todo:
        name = todo.pop()
        if name in lines or "." not in name:
            continue
        fields = sorted(pool.FindMessageTypeByName(name).fields, key=lambda f: f.number)
        lines[name] = name + "".join(map(text_of, fields))
        todo += [f.message_type.full_name for f in fields if f.message_type]
    print("# The fields of the messages that are declared empty in *.proto, and of those in them:")
    print("# NUMBER:TYPE, with * for a repeated field and % for a map. Made by unread_fields.py.")
    for name in sorted(lines):
        print(lines[name])


main()
