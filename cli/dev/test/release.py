"""release.py - for the tests beside it: a page of releases as `make dist` fills it, on a local server."""

import functools
import hashlib
import http.server
import io
import os
import platform
import re
import ssl
import subprocess
import tarfile
import threading

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
with open(os.path.join(ROOT, "Makefile"), encoding="utf-8") as makefile:
    VERSION = re.search(r"^VERSION *:= *(\S+)", makefile.read(), re.M).group(1)


def wrapper(program, word):
    """The program, which also says in the log that it lints, and which one it is."""
    return f'#!/bin/sh\n[ "$1" != lint ] || echo "lint by the {word} one"\nexec {program} "$@"\n'


def make_release(folder, program, spoilt=False, unlisted=False):
    """The files of this version, for this processor."""
    place = os.path.join(folder, f"v{VERSION}")
    name = f"xdscope-{VERSION}-linux-" + {"x86_64": "amd64", "aarch64": "arm64"}[platform.machine()]
    archive = os.path.join(place, f"{name}.tar.gz")
    os.makedirs(place)
    with tarfile.open(archive, "w:gz") as to:
        member = tarfile.TarInfo(f"{name}/bin/xdscope")
        content = wrapper(program, "downloaded").encode()
        member.size, member.mode = len(content), 0o755
        to.addfile(member, io.BytesIO(content))
    with open(archive, "rb") as data, open(os.path.join(place, "SHA256SUMS"), "w", encoding="utf-8") as out:
        out.write(f"{'0' * 64}  another.tar.gz\n{hashlib.sha256(data.read()).hexdigest()}  {'x' if unlisted else name}.tar.gz\n")
    if spoilt:
        with open(archive, "ab") as data:
            data.write(b"x")


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A server that says nothing of its requests."""

    def log_message(self, *args):
        pass


def make_certificate(folder):
    """A certificate of this machine and its key, in one file."""
    place = os.path.join(folder, "certificate.pem")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=DNS:localhost", "-keyout", place + ".key", "-out", place],
                   check=True, stderr=subprocess.DEVNULL)
    return place


def serving(folder, program):
    """A function that makes a release and gives its URL."""
    handler = functools.partial(Quiet, directory=folder)
    certificate = make_certificate(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, certificate + ".key")
    server = http.server.ThreadingHTTPServer(("localhost", 0), handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def serve(name, **how):
        make_release(os.path.join(folder, name), program, **how)
        return f"https://localhost:{server.server_port}/{name}"

    serve.folder, serve.certificate = folder, certificate
    return serve
