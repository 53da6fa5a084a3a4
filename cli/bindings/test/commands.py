#!/usr/bin/env python3
"""commands.py PROGRAM UNPACK OUT.json - lint and explain of testdata with the options that `npx xdscope` has, and what the program says.

folder-too-deep is left out: whoever lists a folder for the module lists all of it. A list of {case, words, files {name: base64}, status, stdout, complaint}: the cases of testdata/explain and testdata/cli, and every fifth of
testdata/rules. EVERY=1 in the environment: all of them.
"""
import base64
import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

BOTH = {"--client", "--format", "-f", "--type", "--env", "--with"}
VALUES = {"lint": BOTH, "explain": BOTH | {"--path", "--target", "--listener", "--route-config", "--authority", "--header", "-H"}}
FLAGS = {"--partial", "--allow-unknown-fields"}
FORMATS = {"lint": None, "explain": {"text", "json"}}


def is_shared(words):
    """Has npx all of these options? The path of standard input, "-", is none that it has."""
    values, rest = VALUES[words[0]], iter(words[1:])
    for word in rest:
        name, equals, value = word.partition("=")
        if word == "-" or word == "--":
            return False
        if name in values:
            value = value if equals else next(rest, "")
            if name in ("--format", "-f") and FORMATS[words[0]] and value not in FORMATS[words[0]]:
                return False
        elif word.startswith("-") and word not in FLAGS:
            return False
    return True


def read(case, program, unpack):
    with tempfile.TemporaryDirectory() as folder:
        said = subprocess.run([unpack, case, folder], capture_output=True, text=True, check=False).stdout
        words = shlex.split(said) if "\n" not in said.strip() else []
        files = sorted(path for path in Path(folder).rglob("*") if path.is_file())
        names = [str(path.relative_to(folder)) for path in files]
        if not words or words[0] not in VALUES or not is_shared(words) or any("xdscope.conf" in n or "ignore" in n for n in names):
            return None
        own = [words[0], "--no-config", *words[1:]] if words[0] == "lint" else words
        contents = {name: base64.b64encode(path.read_bytes()).decode() for name, path in zip(names, files)}
        run = subprocess.run([program, *own], cwd=folder, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL, check=False)
        return {"case": str(case), "words": words, "files": contents, "status": run.returncode, "stdout": run.stdout, "complaint": run.stderr}


def main():
    program, unpack = (str(Path(path).resolve()) for path in sys.argv[1:3])
    every = int(os.environ.get("EVERY", "5"))
    cases = [case for folder in ("explain", "cli") for case in sorted(Path("testdata", folder).rglob("*.case"))]
    cases += [case for case in sorted(Path("testdata/rules").rglob("*.case"))[::every] if case.parent.name != "folder-too-deep"]
    entries = [entry for entry in (read(case, program, unpack) for case in cases) if entry]
    Path(sys.argv[3]).parent.mkdir(parents=True, exist_ok=True)
    Path(sys.argv[3]).write_text(json.dumps(entries))


main()
