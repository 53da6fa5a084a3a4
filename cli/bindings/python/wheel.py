#!/usr/bin/env python3
"""wheel.py PROGRAM MACHINE VERSION FOLDER - the package of cli/bindings/python with a program, as a wheel.

MACHINE is x86_64 or aarch64 of Linux, or a system of mk/zig.mk; "any" is the wheel for others, with xdscope.wasm as PROGRAM. The licenses of
what is linked into it are in THIRD-PARTY beside it. The addresses of mk/home.def are in the environment. A static program needs no libc: it runs on glibc and on musl, and the tags say so.
Source: packaging.python.org, "Binary distribution format" and "Core metadata". The same input gives the same bytes.
"""
import base64
import hashlib
import os
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
LINUX = ("manylinux_2_17", "manylinux2014", "musllinux_1_1")
TAGS = {"any": ["any"], "macos-arm64": ["macosx_11_0_arm64"], "macos-x86_64": ["macosx_11_0_x86_64"], "windows-x86_64": ["win_amd64"],
        **{processor: [f"{tag}_{processor}" for tag in LINUX] for processor in ("x86_64", "aarch64")}}

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
    program, machine, version, folder = sys.argv[1:]
    is_any = machine == "any"
    tags = TAGS[machine]
    info = f"xdscope-{version}.dist-info"
    wheel = f"Wheel-Version: 1.0\nGenerator: xdscope\nRoot-Is-Purelib: {str(is_any).lower()}\n" + "".join(
        f"Tag: py3-none-{tag}\n" for tag in tags)
    files = {str(path.relative_to(HERE)): path.read_bytes() for path in sorted(HERE.glob("xdscope/*.py"))}
    files["xdscope/py.typed"] = b""
    ending = ".exe" if machine.startswith("windows") else ""
    files["xdscope/xdscope.wasm" if is_any else f"xdscope/program/xdscope{ending}"] = Path(program).read_bytes()
    files[f"{info}/LICENSE"] = (HERE.parents[2] / "LICENSE").read_bytes()
    files[f"{info}/THIRD-PARTY"] = Path(program).with_name("THIRD-PARTY").read_bytes()
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
            entry.external_attr = (0o100755 if "/program/" in name else 0o100644) << 16
            archive.writestr(entry, content)
    print(out)


main()
