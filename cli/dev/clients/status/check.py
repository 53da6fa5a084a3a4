#!/usr/bin/env python3
"""check.py [CLIENT...] - are the status texts of the catalogue those of the sources?

Reads build/clients/sources/CLIENT/RELEASE, which sources.sh fills, and
libvalidate/catalogue/status_CLIENT.def. Says which texts of these releases no row has and
not_known.tsv does not list, and which rows name other releases than those whose source has
their text. UPDATE=1 writes the releases into the rows: it needs the sources of all releases of
../releases.tsv. Prints how many of the texts that can be a status are known, as a row or as a
part of one. Exit 1 if a text is not listed, if less than 95 % are known, or if a row is wrong.
"""
import collections
import os
import re
import sys

import literals

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "../../../.."))
SOURCES = os.environ.get("SOURCES", os.path.join(ROOT, "build/clients/sources"))
ROW = re.compile(r'^XDS_STATUS_TEXT\((\w+), (\w+), (\d+), (\d+), (\d+), (\d+), (\w+), "(.*)"\)$')
LINE = re.compile(r'^XDS_STATUS_LINE\(\w+, (\w+), "(.*)"\)$')
# Lines that are not in the source of a package: a run has said them, or its language's library has them.
RUN_LINES = re.compile(r"xds:|^x509:|^No name matching|^(remote error: )?tls:|^[A-Z0-9_]+$|certificate|^not an SSL"
                       r"|certification path|fatal alert|^wrong version|Certificate|default credentials (were )?not found"
                       r"|could not find default|Credentials failed|XdsInitialization|^dial unix|^connect ENOENT|^cannot find a Name|^node_modules"
                       r"|assertion failed|Check failed|connect failed: addr|^Unsubscribing|^xdsresource\.|^google\.golang|^grpc_core::|^leastrequest\.|too_many_pings|^no such Type|message larger than|exceeds maximum size|^LrsCall|^Failed to create XdsClient|ECONNRESET$|reset by peer$|^Network closed|initial fetch timeout$|not exist$|^timeout obtaining|^(xds channel|ADS stream|LRS stream|LRS call|Resource|Received|Resolution|Ignoring nonex|DNS res|Rejecting|Falling|No working|Error loading|Rds)|^ENOENT|include paths|^java\.(lang|util)\.|^(Incompatible|NoSuchMethod|AbstractMethod|IllegalAccess|NoClassDef)")

# Texts of pieces that other releases have too: words.py says which releases speak so.
NONE = re.compile(r"(?!)")
PIECED = {"java": re.compile(r"^[CELR]DS resource \{1\} does not exist$|^Panic!"),
          "go": re.compile(r"^no valid clusters$")}

# Texts that the source puts together from pieces: all of these must be in it.
COMPOSED = {
    "core": [
        (r"^[LR]DS resource \{1\}: (does not exist|invalid resource)$",
         ['" resource "', 'NotFoundError("does not exist")']),
        (r"^CDS resource \{1\}: ", ['"CDS resource "', 'NotFoundError("does not exist")']),
        (r"^EDS resource \{1\}: (does|inv)", ['"EDS resource "', 'NotFoundError("does not exist")']),
        (r"^LDS resource \{1\}: not an API", ['"not an API listener"', 'ReportError("LDS"']),
        (r"^\{1\}: not an API", ['UnavailableError("not an API listener")', 'absl::StrCat(context, ": "']),
        (r"^Fault injected$", ['"Fault injected"']),
        (r"^Deadline Exceeded$", ['"Deadline Exceeded"']),
        (r"^could not create ConfigSelector", ['"could not create ConfigSelector']),
        (r"^\{1\}: xDS (listener|route)", [": xDS {2}"]),
        (r"for \{1\} exceeds max depth", ['"aggregate cluster dependency graph for "', "exceeds max depth"]),
    ],
    "go": [(r"^context deadline", []), (r"^connection error: desc", ['"connection error: desc = ']),
           (r"^unexpected HTTP|^received unexpected content|^malformed method", []),
           (r"SubConns are in", ["all SubConns are in TransientFailure"]),
           (r"^error parsing service|^illegal service", ["{0}"]),
           (r"^listener resource|^route resource|^latest balancer", ["{0}"])],
    "java": [(r"^Error retrieving", ["Error retrieving "]),
             (r"^LDS resource d|^RDS resource d|^CDS error: f", ["{0}"]),
             (r"^io exception|^Unable to resolve|^Health-check|^Unable to parse|^Provider not found|^invalid content", [])],
    "node": [(r"^Received HTTP status", [])],
}


