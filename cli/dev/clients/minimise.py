"""The smallest resource on which a client and xdscope still disagree for the same cause."""
import compare
import wire
import xdscope
from message import Message, decode

ROUNDS = 60
STEP = 100         # candidates that are asked at once, the smallest first
LARGEST = 8000     # bytes of a resource that is worth it


def paths(message, here=()):
    """The place of each part, at any depth."""
    for i, part in enumerate(message.parts):
        yield here + (i,)
        if isinstance(part[2], Message):
            yield from paths(part[2], here + (i,))


def part_at(message, path):
    for i in path[:-1]:
        message = message.parts[i][2]
    return message, path[-1]


def smaller(schema, resource):
    """Resources that lack one part or one half of a text, the smallest first."""
    name = resource.url.split("/")[-1]
    tree = decode(schema, name, resource.value)
    if not isinstance(tree, Message):
        return []
    values = set()
    for path in list(paths(tree)):
        copy = decode(schema, name, resource.value)
        message, i = part_at(copy, path)
        _, kind, value = message.parts[i]
        if isinstance(value, bytes) and kind == wire.BYTES and len(value) > 8:
            message.parts[i][2] = value[:len(value) // 2]
            values.add(copy.encode())
        del message.parts[i]
        values.add(copy.encode())
    shorter = sorted(values, key=lambda v: (len(v), v))
    return [resource._replace(id="%s/%d" % (resource.id, i), value=value)
            for i, value in enumerate(shorter) if len(value) < len(resource.value)]


def better_than(schema, judge, client, difference, cause):
    """The smallest of the resources that lack one part and still differ for the cause."""
    candidates = smaller(schema, difference.resource)
    for i in range(0, len(candidates), STEP):
        part = candidates[i:i + STEP]
        found = compare.differences(part, judge.judge(part), xdscope.verdicts(part, client))
        for d in found:
            if d.says == difference.says and compare.cause(schema, d, client) == cause:
                return d
    return None


def minimise(schema, judge, client, difference, cause):
    """The difference with a smaller resource; `judge` asks the client, whose name for xdscope
    is `client`. One on which the client loops stays as it is: each step would wait for it."""
    if len(difference.resource.value) > LARGEST or difference.text.startswith("no answer"):
        return difference
    for _ in range(ROUNDS):
        better = better_than(schema, judge, client, difference, cause)
        if better is None:
            return difference
        difference = better._replace(
            resource=better.resource._replace(id=difference.resource.id))
    return difference
