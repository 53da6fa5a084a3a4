"""notes.py VERSION FOLDER - the notes of a release: what CHANGELOG.md says of VERSION, the files in FOLDER, and what was not run
before they were published. A file that no row is about is an error."""

import fnmatch
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Pattern, what it is, what of it is not run by `make check-dist` and `make check-bindings`, or "".
ROWS = (
    ("xdscope-*-linux-amd64.tar.gz", "program for Linux on x86-64, manual, completions", ""),
    ("xdscope-*-linux-arm64.tar.gz", "the same for arm64", "run by qemu, not on a machine for arm64"),
    ("xdscope*_amd64.deb", "Debian 12 or later, x86-64", ""),
    ("libxdscope*_amd64.deb", "the C library for Debian 12 or later, x86-64", ""),
    ("xdscope*_arm64.deb", "Debian 12 or later, arm64", "run by qemu, not on a machine for arm64"),
    ("libxdscope*_arm64.deb", "the C library for Debian 12 or later, arm64", "run by qemu, not on a machine for arm64"),
    ("xdscope-*.x86_64.rpm", "Fedora, RHEL and others, x86-64", "unpacked on Debian, not installed on these systems"),
    ("xdscope-*.aarch64.rpm", "the same for arm64", "unpacked on Debian, not installed on these systems"),
    ("xdscope-*-macos-*.tar.gz", "program for macOS 11 or later, with `fetch`", "not run on that system"),
    ("xdscope-*-windows-x86_64.zip", "program for Windows 10 or later, with `fetch`", "run by wine, not run on that system"),
    ("xdscope-*-macosx_*.whl", "Python on macOS", "not run on that system"),
    ("xdscope-*-win_amd64.whl", "Python on Windows", "not run on that system"),
    ("xdscope-darwin-*.vsix", "VS Code on macOS, with the program", "not run on that system"),
    ("xdscope-win32-*.vsix", "VS Code on Windows, with the program", "not run on that system"),
    ("xdscope-*-image.tar", "container image for both processors, also for podman and skopeo", "read by skopeo; no container engine was run"),
    ("xdscope-*_x86_64.whl", "Python on Linux, x86-64: `pip install`", ""),
    ("xdscope-*_aarch64.whl", "Python on Linux, arm64", "not installed on a machine for arm64"),
    ("xdscope-*-any.whl", "Python elsewhere, by wasmtime", "run on Linux, not on macOS and Windows"),
    ("xdscope-*-go.tar.gz", "Go module without cgo, see xdscope-go(7)", "run on Linux, not on macOS and Windows"),
    ("xdscope-*.jar", "Java 17 and later, JUnit", "run on Linux, not on macOS and Windows"),
    ("xdscope-*.tgz", "Node and browsers: `npm install`", "run on Linux, not on macOS and Windows"),
    ("xdscope-linux-x64-*.vsix", "VS Code on Linux, x86-64, with the program", "run in VS Code as code-server has it, not on a desktop"),
    ("xdscope-linux-arm64-*.vsix", "VS Code on Linux, arm64, with the program", "not run"),
    ("xdscope-*.vsix", "VS Code elsewhere, for a program that is installed", "run by Node with a stand-in for VS Code, not in VS Code"),
    ("xdscope.gitlab-ci.yml", "template for GitLab CI", "its script is run, GitLab is not"),
    ("xdscope-*.spdx.json", "what is linked (SPDX)", ""),
    ("xdscope-*.tar.gz", "the sources", ""),
)
OTHERS = ("SHA256SUMS", "NOTES", "xdscope.rb")
NOT_RUN = (
    "the formula for Homebrew: brew was not run",
    "the Action on GitHub: its steps are run, its runner is not",
)


def changes(version):
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(version)}\b[^\n]*\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    if not found:
        sys.exit(f"notes.py: CHANGELOG.md has no entry of {version}")
    # A line of the notes is a paragraph, on the pages that show them.
    return re.sub(r"\n  +(?=\S)", " ", found.group(1).strip())


def row_of(name):
    for row in ROWS:
        if fnmatch.fnmatchcase(name, row[0]):
            return row
    sys.exit(f"notes.py: no row says what {name} is")


def main():
    version, folder = sys.argv[1:]
    files = sorted(path for path in pathlib.Path(folder).iterdir() if path.is_file() and path.name not in OTHERS)
    rows = [(path, *row_of(path.name)[1:]) for path in files]
    print(f"# xdscope {version}\n\n{changes(version)}\n\n## Files\n\n| file | for | MB |\n|---|---|---|")
    for path, what, _ in rows:
        print(f"| `{path.name}` | {what} | {path.stat().st_size / 1e6:.1f} |")
    print("\n`SHA256SUMS` has their checksums: `sha256sum --check --ignore-missing SHA256SUMS`.\n\n## Not run before this release\n")
    for path, _, not_run in rows:
        if not_run:
            print(f"* `{path.name}`: {not_run}")
    for line in NOT_RUN:
        print(f"* {line}")


main()
