#!/usr/bin/env python3
"""mutants.py - do the cases find faults? Faults are put into the code, one at a time.

Each is one change of one line: a condition negated, a bound off by one, a statement dropped, two
arguments swapped, a constant changed, && for ||. The file is compiled, mutants-test linked with
it, which runs all cases up to the first that fails. What no case finds is printed: it does the
same as before, or a case is missing. A fault that changes no code is not counted.

usage: mutants.py BUILD [ROOM|FILE...]     BUILD has mutants-test and what it is linked from
       N=200 SEED=1 JOBS=2                 how many faults, which ones, how many at a time
Called by `make check-mutants`, by hand only: it takes half an hour.
"""
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOMS = ["rules", "lb", "route", "session", "server"]
# The cases that are most likely to find a fault of a room are run before all others.
FIRST = {"rules": "rules", "lb": "explain|scenario"}
SECONDS = 1800          # for all cases
NOT_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|^[ \t]*#(?:\\\n|[^\n])*', re.S | re.M)
SIMPLE = r"[&!*]?[\w.>\[\]-]+"
STATEMENT = re.compile(r"^ +(?!return|break|continue|goto|case|else|do|const|struct|enum|static)"
                       r"(?:[\w>.\[\]-]+\([^;{}]*\)|[*\w>.\[\]-]+ (?:[-+|&*]?=) [^;{}]*|[\w>.\[\]-]+(?:\+\+|--));$")


def blank(text):
    """The text without what is not code, with its columns."""
    return NOT_CODE.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def condition_end(line, start):
    depth = 0
    for i in range(start, len(line)):
        depth += (line[i] == "(") - (line[i] == ")")
        if depth == 0:
            return i
    return None


def changes(line):
    """(kind, new line) for each fault that this line of code can have; strings are still blank in it."""
    for found in re.finditer(r"\b(?:if|while) \(", line):
        end = condition_end(line, found.end() - 1)
        if end:
            yield "negated condition", found.end(), end, lambda old: "!(" + old + ")"
    for found in re.finditer(r"(?<= )[<>]=?(?= )", line):
        yield "off by one", found.start(), found.end(), lambda old: old[0] if old.endswith("=") else old + "="
    for found in re.finditer(r"(?<= )(?:&&|\|\|)(?= )", line):
        yield "other operator", found.start(), found.end(), lambda old: "||" if old == "&&" else "&&"
    for found in re.finditer(r"(?<![\w.\[])\d+(?![\w.\]])|\b(?:true|false)\b", line):
        yield "changed constant", found.start(), found.end(), \
            lambda old: {"true": "false", "false": "true"}.get(old) or str(int(old, 0) + 1)
    for found in re.finditer(r"(?<=[(, ])(%s), (%s)(?=[,)])" % (SIMPLE, SIMPLE), line):
        if found[1] != found[2]:
            yield "swapped arguments", found.start(), found.end(), lambda old: ", ".join(reversed(old.split(", ")))
    if STATEMENT.match(line):
        yield "dropped statement", len(line) - len(line.lstrip()), len(line) - 1, lambda old: ""


def faults_of(path):
    """(path, line, kind, new text of the line) for all faults of a file, below its first function."""
    text = Path(path).read_text()
    lines, code, inside = text.split("\n"), blank(text).split("\n"), False
    for n, bare in enumerate(code):
        inside = bare.startswith("{") or (inside and not bare.startswith("}"))
        for kind, start, end, change in changes(bare) if inside else ():
            yield path, n, kind, lines[n][:start] + change(lines[n][start:end]) + lines[n][end:]


def draw(files):
    """All faults in a random order: each kind as often as the others, at most one a line."""
    kinds, seen, drawn = {}, set(), []
    for path in files:
        for fault in faults_of(path):
            kinds.setdefault(fault[2], []).append(fault)
    for faults in kinds.values():
        random.shuffle(faults)
    while any(kinds.values()):
        for kind in sorted(kinds):
            if kinds[kind] and (fault := kinds[kind].pop())[:2] not in seen:
                seen.add(fault[:2])
                drawn.append(fault)
    return drawn


