"""Control planes: programs that serve a snapshot to each node id.

A program reads a line of JSON for each snapshot: {"node", "version", "resources": [{"type_url",
"value"}]}, value in base64, and answers {"set": node, "error", "port": where it is served}. For
each request that it gets it prints {"node", "stream", "type_url", "names", "version", "nonce",
"error"}: error is the text of a NACK, or null; streams of delta have negative numbers. istio serves
a configuration of its own (istio/config) to every node, and does not print requests; cilium serves
each snapshot to any node, at a port of its own.
"""
import base64
import collections
import json
import pathlib
import queue
import re
import shutil
import subprocess
import threading
from typing import NamedTuple

import snapshots
from clients import BUILD

HERE = pathlib.Path(__file__).resolve().parent
SET_SECONDS, END_SECONDS = 300, 60


def istio_node(name):
    """A proxyless workload: istiod reads its kind, address and namespace from the id."""
    return {"id": "sidecar~10.0.0.1~%s.shop~shop.svc.cluster.local" % re.sub(r"\W+", "-", name),
            "metadata": {"GENERATOR": "grpc", "INSTANCE_IPS": "10.0.0.1", "ISTIO_VERSION": "1.31.0",
                         "CLUSTER_ID": "Kubernetes", "NAMESPACE": "shop"}}


def cilium_node(name):
    """Cilium reads the address of a host from the id."""
    return {"id": "host~127.0.0.1~%s~local" % re.sub(r"\W+", "-", name)}


class Kind(NamedTuple):
    name: str
    module: str
    release: str
    needs: tuple
    program: tuple
    ready: str
    draw: object = snapshots.draw   # (count, seed) -> snapshots that it can serve
    node: object = lambda name: {"id": name}
    has_delta: bool = True


KINDS = {k.name: k for k in (
    Kind("go", "go-control-plane", "0.14.0", ("go",), ("{folder}/control-plane",), "control-plane"),
    Kind("java", "java-control-plane", "1.0.49", ("java", "javac", "mvn"),
         ("java", "-XX:+UseSerialGC", "-Xmx700m", "-cp", "{folder}/lib/*:{folder}", "ControlPlane"),
         "ControlPlane.class"),
    Kind("istio", "istiod", "0.0.0-20260827124520-eed52ebb66ad", ("go",),
         # Its own marshalling writes the entries of a map in any order.
         ("env", "ENABLE_VTPROTOBUF=false", "{folder}/control-plane", "{here}/istio/config"), "control-plane", snapshots.of_istio, istio_node),
    Kind("cilium", "the xDS server of Cilium", "1.20.2", ("go",), ("{folder}/control-plane",), "control-plane",
         snapshots.of_one_each, cilium_node, False),
)}


def folder_of(kind):
    return BUILD / "planes" / kind.name / kind.release


def install(name):
    """A text that says why not, or None."""
    kind = KINDS[name]
    missing = [tool for tool in kind.needs if not shutil.which(tool)]
    if missing:
        return "%s not found" % ", ".join(missing)
    if (folder_of(kind) / kind.ready).exists():
        return None
    print("installing %s %s" % (kind.module, kind.release), flush=True)
    done = subprocess.run(["sh", HERE / name / "install_plane.sh", kind.release, folder_of(kind)])
    return "it cannot be installed (exit status %d)" % done.returncode if done.returncode else None


class Plane:
    def __init__(self, name, *port):
        kind = KINDS[name]
        command = [*(a.format(folder=folder_of(kind), here=HERE) for a in kind.program), *port]
        self.name = name
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        self.answers, self.lock = queue.Queue(), threading.Lock()
        self.requests = collections.defaultdict(list)    # by node
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            said = json.loads(line)
            if "stream" in said:
                self.requests[said["node"]].append(said)
            else:
                self.answers.put(said)

    def set(self, node, version, resources):
        """(port, error), one of which is None. resources: pairs of type URL and bytes."""
        asked = {"node": node, "version": version, "resources": [
            {"type_url": url, "value": base64.b64encode(value).decode()} for url, value in resources]}
        with self.lock:
            self.process.stdin.write(json.dumps(asked).encode() + b"\n")
            self.process.stdin.flush()
            answer = self.answers.get(timeout=SET_SECONDS)
        return answer.get("port"), answer["error"]

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=END_SECONDS)
