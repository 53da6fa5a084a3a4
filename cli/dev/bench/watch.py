"""watch.py PROGRAM SNAPSHOT [ROUNDS] - what lint --watch takes after one resource of a snapshot changed, beside the first
lint: processor time, medians. Exit 1 when a change takes more than half of the first lint."""

import os
import statistics
import subprocess
import sys
import tempfile

TICK = os.sysconf("SC_CLK_TCK")


def seconds(process):
    """The processor time so far."""
    with open(f"/proc/{process.pid}/stat", encoding="utf-8") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def wait(process):
    """Until it waits for the next change."""
    while "waiting for the input" not in process.stderr.readline():
        if process.poll() is not None:
            sys.exit("watch.py: the program ended")


def put(path, text):
    """As a whole: the program never sees a part of it."""
    with open(path + ".new", "w", encoding="utf-8") as out:
        out.write(text)
    os.rename(path + ".new", path)


def main():
    program, snapshot = os.path.abspath(sys.argv[1]), sys.argv[2]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    with open(snapshot, encoding="utf-8") as stored:
        text = stored.read()
    with tempfile.TemporaryDirectory() as folder:
        path, changes = os.path.join(folder, "snapshot.json"), []
        put(path, text)
        with subprocess.Popen([program, "lint", "--jobs", "1", "--watch", path], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as process:
            wait(process)
            first = before = seconds(process)
            for i in range(rounds):
                put(path, text.replace('"name"', '"name"' + " " * (i + 1), 1))
                wait(process)
                now = seconds(process)
                changes.append(now - before)
                before = now
            process.kill()
    change = statistics.median(changes)
    print(f"{len(text) / 1e6:.0f} MB   first lint {first * 1000:.0f} ms   "
          f"a change {change * 1000:.0f} ms (x {change / first:.2f})")
    sys.exit(0 if change <= first / 2 else 1)


main()