class Build:
    def __init__(self, folder):
        self.folder, self.tests = folder, f"{folder}/mutants-test"
        lines = subprocess.run(["make", "-n", "-B", "V=1", self.tests], capture_output=True, text=True, check=True).stdout
        self.link = shlex.split(re.search(f"^.* -o {self.tests}$", lines, re.M)[0])
        self.commands = {found[2]: found[1] for found in re.finditer(r"^mkdir -p \S+ && (.* -c (libvalidate/\S+) -o .*)$", lines, re.M)}

    def compile(self, path, source, out):
        command = shlex.split(self.commands[path])
        command[command.index("-c") + 1] = source
        command[command.index("-o") + 1] = out
        return subprocess.run(command + ["-O1", "-g0", "-Werror=incompatible-pointer-types", "-Werror=int-conversion",
                                         "-iquote", str(Path(path).parent), "-MF", "/dev/null"],
                              capture_output=True).returncode == 0

    def program(self, obj, out):
        command = list(self.link)
        command[command.index("-o") + 1] = out
        command.insert(next(i for i, word in enumerate(command) if word.endswith(".o")), obj)
        return subprocess.run(command + ["-Wl,-S"], capture_output=True).returncode == 0


def cases_by_room(build):
    """For each room a file with the cases that pass without a fault, those that tell most first."""
    cases = [str(path) for path in Path("testdata").rglob("*.case") if not str(path).startswith("testdata/ads/")]
    random.shuffle(cases)
    Path(build.folder, "mutants.all").write_text("".join(f"{case}\n" for case in cases))
    passed = subprocess.run([build.tests, "-k", f"{build.folder}/mutants.all"], capture_output=True, text=True, check=True).stdout
    cases = passed.split()
    print(f"mutants: {len(cases)} cases", flush=True)
    for room in ROOMS:
        first = re.compile(f"testdata/(?:{FIRST.get(room, 'explain')})/")
        Path(build.folder, f"mutants.{room}").write_text("".join(f"{case}\n" for case in sorted(cases, key=lambda c: not first.match(c))))


def finds(build, program, room):
    """The case that fails first, or None."""
    cases = Path(build.folder, f"mutants.{room if room in ROOMS else 'rules'}")
    try:
        run = subprocess.run([program, cases], capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return "no end"
    return run.stdout.strip() or (f"status {run.returncode}" if run.returncode else None)


def code_of(obj):
    return subprocess.run(["objdump", "-d", "-r", "--no-show-raw-insn", obj], capture_output=True).stdout.split(b"\n", 3)[-1]


def judge(build, fault):
    """'killed', 'survived', or None for what does not compile or is the same code."""
    path, n, kind, new = fault
    lines = Path(path).read_text().split("\n")
    with tempfile.TemporaryDirectory(dir=f"{build.folder}") as folder:
        source, obj, program = f"{folder}/{Path(path).name}", f"{folder}/new.o", f"{folder}/mutants-test"
        Path(source).write_text("\n".join(lines))
        if not build.compile(path, source, f"{folder}/old.o"):
            return None
        old = lines[n]
        lines[n] = new
        Path(source).write_text("\n".join(lines))
        if not build.compile(path, source, obj) or code_of(obj) == code_of(f"{folder}/old.o") or \
                not build.program(obj, program):
            return None
        room = path.split("/")[1]
        by = finds(build, program, room)
    change = f"{path}:{n + 1}: {kind}: {old.strip()} -> {new.strip() or ';'}"
    print(f"killed by {by}: {change}" if by else f"SURVIVED: {change}", flush=True)
    return kind, bool(by)


def main():
    build = Build(sys.argv[1])
    named = sys.argv[2:] or ROOMS
    files = [str(p) for name in named for p in ([Path(name)] if name.endswith(".c") else
                                               sorted(Path("libvalidate", name).rglob("*.c")))
             if not str(p).endswith("_test.c")]
    random.seed(int(os.environ.get("SEED", "1")))
    wanted = int(os.environ.get("N", "200"))
    cases_by_room(build)
    drawn, verdicts = iter(draw(files)), []
    with ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
        while len(verdicts) < wanted:
            some = [fault for fault, _ in zip(drawn, range(wanted - len(verdicts)))]
            if not some:
                break
            verdicts += [v for v in pool.map(lambda fault: judge(build, fault), some) if v]
    for kind in sorted({kind for kind, _ in verdicts}):
        of_kind = [killed for k, killed in verdicts if k == kind]
        print(f"{kind}: {sum(of_kind)} of {len(of_kind)} found")
    print(f"mutants: {sum(killed for _, killed in verdicts)} of {len(verdicts)} faults found")


main()
