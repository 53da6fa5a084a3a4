"""Asks clients what they make of clusters: {"name", "nack", "policy", "outlier"}, see trees.py."""
import base64
import json
import pathlib
import re
import shutil
import subprocess
import sys

import ads
from channel import Channel, full_bootstrap, read_answer
from clients import environment
from discovery import CDS
from xds_resource import Resource

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "live"))

import go as live_go  # noqa: E402

ANSWER_SECONDS = 30
POLICY = re.compile(r"parsed Cluster (\S+): .* lb_policy_config=")


# ---- programs of ours around the client's parser ----

def setup_go(installed):
    root = live_go.source(installed)
    for name, place in (("trees/go_tree.go.txt", "cmd/trees/main.go"),
                        ("lb/go/xdsclient_inspect.go.txt",
                         "internal/xds/clients/xdsclient/inspect.go")):
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(HERE.parent / name, root / place)
    subprocess.run(["go", "build", "-p", "1", "-o", installed.folder / "trees", "./cmd/trees"],
                   cwd=root, check=True)


def setup_java(installed):
    (installed.folder / "trees").mkdir(exist_ok=True)
    subprocess.run(["javac", "-nowarn", "-XDsuppressNotes", "-cp", "%s/lib/*" % installed.folder, "-d",
                    installed.folder / "trees", HERE / "TreeClient.java",
                    HERE.parent / "java/Client.java"], check=True)


COMMANDS = {
    "go": ["{folder}/trees"],
    "java": ["java", "-XX:+UseSerialGC", "-Xmx700m", "-cp", "{folder}/lib/*:{folder}/trees",
             "TreeClient"],
    "node": ["node", "{here}/tree_client.js", "{folder}"]}


class Parser:
    def __init__(self, installed):
        command = [a.format(folder=installed.folder, here=HERE)
                   for a in COMMANDS[installed.client.name]]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env=environment({"GRPC_XDS_BOOTSTRAP_CONFIG": full_bootstrap("", 1)}))

    def ask(self, clusters):
        """By name: the answer."""
        return {c["name"]: self.ask_one(c) for c in clusters}

    def ask_one(self, cluster):
        asked = {"name": cluster["name"], "value": base64.b64encode(cluster["bytes"]).decode()}
        self.process.stdin.write(json.dumps(asked).encode() + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()


# ---- core: its log ----

class Log:
    """What core writes about each resource that it has read."""
    TRACE = (("GRPC_TRACE", "xds_client"), ("GRPC_VERBOSITY", "DEBUG"))

    def __init__(self, installed):
        self.channel = Channel(ads.Server(), installed, self.TRACE, "")
        self.read = 0    # of what it has written

    def ask(self, clusters):
        resources = [Resource(c["name"], CDS, CDS, c["bytes"]) for c in clusters]
        nonce = self.channel.send(CDS, resources)
        request = self.channel.receive(lambda r: r.nonce == nonce, ANSWER_SECONDS)
        verdicts = read_answer(resources, request.error)
        out = {r.id: {"nack": v.text} for r, v in zip(resources, verdicts) if v.verdict == "NACK"}
        words = self.channel.words()
        for found in POLICY.finditer(words, self.read):
            policy, self.read = json.JSONDecoder().raw_decode(words, found.end())
            out[found[1]] = {"policy": policy}
        return out

    def close(self):
        self.channel.close()


SETUP = {"go": setup_go, "java": setup_java}
CLIENTS = {"core": Log, "go": Parser, "java": Parser, "node": Parser}


def setup(installed):
    """Builds what it needs. May raise CalledProcessError."""
    SETUP.get(installed.client.name, lambda _: None)(installed)
