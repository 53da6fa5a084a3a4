"""The clients: how each is started, and how its answers are read off the wire."""
import json
import os
import pathlib
import subprocess
import zipfile
from typing import NamedTuple

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BUILD = ROOT / "build/clients"


class Client(NamedTuple):
    name: str
    needs: tuple     # programs that the installation uses
    program: tuple   # its arguments; {here}: this client's folder, {release}: the installation
    ready: str       # a file of a finished installation
    code: tuple      # patterns of files that name the environment variables it reads
    batch: int       # resources of a response. Only C-core's NACK says which one it is about
    window: int      # responses sent before the first is answered
    over: str        # "ads", or "pipe": its parser, asked by a program of ours


CLIENTS = {c.name: c for c in (
    Client("core", ("python3",), ("{release}/bin/python", "{here}/client.py"),
           "bin/python", ("lib/*/site-packages/grpc/_cython/*.so",), 500, 1, "ads"),
    Client("go", ("go",), ("{release}/client",), "client", ("client",), 1, 64, "ads"),
    Client("java", ("java", "javac", "mvn"),
           ("java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xss4m", "-Xmx700m",
            "-cp", "{release}/lib/*:{release}", "Client"),
           "Client.class", ("lib/grpc-*.jar",), 1, 64, "pipe"),
    Client("node", ("node", "npm"), ("node", "{here}/client.js"), "node_modules",
           ("node_modules/@grpc/*/build/src/*.js",), 1, 64, "pipe"),
)}


def minor(release):
    """1.85.1 -> (1, 85)"""
    return tuple(int(n) for n in release.split(".")[:2])


def releases(client):
    """The releases of releases.tsv, oldest first."""
    rows = (line.split() for line in (HERE / "releases.tsv").read_text().splitlines())
    return [row[1] for row in rows if row and row[0] == client]


class Installed:
    """A client at a release, below build/clients."""

    def __init__(self, client, release):
        self.client, self.release = client, release
        self.folder = BUILD / client.name / release

    def name(self):
        """As --client takes it: go@1.64.1, and go for the newest release."""
        name = self.client.name
        return name if self.release == releases(name)[-1] else "%s@%s" % (name, self.release)

    def there(self):
        return (self.folder / self.client.ready).exists()

    def install(self):
        """Raises CalledProcessError."""
        script = HERE / self.client.name / "install.sh"
        subprocess.run(["sh", script, self.release, self.folder], check=True)

    def command(self):
        here = HERE / self.client.name
        return [a.format(here=here, release=self.folder) for a in self.client.program]

    def reads(self, names):
        """Those of the environment variables that appear in the code of the client: another
        one makes no difference, and would need a process of its own."""
        kept = self.folder / "environment.json"
        known = json.loads(kept.read_text()) if kept.exists() else {}
        missing = [n for n in names if n not in known]
        if missing:
            code = b"".join(self.code())
            known.update({n: n.encode() in code for n in missing})
            kept.write_text(json.dumps(known, indent=1))
        return {n for n in names if known[n]}

    def code(self):
        for pattern in self.client.code:
            for path in sorted(self.folder.glob(pattern)):
                if path.suffix == ".jar":
                    with zipfile.ZipFile(path) as jar:
                        yield from (jar.read(name) for name in jar.namelist())
                else:
                    yield path.read_bytes()


def environment(variables):
    """That of this process without what gRPC reads, and with these variables."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("GRPC_")}
    return {**kept, **variables}
