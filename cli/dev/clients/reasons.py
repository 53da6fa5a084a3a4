"""Whether a NACK is right for the right reason. C-core lists all errors of a resource: the list is
that which xdscope prints. The others name the first one: `rule --from-log` finds a rule by it, and
by one of those that it finds xdscope rejects the resource."""
import collections
import json
import re
import subprocess
from typing import NamedTuple

import compare
import xdscope
from cases import XDSCOPE
from clients import environment


class Reason(NamedTuple):
    resource: object
    text: str       # the client's
    cause: str      # what it says and xdscope does not, and the other way round


PREFIX = re.compile(r"^.*?(?:INVALID_ARGUMENT|UNAVAILABLE|INTERNAL): ", re.S)

OF_NAME = re.compile(r"(?:(.*); )?[^;]*(Cannot parse xDS resource name)", re.S)


def listed(text):
    """The errors of a text of C-core, without values, and how often it has each."""
    whole = PREFIX.sub("", text)
    of_name = OF_NAME.fullmatch(whole)
    if of_name:    # the client's own, after what the parser says
        return collections.Counter([of_name[2]]) + (listed(of_name[1]) if of_name[1] else collections.Counter())
    head, bracket, errors = whole.partition(": [")
    if not head.startswith("errors ") or not bracket:
        return collections.Counter([compare.nameless(whole)])
    parts = re.split(r"(?:^|; )field:", errors.removesuffix("]"))
    return collections.Counter(compare.nameless(part) for part in parts if part)


def told_by_core(resources, answers, client):
    """The NACKs whose list of errors is another one."""
    out = []
    for r in resources:
        said, expected = listed(answers[r.id].text), listed(xdscope.nack_text(r, client))
        if said != expected:
            cause = ["only %s: %s" % (client, e) for e in (said - expected).elements()]
            cause += ["only xdscope: " + e for e in (expected - said).elements()]
            out.append(Reason(r, answers[r.id].text, "; ".join(sorted(cause))))
    return out


def rules_of(text, client):
    """Those that `rule --from-log` finds for a text of this client."""
    text = " ".join(text.splitlines())    # a line of a log, whatever a name in it has
    done = subprocess.run([XDSCOPE, "rule", "-f", "json", "--from-log", "-"], input=text.encode(),
                          env=environment({}), capture_output=True)
    errors = json.loads(done.stdout or '{"errors": []}')["errors"]
    return {m["rule"] for e in errors for m in e["rules"] if client in m["worded_by"]}


def told_by_first(resources, answers, client):
    """The NACKs whose text finds no rule by which xdscope rejects the resource."""
    known, out = {}, []
    for r in resources:
        text = answers[r.id].text
        if text not in known:
            known[text] = rules_of(text, client.partition("@")[0])
        found = [rule for rule in xdscope.rules(r, client) if not rule.startswith("bootstrap-")]
        if not known[text] & set(found):
            out.append(Reason(r, text, "%s; it is of %s, xdscope rejects by %s" % (
                compare.normal(text), " ".join(sorted(known[text])) or "no rule", " ".join(found))))
    return out


def check(resources, answers, expected, client):
    """How many NACKs there are that xdscope expects, and groups of those whose reason differs."""
    both = [r for r in resources
            if answers[r.id].verdict == "NACK" and expected[r.id] == "NACK"]
    tell = told_by_core if client.startswith("core") else told_by_first
    groups = collections.defaultdict(list)
    for reason in tell(both, answers, client):
        groups[reason.cause].append(reason)
    return len(both), sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
