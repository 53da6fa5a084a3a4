"""recipes.py PROGRAM: the live sessions of the manual with go-control-plane and a client of grpc-go.

recipes.py control-plane PORT, recipes.py pod PORT: what ../../test/check_examples.py starts.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "live")]

import cases  # noqa: E402
import dumps  # noqa: E402
import each_client  # noqa: E402
import planes  # noqa: E402
import programs  # noqa: E402
import snapshots  # noqa: E402
from clients import environment  # noqa: E402

POD = "shop-1"    # its node id; fetch has none
ISTIO = cases.ROOT / "testdata/examples/istio"


def control_plane(*port):
    """Serves the shop, and to the node of its bootstrap what istiod did."""
    plane = planes.Plane("go", *port)
    shop = snapshots.of_folder("snapshots/shop")
    node = json.loads((ISTIO / "bootstrap.json").read_text())["node"]["id"]
    plane.set(node, "1", snapshots.of_folder("examples/istio/served").resources)
    plane.set("", "1", shop.resources)
    return plane, plane.set(POD, "1", shop.resources)[0], shop.target


def pod(port):
    """With a control plane of its own; ready once it has rejected something."""
    _plane, served, target = control_plane()
    with tempfile.TemporaryDirectory() as folder:
        bootstrap, dump = pathlib.Path(folder) / "bootstrap.json", pathlib.Path(folder) / "dump.binpb"
        bootstrap.write_text(json.dumps({"node": {"id": POD}, "xds_servers": [
            {"server_uri": "localhost:%d" % served, "channel_creds": [{"type": "insecure"}]}]}))
        client = each_client.ready("go", "newest", (), programs.setup)
        programs.Program(client, target, bootstrap, subprocess.DEVNULL, port)
        while not dump.exists() or "NACKED" not in {h.status for h in dumps.read(dump.read_bytes()).values()}:
            time.sleep(0.2)
            subprocess.run([cases.XDSCOPE, "fetch", "csds", "localhost:" + port, "-q", "-f", "binary", "-o", dump],
                           env=environment({}), check=False)
        serve()


def serve():
    print("ready", flush=True)
    threading.Event().wait()


def check(program):
    """True when they print what the pages show; a text when they cannot be run."""
    why = planes.install("go") or each_client.ready("go", "newest", (), programs.setup)
    if isinstance(why, str):
        return why
    me = "%s -B %s" % (sys.executable, HERE / "recipes.py")
    done = subprocess.run([sys.executable, "-B", HERE.parents[1] / "test/check_examples.py", "--live", program,
                           me + " control-plane PORT", me + " pod PORT"])
    return done.returncode == 0


if __name__ == "__main__":
    if sys.argv[1] == "pod":
        pod(sys.argv[2])
    elif sys.argv[1] == "control-plane":
        kept = control_plane(sys.argv[2])
        serve()
    else:
        sys.exit(check(sys.argv[1]) is not True)
