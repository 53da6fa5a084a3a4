#!/usr/bin/env python3
"""check_examples.py PROGRAM UNPACK: what README.md and the manual pages show is what is printed.
check_examples.py --live PROGRAM [CONTROL-PLANE POD]: the same of sessions that need a server.

A session is a block, between ``` in README.md and between .nf and .fi in a page, that begins with
"$ " and shows output. Nothing else marks it, and all are run: commands after "$ ", each followed by
what it prints on standard output and standard error, without blanks at the end of a line. The folder has testdata, xdscope in the path,
and the files of the cases testdata/cli/man/*.case that have the same arguments; a block of
"$ cat FILE" alone shows a file of the next session. The README.md of a folder of testdata/examples
has the files of its folder.

A session with `xdscope fetch` is live. It has ./control-plane, which serves testdata/snapshots/shop on
port 18000; if no command starts it, it runs already, and so does a pod, whose CSDS is on port
50052. Other ports take the place of these. Both are fetch/example_server.py, or the command lines
that are given, where PORT is the port: they print a line when they are ready.

The first session of xdscope(1) is what `make demo` prints, and each page that is named exists. UPDATE=1 rewrites what is shown.
"""
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PORTS = ("18000", "50052")
PATIENCE = 120  # seconds for a session
MARK = "--- the next command ---"
DEMO = "xdscope.1"


# ---- pages -----------------------------------------------------------------------

def plain(roff):
    """Lines of a page as a reader sees them."""
    for escape, char in ((r"\&", ""), (r"\-", "-"), (r"\(aq", "'"), (r"\(dq", '"'), (r"\e", "\\")):
        roff = roff.replace(escape, char)
    return roff


def roff(text):
    text = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq")
    return re.sub(r"^\.", r"\\&.", text, flags=re.M)


class Session:
    """The commands of a block, each with its text and with what is shown after it."""

    def __init__(self, page, begin, end, text):
        self.page, self.begin, self.end = page, begin, end
        self.commands = []
        for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
            command = re.match(r"(?:.*\\\n)*.*\n", part).group(0)
            self.commands.append((command, part[len(command):]))
        self.is_live = any("xdscope fetch " in command for command, _ in self.commands)

    def text(self):
        return "".join(f"$ {command}{shown}" for command, shown in self.commands)

    def arguments(self):
        """Of each command of xdscope, as a line of a case."""
        for command, _ in self.commands:
            if command.startswith("xdscope "):
                yield re.sub(r"\\\n *", "", command)[len("xdscope "):].strip()


class Page:
    def __init__(self, path):
        self.path, self.source = path, path.read_text(encoding="utf-8")
        self.is_roff = path.suffix != ".md"
        block = r"^\.nf\n(.*?)^\.fi$" if self.is_roff else r"^```[^\n]*\n(.*?)^```$"
        self.sessions = []
        for found in re.finditer(block, self.source, re.M | re.S):
            text = plain(found.group(1)) if self.is_roff else found.group(1)
            session = Session(self, found.start(1), found.end(1), text)
            if text.startswith("$ ") and any(shown for _, shown in session.commands):
                self.sessions.append(session)

    def rewrite(self, printed):
        """With what was printed by sessions, which differ."""
        for session, text in sorted(printed.items(), key=lambda item: -item[0].begin):
            text = roff(text) if self.is_roff else text
            self.source = self.source[:session.begin] + text + self.source[session.end:]
        self.path.write_text(self.source, encoding="utf-8")


def pages():
    man = sorted((ROOT / "man").glob("xdscope*.[157]"))
    examples = sorted((ROOT / "testdata/examples").glob("*/README.md"))
    return [Page(path) for path in [ROOT / "README.md", *man, *examples]]


# ---- running -----------------------------------------------------------------------

def play(session, folder, program, ports=None):
    """The text of the session as it should be."""
    (folder / "testdata").symlink_to(ROOT / "testdata")
    (folder / "bin").mkdir()
    (folder / "bin/xdscope").symlink_to(program)
    script = "".join(f"printf '%s\\n' '{MARK}'\n{command}" for command, _ in session.commands)
    for known, port in (ports or {}).items():
        script = script.replace(known, port)
    shell = subprocess.Popen(["sh", "-c", script], cwd=folder, stdin=subprocess.DEVNULL, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
                             env={**os.environ, "LC_ALL": "C.UTF-8",
                                  "PATH": f"{folder}/bin:{os.environ['PATH']}"})
    try:
        printed = shell.communicate(timeout=PATIENCE)[0]
    finally:
        try:
            os.killpg(shell.pid, signal.SIGKILL)  # what was started with &
        except ProcessLookupError:
            pass
    for known, port in (ports or {}).items():
        printed = printed.replace(port, known)
    shown = re.sub(r" +$", "", printed, flags=re.M).split(MARK + "\n")[1:]
    return "".join(f"$ {command}{text}" for (command, _), text in zip(session.commands, shown))


