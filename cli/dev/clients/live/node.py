"""The adapter of client node: real channels of grpc-js-xds. See live.py."""
import pathlib

NEEDS = ("node",)
CHANNEL = True
TAGS = {"drops", "priorities", "ring", "ring_zero", "locality", "draining", "aggregate",
        "retries", "timeouts", "fractions", "weighted", "cluster_header", "query", "down", "fault"}
HERE = pathlib.Path(__file__).resolve().parent


def setup(_installed):
    """Nothing: the installation has all that it needs."""


def command(installed):
    return ["node", str(HERE / "node_client.js"), str(installed.folder)]
