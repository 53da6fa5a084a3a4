"""Faults in a message, by reflection over all of Envoy's protos: a field left out, set to a limit or
doubled, an extension of any type in any slot."""
import importlib
import pathlib
import subprocess
import tempfile

import envoy
from google.protobuf import (any_pb2, descriptor_pb2, descriptor_pool, duration_pb2,
                             message_factory, struct_pb2, wrappers_pb2)
from google.protobuf.descriptor import FieldDescriptor as F

from clients import ROOT

INTEGERS = {F.CPPTYPE_INT32: 2**31 - 1, F.CPPTYPE_UINT32: 2**32 - 1, F.CPPTYPE_INT64: 2**63 - 1,
            F.CPPTYPE_UINT64: 2**64 - 1}
SIGNED = (F.CPPTYPE_INT32, F.CPPTYPE_INT64)
PACKAGES = ("envoy", "udpa", "xds")
URL = "type.googleapis.com/"
EXTENSION = ("envoy.extensions.", "xds.", "udpa.", "envoy.config.route.v3.FilterConfig", "google.protobuf.",
             "envoy.config.core.v3.Address", "envoy.config.cluster.v3.", "envoy.config.listener.v3.",
             "envoy.config.endpoint.v3.", "envoy.config.route.v3.RouteConfiguration")


def load():
    """Registers every message of Envoy and xds; returns the names of those that an Any may hold."""
    names = []
    site = pathlib.Path(next(iter(envoy.__path__))).parent
    for path in sorted(p for n in PACKAGES for p in site.glob(n + "/**/*_pb2.py")):
        name = ".".join(path.relative_to(site).with_suffix("").parts)
        if ".service." in name:
            continue
        try:
            module = importlib.import_module(name)
        except (ImportError, TypeError):    # of a package that is not installed
            continue
        names += [m.full_name for m in module.DESCRIPTOR.message_types_by_name.values()]
    add_lookup()
    names += [m.DESCRIPTOR.full_name for m in (struct_pb2.Struct, wrappers_pb2.StringValue)]
    return sorted(n for n in names if n.startswith(EXTENSION))


def add_lookup():
    """Route lookup is gRPC's own: its messages are in proto/."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "descriptors"
        subprocess.run(["protoc", "-I.", "--descriptor_set_out=%s" % out, "grpc.lookup.v1.proto"],
                       cwd=ROOT / "proto", check=True)
        (made,) = descriptor_pb2.FileDescriptorSet.FromString(out.read_bytes()).file
    made.dependency[:] = [m.DESCRIPTOR.file.name for m in (
        any_pb2.Any, duration_pb2.Duration, struct_pb2.Struct, wrappers_pb2.StringValue)]
    descriptor_pool.Default().Add(made)


def new(name):
    return message_factory.GetMessageClass(descriptor_pool.Default().FindMessageTypeByName(name))()


def inside(message):
    """The messages within one, itself first; what is in an Any is unpacked, and packed by `pack`."""
    yield message, []
    for field, value in message.ListFields():
        if field.cpp_type != F.CPPTYPE_MESSAGE:
            continue
        if field.message_type.GetOptions().map_entry:
            of_messages = field.message_type.fields_by_name["value"].message_type
            held = [value[k] for k in sorted(value)] if of_messages else []
        else:
            held = list(value) if field.is_repeated else [value]
        for child in held:
            yield from inside_any(child) if isinstance(child, any_pb2.Any) else inside(child)


def inside_any(child):
    """Those of an Any each come with the Anys around them, the nearest last."""
    yield child, []
    try:
        held = new(child.type_url.rpartition("/")[2])
        held.ParseFromString(child.value)
    except Exception:    # of an unknown type, or no message: it stays as it is
        return
    for message, around in inside(held):
        yield message, [(child, held), *around]


def pack(around):
    for outer, held in reversed(around):
        outer.value = held.SerializeToString(deterministic=True)


class Faults:
    def __init__(self, random, texts, extensions):
        self.r, self.t, self.extensions = random, texts, extensions

    def put(self, root):
        """One fault, somewhere in the message."""
        for _ in range(10):
            message, around = self.r.choice(list(inside(root)))
            how = self.r.choice((self.drop, self.drop, self.limit, self.double, self.add, self.add))
            if isinstance(message, any_pb2.Any):
                how = self.r.choice((self.other, self.other, self.drop))
            if how(message):
                pack(around)
                return

    def drop(self, message):
        present = message.ListFields()
        if not present:
            return False
        message.ClearField(self.r.choice(present)[0].name)
        return True

    def double(self, message):
        lists = [(f, v) for f, v in message.ListFields() if f.is_repeated and
                 not (f.message_type and f.message_type.GetOptions().map_entry)]
        if not lists:
            return False
        _, value = self.r.choice(lists)
        value.extend([self.r.choice(list(value))])
        return True

    def limit(self, message):
        plain = [f for f, _ in message.ListFields() if not f.is_repeated and f.cpp_type != F.CPPTYPE_MESSAGE]
        if not plain:
            return False
        field = self.r.choice(plain)
        setattr(message, field.name, self.value(field))
        return True

    def other(self, message):
        """Another type in the slot of an extension, or bytes that are none."""
        message.type_url = self.r.choice((URL, URL, URL, URL, "", "a/b/")) + self.r.choice(self.extensions)
        if self.r.random() < 0.7:
            held = new(message.type_url.rpartition("/")[2])
            self.fill(held, 0)
            message.value = held.SerializeToString(deterministic=True)
        return True

    def add(self, message):
        field = self.r.choice(message.DESCRIPTOR.fields) if message.DESCRIPTOR.fields else None
        if field is None:
            return False
        self.set(message, field, 0)
        return True

    def fill(self, message, depth):
        for field in message.DESCRIPTOR.fields:
            if self.r.random() < (0.35 if depth == 0 else 0.2):
                self.set(message, field, depth)

    def set(self, message, field, depth):
        if field.message_type and field.message_type.GetOptions().map_entry:
            return
        held = getattr(message, field.name)
        if field.cpp_type != F.CPPTYPE_MESSAGE:
            if field.is_repeated:
                held.append(self.value(field))
            else:
                setattr(message, field.name, self.value(field))
            return
        child = held.add() if field.is_repeated else held
        child.SetInParent()
        if isinstance(child, any_pb2.Any):
            self.other(child)
        elif depth < 2:
            self.fill(child, depth + 1)

    def value(self, field):
        kind = field.cpp_type
        if kind == F.CPPTYPE_STRING:
            make = self.r.choice((self.t.name, self.t.host, self.t.path, self.t.regex, self.t.header))
            text = make()
            return text.encode() if field.type == F.TYPE_BYTES else text
        if kind == F.CPPTYPE_BOOL:
            return self.r.random() < 0.5
        if kind == F.CPPTYPE_ENUM:
            return self.r.choice([v.number for v in field.enum_type.values] + [99])
        if kind in INTEGERS:
            return self.r.choice([0, 1, 2, 100, 1000, INTEGERS[kind]] + ([-1] if kind in SIGNED else []))
        return self.r.choice([0.0, 1.0, 0.5, -1.0, float("inf"), float("nan")])


