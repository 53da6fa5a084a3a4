#!/usr/bin/env python3
"""check_fetch.py PROGRAM [CASE...]: a live system, good or bad, and what the program says of it.

Each testdata/fetch/*.fetch is a text: why, then the sections

    -- server --   how the server behaves: "grpc" and its steps (grpc_server.py), or "raw" and
                   its steps (raw_server.py), each a line
    -- with --     optional: "terminal", for standard error; "full", for standard output; "files KIB", as large as
                   a file may be; "signal NAME SECONDS", or when the step "interrupt" says so; "bootstrap": GRPC_XDS_BOOTSTRAP_CONFIG names the server,
                   and once more for authority "other"; "second": it names a server that is not there first;
                   "lines WORD": of standard output only the lines with it
    -- boot --     optional: a bootstrap, {boot} in the command line, which has what is in braces, too
    -- args --     the command line; {server} is HOST:PORT, {port} the port alone, {certs} a
                   folder of certificates, {work} an empty folder, {there} a socket's path
    -- then --     optional: a command line that is run after it, such as a lint of {work}/x.json
    -- stdout --, -- stderr --, -- exit --

whose last three are compared whole; what is in braces stands in them too, times are {time}, and how often
something came so far is {n}. As in *.case, {core}, {go}, {java} and {node} are the newest releases.
UPDATE=1 rewrites them.
"""
import json
import os
import pty
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

os.environ["GRPC_VERBOSITY"] = "NONE"  # before grpc is imported: what a server complains of is expected

import certificates
import client_status
import grpc_server
import raw_server

ROOT = Path(__file__).resolve().parents[4]
sys.path.append(str(ROOT / "cli/dev/test"))

from newest import put_releases

PATIENCE = 60  # seconds until a command counts as hanging
AT_ONCE = 6  # cases: most of them wait most of the time
SECTIONS = ["server", "with", "boot", "args", "then", "stdout", "stderr", "exit"]


class Case:
    def __init__(self, path):
        self.path, self.why, self.sections = path, "", {}
        name = None
        for line in path.read_text().splitlines(keepends=True):
            text = line.rstrip("\n")
            if text.startswith("-- ") and text.endswith(" --"):
                name = text[3:-3]
                assert name in SECTIONS, f"{path}: no section is called {name}"
                self.sections[name] = ""
            elif name is None:
                self.why += line
            else:
                self.sections[name] += line
        assert self.why and "server" in self.sections and "args" in self.sections, path

    def write(self):
        text = self.why
        for name in SECTIONS:
            if self.sections.get(name) or name in ("stdout", "exit"):
                text += f"-- {name} --\n{self.sections.get(name, '')}"
        self.path.write_text(text)


def start(lines, messages, certs, there):
    kinds = {"grpc": grpc_server.Server, "raw": raw_server.Server}
    kind, *options = lines[0].split()
    return kinds[kind](options, lines[1:], messages, certs, there)


def read_terminal(end):
    """What was written to it, once the other end is closed."""
    text = b""
    try:
        while piece := os.read(end, 65536):
            text += piece
    except OSError:
        pass
    os.close(end)
    return text


def bootstrap(port, how):
    def servers(host):
        uris = ["localhost:1"] * ("second" in how) + [f"{host}:{port}"]
        return [{"server_uri": uri, "channel_creds": [{"type": "insecure"}]} for uri in uris]

    return json.dumps({"xds_servers": servers("localhost"), "node": {"id": "shop-1", "locality": {}},
                       "authorities": {"other": {"xds_servers": servers("127.0.0.1")}}})


