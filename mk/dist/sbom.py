"""sbom.py ARCHITECTURE OBJECTS FOLDER OUT - what is linked into the static program, as SPDX 2.3:
the archives that the linker's map in OBJECTS/map names, each as the package of Debian that it is
of. FOLDER/linked gets a line for each: package, version. An archive of a package whose license
is not listed here is an error."""

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
    "libzstd": "BSD-3-Clause OR GPL-2.0-only",
    "nghttp2": "MIT",
    "openssl": "Apache-2.0",
    "pcre2": "BSD-3-Clause",
    "protobuf-c": "BSD-2-Clause",
    "xxhash": "BSD-2-Clause",
    "zlib": "Zlib",
}


def ask(*words):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout.decode().strip()


def packages_of(link_map, arch):
    """Of the archives that the linker took members from, and of the objects that start a program.
    Our own have no absolute path; cJSON is built from the source of the library's package."""
    with open(link_map, encoding="utf-8", errors="replace") as lines:
        text = lines.read()
    members = re.findall(r"^(/\S+\.a)\(", text, re.M) + re.findall(r"^LOAD (/\S+\.o)$", text, re.M)
    paths = {os.path.realpath(path) for path in members}
    found = ask("dpkg-query", "-S", *sorted(paths)).split("\n")
    if len(found) != len(paths):
        sys.exit("sbom.py: not all that is linked is of a package")
    return {line.rpartition(": ")[0] for line in found} | {f"libcjson1:{arch}"}


def describe(package):
    fields = ("${binary:Package}", "${Architecture}", "${Version}", "${source:Package}", "${source:Version}", "${Homepage}")
    binary, arch, version, source, source_version, home = ask(
        "dpkg-query", "-W", "-f=" + "\\t".join(fields), package).split("\t")
    if source not in LICENSES:
        sys.exit(f"sbom.py: the license of {source} ({binary}) is not known")
    return binary, {
        "SPDXID": "SPDXRef-" + re.sub("[^A-Za-z0-9.-]", "-", binary),
        "name": binary.partition(":")[0],
        "versionInfo": version,
        "supplier": "Organization: Debian",
        "downloadLocation": "NOASSERTION",
        "homepage": home or "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": LICENSES[source],
        "copyrightText": "NOASSERTION",
        "sourceInfo": f"Debian source package {source} {source_version}",
        "externalRefs": [{
            "referenceCategory": "PACKAGE-MANAGER",
            "referenceType": "purl",
            "referenceLocator": f"pkg:deb/debian/{binary.partition(':')[0]}@{quote(version, safe='.-_~')}?arch={arch}&distro=debian-12",
        }],
    }


def main():
    arch, objects, folder, out = sys.argv[1:]
    version = os.environ["VERSION"]
    with open(os.path.join(objects, "xdscope"), "rb") as program:
        digest = hashlib.sha256(program.read()).hexdigest()
    used = packages_of(os.path.join(objects, "map"), arch)
    packages = dict(describe(package) for package in sorted(used))
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
        "name": f"xdscope-{version}-linux-{arch}",
        "documentNamespace": f"https://spdx.org/spdxdocs/xdscope-{version}-linux-{arch}-{digest}",
        "creationInfo": {
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))),
            "creators": ["Tool: mk/dist/sbom.py of xdscope"],
        },
        "documentDescribes": ["SPDXRef-xdscope"],
        "packages": [own, *packages.values()],
        "relationships": [{
            "spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-xdscope",
        }, *({
            "spdxElementId": "SPDXRef-xdscope", "relationshipType": "STATIC_LINK", "relatedSpdxElement": p["SPDXID"],
        } for p in packages.values())],
    }
    with open(out, "w", encoding="utf-8") as to:
        json.dump(document, to, indent=1)
        to.write("\n")
    with open(os.path.join(folder, "linked"), "w", encoding="utf-8") as to:
        to.writelines(f"{binary}\t{p['versionInfo']}\n" for binary, p in packages.items())


main()
