"""Real clients: programs with a channel and CSDS, beside the installations of ../clients.py."""
import pathlib
import queue
import shutil
import subprocess
import threading

from clients import environment

HERE = pathlib.Path(__file__).resolve().parent
START_SECONDS = 300


def setup_core(installed):
    minor = ".".join(installed.release.split(".")[:2])
    subprocess.run([installed.folder / "bin/python", "-m", "pip", "install", "-q", "--only-binary",
                    ":all:", "grpcio==" + installed.release, "grpcio-csds==%s.*" % minor], check=True)


def setup_go(installed):
    folder = installed.folder / "csds"
    folder.mkdir(exist_ok=True)
    shutil.copyfile(HERE / "go/client.go", folder / "main.go")
    (folder / "go.mod").write_text("module csds\n\ngo 1.19\n\nrequire google.golang.org/grpc v%s\n"
                                   % installed.release)
    subprocess.run(["go", "mod", "tidy"], cwd=folder, check=True, stderr=subprocess.DEVNULL)
    subprocess.run(["go", "build", "-p", "1", "-ldflags", "-s -w", "-o", "client", "."], cwd=folder,
                   check=True)


def setup_java(installed):
    subprocess.run(["javac", "-nowarn", "-cp", "%s/lib/*" % installed.folder, "-d",
                    installed.folder / "csds", HERE / "java/CsdsClient.java"], check=True)


# What shows that it is there, how it is made, and the program.
PROGRAMS = {
    "core": ("csds.done", setup_core, ("{folder}/bin/python", "{here}/core/client.py")),
    "go": ("csds/client", setup_go, ("{folder}/csds/client",)),
    "java": ("csds/CsdsClient.class", setup_java,
             ("java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xss4m", "-Xmx300m", "-cp",
              "{folder}/lib/*:{folder}/csds", "CsdsClient")),
    "node": ("node_modules", lambda installed: None, ("node", "{here}/node/client.js", "{folder}")),
}


def setup(installed):
    """May raise CalledProcessError."""
    there, make, _ = PROGRAMS[installed.client.name]
    if not (installed.folder / there).exists():
        make(installed)
        if there.endswith(".done"):
            (installed.folder / there).touch()


class Program:
    """A client that runs; `port` is that of its CSDS."""

    def __init__(self, installed, target, bootstrap, log, *port):
        command = [a.format(folder=installed.folder, here=HERE)
                   for a in PROGRAMS[installed.client.name][2]]
        self.process = subprocess.Popen(
            [*command, "xds:///" + target, *port], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
            env=environment({"GRPC_VERBOSITY": "ERROR", "GRPC_XDS_BOOTSTRAP": bootstrap}))
        first = queue.Queue()
        threading.Thread(target=lambda: first.put(self.process.stdout.readline()), daemon=True).start()
        line = first.get(timeout=START_SECONDS)
        self.port = int(line) if line.strip() else 0    # 0: it has ended

    def lives(self):
        return self.process.poll() is None

    def close(self):
        self.process.kill()
        self.process.wait()
