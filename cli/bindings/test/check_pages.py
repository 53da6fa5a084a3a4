#!/usr/bin/env python3
"""check_pages.py PAGE FOLDER - the blocks of a manual page, in their order, in a folder that has what the page asks for.

A block after "In FILE:" is that file. A block after "prints:" is text that the commands before it have printed, and they fail
then if it has "error". All other blocks are commands, of one session: what a block exports, such as the PATH of an environment,
is there for the next.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def plain(roff):
    for escape, char in ((r"\&", ""), (r"\-", "-"), (r"\(aq", "'"), (r"\e", "\\")):
        roff = roff.replace(escape, char)
    return roff


def blocks(page):
    """Each with the text before it."""
    before = ""
    for part in re.split(r"^(\.nf\n.*?^\.fi)$", page, flags=re.M | re.S):
        if part.startswith(".nf"):
            yield before, plain(part[4:-3])
        before = part


def main():
    page, folder = Path(sys.argv[1]), Path(sys.argv[2])
    output, status, done = "", 0, 0
    session = Path(tempfile.mkstemp(prefix="xdscope-page-")[1]).resolve()
    begin = f'. "{session}"\ntrap \'export -p >"{session}"\' EXIT\n'
    pairs = list(blocks(page.read_text()))
    for i, (before, text) in enumerate(pairs):
        name = re.search(r"^In\n\.IR (\S+) :\n\.PP\n$", before, re.M)
        if name:
            (folder / plain(name.group(1))).write_text(text)
        elif re.search(r"^prints:\n\.PP\n$", before, re.M):
            missing = [line for line in text.splitlines() if line not in output]
            if missing or (status != 0) != ("error" in text):
                sys.exit(f"{page}: not printed: {missing}, status {status}:\n{output}")
        else:
            run = subprocess.run(["sh", "-e"], input=begin + text, cwd=folder, text=True, capture_output=True, check=False)
            output, status = run.stdout + run.stderr, run.returncode
            shown = i + 1 < len(pairs) and "\nprints:\n" in pairs[i + 1][0]
            if status != 0 and not shown:
                sys.exit(f"{page}: status {status}:\n{text}{output}")
        done += 1
    session.unlink()
    print(f"  PAGE\t{page}: {done} blocks ok")


main()