def begin(how):
    """What began this in the background may have it ignore an interrupt."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if "files" in how:
        most = int(how[how.index("files") + 1]) << 10
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


def run(program, words, how, server):
    """Standard output, standard error and the exit status, as text."""
    environment = dict(os.environ, SECRET="swordfish", LC_ALL="C.UTF-8")
    if "bootstrap" in how:
        environment["GRPC_XDS_BOOTSTRAP_CONFIG"] = bootstrap(server.port, how)
    ours, theirs = pty.openpty() if "terminal" in how else (None, subprocess.PIPE)
    out = open("/dev/full", "wb") if "full" in how else subprocess.PIPE
    with subprocess.Popen([program, *words], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
                          stdout=out, stderr=theirs, preexec_fn=lambda: begin(how)) as process:
        if "signal" in how:
            name, seconds = how[how.index("signal") + 1:][:2]
            if seconds == "asked":
                server.interrupt.wait(PATIENCE)
            else:
                time.sleep(float(seconds))
            process.send_signal(getattr(signal, f"SIG{name}"))
        try:
            out, error = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    if ours is not None:
        os.close(theirs)
        error = read_terminal(ours).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if "lines" in how:
        word = how[how.index("lines") + 1].encode()
        out = b"".join(line for line in out.splitlines(keepends=True) if word in line)
    return ((out or b"").decode("utf-8", "backslashreplace"),
            error.decode("utf-8", "backslashreplace").replace("\33[K", "(cleared)\n"), f"{process.returncode}\n")


def answer(program, case, messages, certs):
    with tempfile.TemporaryDirectory() as work:
        there = f"{work}.socket"
        server = start(case.sections["server"].splitlines(), messages, certs, there)
        names = {"server": f"localhost:{server.port}", "port": str(server.port),
                 "certs": str(certs), "work": work, "there": there, "boot": f"{work}.json"}
        write_bootstrap(case.sections.get("boot"), names)
        got = ["", "", ""]
        try:
            for section in ("args", "then"):
                for line in case.sections.get(section, "").splitlines():
                    new = run(program, shlex.split(line.format(**names)),
                              case.sections.get("with", "").split(), server)
                    got = [got[0] + new[0], got[1] + new[1], got[2] + new[2]]
        except subprocess.TimeoutExpired:
            got[2] = f"no end within {PATIENCE} s\n"
        finally:
            told = server.stop() + [f"a file is left: {path.name}" for path in Path(work).glob("*.tmp")]
            Path(there).unlink(missing_ok=True)
            Path(names["boot"]).unlink(missing_ok=True)
    got[0] += "".join(f"server: {line}\n" for line in told)
    given = " ".join(text for name, text in case.sections.items() if name not in ("stdout", "stderr", "exit"))
    return {name: put_releases(put_names(text, names), given) for name, text in zip(("stdout", "stderr", "exit"), got)}


def write_bootstrap(text, names):
    if text is None:
        return
    for name, value in names.items():
        text = text.replace("{%s}" % name, value)
    Path(names["boot"]).write_text(text)


def put_names(text, names):
    text = text.replace((Path(names["certs"]) / "good.jwt").read_text(), "{token}")
    text = text.replace(names["there"].lstrip("/").replace("/", "%2F"), "{there, encoded}")
    for name in ("boot", "there", "work", "certs", "server"):
        text = text.replace(names[name], "{%s}" % name)
    text = re.sub(r"\d+ times so far", "{n} times so far", text)
    text = re.sub(r"(sslv3|ssl/tls) alert", "{tls} alert", text)    # by the release of OpenSSL
    text = re.sub(r"again in \d+ s\n", "again in {n} s\n", text)
    text = re.sub(r'"ruleIndex":\d+', '"ruleIndex":{n}', text)    # each new rule moves those after it
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "{time}", text)
    return re.sub(r"(?m)^(.*again in \{n\} s\n)\1+", r"\1", text.replace(f":{names['port']}", ":{port}"))


def check(program, case, messages, certs):
    """What differs, as text."""
    got = answer(program, case, messages, certs)
    wanted = {name: case.sections.get(name, "") for name in got}
    if got == wanted:
        return ""
    if os.environ.get("UPDATE"):
        case.sections.update(got)
        case.write()
        return ""
    return f"{case.path.relative_to(ROOT)}: {case.why.strip()}\n" + "".join(
        f"  {name} is\n{text}  instead of\n{wanted[name]}\n" for name, text in got.items() if text != wanted[name])


def main():
    program = str(Path(sys.argv[1]).resolve())
    paths = [Path(name).resolve() for name in sys.argv[2:]]
    paths = paths or sorted((ROOT / "testdata/fetch").glob("*.fetch"))
    assert paths
    with tempfile.TemporaryDirectory() as folder:
        certs = Path(folder)
        certificates.make(certs)
        messages = client_status.Messages(program, ROOT / "testdata/fetch/client", ROOT / "testdata/fetch/served")
        cases = [Case(path) for path in paths]
        failed = 0
        with ThreadPoolExecutor(AT_ONCE) as threads:
            for fault in threads.map(lambda case: check(program, case, messages, certs), cases):
                print(fault, end="")
                failed += fault != ""
    print(f"fetch: {len(paths) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
