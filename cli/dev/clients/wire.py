"""The wire format of protobuf, as far as ADS and the mutator need it, and without a schema."""

VARINT, FIXED64, BYTES, GROUP, END_GROUP, FIXED32 = range(6)


class Malformed(ValueError):
    """The bytes are not a message."""


def varint(number):
    out = bytearray()
    number &= (1 << 64) - 1
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def uint(field, number):
    return varint(field << 3 | VARINT) + varint(number)


def data(field, value):
    if isinstance(value, str):
        value = value.encode()
    return varint(field << 3 | BYTES) + varint(len(value)) + value


def any_message(type_url, value):
    return data(1, type_url) + data(2, value)


def read_varint(message, at):
    number = shift = 0
    while True:
        if at >= len(message) or shift > 63:
            raise Malformed(at)
        byte = message[at]
        at += 1
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return number & (1 << 64) - 1, at


def end_of_group(message, at, field):
    while True:
        key, after = read_varint(message, at)
        if key == field << 3 | END_GROUP:
            return at, after
        _, _, _, at = read_field(message, at)


def read_field(message, at):
    """Returns field, wire type, value and where the next field begins. A number is an int,
    everything else bytes; those of a group are without its end."""
    key, at = read_varint(message, at)
    field, kind = key >> 3, key & 7
    if field == 0:
        raise Malformed(at)
    if kind == VARINT:
        value, at = read_varint(message, at)
        return field, kind, value, at
    if kind == GROUP:
        end, after = end_of_group(message, at, field)
        return field, kind, message[at:end], after
    if kind == BYTES:
        size, at = read_varint(message, at)
    elif kind in (FIXED64, FIXED32):
        size = 8 if kind == FIXED64 else 4
    else:
        raise Malformed(at)
    if at + size > len(message):
        raise Malformed(at)
    return field, kind, message[at:at + size], at + size


def fields(message):
    """Returns (field, wire type, value) of each field. Raises Malformed."""
    out, at = [], 0
    while at < len(message):
        field, kind, value, at = read_field(message, at)
        out.append((field, kind, value))
    return out


def write(parts):
    """The inverse of fields()."""
    out = []
    for field, kind, value in parts:
        key = varint(field << 3 | kind)
        if kind == VARINT:
            out.append(key + varint(value))
        elif kind == BYTES:
            out.append(key + varint(len(value)) + value)
        elif kind == GROUP:
            out.append(key + value + varint(field << 3 | END_GROUP))
        else:
            out.append(key + value)
    return b"".join(out)


def last(message, field, default=b""):
    """The value of a singular field: its last one."""
    return next((v for f, _, v in reversed(fields(message)) if f == field), default)


def is_message(message):
    try:
        fields(message)
    except Malformed:
        return False
    return True
