"""sbom.py ARCHITECTURE OBJECTS FOLDER OUT - what is linked into the static program, as SPDX 2.3:
the archives that the linker's map in OBJECTS/map names, each as the package of Debian that it is
of; and the libraries that were built from its sources, whose versions are in FOLDER/static. The
names of the packages go to FOLDER/linked, for their licenses. A package whose license is not
listed here is an error.
sbom.py wasm FOLDER OUT: the same of FOLDER/xdscope.wasm, whose libraries were built from the sources
of Debian in FOLDER/deps.
sbom.py SYSTEM FOLDER PROGRAM OUT: the same of a program of mk/zig.mk, with FOLDER/openssl besides."""

import glob
import hashlib
import json
import os
import re
import subprocess
import sys
import time
from urllib.parse import quote

# Source package -> its license, as SPDX spells it.
LICENSES = {
    "cjson": "MIT",
    "gcc-12": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "gcc-12-cross": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "glibc": "LGPL-2.1-or-later",
    "cross-toolchain-base": "LGPL-2.1-or-later",
    "libyaml": "MIT",
    "llvm-toolchain-14": "Apache-2.0 WITH LLVM-exception",
    "libzstd": "BSD-3-Clause OR GPL-2.0-only",
    "nghttp2": "MIT",
    "openssl": "Apache-2.0",
    "pcre2": "BSD-3-Clause",
    "protobuf-c": "BSD-2-Clause",
    "wasi-libc": "Apache-2.0 WITH LLVM-exception AND Apache-2.0 AND MIT AND BSD-2-Clause",
    "xxhash": "BSD-2-Clause",
    "zig": "MIT AND Apache-2.0 WITH LLVM-exception AND ZPL-2.1",
    "zlib": "Zlib",
}

# What is linked from a source that was built here -> the package of it that a machine has.
INSTALLED = {"cjson": "libcjson1", "openssl": "libssl3"}


def ask(*words):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout.decode().strip()


def packages_of(link_map):
    """Of the archives whose members lld has kept, and of the objects that start a program.
    What was built here has no absolute path."""
    with open(link_map, encoding="utf-8", errors="replace") as lines:
        text = lines.read()
    paths = {os.path.realpath(path) for path in re.findall(r" (/\S+?\.[ao])(?:\(\S+\.o\))?:\(", text)}
    found = ask("dpkg-query", "-S", *sorted(paths)).split("\n")
    if len(found) != len(paths):
        sys.exit("sbom.py: not all that is linked is of a package")
    return {line.rpartition(": ")[0] for line in found}


def row(name, version, source, source_version, home, purl):
    if source not in LICENSES:
        sys.exit(f"sbom.py: the license of {source} ({name}) is not known")
    return {
        "SPDXID": "SPDXRef-" + re.sub("[^A-Za-z0-9.-]", "-", name),
        "name": name,
        "versionInfo": version,
        "supplier": "Organization: Debian",
        "downloadLocation": "NOASSERTION",
        "homepage": home or "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": LICENSES[source],
        "copyrightText": "NOASSERTION",
        "sourceInfo": f"Debian source package {source} {source_version}",
        "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}],
    }


def purl_of(name, version, arch):
    return f"pkg:deb/debian/{name}@{quote(version, safe='.-_~')}?arch={arch}&distro=debian-12"


def package_row(package):
    fields = ("${Package}", "${Architecture}", "${Version}", "${source:Package}", "${source:Version}", "${Homepage}")
    name, arch, version, *source = ask("dpkg-query", "-W", "-f=" + "\\t".join(fields) + "\\t.", package).split("\t")[:-1]
    return row(name, version, *source, purl_of(name, version, arch))


def built_row(source, version):
    return row(source, version, source, version, "", purl_of(source, version, "source"))


def check_age(source, version):
    """What was built from a source is not older than what this machine has, unless ALLOW_OLDER names it."""
    installed = ask("dpkg-query", "-W", "-f=${source:Version}\\n", INSTALLED[source]).split("\n")[0]
    older = subprocess.run(["dpkg", "--compare-versions", version, "lt", installed], check=False).returncode == 0
    if older and source not in os.environ.get("ALLOW_OLDER", "").split():
        sys.exit(f"sbom.py: {source} {version} is linked, which is older than {installed}, which is installed; "
                 f"ALLOW_OLDER={source} allows it")


