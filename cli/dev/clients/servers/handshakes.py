"""handshakes.py - whether real clients accept the certificate of a server. See README.md.

A client program gets a line of JSON for each case, {"target", "seconds"}: it opens a channel with
XdsCredentials over insecure ones, makes one RPC, closes the channel, and answers {"error"}.

The server is none of gRPC: it does TLS, and waits for the first bytes of HTTP/2, which a client
sends only once it has accepted the certificate.

A case is kept as a line of JSON: {"client", "seed", "case", "snapshot", "certificate", "sans",
"ca", "env", "seen": {"connected", "accepted", "sni", "identity"}, "nacked"}.
"""
import argparse
import collections
import json
import pathlib
import random
import socket
import ssl
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[1:1] = [str(HERE.parent), str(HERE.parent / "live")]

import cases  # noqa: E402
import each_client  # noqa: E402
import live  # noqa: E402
import serve  # noqa: E402
from adapter import Adapter, Died  # noqa: E402
from clients import BUILD, environment  # noqa: E402
from handshake_cases import HandshakeGenerator  # noqa: E402
from servers import build_go  # noqa: E402
from discovery import CDS, EDS, LDS  # noqa: E402

OUT = BUILD / "handshakes"
SECONDS = 4           # for an RPC
FIRST_SECONDS = 15    # of a program that has just begun
TLS_SECONDS = 10
SHOWN = 10
COLUMNS = ("cases", "accepted", "refused", "agree", "explained", "differ")
SNI = "GRPC_EXPERIMENTAL_XDS_SNI"
ENV = {"go": ((SNI, "true"),)}    # in half of the runs, by seed


# ---- the server ----

