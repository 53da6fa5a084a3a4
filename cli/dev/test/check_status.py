#!/usr/bin/env python3
"""check_status.py XDSCOPE UNPACK - has each reason of status.def a case in testdata/explain/status?

A case is SLUG-CLIENT.case, and explain -f json gives its RPC that reason. A reason without a case is a
row of none.tsv there, with the reason why.
"""
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDER = ROOT / "testdata/explain/status"
CLIENTS = ("core", "go", "java", "node", "grfc")
# Cases of words that clients have for a reason, or for a consequence of it.
WORDS_OF = {
    "rpc-localities-empty": "rpc-endpoints-empty",
    "rpc-aggregate-empty-node": "rpc-aggregate-loop",
}


def slug_of(path):
    return re.sub(r"-(%s)$" % "|".join(CLIENTS), "", path.stem)


def failure_of(path, xdscope, unpack):
    """The reason that explain -f json gives the RPC of a case."""
    with tempfile.TemporaryDirectory() as folder:
        command = subprocess.run([unpack, path, folder], check=True, capture_output=True, text=True).stdout
        answer = subprocess.run([xdscope, *shlex.split(command), "-f", "json"], cwd=folder,
                                capture_output=True, text=True, check=False).stdout
    return (json.loads(answer)["status"] or {}).get("failure")


def compare(xdscope, unpack):
    for path in sorted(FOLDER.glob("*.case")):
        expected = WORDS_OF.get(path.stem) or WORDS_OF.get(slug_of(path)) or slug_of(path)
        failure = failure_of(path, xdscope, unpack)
        if failure != expected:
            yield f"{path.name}: the RPC fails with the reason {failure}, not {expected}"


def main():
    text = (ROOT / "libvalidate/catalogue/status.def").read_text()
    slugs = set(re.findall(r'^XDS_STATUS\(\w+, "([^"]+)"', text, re.M))
    rows = [line.split("\t") for line in (FOLDER / "none.tsv").read_text().splitlines()
            if not line.startswith("#")]
    without = {row[0] for row in rows}
    cased = {slug_of(path) for path in FOLDER.glob("*.case")}
    wrong = [f"{s}: no case in testdata/explain/status, and no reason in none.tsv"
             for s in sorted(slugs - without - cased)]
    wrong += [f"{s}: is not in status.def" for s in sorted((without | cased) - slugs)]
    wrong += [f"{s}: has a case, so none.tsv need not name it" for s in sorted(without & cased)]
    wrong += [f"none.tsv: no reason: {row[0]}" for row in rows if len(row) != 2 or not row[1].strip()]
    wrong += compare(*(str(pathlib.Path(program).resolve()) for program in sys.argv[1:3]))
    for line in wrong:
        print(f"check_status: {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