def main():
    bad = False
    for client in sys.argv[1:] or list(literals.TEXTS):
        bad |= check(client)
    return 1 if bad else 0


def check(client):
    folder = os.path.join(SOURCES, client)
    releases = sorted((r for r in listed(folder)), key=number)
    if not releases:
        print(f"{client}: no sources below {folder}: sources.sh fills it")
        return True
    path = os.path.join(ROOT, f"libvalidate/catalogue/status_{client}.def")
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    rows = [(i, ROW.match(line)) for i, line in enumerate(lines) if ROW.match(line)]
    texts = {r: texts_of(client, os.path.join(folder, r)) for r in releases}
    whole = {r: source_of(client, os.path.join(folder, r)) for r in releases}
    bad = False
    for i, row in rows:
        if is_older(row, releases) or PIECED.get(client, NONE).search(literals.unescaped(row[8])):
            continue
        text = literals.unescaped(row[8])
        has = {r: is_in(client, text, texts[r], whole[r]) for r in releases}
        if "UPDATE" in os.environ:
            lines[i], wrong = with_span(row, [has[r] for r in releases], releases)
        else:
            same = [other for _, other in rows if other[8] == row[8]]
            wrong = [r for r in releases if has[r] != any(is_worded(o, r) for o in same)]
        if wrong:
            print(f"{client}: the row is wrong for {', '.join(wrong)}: {text}")
            bad = True
    if "UPDATE" in os.environ:
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    for text in lines_of(client):
        if not any(is_written(text, whole[r]) for r in releases):
            print(f"{client}: no release has the line: {text}")
            bad = True
    patterns = [literals.unescaped(row[8]) for _, row in rows]
    for release in releases:
        bad |= report_unknown(client, release, os.path.join(folder, release), patterns)
    return bad


def is_older(row, releases):
    """Is the row one of releases before all these, whose sources nobody looks into again?"""
    return (0, 0) < (int(row[5]), int(row[6])) <= number(releases[0])[:2]


def lines_of(client):
    """Of status_lines.def, those of a client."""
    path = os.path.join(ROOT, "libvalidate/catalogue/status_lines.def")
    with open(path, encoding="utf-8") as file:
        found = [LINE.match(line) for line in file.read().splitlines()]
    return [t for t in (literals.unescaped(f[2]) for f in found if f and f[1].lower() == client)
            if not RUN_LINES.search(t)]


def is_written(text, whole):
    """Is each piece of it in the source? A name in quotes may be %q there."""
    pieces = re.split(r'"?(?:\*|\{1\}|"NOT_SERVING")"?', text)
    return all(piece in whole for piece in pieces if len(piece) > 3)


def with_span(row, has, releases):
    """The line of a row with the releases that have it, and those in which that is wrong."""
    span = span_of(has, releases)
    if span is None:
        return row[0], [r for r, h in zip(releases, has) if h] or ["all"]
    return "XDS_STATUS_TEXT(%s, %s, %d, %d, %d, %d, %s, \"%s\")" % (
        row[1], row[2], *span, row[7], row[8]), []


def is_worded(row, release):
    since, before = (int(row[3]), int(row[4])), (int(row[5]), int(row[6]))
    return number(release)[:2] >= since and (before == (0, 0) or number(release)[:2] < before)


