#!/usr/bin/env python3
"""wheel.py PROGRAM PROCESSOR VERSION FOLDER - the package of cli/bindings/python with a static program, as a wheel.

PROCESSOR is x86_64 or aarch64; "any" is the wheel for other systems, such as macOS, with xdscope.wasm as PROGRAM. The addresses of mk/home.def are in the environment. A static program needs no libc: it runs on glibc and on musl, and the tags say so.
Source: packaging.python.org, "Binary distribution format" and "Core metadata". The same input gives the same bytes.
"""
import base64
import hashlib
import os
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TAGS = ("manylinux_2_17", "manylinux2014", "musllinux_1_1")

METADATA = """Metadata-Version: 2.1
Name: xdscope
Version: {version}
Summary: Check whether gRPC clients accept an xDS snapshot, and where an RPC goes
License: Apache-2.0
Keywords: xds,grpc,envoy,lint
Classifier: Framework :: Pytest
Classifier: Topic :: Software Development :: Quality Assurance
Classifier: Typing :: Typed
Requires-Python: >=3.9
{needs}{links}Description-Content-Type: text/plain

See xdscope-python(7), and `xdscope --help`.
"""
ENTRY_POINTS = """[console_scripts]
xdscope = xdscope.__main__:main

[pytest11]
xdscope = xdscope.pytest_plugin
"""


def main():
    program, processor, version, folder = sys.argv[1:]
    is_any = processor == "any"
    tags = ["any"] if is_any else [f"{tag}_{processor}" for tag in TAGS]
    info = f"xdscope-{version}.dist-info"
    wheel = f"Wheel-Version: 1.0\nGenerator: xdscope\nRoot-Is-Purelib: {str(is_any).lower()}\n" + "".join(
        f"Tag: py3-none-{tag}\n" for tag in tags)
    files = {str(path.relative_to(HERE)): path.read_bytes() for path in sorted(HERE.glob("xdscope/*.py"))}
    files["xdscope/py.typed"] = b""
    files["xdscope/xdscope.wasm" if is_any else "xdscope/program/xdscope"] = Path(program).read_bytes()
    files[f"{info}/LICENSE"] = (HERE.parents[2] / "LICENSE").read_bytes()
    homes = (("Homepage", os.environ.get("SITE_URL")), ("Repository", os.environ.get("PROJECT_URL")))
    links = "".join(f"Project-URL: {name}, {url}\n" for name, url in homes if url)
    files[f"{info}/METADATA"] = METADATA.format(version=version, needs="Requires-Dist: wasmtime\n" if is_any else "", links=links).encode()
    files[f"{info}/WHEEL"] = wheel.encode()
    files[f"{info}/entry_points.txt"] = ENTRY_POINTS.encode()
    record = "".join(
        f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b'=').decode()},{len(content)}\n"
        for name, content in files.items())
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    out = Path(folder, f"xdscope-{version}-py3-none-{'.'.join(tags)}.whl")
    out.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if name.endswith("/program/xdscope") else 0o100644) << 16
            archive.writestr(entry, content)
    print(out)


main()
