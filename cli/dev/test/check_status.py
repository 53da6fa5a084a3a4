#!/usr/bin/env python3
"""check_status.py - has each reason of status.def a case in testdata/explain/status?

A case is SLUG-CLIENT.case. A reason without one is a row of none.tsv there, with the reason why.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDER = ROOT / "testdata/explain/status"
CLIENTS = ("core", "go", "java", "node", "grfc")


def main():
    text = (ROOT / "libvalidate/catalogue/status.def").read_text()
    slugs = set(re.findall(r'^XDS_STATUS\(\w+, "([^"]+)"', text, re.M))
    rows = [line.split("\t") for line in (FOLDER / "none.tsv").read_text().splitlines()
            if not line.startswith("#")]
    without = {row[0] for row in rows}
    cased = {re.sub(r"-(%s)$" % "|".join(CLIENTS), "", path.stem) for path in FOLDER.glob("*.case")}
    wrong = [f"{s}: no case in testdata/explain/status, and no reason in none.tsv"
             for s in sorted(slugs - without - cased)]
    wrong += [f"{s}: is not in status.def" for s in sorted((without | cased) - slugs)]
    wrong += [f"{s}: has a case, so none.tsv need not name it" for s in sorted(without & cased)]
    wrong += [f"none.tsv: no reason: {row[0]}" for row in rows if len(row) != 2 or not row[1].strip()]
    for line in wrong:
        print(f"check_status: {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
