"""A message as a tree that can be changed and written again: with the schema where it is known,
without losing what the schema does not have."""
import wire
from schema import ANY, MESSAGE, STRING

RAW = -1    # a part whose value is written as it is


class Message:
    """parts: [field number, wire type, value]; a value is an int, bytes or a Message."""

    def __init__(self, name, parts):
        self.name, self.parts = name, parts

    def encode(self):
        out = []
        for field, kind, value in self.parts:
            if kind == RAW:
                out.append(value)
                continue
            if isinstance(value, Message):
                value = value.encode()
            out.append(wire.write([(field, kind, value)]))
        return b"".join(out)

    def messages(self):
        """This one and all below it."""
        yield self
        for _, _, value in self.parts:
            if isinstance(value, Message):
                yield from value.messages()


def oddities(schema, message, depth=0):
    """What a message has that no library writes, or few can read."""
    if not isinstance(message, Message):
        return {"no message"}
    found = {"deep"} if depth == 50 else set()
    fields = schema.messages.get(message.name, {})
    for number, kind, value in message.parts:
        if isinstance(value, Message):
            found |= oddities(schema, value, depth + 1)
        elif kind == wire.GROUP:
            found.add("group")
        elif number in fields and fields[number].type == STRING and kind == wire.BYTES:
            found |= {"NUL"} if b"\0" in value else set()
    return found


def type_of_any(parts):
    url = next((v for f, k, v in reversed(parts) if f == 1 and k == wire.BYTES), b"")
    return url.split(b"/")[-1].decode("ascii", "replace")


def decode(schema, name, encoded, depth=0):
    """A Message, or the bytes if they are none."""
    try:
        found = wire.fields(encoded)
    except wire.Malformed:
        return encoded
    fields = schema.messages.get(name, {})
    parts = []
    for number, kind, value in found:
        field = fields.get(number)
        if kind == wire.BYTES and depth < 60:
            inner = None
            if field and field.type == MESSAGE:
                inner = field.type_name
            if name == ANY and number == 2:
                inner = type_of_any(found)
            if inner in schema.messages:
                value = decode(schema, inner, value, depth + 1)
        parts.append([number, kind, value])
    return Message(name, parts)
