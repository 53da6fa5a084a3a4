#!/usr/bin/env python3
"""words.py CLIENT RELEASE... - what RPCs fail with, by a real client, beside xdscope explain.

Serves testdata/fixtures/status-words.yaml, makes an RPC to each of its listeners, and to one that
is not there, and prints for each target the status of the client and the words of explain. Exit
status 1 if the words of explain are not in the status. Needs what ../README.md lists; a client
is installed below build/clients/status.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[3]
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "live")]
import cases  # noqa: E402
import serve  # noqa: E402

XDSCOPE = ROOT / "build/release/xdscope"
SNAPSHOT = ROOT / "testdata/fixtures/status-words.yaml"
WAIT_S = 120
STREAMS = 12    # that the ADS server has threads for
NODE = "the-node"


def main():
    client, releases = sys.argv[1], sys.argv[2:]
    found = json.loads(run([XDSCOPE, "convert", "-f", "json", SNAPSHOT]))
    found = found.get("resources", found) if isinstance(found, dict) else found
    snapshots = serve.Snapshots()
    backend = serve.backends(1)[0]
    snapshots.add(cases.encode([with_port(r, int(backend.address.split(":")[1])) for r in found]))
    targets = [r["name"] for r in found if r["@type"].endswith(".Listener")] + ["no-listener"]
    bad = False
    for release in releases:
        folder = ROOT / "build/clients/status" / client / release
        folder.mkdir(parents=True, exist_ok=True)
        command = globals()["install_" + client](folder, release)
        bad |= compare(client, release, ask(command, snapshots.port, targets, folder))
    return 1 if bad else 0


def with_port(resource, port):
    """A cluster that drops has a backend; the others refuse connections."""
    if resource.get("cluster_name") not in ("drop-all", "requests-zero"):
        return resource
    return json.loads(json.dumps(resource).replace('"port_value": 1}', f'"port_value": {port}}}'))


def run(command, folder=None, env=None):
    return subprocess.run([str(c) for c in command], cwd=folder, env=env, check=True,
                          stdout=subprocess.PIPE).stdout.decode()


def install_go(folder, release):
    (folder / "main.go").write_text((HERE / "words.go.txt").read_text())
    (folder / "go.mod").write_text("module words\n\ngo 1.19\n")
    env = {**os.environ, "GOFLAGS": "-mod=mod"}
    if not (folder / "words").exists():
        run(["go", "get", f"google.golang.org/grpc@v{release}"], folder, env)
        run(["go", "mod", "tidy"], folder, env)
        run(["go", "build", "-o", "words", "."], folder, env)
    return [folder / "words"]


def install_node(folder, release):
    if not (folder / "node_modules").exists():
        (folder / "package.json").write_text('{"private": true}\n')
        run(["npm", "install", "--silent", "--no-audit", "--no-fund",
             f"@grpc/grpc-js-xds@{release}", "@grpc/grpc-js"], folder)
    return ["node", HERE / "words.js", folder]


def install_core(folder, release):
    if not (folder / "bin").exists():
        run([sys.executable, "-m", "venv", folder])
        run([folder / "bin/python", "-m", "pip", "install", "-q", f"grpcio=={release}"])
    return [folder / "bin/python", HERE / "words_core.py"]


def install_java(folder, release):
    (folder / "pom.xml").write_text((HERE.parent / "java/pom.xml.in").read_text().replace("RELEASE", release))
    if not (folder / "lib").exists():
        run(["mvn", "-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory=lib"], folder)
    run(["javac", "-cp", "lib/*", "-d", ".", HERE / "Words.java"], folder)
    return ["java", "-cp", f"{folder}/lib/*:{folder}", "Words"]


def ask(command, port, targets, folder):
    """{target: (code, text)}"""
    bootstrap = folder / "bootstrap.json"
    bootstrap.write_text(json.dumps({
        "xds_servers": [{"server_uri": f"127.0.0.1:{port}", "channel_creds": [{"type": "insecure"}],
                         "server_features": ["xds_v3"]}],
        "node": {"id": NODE, "locality": {"region": "r", "zone": "z"}}}))
    env = {**os.environ, "GRPC_XDS_BOOTSTRAP": str(bootstrap)}
    env.pop("GRPC_XDS_BOOTSTRAP_CONFIG", None)
    said = {}
    for i in range(0, len(targets), STREAMS):
        done = subprocess.run([*map(str, command), *targets[i:i + STREAMS]], env=env,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=WAIT_S,
                              check=False)
        for line in map(json.loads, done.stdout.decode().splitlines()):
            said[line["target"]] = (line["code"], line["text"])
    return said


def explained(client, release, target):
    done = subprocess.run(
        [XDSCOPE, "explain", "-f", "json", "--client", f"{client}@{release}", "--target",
         f"xds:///{target}", "--path", "/s.S/M", SNAPSHOT],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return json.loads(done.stdout)


def compare(client, release, said):
    bad = False
    for target, (code, text) in sorted(said.items()):
        answer = explained(client, release, target)
        words = (answer["status"] or {}).get("message") or ""
        if not words:    # it assumes that endpoints answer
            print(f"not compared {client}@{release} {target}: {code} {text}")
            continue
        same = squeezed(words) in squeezed(text)
        bad |= not same
        print(f"{'same' if same else 'DIFFERS'} {client}@{release} {target}: {code} {text}")
        if not same:
            print(f"    explain: {words}")
    if not said:
        print(f"{client}@{release}: no answer")
    return bad or not said


def squeezed(text):
    """Ports and the node are those of the run."""
    return re.sub(r"\s+", " ", text).strip()


if __name__ == "__main__":
    sys.exit(main())
