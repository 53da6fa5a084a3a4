"""The adapter of client core: real channels of grpcio. See live.py."""
import pathlib

NEEDS = ("python3",)
CHANNEL = True
TAGS = {"session", "drops", "priorities", "ring", "ring_typed", "locality", "draining", "aggregate",
        "retries", "timeouts", "fractions", "weighted", "cluster_header", "query", "down", "fault",
        "deadline", "redirect", "non_forwarding"}
HERE = pathlib.Path(__file__).resolve().parent


def setup(_installed):
    """Nothing: the installation has all that it needs."""


def command(installed):
    return [str(installed.folder / "bin/python"), str(HERE / "core_client.py")]
