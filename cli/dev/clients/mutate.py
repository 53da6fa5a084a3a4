"""Seeded mutations of known resources: of single fields of the messages that gRPC reads, of
their bytes on the wire, and splices between resources. The same seed and seeds give the same
resources."""
import collections
import random
import struct

import schema as types
import wire
from message import RAW, Message, decode
from discovery import CDS, EDS, LDS, RDS
from xds_resource import Resource

UNSIGNED = [0, 1, 2, 3, 4, 5, 10, 60, 80, 99, 100, 101, 443, 1000, 1024, 8443, 65535, 65536,
            100000, 1000000, 1000001, 8388608, 8388609, 2**31 - 1, 2**31, 2**32 - 1]
LONG = UNSIGNED + [2**32, 315576000000, 315576000001, 2**63 - 1, 2**63, 2**64 - 1]
SIGNED = UNSIGNED + [-1, -2, -999999999, 999999999, 1000000000, -2**31, -315576000000,
                     315576000000, 315576000001, -315576000001, 2**63 - 1, -2**63]
FLOATS = [0.0, 0.5, 1.0, 2.0, 100.0, -1.0, 1e-9, 1e30, float("inf"), float("nan")]
TEXTS = """* a foo *.foo.com foo.* fo*o *foo / /a /a/ /a/b a/b /a/b/c // .* ( [a-z]+ a{0,1001}
a{1001} (?i)x \\ \\1 (?=a) [[:alpha:]] \\pN xdstp: xdstp://a/envoy.config.cluster.v3.Cluster/c
xdstp:///envoy.config.endpoint.v3.ClusterLoadAssignment/x?a=b cluster: host Host :authority
:path :method content-type x-bin grpc-timeout te unavailable cancelled,unavailable 5xx
gateway-error internal,deadline-exceeded 127.0.0.1 ::1 [::1] 1.2.3.4.5 localhost 10.0.0.1:80
0.0.0.0 envoy.filters.http.router io.grpc.channel_id cookie default ROUND_ROBIN
envoy.clusters.aggregate /pkg.Svc/Method % 1 -1 0 null true {} dns:///svc""".split() + [
    "", " ", "a b", "\t", "\u00e9", "x" * 300]
BAD_TEXTS = [b"\0", b"a\0b", b"\xff\xfe", b"a\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80"]
URLS = ["", "foo", "type.googleapis.com/", "type.googleapis.com/foo.Bar", "a/b/c"]
FIXED = {types.DOUBLE: "<d", types.FLOAT: "<f", types.FIXED64: "<Q", types.SFIXED64: "<q",
         types.FIXED32: "<I", types.SFIXED32: "<i"}
KINDS = {types.STRING: wire.BYTES, types.BYTES: wire.BYTES, types.MESSAGE: wire.BYTES,
         types.DOUBLE: wire.FIXED64, types.FIXED64: wire.FIXED64, types.SFIXED64: wire.FIXED64,
         types.FLOAT: wire.FIXED32, types.FIXED32: wire.FIXED32, types.SFIXED32: wire.FIXED32}
LONGEST = 5000    # of a resource to start from: some clients take minutes for a longer one
OFTEN = ((LDS, 3), (RDS, 3), (CDS, 3), (EDS, 1))


