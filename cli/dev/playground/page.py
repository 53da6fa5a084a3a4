"""page.py PROGRAM MODULE.wasm PAGE - one file with all that the page needs: the module of the bindings and the texts of the
rules, packed, the clients and their releases, examples, style and script, and a Content-Security-Policy that lets nothing
else in and nothing out. PROGRAM says what its rules are."""

import base64
import glob
import gzip
import hashlib
import html
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "..", "..", ".."))


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as text:
        return text.read()


def clients():
    """[{name, title, releases: ["1.85", ...]}], the newest release first."""
    rows = read(ROOT, "libvalidate", "include", "xdscope", "clients.def")
    found = re.findall(r'^XDS_CLIENT\((\w+), "([^"]*)", \w+,\s*"[^"]*",\s*"([^"]*)"', rows, re.M)
    releases = re.findall(r"^XDS_RELEASE\((\w+), (\d+), (\d+)", rows, re.M)
    return [{"name": name, "title": title,
             "releases": [f"{major}.{minor}" for who, major, minor in reversed(releases) if who == key]}
            for key, name, title in found]


def examples():
    folders = {"shop: session affinity, a canary, priorities": "shop", "gateway: written for Envoy": "gateway"}
    return {title: {os.path.basename(path): read(path) for path in
                    sorted(glob.glob(os.path.join(ROOT, "testdata", "snapshots", folder, "*.yaml")))}
            for title, folder in folders.items()}


def packed(data):
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()


def says(program, *args):
    return subprocess.run([program, *args], check=True, capture_output=True, text=True).stdout


def rules(program):
    """Each rule's text, as `xdscope rule NAME` has it."""
    names = [rule["rule"] for rule in json.loads(says(program, "rule", "-f", "json"))["rules"]]
    return {name: says(program, "rule", "--color", "never", name) for name in names}


def source_hash(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def main():
    program, wasm, page = sys.argv[1:]
    style, script = read(HERE, "page.css"), read(ROOT, "cli", "bindings", "node", "index.js") + read(HERE, "page.js")
    with open(wasm, "rb") as stored:
        module = packed(stored.read())
    data = json.dumps({"version": says(program, "--version").splitlines()[0], "clients": clients(), "examples": examples()})
    policy = ("default-src 'none'; base-uri 'none'; form-action 'none'; "
              f"style-src {source_hash(style)}; script-src 'wasm-unsafe-eval' {source_hash(script)}")
    parts = {"POLICY": html.escape(policy), "STYLE": style, "SCRIPT": script, "DATA": data.replace("<", "\\u003c"), "WASM": module,
             "RULES": packed(json.dumps(rules(program)).encode())}
    with open(page, "w", encoding="utf-8") as out:
        out.write(re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found.group(1)], read(HERE, "page.html")))


main()