def free_port():
    with socket.socket() as s:
        s.bind(("localhost", 0))
        return str(s.getsockname()[1])


def play_live(session, folder, program, servers):
    ports = {known: free_port() for known in PORTS}
    servers = [server.replace("PORT", port) for server, port in zip(servers, ports.values())]
    plane = folder / "control-plane"
    plane.write_text(f"#!/bin/sh\nexec {servers[0]} >control-plane.log 2>&1\n")
    plane.chmod(0o755)
    begins = any(command.startswith("./control-plane") for command, _ in session.commands)
    started = []
    try:
        for server in servers[1 if begins else 0:]:
            started.append(subprocess.Popen(shlex.split(server), stdout=subprocess.PIPE, start_new_session=True))
            started[-1].stdout.readline()
        return play(session, folder, program, ports)
    finally:
        for process in started:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


class Cases:
    """Files for sessions, by their arguments."""

    def __init__(self, unpack):
        self.unpack = unpack
        self.of = {}
        for path in (ROOT / "testdata/cli/man").glob("*.case"):
            arguments = re.search(r"^-- args --\n(.*)\n", path.read_text(encoding="utf-8"), re.M)
            self.of[arguments.group(1)] = path

    def give(self, session, folder):
        for arguments in session.arguments():
            if arguments in self.of:
                subprocess.run([self.unpack, self.of[arguments], folder], check=True, stdout=subprocess.DEVNULL)


def printed_by(page, program, cases, servers):
    """Each session of this kind with what it prints."""
    chosen = [session for session in page.sessions if session.is_live == (cases is None)]
    for at, session in enumerate(chosen):
        with tempfile.TemporaryDirectory() as name:
            if cases is None:
                yield session, play_live(session, Path(name), program, servers)
                continue
            if page.path.parent.parent.name == "examples":
                shutil.copytree(page.path.parent, name, dirs_exist_ok=True)
            is_file = all(command.startswith("cat ") for command, _ in session.commands)
            cases.give(chosen[at + 1] if is_file else session, Path(name))
            yield session, play(session, Path(name), program)


def same(text):
    """Without what is different each time."""
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "TIME", text)
    return re.sub(r"\d+ times so far", "N times so far", text)


def check(page, program, cases, servers):
    """The number of sessions, and of those that differ."""
    differ, count = {}, 0
    for session, text in printed_by(page, program, cases, servers):
        count += 1
        if same(text) == same(session.text()):
            continue
        differ[session] = text
        if not os.environ.get("UPDATE"):
            print(f"{page.path.name}: a session prints\n{text}  instead of\n{session.text()}")
    if differ and os.environ.get("UPDATE"):
        page.rewrite(differ)
        return count, 0
    return count, len(differ)


def shows_demo(program):
    demo = subprocess.run(["sh", ROOT / "testdata/snapshots/demo.sh", program], stderr=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, text=True, check=True).stdout
    shown = Page(ROOT / "man" / DEMO).sessions[0].text()
    if demo.replace("\n\n$ ", "\n$ ").strip() == shown.strip():
        return True
    print(f"{DEMO}: its first session is not what make demo prints:\n{demo}")
    return False


def names_pages(page):
    """Whether each manual page that it names is there."""
    named = set(re.findall(r"\b(xdscope[a-z.-]*|libxdscope) ?\(([1-9])\)", plain(page.source)))
    missing = [f"{name}({part})" for name, part in sorted(named) if not any((ROOT / folder / f"{name}.{part}").exists() for folder in ("man", "build/man"))]
    if missing:
        print(f"{page.path.name}: there is no page {', '.join(missing)}")
    return not missing


def main():
    is_live = sys.argv[1] == "--live"
    program, *rest = sys.argv[2:] if is_live else sys.argv[1:]
    program = Path(program).resolve()
    own = f"{sys.executable} {Path(__file__).with_name('fetch') / 'example_server.py'}"
    servers = rest if is_live and rest else [f"{own} control-plane PORT {program}", f"{own} pod PORT"]
    cases = None if is_live else Cases(Path(rest[0]).resolve())
    counts = [check(page, program, cases, servers) for page in pages()]
    count, failed = (sum(column) for column in zip(*counts))
    assert count >= (3 if is_live else 25), f"{count} sessions: are they still found?"
    faults = [failed > 0]
    if not is_live:
        faults += [not shows_demo(program), *(not names_pages(page) for page in pages())]
    print(f"  {'LIVE' if is_live else 'EXAMPLES'}\t{count - failed} of {count} sessions ok")
    return 1 if any(faults) else 0


if __name__ == "__main__":
    sys.exit(main())
