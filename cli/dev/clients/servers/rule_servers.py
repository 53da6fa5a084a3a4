"""rule_servers.py - what real xDS servers make of the rule cases that have plays. See README.md.

The listener of a case gets the address of the run, and with it its name; all else is as it is.
The RPCs are those of its plays, and some random ones.
"""
import json
import pathlib
import re
import shlex
import subprocess
import tempfile

import servers    # where the other folders are

import cases
import certificates
from clients import ROOT, environment
from discovery import LDS, RDS
from server_cases import LISTENER, ServerGenerator

RANDOM = 4    # RPCs of a case besides
ANY = "0.0.0.0"
# All addresses are local ones: a peer comes from where a play says.
NETWORK = servers.NETWORK.replace("exec", "ip route add local 0.0.0.0/0 dev lo && exec")
OF_RPC = {"--server", "--local", "--peer", "--path", "--authority", "-H", "--client", "--sni",
          "--peer-san", "--peer-subject"}
OF_INPUT = {"--type", "--env", "--bootstrap"}


class Play:
    """A line of the section."""

    def __init__(self, line):
        self.rpc, self.headers, self.env, self.options, self.inputs = {}, [], {}, {}, []
        words = iter(shlex.split(line)[1:])
        for word in words:
            if word == "-H":
                name, _, value = next(words).partition(":")
                self.headers.append([name.strip().lower(), value.strip()])
            elif word == "--env":
                name, _, value = next(words).partition("=")
                self.env[name] = value
            elif word in OF_RPC:
                self.rpc[word] = next(words)
            elif word in OF_INPUT:
                self.options[word] = next(words)
            elif word.startswith("-"):
                self.options[word] = True
            else:
                self.inputs.append(word)


def section(path, name):
    """Its lines; none if it is not there."""
    text = path.read_text(errors="replace")
    _, found, rest = text.partition("\n-- %s --\n" % name)
    lines = rest.partition("\n-- ")[0].split("\n") if found else []
    return [line for line in lines if line and not line.startswith("#")]


def resources(play, folder):
    """As JSON, the listener first. Raises LeftOut."""
    words = [w for k in ("--type", "--allow-unknown-fields") if k in play.options
             for w in ([k] if play.options[k] is True else [k, play.options[k]])]
    found = []
    for given in play.inputs:
        done = subprocess.run([cases.XDSCOPE, "convert", "-q", "-f", "json", *words, given],
                              cwd=folder, env=environment({}), capture_output=True)
        if done.returncode not in (0, 1) or not done.stdout:
            raise cases.LeftOut("cannot be converted")
        document = json.loads(done.stdout)
        found += document if isinstance(document, list) else document.get("resources", [document])
    listeners = [r for r in found if r.get("@type") == LDS and
                 (r.get("filter_chains") or r.get("default_filter_chain"))]
    if len(listeners) != 1:
        raise cases.LeftOut("not one listener of servers")
    return listeners + [r for r in found if r.get("@type") == RDS]


class Case:
    def __init__(self, path):
        self.name = str(path.relative_to(ROOT / "testdata/rules"))[:-len(".case")]
        self.plays = [Play(line) for line in section(path, "plays")]
        if not self.plays:
            raise cases.LeftOut("it has no play")
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([cases.UNPACK, path, folder], cwd=ROOT, check=True,
                           capture_output=True)
            self.snapshot = resources(self.plays[0], folder)
            boot = self.plays[0].options.get("--bootstrap")
            given = json.loads((pathlib.Path(folder) / boot).read_text()) if boot else {}
        self.providers = tuple(sorted(given.get("certificate_providers", {})))
        self.env = tuple(sorted(self.plays[0].env.items()))
        socket = self.snapshot[0].get("address", {}).get("socket_address", {})
        if socket.get("address") != ANY or "port_value" not in socket:
            raise cases.LeftOut("its address is not 0.0.0.0 with a port")
        if not 0 < socket["port_value"] < 65536:
            raise cases.LeftOut("its port is none")

    def managers(self):
        chains = [*self.snapshot[0].get("filter_chains", []),
                  self.snapshot[0].get("default_filter_chain") or {}]
        return [f["typed_config"] for c in chains for f in c.get("filters", [])
                if "typed_config" in f]

    def move(self, port):
        """To the address of the run, with routes of its own: the client may still have others of
        the name."""
        for owner, name in [(m.get("rds", {}), "route_config_name") for m in self.managers()] + [
                (r, "name") for r in self.snapshot[1:]]:
            if owner.get(name):
                owner[name] += "-%d" % port
        self.snapshot[0]["name"] = "%s%s:%d" % (LISTENER, ANY, port)
        self.snapshot[0]["address"]["socket_address"]["port_value"] = port

    def has_tls(self):
        return "transport_socket" in json.dumps(self.snapshot[0])