def report_unknown(client, release, folder, patterns):
    listed_as = not_known(client)
    telling = {t: f for f, t in set(literals.TEXTS[client](folder)) if is_telling(t)}
    unknown = [t for t in telling if not any(matches(t, p) for p in patterns)]
    kinds = {t: kind_of(listed_as, f"{telling[t]}: {t}") for t in unknown}
    unlisted = [t for t in unknown if kinds[t] is None]
    for text in sorted(unlisted):
        print(f"{client} {release}: unknown: {telling[text]}: {text}")
    count = collections.Counter(kinds.values())
    possible = len(telling) - count["never"]
    known = len(telling) - len(unknown) + count["part"]
    print(f"{client} {release}: {len(telling)} texts, {count['never']} never a status; of {possible} "
          f"{known} known ({100 * known / possible:.1f} %), {count['rare']} rare, {len(unlisted)} not listed")
    return bool(unlisted) or known < 0.95 * possible


def kind_of(listed_as, text):
    return next((kind for pattern, kind in listed_as if re.search(pattern, text)), None)


def not_known(client):
    with open(os.path.join(HERE, "not_known.tsv"), encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return [(row[1], row[2]) for row in rows if row[0] == client]


def is_telling(text):
    return len(re.sub(r"[^A-Za-z]", "", text)) >= 8 and " " in text.strip()


def fixed(text):
    return re.sub(r"\*|\{1\}", "", text)


def regex_of(text):
    return re.escape(text).replace(r"\*", ".*?").replace(r"\{1\}", "[^\" ]*?")


def matches(literal, pattern):
    """Is a text of the source the pattern of a row, or a part of it or around it?"""
    if re.search(regex_of(pattern.rstrip("*")), sample(literal)):
        return True
    return bool(re.search(regex_of(literal.strip("*")), sample(pattern))) and covers(literal, pattern)


def sample(text):
    return re.sub(r"\*|\{1\}", "X", text)


def covers(literal, pattern):
    return len(fixed(literal)) >= 0.6 * len(fixed(pattern))


def is_in(client, text, texts, whole):
    for pattern, pieces in COMPOSED[client]:
        found = re.search(pattern, text)
        if found:
            second = {"listener": "listener resource does not exist",
                      "route": "route configuration resource does not exist"}
            filled = [p.replace("{0}", fixed(text).strip(": ")).replace(
                "{2}", second.get(found[1], "") if found.groups() else "") for p in pieces]
            return all(p in whole for p in filled)
    if client in ("java", "node"):
        return all(part in whole for part in re.split(r"\*|\{1\}", text) if len(part) > 3)
    return any(matches(t, text) for _, t in texts)


def span_of(has, releases):
    """(since, before) as in a row; None when it is not one range."""
    if not any(has):
        return None
    first, last = has.index(True), len(has) - 1 - has[::-1].index(True)
    if not all(has[first:last + 1]):
        return None
    since = (0, 0) if first == 0 else number(releases[first])[:2]
    before = (0, 0) if last == len(has) - 1 else number(releases[last + 1])[:2]
    return (*since, *before)


def texts_of(client, folder):
    return set() if client in ("java", "node") else set(literals.TEXTS[client](folder))


def source_of(client, folder):
    if client == "java":
        return "\n".join(text for _, text in literals.java_constants(folder))
    parts = []
    endings = {"core": (".cc", ".h"), "go": (".go",), "java": (), "node": (".ts",)}[client]
    for path in literals.files(folder, endings):
        with open(path, encoding="utf-8", errors="replace") as file:
            parts.append(re.sub(r'"\s+"', "", file.read()))
    return "\n".join(parts)


def listed(folder):
    return os.listdir(folder) if os.path.isdir(folder) else []


def number(release):
    return tuple(int(part) for part in release.split("."))


if __name__ == "__main__":
    sys.exit(main())
