"""What the programs that play cases of their own share: each client in turn, and a table of them."""
import os
import re
import shutil
import subprocess
import sys

from clients import CLIENTS, Installed, releases


def ready(name, release, needs, setup):
    """A client at a release, installed and set up; or a text that says why not."""
    missing = [tool for tool in {*CLIENTS[name].needs, *needs} if not shutil.which(tool)]
    if missing:
        return "%s not found" % ", ".join(sorted(missing))
    known = releases(name)
    found = known[-1:] if release == "newest" else [r for r in known if r.startswith(release + ".")]
    if not found:
        return "no release %s in releases.tsv" % release
    installed = Installed(CLIENTS[name], found[0])
    try:
        if not installed.there():
            print("installing %s %s" % (name, found[0]), flush=True)
            installed.install()
        setup(installed)
    except subprocess.CalledProcessError as e:
        return "it cannot be installed (%s)" % e
    return installed


def play(names, columns, find, run):
    """Ends the process: 1 if a client differs or is skipped. find(name) is ready() of it;
    run(name, installed) gives the counts of the columns."""
    failed, table = False, [("client", *columns)]
    for name in re.split(r"[\s,]+", names.strip()):
        installed = find(name)
        if isinstance(installed, str):
            print("SKIPPED %s: %s" % (name, installed), flush=True)
            failed = True
            continue
        counts = run(name, installed)
        failed = failed or counts["differ"] > 0
        table.append((name, *(counts[k] for k in columns)))
    for row in table:
        print("".join(str(cell).rjust(14) for cell in row))
    sys.stdout.flush()
    os._exit(failed)    # the threads of the servers do not end