def all_cases():
    """Those that can be asked, those with the same bootstrap side by side; and how many cannot."""
    found, left_out = [], 0
    for path in sorted((ROOT / "testdata/rules").glob("*/*.case")):
        try:
            found.append(Case(path))
        except (cases.LeftOut, ValueError):
            left_out += bool(section(path, "plays"))
    return sorted(found, key=lambda c: (c.providers, c.env)), left_out


class Run(servers.Run):
    of = "rules"

    def restart(self, case):
        """With the bootstrap and environment of a case, if they are others."""
        made = certificates.providers(servers.OUT / "certificates")["first"]
        bootstrap = {**json.loads(self.bootstrap),
                     "certificate_providers": {n: made for n in case.providers}}
        env = (*self.server.env, *case.env)
        if (json.dumps(bootstrap), env) == (self.bootstrap, self.env):
            return
        self.bootstrap, self.env = json.dumps(bootstrap), env
        self.adapter.stop()
        self.adapter.variables = {"GRPC_VERBOSITY": "NONE", **dict(env),
                                  "GRPC_XDS_BOOTSTRAP_CONFIG": self.bootstrap}

    def rpc_of(self, case, play, port):
        local = play.rpc.get("--local", "")
        host = local.rpartition(":")[0] if local.count(":") == 1 else "127.0.0.1"
        source = play.rpc["--peer"]
        tls = case.has_tls() if "--plaintext" not in play.options else False
        return {"from": source if source.count(":") == 1 else source + ":0",
                "to": "%s:%d" % (host, port), "path": play.rpc["--path"],
                "authority": play.rpc.get("--authority", "any.example"),
                "headers": [*play.headers, ["te", "trailers"],
                            ["content-type", "application/grpc"]],
                **({"tls": tls, "cert": None, "server_name": play.rpc.get("--sni", "")}
                   if case.has_tls() else {})}

    def make_of(self, case, number):
        port = servers.FIRST_PORT + number
        case.move(port)
        generator = ServerGenerator(number, self.random, "%s:%d" % (ANY, port), case.has_tls())
        rpcs = [self.rpc_of(case, p, port) for p in case.plays
                if ":" not in p.rpc["--peer"] or p.rpc["--peer"].count(":") == 1]
        rpcs += [generator.rpc() for _ in range(RANDOM)]
        return {"client": self.client, "seed": self.options.seed, "case": case.name,
                "address": "%s:%d" % (ANY, port), "snapshot": case.snapshot,
                "judged": self.judge(case.snapshot), "rpcs": rpcs}

    @staticmethod
    def named(snapshot):
        found = re.findall(r'"route_config_name": "([^"]+)"', json.dumps(snapshot[0]))
        return set(found)

    def run(self):
        if self.options.kept:
            return self.run_again()
        found, left_out = all_cases()
        print("%d rule cases, %d left out" % (len(found), left_out), flush=True)
        with self.kept.open("w") as kept:
            for number, rule in enumerate(found, 1):
                self.restart(rule)
                case = self.make_of(rule, number)
                self.play(case)
                self.ask_again(case)
                kept.write(json.dumps({**case, "bootstrap": self.bootstrap,
                                       "env": self.env}) + "\n")
                self.count(case)
                self.compare(case)
        self.adapter.stop()
        self.peer.stop()
        return self.counts


def main():
    servers.play_all(Run, NETWORK)


if __name__ == "__main__":
    main()
