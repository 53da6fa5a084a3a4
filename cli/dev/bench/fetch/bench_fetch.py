#!/usr/bin/env python3
"""bench_fetch.py PROGRAM - how long `fetch ads` needs for 10,000 clusters and their endpoints, 50 MB, and with how much
memory, beside a client by grpcio that takes the same bytes from the same server, in alternating rounds; and, a tenth
of that, beside the xDS client of grpcio, whose time grows with the square.

Takes:  ROUNDS=5, CLUSTERS=10000, MB=50; WITHOUT_CLIENT=1 leaves the second out.
Gives:  tables: seconds from the first request to the last ACK as the server sees them, those of the whole process and of
        the processor, the peak of memory; each the median.
Fails:  when fetch takes more than 1.5 times what grpcio needs to take the bytes, from the first request to the
        last ACK, or more memory than 3 times the largest message.
"""
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
N, MB, ROUNDS = (int(os.environ.get(name, default)) for name, default in
                 (("CLUSTERS", 10000), ("MB", 50), ("ROUNDS", 5)))
TIMES, MEMORY = 1.5, 3
BYTES, CLIENT, BINARY, JSON = "grpcio, bytes alone", "grpcio, its xDS client", "fetch -f binary", "fetch -f json"


def measure(words):
    """Seconds, seconds of the processor, bytes."""
    begun = time.monotonic()
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status):
        sys.exit(f"bench_fetch.py: {words[0]} ended with {os.waitstatus_to_exitcode(status)}")
    return time.monotonic() - begun, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


class Server:
    def __init__(self, n, mb, report):
        self.n, self.report = n, report
        report.write_text("")
        self.process = subprocess.Popen([sys.executable, HERE / "server.py", str(n), str(mb), str(report)], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.port, largest, size = self.process.stdout.readline().split()
        self.largest, self.size = int(largest), int(size)

    def told(self):
        return self.report.read_text().splitlines()

    def words(self, name, program):
        fetch = [program, "fetch", "-q", "ads", f"localhost:{self.port}", "--target", "xds:///shop.example.com"]
        return {BYTES: [sys.executable, HERE / "raw_client.py", self.port, str(self.n)],
                CLIENT: [sys.executable, HERE / "xds_client.py", self.port, self.report, str(len(self.told()) + 1)],
                BINARY: [*fetch, "-f", "binary", "-o", "/dev/null"],
                JSON: [*fetch, "-f", "json", "-o", "/dev/null"]}[name]

    def ask(self, name, program):
        before = len(self.told())
        used = measure(self.words(name, program))
        if len(self.told()) != before + 1:
            sys.exit(f"bench_fetch.py: {name} did not acknowledge all")
        return float(self.told()[-1]), *used

    def stop(self):
        self.process.stdin.close()
        self.process.wait()


def table(program, n, mb, names, rounds, report):
    """Prints it; the medians by name, and the size of the largest message."""
    server = Server(n, mb, report)
    found = {name: [] for name in names}
    for _ in range(rounds):
        for name in names:
            found[name].append(server.ask(name, program))
    server.stop()
    print(f"{n} clusters and their endpoints, {server.size / 1e6:.1f} MB, the largest message "
          f"{server.largest / 1e6:.1f} MB, {rounds} rounds\n")
    print("| | until the last ACK | whole | processor | peak | of the largest message |\n|---|---|---|---|---|---|")
    found = {name: [statistics.median(column) for column in zip(*rows)] for name, rows in found.items()}
    for name, (acked, whole, cpu, peak) in found.items():
        print(f"| {name} | {acked:.2f} s | {whole:.2f} s | {cpu:.2f} s | {peak / 1e6:.0f} MB "
              f"| {peak / server.largest:.1f} times |")
    print(flush=True)
    return found, server.largest


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report"
        found, largest = table(program, N, MB, [BYTES, BINARY, JSON], ROUNDS, report)
        if not os.environ.get("WITHOUT_CLIENT"):
            table(program, max(N // 10, 1), max(MB // 10, 1), [CLIENT, BINARY], 1, report)
    times = found[BINARY][0] / found[BYTES][0]
    memory = found[BINARY][3] / largest
    print(f"fetch takes {times:.2f} times what grpcio needs to take the bytes (goal {TIMES}), "
          f"and {memory:.1f} times the largest message (goal {MEMORY})")
    return 0 if times <= TIMES and memory <= MEMORY else 1


if __name__ == "__main__":
    sys.exit(main())
