#!/usr/bin/env python3
"""check_sizes.py - the limits of the code: each function, file and struct of the program.

A function has at most 60 lines, 6 parameters and a complexity of 25 (branches and && || + 1); no
ternary holds two more; a struct has at most 30 members. EXCEPTIONS are named with their reason;
one that is not needed any more is a fault, too. The length of files is in lint.sh.
"""
import re
import sys
from pathlib import Path

LINES, PARAMETERS, COMPLEXITY, TERNARIES, MEMBERS = 60, 6, 25, 2, 30

CALLED = "the signature is that of who calls it"
EACH = "each is an input of its own; a struct for one caller would only rename them"
EXCEPTIONS = {
    ("on_header", "parameters"): CALLED,
    ("read_out", "parameters"): CALLED,
    ("options_offer", "parameters"): CALLED,
    ("XDS_JSON_KEY", "parameters"): CALLED,
    ("xds_report_add", "parameters"): EACH,
    ("xds_derive_requests", "parameters"): EACH,
    ("xds_fix_new", "parameters"): EACH,
    ("xds_binary_open", "parameters"): EACH,
    ("xds_ring_build", "parameters"): EACH,
    ("xds_decode_as", "parameters"): EACH,
    ("first_write", "parameters"): EACH,
    ("take_member", "parameters"): EACH,
    ("pair_gap", "parameters"): EACH,
    ("read_ranges", "parameters"): EACH,
    ("visit", "lines"): "a state machine, a case for each state",
    ("visit", "branches"): "the same",
    ("visit_object", "lines"): "the same",
    ("visit_object", "branches"): "the same",
}

QUIET = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|^[ \t]*#(?:\\\n|[^\n])*', re.S | re.M)


def quiet(text):
    """The text without comments, literals and directives, with its lines."""
    return QUIET.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def functions(code):
    """(name, parameters, body, first line, lines) of each definition; clang-format puts { at a line's start."""
    for found in re.finditer(r"^(?!struct\b[^(]*\{|enum\b[^(]*\{|union\b)([a-zA-Z_][^;{}]*?)\n\{\n(.*?)^\}", code, re.S | re.M):
        head = re.search(r"(\w+)\((.*)\)[^()]*$", found[1], re.S)
        if head:
            first = code.count("\n", 0, found.start()) + 1
            yield head[1], head[2], found[2], first, found[0].count("\n") + 1


def parameters(text):
    depth, n = 0, 1
    for c in text:
        depth += (c == "(") - (c == ")")
        n += c == "," and depth == 0
    return 0 if text.strip() == "void" else n


def deepest_ternary(body):
    """How many ?: one expression nests or chains; those side by side do not add up."""
    most = 0
    for part in re.split(r"[;{}]", body):
        own, inner = [0], [0]           # of each open bracket: its own, and the deepest in a bracket of it
        for c in part + ",":
            if c == "(":
                own.append(0)
                inner.append(0)
            elif c in "),":
                depth = own[-1] + inner[-1]
                most = max(most, depth)
                own[-1] = inner[-1] = 0
                if c == ")" and len(own) > 1:
                    own.pop()
                    inner.pop()
                    inner[-1] = max(inner[-1], depth)
            elif c == "?":
                own[-1] += 1
            elif c in "|&+" and own[-1] == 0:
                most, inner[-1] = max(most, inner[-1]), 0
    return most


def structs(code):
    """(name, members) of each struct that is defined at the left edge."""
    for found in re.finditer(r"^(?:static (?:const )?)?struct (\w+) \{\n(.*?)^\}", code, re.S | re.M):
        body, n = found[2], 0
        while re.search(r"\{[^{}]*\}", body):
            body = re.sub(r"\{[^{}]*\}", "", body)
        for line in body.split(";"):
            n += 1 + re.sub(r"\([^()]*\)", "", line).count(",") if line.strip() else 0
        yield found[1], n, code.count("\n", 0, found.start()) + 1


def main():
    faults, used = [], set()

    def judge(place, name, what, value, limit):
        if value <= limit:
            return
        if (name, what) in EXCEPTIONS:
            used.add((name, what))
        else:
            faults.append(f"{place}: {name}: {value} {what}, at most {limit}")

    n = 0
    for path in sorted([*Path("libvalidate").rglob("*.[ch]"), *Path("cli").rglob("*.[ch]")]):
        if re.search(r"_test\.[ch]$|/dev/|/fuzz/|kit_test", str(path)):
            continue
        code = quiet(path.read_text())
        for name, params, body, line, lines in functions(code):
            n += 1
            place = f"{path}:{line}"
            branches = len(re.findall(r"\b(?:if|for|while|case)\b|&&|\|\||\?", body)) + 1
            judge(place, name, "lines", lines, LINES)
            judge(place, name, "parameters", parameters(params), PARAMETERS)
            judge(place, name, "branches", branches, COMPLEXITY)
            judge(place, name, "ternaries in one another", deepest_ternary(body), TERNARIES)
        for name, members, line in structs(code):
            judge(f"{path}:{line}", f"struct {name}", "members", members, MEMBERS)
    faults += [f"check_sizes.py: {name} needs no exception for {what}" for name, what in EXCEPTIONS if (name, what) not in used]
    print(*faults, sep="\n") if faults else print(f"  SIZES\t{n} functions ok, {len(EXCEPTIONS)} exceptions")
    sys.exit(bool(faults))


main()