class Mutator:
    """seeds: resources to start from."""

    def __init__(self, schema, seeds, seed):
        self.schema = schema
        self.random = random.Random(seed)
        self.prefix = "m%d-" % seed
        self.by_type = collections.defaultdict(list)
        self.harvest = collections.defaultdict(list)    # name of a message -> its bytes
        for resource in seeds:
            self.add_seed(resource)
        for name, found in self.harvest.items():
            self.harvest[name] = sorted(set(found))
        self.urls = URLS + sorted({"type.googleapis.com/" + n for n in self.harvest
                                   if n in schema.messages})

    def tree(self, resource):
        return decode(self.schema, resource.url.split("/")[-1], resource.value)

    def add_seed(self, resource):
        tree = self.tree(resource)
        if not isinstance(tree, Message) or len(resource.value) > LONGEST:
            return
        self.by_type[resource.type_url].append(resource)
        for message in tree.messages():
            self.harvest[message.name].append(message.encode())

    def resources(self, count):
        """Each once, so that `count` of them differ."""
        seen, made = set(), 0
        kinds = [t for t, _ in OFTEN if self.by_type[t]]
        weights = [w for t, w in OFTEN if self.by_type[t]]
        while made < count:
            start = self.random.choice(
                self.by_type[self.random.choices(kinds, weights)[0]])
            value = self.mutated(start)
            new = Resource(self.prefix + str(made), start.type_url, start.url, value,
                           start.env, start.bootstrap)
            if new[1:] not in seen:
                seen.add(new[1:])
                made += 1
                yield new

    def mutated(self, start):
        root = self.tree(start)
        for _ in range(self.random.choice((1, 1, 1, 2, 2, 3))):
            self.change(root)
        encoded = root.encode()
        if self.random.random() < 0.005:
            encoded = encoded[:self.random.randrange(len(encoded) + 1)]
        return encoded

    def change(self, root):
        for _ in range(20):
            message = self.random.choice(list(root.messages()))
            how = self.random.choices(CHANGES, WEIGHTS)[0]
            if message.name == types.ANY and self.random.random() < 0.5:
                how = Mutator.change_any
            if how(self, message):
                return

    # Each change returns whether it was possible.

    def field(self, message, wanted):
        """A declared field of the message; mostly one that is read."""
        known = [f for f in self.schema.messages.get(message.name, {}).values() if wanted(f)]
        read = [f for f in known if f.read]
        if read and self.random.random() < 0.9:
            known = read
        return self.random.choice(known) if known else None

    def set_field(self, message):
        present = {p[0] for p in message.parts}
        field = self.field(message, lambda f: f.repeated or f.number not in present)
        if not field:
            return False
        message.parts.append(self.part(field))
        return True

    def change_scalar(self, message):
        fields = self.schema.messages.get(message.name, {})
        at = [i for i, p in enumerate(message.parts)
              if p[0] in fields and not isinstance(p[2], Message) and p[1] != RAW]
        if not at:
            return False
        i = self.random.choice(at)
        field, old = fields[message.parts[i][0]], message.parts[i][2]
        if field.type == types.STRING and old and self.random.random() < 0.4:
            message.parts[i][2] = self.near(old)
        else:
            message.parts[i] = self.part(field)
        return True

    def near(self, text):
        """Another text, much like a bytes value."""
        if not isinstance(text, bytes):
            return text
        extra = self.random.choice((b"*", b"/", b"(", b" ", b"x", b"."))
        return self.random.choice((text.upper(), text[:-1], text + extra, extra + text,
                                   text + text))

    def drop(self, message):
        if not message.parts:
            return False
        del message.parts[self.random.randrange(len(message.parts))]
        return True

    def repeat(self, message):
        """An item of a list twice, or a singular field that is there twice."""
        if not message.parts:
            return False
        number, kind, value = self.random.choice(message.parts)
        if isinstance(value, Message):
            value = decode(self.schema, value.name, value.encode())
        message.parts.insert(self.random.randrange(len(message.parts) + 1),
                             [number, kind, value])
        return True

    def swap(self, message):
        if len(message.parts) < 2:
            return False
        i, j = self.random.sample(range(len(message.parts)), 2)
        message.parts[i], message.parts[j] = message.parts[j], message.parts[i]
        return True

    def splice(self, message):
        """Another message of the same type, from any resource."""
        at = [p for p in message.parts if isinstance(p[2], Message)]
        if not at:
            return False
        part = self.random.choice(at)
        part[2] = self.message(part[2].name)
        return True

    def change_any(self, message):
        if message.name != types.ANY:
            return False
        how = self.random.randrange(4)
        if how == 0:
            message.parts = [p for p in message.parts if p[0] != 1]
            message.parts.insert(0, [1, wire.BYTES, self.random.choice(self.urls).encode()])
        elif how == 1:
            message.parts = self.message(types.ANY).parts
        elif how == 2:
            message.parts.append([2, wire.BYTES, self.random.choice((b"\xff", b"\n\x05a"))])
        else:
            message.parts = []
        return True

    def odd_wire(self, message):
        """What no library writes."""
        if not message.parts:
            return False
        i = self.random.randrange(len(message.parts))
        number, kind, value = message.parts[i]
        if kind == RAW:
            return False
        key = wire.varint(number << 3 | wire.VARINT)
        odd = self.random.randrange(6)
        if odd == 0:      # another wire type
            message.parts[i] = self.random.choice((
                [number, wire.VARINT, 1], [number, wire.FIXED32, b"\1\0\0\0"],
                [number, wire.FIXED64, b"\1\0\0\0\0\0\0\0"], [number, wire.BYTES, b"\1"]))
        elif odd == 1:    # a group
            message.parts.append([self.random.choice((number, 99)), wire.GROUP, b"\x08\x01"])
        elif odd == 2 and kind == wire.BYTES and not isinstance(value, Message):
            message.parts[i][2] = self.random.choice(BAD_TEXTS)
        elif odd == 3 and kind == wire.VARINT:    # a varint of more bytes than it needs
            message.parts[i] = [number, RAW, key + long_varint(value)]
        elif odd == 4:    # an unknown field
            message.parts.append([self.random.choice((3000, 536870911)), wire.BYTES, b"x"])
        elif odd == 5:    # cut off
            message.parts.append([0, RAW, self.random.choice((b"\x0a", b"\x0a\x05a", b"\xff",
                                                              b"\x00\x00", b"\x0c"))])
        else:
            return False
        return True

    def part(self, field):
        """A field with a value at random."""
        kind = KINDS.get(field.type, wire.VARINT)
        return [field.number, kind, self.value(field)]

    def value(self, field):
        pick = self.random.choice
        if field.type == types.MESSAGE:
            return self.message(field.type_name)
        if field.type == types.STRING:
            return pick(TEXTS).encode()
        if field.type == types.BYTES:
            return pick((b"", b"\0", b"abc", b"\xff\xfe"))
        if field.type == types.ENUM:
            known = self.schema.enums.get(field.type_name, [0])
            return pick(known) if self.random.random() < 0.93 else pick((99, -1, 2**31 - 1))
        if field.type == types.BOOL:
            return pick((0, 1))
        if field.type in (types.DOUBLE, types.FLOAT):
            return struct.pack(FIXED[field.type], pick(FLOATS))
        if field.type in FIXED:
            return struct.pack(FIXED[field.type], pick(UNSIGNED[:-2]))
        if field.type in (types.INT32, types.INT64, types.SINT32, types.SINT64):
            return pick(SIGNED)
        return pick(LONG if field.type == types.UINT64 else UNSIGNED)

    def message(self, name):
        """One of another resource, or a new one."""
        found = self.harvest.get(name)
        if found and self.random.random() < 0.75:
            taken = decode(self.schema, name, self.random.choice(found))
            if isinstance(taken, Message):
                return taken
        new = Message(name, [])
        for _ in range(self.random.choice((0, 0, 1, 1, 2))):
            self.set_field(new)
        return new


def long_varint(number):
    out = bytearray(wire.varint(number))
    while len(out) < 10:
        out[-1] |= 128
        out.append(0)
    return bytes(out)


CHANGES = (Mutator.set_field, Mutator.change_scalar, Mutator.drop, Mutator.repeat, Mutator.swap,
           Mutator.splice, Mutator.odd_wire)
WEIGHTS = (30, 30, 15, 8, 3, 8, 6)
