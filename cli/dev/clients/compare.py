"""Where xdscope and a client disagree, grouped by cause."""
import collections
import re
from typing import NamedTuple

import xdscope
from clients import HERE, ROOT, minor
from message import decode, oddities


class Difference(NamedTuple):
    resource: object
    says: str       # the client: ACK, NACK, CRASH
    text: str
    expected: str   # xdscope: ACK, NACK, CRASH


class Explained(NamedTuple):
    client: str
    first: tuple    # releases, as minor() gives them
    last: tuple
    cause: object   # a pattern
    reason: str
    case: str = ""  # only resources of this rule case; their cause may be any


def normal(text):
    """The beginning of a client's text, as nameless."""
    return nameless(" ".join(text.split("\n")[:3]))[:200]


def nameless(text):
    """A client's text without names, indexes, numbers and printed messages."""
    text = re.sub(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'', '""', text)
    text = re.sub(r"\[\d+\]", "[]", text)
    text = re.sub(r"(?<!\w)-?\d+(?:\.\d+)*", "0", text)
    text = re.sub(r"^[^\[]*?: (?=[A-Z_]+: errors |incorrect )", "", text)    # core: the name
    before = None
    while before != text:
        before, text = text, re.sub(r"\{[^{}]*\}", "", text)
    return re.sub(r"\s+", " ", text).strip()


def cause(schema, difference, client):
    """What the client says, then why; or what xdscope says, and by which rules. Bytes that
    cannot be read have a cause of their own for each thing that is odd about them."""
    if difference.says == "ACK":
        rules = xdscope.rules(difference.resource, client)
        resource = difference.resource
        if any(rule.endswith(("-undecodable", "-unparsable")) for rule in rules):
            tree = decode(schema, resource.url.split("/")[-1], resource.value)
            rules += ["(%s)" % odd for odd in sorted(oddities(schema, tree))]
        return "ACK, xdscope NACK: " + (" ".join(rules) or "no rule")
    return "%s, xdscope %s: %s" % (difference.says, difference.expected,
                                   normal(difference.text))


def differences(resources, answers, expected):
    """What xdscope says kills a client may do so only once the resource is used."""
    out = []
    for r in resources:
        answer = answers[r.id]
        once_used = (answer.verdict, expected[r.id]) == ("ACK", "CRASH")
        if answer.verdict not in ("-", expected[r.id]) and not once_used:
            out.append(Difference(r, answer.verdict, answer.text, expected[r.id]))
    return out


def groups(schema, found, client):
    """Differences by cause, the cause of the most first."""
    by_cause = collections.defaultdict(list)
    for d in found:
        by_cause[cause(schema, d, client)].append(d)
    return sorted(by_cause.items(), key=lambda item: (-len(item[1]), item[0]))


def rows(path):
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def read_explained():
    """What xdscope cannot know, then the rule cases that it is known to judge otherwise."""
    out = []
    for client, releases, pattern, reason in rows(HERE / "explained.tsv"):
        first, _, last = releases.partition("..")
        out.append(Explained(client, minor(first), minor(last or first), re.compile(pattern),
                             reason))
    for client, releases, case, _, _, reason in rows(ROOT / "testdata/releases/open.tsv"):
        first, _, last = releases.partition("..")
        out.append(Explained(client, minor(first), minor(last), re.compile(""), reason, case))
    return out


def explanation(table, client, release, cause_text, difference):
    """The reason, or None. A pattern may look for the cause, the client's whole text, the type URL
    and the bytes of the resource, in this order."""
    text = "\n".join((cause_text, difference.text, difference.resource.url,
                      difference.resource.value.decode("latin-1")))
    case = difference.resource.id.rpartition("#")[0]
    for row in table:
        if (row.client == client and row.first <= minor(release) <= row.last and
                row.case in ("", case) and row.cause.search(text)):
            return row.reason
    return None
