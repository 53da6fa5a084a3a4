#!/usr/bin/env python3
"""corpus.py PROGRAM UNPACK OUT.json - 50 accepted and 50 rejected resources of testdata/rules, and what the program says.

The tests of all bindings read them: a list of {name, content (base64), options, status, document}. One case of each rule,
evenly from all rules; each is one file that `xdscope lint` judges with --client and --type alone.
"""
import base64
import json
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

WANTED = 50


def options_of(words):
    """What the bindings take of a command line; None: they do not have all of it."""
    options, files = {}, []
    words = iter(words[1:])
    for word in words:
        name, _, value = word.partition("=")
        if name == "--client":
            options["clients"] = (value or next(words)).split(",")
        elif name == "--type":
            options["type"] = value or next(words)
        elif word.startswith("-"):
            return None
        else:
            files.append(word)
    return (options, files[0]) if len(files) == 1 else None


def read(case, program, unpack):
    with tempfile.TemporaryDirectory() as folder:
        words = shlex.split(subprocess.run([unpack, case, folder], capture_output=True, text=True, check=True).stdout)
        found = options_of(words) if words and words[0] == "lint" else None
        if not found or not Path(folder, found[1]).is_file():
            return None
        options, name = found
        arguments = ["--client=" + ",".join(options["clients"])] if "clients" in options else []
        arguments += ["--type=" + options["type"]] if "type" in options else []
        run = subprocess.run([program, "lint", "--no-config", "--format=json", *arguments, name],
                             cwd=folder, capture_output=True, check=False)
        if run.returncode > 1:
            return None
        content = base64.b64encode(Path(folder, name).read_bytes()).decode()
        return {"case": str(case), "name": name, "content": content, "options": options, "status": run.returncode,
                "document": json.loads(run.stdout)}


def pick(cases, status, program, unpack):
    """Evenly: every n-th rule, and the next one that has such a case."""
    rules = sorted({case.parent for case in cases})
    picked, step = [], len(rules) / WANTED
    for i in range(WANTED):
        for rule in rules[int(i * step):]:
            known = [entry["case"] for entry in picked]
            entries = (read(case, program, unpack) for case in sorted(rule.glob("*.case")) if str(case) not in known)
            entry = next((e for e in entries if e and e["status"] == status and e["document"]["resources"]), None)
            if entry:
                picked.append(entry)
                break
    return picked


def main():
    program, unpack = (str(Path(path).resolve()) for path in sys.argv[1:3])
    cases = list(Path("testdata/rules").glob("*/*.case"))
    good, bad = (pick(cases, status, program, unpack) for status in (0, 1))
    if len(good) != WANTED or len(bad) != WANTED:
        sys.exit(f"corpus.py: {len(good)} good and {len(bad)} bad cases, expected {WANTED} each")
    Path(sys.argv[3]).parent.mkdir(parents=True, exist_ok=True)
    Path(sys.argv[3]).write_text(json.dumps(good + bad))


main()
