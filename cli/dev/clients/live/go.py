"""The adapter of client go: its xDS resolver and config selector, in a copy of its module, as
they are internal. See live.py."""
import json
import pathlib
import shutil
import subprocess

NEEDS = ("go",)
CHANNEL = False
TAGS = {"ring", "ring_typed", "drops", "locality", "priorities", "aggregate", "retries", "timeouts",
        "fractions", "weighted", "cluster_header", "query", "domains", "redirect", "non_forwarding"}
HERE = pathlib.Path(__file__).resolve().parent
COPIES = {"go_routing.go.txt": "cmd/routing/main.go",
          "go_resolver_inspect.go.txt": "internal/xds/resolver/inspect.go",
          "../lb/go/xdsclient_inspect.go.txt": "internal/xds/clients/xdsclient/inspect.go"}


def program(installed):
    return installed.folder / "live/routing"


def source(installed):
    """A copy of the module that may be changed."""
    copy = installed.folder / "live/grpc"
    if not copy.exists():
        done = subprocess.run(["go", "mod", "download", "-json",
                               "google.golang.org/grpc@v" + installed.release],
                              cwd=installed.folder, check=True, stdout=subprocess.PIPE)
        shutil.copytree(json.loads(done.stdout)["Dir"], copy)
        subprocess.run(["chmod", "-R", "u+w", copy], check=True)
    return copy


def setup(installed):
    root = source(installed)
    for name, place in COPIES.items():
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(HERE / name, root / place)
    subprocess.run(["go", "build", "-p", "1", "-o", program(installed), "./cmd/routing"],
                   cwd=root, check=True)


def command(installed):
    return [str(program(installed))]