class TlsServer:
    """Serves one certificate on a port of its own, and says what its connections were."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.seen = []

    def start(self, chain, key, ca):
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(chain, key)
        self.context.load_verify_locations(ca)
        self.context.verify_mode = ssl.CERT_OPTIONAL
        self.context.set_alpn_protocols(["h2"])
        threading.Thread(target=self.run, daemon=True).start()

    def stop(self):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()

    def run(self):
        try:
            while True:
                self.shake(self.socket.accept()[0], self.context, self.seen)
        except OSError:
            pass    # stopped

    @staticmethod
    def shake(connection, context, seen):
        said = {"connected": True, "accepted": False, "sni": None, "identity": None}

        def note(_socket, name, _context):
            said["sni"] = name

        context.sni_callback = note
        connection.settimeout(TLS_SECONDS)
        try:
            with context.wrap_socket(connection, server_side=True) as tls:
                said["accepted"] = tls.recv(3) == b"PRI"
                subject = (tls.getpeercert() or {}).get("subject", ())
                said["identity"] = dict(pair[0] for pair in subject).get("commonName")
        except (OSError, ValueError) as e:
            said["words"] = str(e)
        finally:
            connection.close()
        seen.append(said)


# ---- the clients ----

def setup_java(installed):
    folder = installed.folder / "handshakes"
    folder.mkdir(exist_ok=True)
    subprocess.run(["javac", "-nowarn", "-Xlint:-deprecation", "-cp",
                    "%s/lib/*" % installed.folder, "-d", folder, HERE / "HandshakeClient.java"],
                   check=True)


PROGRAMS = {
    "core": (lambda i: None, lambda i: [str(i.folder / "bin/python"), str(HERE / "core_handshake.py")]),
    "go": (lambda i: build_go(i.folder / "handshakes", ["go_handshake.go.txt"],
                              ["google.golang.org/grpc v" + i.release]),
           lambda i: [str(i.folder / "handshakes/program")]),
    "java": (setup_java, lambda i: [
        "java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx700m", "-cp",
        "{0}/lib/*:{0}/handshakes".format(i.folder), "HandshakeClient"]),
    "node": (lambda i: None, lambda i: ["node", str(HERE / "node_handshake.js"), str(i.folder)]),
}


class Run:
    def __init__(self, options, name, installed):
        self.options, self.name, self.client = options, name, installed.name()
        self.snapshots = serve.Snapshots()
        self.generator = HandshakeGenerator(
            random.Random("%s/%d" % (name, options.seed)), OUT / ("%s-%d" % (name, options.seed)))
        bootstrap = {**live.bootstrap(self.snapshots.port),
                     "certificate_providers": self.generator.providers()}
        self.bootstrap = json.dumps(bootstrap)
        self.env = ENV.get(name, ()) if options.seed % 2 else ()
        self.adapter = Adapter(PROGRAMS[name][1](installed), bootstrap)
        self.adapter.variables.update(self.env)
        self.counts = collections.Counter()
        self.shown = 0
        self.kept = OUT / ("%s-%d.jsonl" % (self.client, options.seed))

    def play(self, number):
        server = TlsServer()
        case = self.generator.case(number, server.port)
        case.update({"client": self.client, "seed": self.options.seed, "env": self.env})
        server.start(case["certificate"], case["key"], self.generator.ca("ca"))
        self.snapshots.add(cases.encode(case["snapshot"]))
        try:
            seconds = SECONDS if self.adapter.process else FIRST_SECONDS
            case["told"] = self.adapter.ask({"target": "xds:///" + case["name"], "seconds": seconds})
        except Died as words:
            case["died"] = str(words)
        end = time.time() + TLS_SECONDS
        while self.nack(case) is None and not server.seen and time.time() < end:
            time.sleep(0.01)
        case["seen"] = server.seen[0] if server.seen else {"connected": False}
        case["nacked"] = self.nack(case)
        server.stop()
        return case

    def nack(self, case):
        for type_url in (LDS, CDS, EDS):
            words = self.snapshots.verdicts.get((type_url, case["name"]))
            if words:
                return words
        return None

    def explain(self, case):
        source = self.generator.folder / "snapshot.json"
        source.write_text(json.dumps(case["snapshot"]))
        bootstrap = self.generator.folder / "bootstrap.json"
        bootstrap.write_text(self.bootstrap)
        done = subprocess.run(
            [cases.XDSCOPE, "explain", "--client", case["client"], "-q", "-f", "json",
             "--bootstrap", bootstrap, *("--env=%s=%s" % tuple(p) for p in case["env"]),
             "--target", "xds:///" + case["name"], "--path", "/s/m", "--server-cert",
             case["certificate"], "--ca", case["ca"], source],
            capture_output=True, env=environment({}))
        if not done.stdout:
            return {"outcome": "error", "words": done.stderr.decode()}
        return json.loads(done.stdout)

    @staticmethod
    def difference(case, decision):
        seen = case["seen"]
        if decision["outcome"] == "error":
            return "error: " + decision["words"]
        if not decision.get("security"):
            return None if not seen["connected"] else decision["outcome"] + ", but it connects"
        security = decision["security"][0]
        if not seen["connected"]:
            return "there is no connection"
        if not security["tls"]:
            return "plaintext, but TLS"
        if security["tls_handshake"]["accepted"] != seen["accepted"]:
            return "accepted: %s" % seen["accepted"]
        if security["sni_from"] != "authority" and security["sni"] != seen["sni"]:
            return "SNI: %s" % seen["sni"]
        return None

    @staticmethod
    def explained(case):
        """The server has seen another channel, or the client was too slow."""
        seen = case["seen"]
        other = (seen.get("sni") or "").startswith("case") and seen["sni"] != case["name"]
        return other or "timed out" in seen.get("words", "")

    def compare(self, case):
        decision = self.explain(case)
        why = self.difference(case, decision)
        self.counts["cases"] += 1
        if why and self.explained(case):
            self.counts["explained"] += 1
            return
        self.counts["accepted" if case["seen"].get("accepted") else "refused"] += 1
        self.counts["differ" if why else "agree"] += 1
        if not why:
            return
        self.shown += 1
        if self.shown > SHOWN:
            return
        live.say("DIFFERS: %s case %d: %s" % (self.client, case["case"], why))
        for what in ("what", "sans", "seen", "told", "nacked", "died"):
            live.say("  %s: %s" % (what, json.dumps(case.get(what))))
        live.say("  cluster: %s" % json.dumps(case["snapshot"][1].get("transport_socket")))
        live.say("  xdscope: %s" % json.dumps(decision.get("security") or decision))

    def run(self):
        if self.options.kept:
            for line in self.kept.open():
                self.compare(json.loads(line))
            return self.counts
        self.generator.make()
        with self.kept.open("w") as kept:
            for number in range(1, self.options.count + 1):
                case = self.play(number)
                kept.write(json.dumps(case) + "\n")
                kept.flush()
                self.compare(case)
        self.adapter.stop()
        return self.counts


def main():
    parser = argparse.ArgumentParser(prog="handshakes.py")
    parser.add_argument("--clients", default="core go java node", help="names, by space or comma")
    parser.add_argument("--release", default="newest", help="newest, or 1.64")
    parser.add_argument("--count", type=int, default=500, help="handshakes of each client")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kept", action="store_true", help="no clients: compare what an earlier run "
                        "with this seed has kept")
    options = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    each_client.play(
        options.clients, COLUMNS,
        lambda name: each_client.ready(name, options.release, (), PROGRAMS[name][0]),
        lambda name, installed: Run(options, name, installed).run())


if __name__ == "__main__":
    main()
