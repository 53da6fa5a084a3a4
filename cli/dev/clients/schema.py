"""The messages of proto/, as protoc describes them: which fields a message has, and which of
them gRPC reads."""
import pathlib
import subprocess
import tempfile
from typing import NamedTuple

import wire
from clients import ROOT

(DOUBLE, FLOAT, INT64, UINT64, INT32, FIXED64, FIXED32, BOOL, STRING, _GROUP, MESSAGE, BYTES,
 UINT32, ENUM, SFIXED32, SFIXED64, SINT32, SINT64) = range(1, 19)
ANY = "google.protobuf.Any"


class Field(NamedTuple):
    number: int
    name: str
    type: int
    type_name: str   # of a message or an enum
    repeated: bool
    read: bool       # by a client


class Schema:
    """messages: full name -> {number: Field}; enums: full name -> [number]"""

    def __init__(self, descriptors):
        self.messages, self.enums = {}, {}
        for number, _, proto_file in wire.fields(descriptors):
            if number == 1:
                self.add_file(proto_file)

    def add_file(self, proto_file):
        package = wire.last(proto_file, 2).decode()
        comments = trailing_comments(wire.last(proto_file, 9))
        counts = {4: 0, 5: 0}
        for number, _, value in wire.fields(proto_file):
            if number == 4:
                self.add_message(package, value, (4, counts[4]), comments)
            elif number == 5:
                self.add_enum(package, value)
            if number in counts:
                counts[number] += 1

    def add_message(self, scope, message, path, comments):
        name = scope + "." + wire.last(message, 1).decode()
        fields, nested = {}, 0
        at = 0
        for number, _, value in wire.fields(message):
            if number == 2:
                field = read_field(value, comments.get((*path, 2, at), ""))
                fields[field.number] = field
                at += 1
            elif number == 3:
                self.add_message(name, value, (*path, 3, nested), comments)
                nested += 1
            elif number == 4:
                self.add_enum(name, value)
        self.messages[name] = fields

    def add_enum(self, scope, enum):
        values = [wire.last(v, 2, 0) for number, _, v in wire.fields(enum) if number == 2]
        self.enums[scope + "." + wire.last(enum, 1).decode()] = values


def read_field(message, comment):
    return Field(wire.last(message, 3, 0), wire.last(message, 1).decode(),
                 wire.last(message, 5, 0), wire.last(message, 6).decode().lstrip("."),
                 wire.last(message, 4, 0) == 3, comment.strip().startswith("read"))


def path_of(location):
    """The field is packed."""
    packed, at, out = wire.last(location, 1), 0, []
    while at < len(packed):
        number, at = wire.read_varint(packed, at)
        out.append(number)
    return tuple(out)


def trailing_comments(source_info):
    return {path_of(location): wire.last(location, 4).decode()
            for number, _, location in wire.fields(source_info) if number == 1}


def load():
    protos = sorted(p.name for p in (ROOT / "proto").glob("*.proto"))
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "descriptors"
        subprocess.run(["protoc", "--include_imports", "--include_source_info", "-I.",
                        "--descriptor_set_out=%s" % out, *protos], cwd=ROOT / "proto",
                       check=True)
        return Schema(out.read_bytes())
