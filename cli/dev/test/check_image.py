"""check_image.py FOLDER - the image in FOLDER/image and FOLDER/xdscope-*-image.tar: its blobs are what
their names say, skopeo reads it, and each layer, unpacked, is a root in which the program answers
as no root, with nothing else there. As root alone, for chroot; other processors by qemu."""

import glob
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile

EMULATORS = {"amd64": None, "arm64": "/usr/bin/qemu-aarch64-static"}
EXPECTED = {"etc", "etc/passwd", "etc/ssl", "etc/ssl/certs", "etc/ssl/certs/ca-certificates.crt", "src", "tmp", "usr", "usr/bin",
            "usr/bin/xdscope"}


def expect(condition, what):
    if not condition:
        sys.exit(f"image: {what}")


class Layout:
    def __init__(self, folder):
        self.folder, self.named = folder, set()

    def blob(self, descriptor):
        algorithm, _, digest = descriptor["digest"].partition(":")
        path = os.path.join(self.folder, "blobs", algorithm, digest)
        with open(path, "rb") as data:
            content = data.read()
        expect(len(content) == descriptor["size"], f"{digest} has another size")
        expect(hashlib.sha256(content).hexdigest() == digest, f"{digest} is another blob")
        self.named.add(digest)
        return path, content

    def document(self, descriptor):
        return json.loads(self.blob(descriptor)[1])


def run_in(root, arch, settings, words, cwd):
    """As an engine would: its user, its folder, nothing of this environment."""
    emulator = EMULATORS[arch]
    program = settings["Entrypoint"]
    if emulator:
        shutil.copy(emulator, os.path.join(root, "emulator"))
        program = ["/emulator", *program]
    env = dict(pair.split("=", 1) for pair in settings["Env"])
    return subprocess.run(["/usr/sbin/chroot", f"--userspec={settings['User']}", root, "/emulator" if emulator else program[0],
                           *program[1:], *words], cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)


def check_root(layer, arch, settings, snapshot, expected):
    with tempfile.TemporaryDirectory() as root:
        with tarfile.open(layer) as archive:
            for member in archive.getmembers():
                expect(member.uid == member.gid == 0 and not member.mode & 0o6000, f"{member.name} has another owner or mode")
                expect(bool(member.mode & 0o002) == (member.name == "./tmp"), f"{member.name} may be written by all")
            expect({os.path.normpath(name) for name in archive.getnames()} == EXPECTED, f"holds {archive.getnames()}")
            archive.extractall(root)
        expect(settings["User"] not in ("", "0", "0:0", "root"), "runs as root")
        os.chmod(root, 0o755)
        shutil.copytree(snapshot, os.path.join(root, "src", "shop"))
        for words, (status, text) in expected.items():
            got = run_in(root, arch, settings, words, root)
            expect((got.returncode, got.stdout.decode()) == (status, text), f"{arch}: {' '.join(words)}: {got.stdout.decode()}")


def main():
    folder, snapshot = sys.argv[1], "testdata/snapshots/shop"
    layout = Layout(os.path.join(folder, "image"))
    with open(os.path.join(layout.folder, "index.json"), encoding="utf-8") as text:
        index = layout.document(json.load(text)["manifests"][0])
    expected = {}
    for words in (("lint", "--client", "all", "/src/shop"), ("convert", "-f", "json", "/src/shop"),
                  ("explain", "--target", "xds:///shop.example.com", "--path", "/shop.Cart/Checkout", "/src/shop")):
        here = [word.replace("/src/shop", snapshot) for word in words]
        got = subprocess.run(["build/xdscope", *here], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        expected[words] = got.returncode, got.stdout.decode().replace(snapshot, "/src/shop")
    expect(sorted(m["platform"]["architecture"] for m in index["manifests"]) == sorted(EMULATORS), "is not for all processors")
    for described in index["manifests"]:
        arch, manifest = described["platform"]["architecture"], layout.document(described)
        config = layout.document(manifest["config"])
        path, _ = layout.blob(manifest["layers"][0])
        plain = subprocess.run(["gzip", "-dc", path], stdout=subprocess.PIPE, check=True).stdout
        expect(config["rootfs"]["diff_ids"] == ["sha256:" + hashlib.sha256(plain).hexdigest()], "diff_ids are of another layer")
        expect(config["architecture"] == arch, "the configuration is of another processor")
        if os.geteuid() == 0:
            check_root(path, arch, config["config"], snapshot, expected)
    expect(layout.named == set(os.listdir(os.path.join(layout.folder, "blobs", "sha256"))), "has blobs that nothing names")
    [archive] = glob.glob(os.path.join(folder, "xdscope-*-image.tar"))
    with tempfile.TemporaryDirectory() as copy:
        subprocess.run(["skopeo", "copy", "--quiet", "--all", f"oci-archive:{archive}", f"dir:{copy}"], check=True)
    print(f"  IMAGE	{len(index['manifests'])} processors, {os.path.getsize(archive)} bytes"
          + ("" if os.geteuid() == 0 else "; not run, which needs root"))


main()
