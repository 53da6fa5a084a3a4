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

# What that package does not have: messages of newer xDS, and those of gRPC itself. Without
# a name, a field is known by its number alone.
OTHERS = """
envoy.config.cluster.v3.Cluster.QueuingPolicies 1::envoy.config.core.v3.TypedExtensionConfig
envoy.config.route.v3.CookieMatcher 1::string 2::envoy.type.matcher.v3.StringMatcher 3::bool
envoy.extensions.filters.http.gcp_authn.v3.Audience.AccessToken
envoy.extensions.filters.http.gcp_authn.v3.Audience.BoundAccessToken
envoy.extensions.filters.http.gcp_authn.v3.Audience.BoundJwt 1::string
envoy.extensions.filters.network.http_connection_manager.v3.ForwardProtoConfig 1::*uint32 2::*uint32
envoy.extensions.load_balancing_policies.common.v3.OrcaOobReportingConfig 1::uint32 2::string 3::google.protobuf.Struct
grpc.lookup.v1.HttpKeyBuilder 1:host_patterns:*string 2:path_patterns:*string 3:query_parameters:*grpc.lookup.v1.NameMatcher 4:headers:*grpc.lookup.v1.NameMatcher 5:constant_keys:%grpc.lookup.v1.HttpKeyBuilder.ConstantKeysEntry 6:method:string
grpc.lookup.v1.HttpKeyBuilder.ConstantKeysEntry 1:key:string 2:value:string
grpc.lookup.v1.NameMatcher 1:key:string 2:names:*string 3:required_match:bool
"""

SCALARS = {
    1: "double", 2: "float", 3: "int64", 4: "uint64", 5: "int32", 6: "fixed64", 7: "fixed32",
    8: "bool", 9: "string", 12: "bytes", 13: "uint32", 15: "sfixed32", 16: "sfixed64",
    17: "sint32", 18: "sint64",
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
    kind = SCALARS.get(field.type)
    if field.message_type:
        kind = field.message_type.full_name
    elif field.enum_type:
        kind = "&" + field.enum_type.full_name
    is_map = field.message_type and field.message_type.GetOptions().map_entry
    mark = "%" if is_map else "*" if field.is_repeated else ""
    oneof = field.containing_oneof
    arm = f"@{oneof.index}" if oneof else ""
    return f" {field.number}:{field.name}:{mark}{kind}{arm}"


def enum_line(enum):
    return f"&{enum.full_name}" + "".join(f" {value.number}:{value.name}" for value in sorted(enum.values, key=lambda v: v.number))


def main():
    for package in (envoy, udpa, xds):
        load(package)
    pool = descriptor_pool.Default()
    lines = {line.split()[0]: line for line in OTHERS.split("\n") if line}
    todo = list(declared_empty())
    todo += [word.split(":")[2].strip("*%") for line in lines.values() for word in line.split()[1:] if line[0] != "&"]
    enums = {}
    while todo:
        name = todo.pop()
        if name in lines or "." not in name or name[0] == "&":
            continue
        fields = sorted(pool.FindMessageTypeByName(name).fields, key=lambda f: f.number)
        lines[name] = name + "".join(map(text_of, fields))
        todo += [f.message_type.full_name for f in fields if f.message_type]
        enums.update({f.enum_type.full_name: enum_line(f.enum_type) for f in fields if f.enum_type})
    print("# The fields of the messages that are declared empty in *.proto, and of those in them:")
    print("# NUMBER:NAME:TYPE, with * for a repeated field, % for a map, & for an enum and @ for")
    print("# the number of a oneof; then these enums. Made by unread_fields.py.")
    for name in sorted(lines):
        print(lines[name])
    for name in sorted(enums):
        print(enums[name])


main()