def program(arch, objects, folder, out):
    used = sorted(packages_of(os.path.join(objects, "map")))
    built = []
    for path in (glob.glob(os.path.join(folder, "static", "*.version")) +
                 glob.glob(os.path.join(folder, "static", "*", "*.version"))):
        with open(path, encoding="utf-8") as text:
            built.append((os.path.basename(path).rpartition(".")[0], text.read().strip()))
    for each in built:
        check_age(*each)
    packages = [package_row(package) for package in used] + [built_row(*each) for each in sorted(built)]
    write(f"linux-{arch}", os.path.join(objects, "xdscope"), packages, out)
    with open(os.path.join(folder, "linked"), "w", encoding="utf-8") as to:
        to.writelines(f"{package}\n" for package in [*used, *(f"{package}:{arch}" for package in INSTALLED.values())])


def module(folder, out):
    """What mk/cross_deps.sh has unpacked, and the libraries of the compiler."""
    sources = [re.fullmatch(r"(.*)_(.*)\.dsc", os.path.basename(path)).groups() for path in glob.glob(f"{folder}/deps/*.dsc")]
    packages = [built_row(*each) for each in sorted(sources)] + [package_row(name) for name in ("libclang-rt-14-dev-wasm32", "wasi-libc")]
    write("wasm", os.path.join(folder, "xdscope.wasm"), packages, out)


def zig(system, folder, linked, out):
    """The same, OpenSSL, and what zig has brought: the ends of a program, and for Windows a C library."""
    paths = glob.glob(f"{folder}/deps/*.dsc")
    sources = [re.fullmatch(r"(.*)_(.*)\.dsc", os.path.basename(path)).groups() for path in paths]
    with open(os.path.join(folder, "openssl", "openssl.version"), encoding="utf-8") as text:
        sources.append(("openssl", text.read().strip()))
    check_age(*sources[-1])
    version = ask(os.path.join(os.path.dirname(folder), "here", "zig"), "version")
    brought = {**built_row("zig", version), "supplier": "NOASSERTION", "sourceInfo": "ziglang of PyPI",
               "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                 "referenceLocator": f"pkg:pypi/ziglang@{version}"}]}
    write(system, linked, [built_row(*each) for each in sorted(sources)] + [brought], out)


def write(kind, file, packages, out):
    version = os.environ["VERSION"]
    with open(file, "rb") as linked:
        digest = hashlib.sha256(linked.read()).hexdigest()
    own = {
        "SPDXID": "SPDXRef-xdscope",
        "name": "xdscope",
        "versionInfo": version,
        "supplier": "NOASSERTION",
        "downloadLocation": os.environ.get("PROJECT_URL") or "NOASSERTION",
        "filesAnalyzed": False,
        "checksums": [{"algorithm": "SHA256", "checksumValue": digest}],
        "licenseConcluded": "Apache-2.0",
        "licenseDeclared": "Apache-2.0",
        "copyrightText": "NOASSERTION",
        "primaryPackagePurpose": "APPLICATION",
    }
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"xdscope-{version}-{kind}",
        "documentNamespace": f"https://spdx.org/spdxdocs/xdscope-{version}-{kind}-{digest}",
        "creationInfo": {
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))),
            "creators": ["Tool: mk/dist/sbom.py of xdscope"],
        },
        "documentDescribes": ["SPDXRef-xdscope"],
        "packages": [own, *packages],
        "relationships": [{
            "spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-xdscope",
        }, *({
            "spdxElementId": "SPDXRef-xdscope", "relationshipType": "STATIC_LINK", "relatedSpdxElement": p["SPDXID"],
        } for p in packages)],
    }
    with open(out, "w", encoding="utf-8") as to:
        json.dump(document, to, indent=1)
        to.write("\n")


if sys.argv[1] == "wasm":
    module(*sys.argv[2:])
elif "-" in sys.argv[1]:
    zig(*sys.argv[1:])
else:
    program(*sys.argv[1:])
