"""What a dump of CSDS says of each resource."""
from typing import NamedTuple

import wire
from discovery import PREFIX

STATUS = {0: "UNKNOWN", 1: "REQUESTED", 2: "DOES_NOT_EXIST", 3: "ACKED", 4: "NACKED",
          5: "RECEIVED_ERROR", 6: "TIMEOUT"}


class Held(NamedTuple):
    status: str
    version: str = ""
    value: bytes = b""             # of the Any in use
    failed_version: str = ""
    failed: bytes = b""            # of the one that was rejected
    details: str = ""


def text(message, field):
    return wire.last(message, field).decode("utf-8", "backslashreplace")


def any_value(message, field):
    return wire.last(wire.last(message, field), 2)


def read_resource(message):
    """Its type URL, which node has without the part up to the slash, and name; what is held."""
    error = wire.last(message, 8)
    return (PREFIX + text(message, 1).removeprefix(PREFIX), text(message, 2)), Held(
        STATUS[wire.last(message, 7, 0)], text(message, 3), any_value(message, 4),
        text(error, 4), any_value(error, 1), text(error, 3))


def read(dump):
    """By type URL and name. A client with several channels has several configs."""
    configs = [v for f, _, v in wire.fields(dump) if f == 1]
    return dict(read_resource(v) for c in configs for f, _, v in wire.fields(c) if f == 3)
