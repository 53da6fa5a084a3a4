#!/usr/bin/env python3
"""check_readme.py PROGRAM [CONTROL-PLANE POD]: the recipes of the README do what they show.

A recipe is a block "```console live": commands after "$ ", each followed by what it prints. They
are run in an empty folder that has testdata, xdscope in the path, and ./control-plane, which
serves testdata/snapshots/shop on port 18000; if no command starts it, it runs already, and so does
a pod, whose CSDS is on port 50052. Other ports take the place of these. Both are
readme_server.py, or the command lines that are given, where PORT is the port: they print a line
when they are ready. UPDATE=1 rewrites what is printed.
"""
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[4]
README = ROOT / "README.md"
BLOCK = re.compile(r"^```console live\n(.*?)^```$", re.M | re.S)
PATIENCE = 120  # seconds for a command
PORTS = ("18000", "50052")


def free_port():
    with socket.socket() as s:
        s.bind(("localhost", 0))
        return str(s.getsockname()[1])


def same(text):
    """Without what is different each time."""
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "TIME", text)
    return re.sub(r"\d+ times so far", "N times so far", text)


class Recipe:
    def __init__(self, block, servers):
        self.commands = [c for c in re.findall(r"^\$ (.*)$", block, re.M)]
        self.servers = [s.replace("PORT", p) for s, p in zip(servers, self.ports())]
        self.started = []

    def ports(self):
        self.port = {known: free_port() for known in PORTS}
        return self.port.values()

    def start(self, command):
        process = subprocess.Popen(shlex.split(command), stdout=subprocess.PIPE, start_new_session=True)
        self.started.append(process)
        process.stdout.readline()

    def shell(self, folder, command):
        """What it prints."""
        for known, port in self.port.items():
            command = command.replace(known, port)
        done = subprocess.run(["sh", "-c", command], cwd=folder, stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE,
                              env={**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}",
                                   "LC_ALL": "C.UTF-8"})
        out = done.stdout
        for known, port in self.port.items():
            out = out.replace(port, known)
        return out

    def run(self, folder):
        """The block as it should be."""
        text = ""
        plane = folder / "control-plane"
        plane.write_text(f"#!/bin/sh\nexec {self.servers[0]} >control-plane.log 2>&1\n")
        plane.chmod(0o755)
        begins = any(c.startswith("./control-plane") for c in self.commands)
        try:
            for server in self.servers[1 if begins else 0:]:
                self.start(server)
            for command in self.commands:
                text += f"$ {command}\n"
                if command.endswith(" &"):
                    self.started.append(subprocess.Popen(
                        shlex.split(command[:-2]), cwd=folder, start_new_session=True))
                else:
                    text += self.shell(folder, command)
        finally:
            for process in self.started:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        return text


def play(block, program, servers):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "testdata").symlink_to(ROOT / "testdata")
        (folder / "bin").mkdir()
        (folder / "bin/xdscope").symlink_to(program)
        return Recipe(block, servers).run(folder)


def main():
    program = Path(sys.argv[1]).resolve()
    own = f"{sys.executable} {Path(__file__).with_name('readme_server.py')}"
    servers = sys.argv[2:] or [f"{own} control-plane PORT {program}", f"{own} pod PORT"]
    readme = README.read_text()
    blocks = BLOCK.findall(readme)
    assert len(blocks) == 3, "README.md has three recipes"
    failed = 0
    for block in blocks:
        got = play(block, program, servers)
        if same(got) == same(block):
            continue
        if os.environ.get("UPDATE"):
            readme = readme.replace(block, got)
            continue
        failed += 1
        print(f"README.md: a recipe prints\n{got}  instead of\n{block}")
    README.write_text(readme) if os.environ.get("UPDATE") else None
    print(f"  README\t{len(blocks) - failed} of {len(blocks)} recipes ok")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
