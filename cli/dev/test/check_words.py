#!/usr/bin/env python3
"""check_words.py - the words of the glossary in CONTRIBUTING.md, and how much there is to read.

What is read: README.md, CONTRIBUTING.md, manual pages, the rows of man/spec, comments and texts of the
program, the subjects of the last commits. Left out: tests, names of members and options, and what
clients say themselves (log_*.def, status_*.def).
README.md has at most 160 lines and 9,216 bytes. Each C file begins with its name and what it is for.
"""
import re
import subprocess
import sys
from pathlib import Path

README_LINES, README_BYTES, SUBJECT = 160, 9216, 60

# The words that can be nothing else; the others of the glossary depend on what they are about.
WORDS = {
    r"stands? (?:there|before|after|between|twice|behind)|stood": "is, appears",
    r"(?:is|are|was|were|be|been) told": "is reported, is printed, is asked to",
    r"behind": "after, below",
    r"pass(?:ed|es) (?:over|by)": "skips, ignores",
    r"mind|minds": "checks",
    r"in force": "accepted, in use",
    r"nobody|whoever": "no client; the caller",
    r"(?:value|string|item|number|list|object) is due": "expected",
    r"crews?|learnt": "worker, cached",
}
BAD = [(re.compile(rf"\b(?:{words})\b", re.I), better) for words, better in WORDS.items()]
TEXT = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)


def texts():
    """(place, text) of all that is read."""
    for path in [Path("README.md"), Path("SECURITY.md"), *sorted(Path("man").glob("*.[1357]")), *sorted(Path("man/spec").glob("*.spec"))]:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            yield f"{path}:{number}", line
    guide = Path("CONTRIBUTING.md").read_text()
    for number, line in enumerate(guide.splitlines(), 1):
        if not line.startswith("|"):
            yield f"CONTRIBUTING.md:{number}", line
    for path in sources():
        code = path.read_text()
        if re.match(r"(log|status)_", path.name):
            continue
        for found in TEXT.finditer(code):
            yield f"{path}:{code.count(chr(10), 0, found.start()) + 1}", re.sub(r"\n \*", " ", found[0])
    done = subprocess.run(["git", "log", "--no-merges", "-20", "--format=%h %s"], capture_output=True, text=True, check=False)
    for line in done.stdout.splitlines():
        yield "commit " + line.split()[0], line.split(" ", 1)[1]


FILES = sorted(path for root in ("libvalidate", "cli") for path in Path(root).rglob("*") if path.suffix in (".c", ".h", ".def"))


def sources():
    """The files of the program."""
    return [path for path in FILES if not re.search(r"_test\.[ch]$|/dev/|/fuzz/|kit_test|/bindings/", str(path))]


def main():
    faults, n = [], 0
    for place, text in texts():
        n += 1
        for bad, better in BAD:
            faults += [f'{place}: "{found[0]}": write {better}' for found in bad.finditer(text)]
        if place.startswith("commit ") and len(text) > SUBJECT:
            faults.append(f"{place}: the subject has {len(text)} characters, at most {SUBJECT}")
    readme = Path("README.md").read_bytes()
    lines = readme.count(b"\n")
    if lines > README_LINES or len(readme) > README_BYTES:
        faults.append(f"README.md: {lines} lines and {len(readme)} bytes, at most {README_LINES} and {README_BYTES}")
    for path in FILES:
        if path.suffix == ".def" or re.search(r"/windows/include/|/test/plain/", str(path)):
            continue
        if not re.match(rf"(/\*(\n \*)?|//) {re.escape(path.name)} +-\s", path.read_text()):
            faults.append(f"{path}: begins with no line: {path.name} - what it is for")
    print(*faults, sep="\n") if faults else print(f"  WORDS\t{n} texts ok")
    sys.exit(bool(faults))


main()
