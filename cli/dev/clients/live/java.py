"""The adapter of client java: real channels of grpc-xds. See live.py."""
import pathlib
import subprocess

NEEDS = ("java", "javac", "mvn")
CHANNEL = True
TAGS = {"drops", "priorities", "ring", "ring_typed", "locality", "draining", "aggregate",
        "retries", "timeouts", "fractions", "weighted", "cluster_header", "query", "domains",
        "down", "fault", "non_forwarding"}
HERE = pathlib.Path(__file__).resolve().parent


def setup(installed):
    folder = installed.folder / "live"
    folder.mkdir(exist_ok=True)
    subprocess.run(["javac", "-nowarn", "-Xlint:-deprecation", "-cp",
                    "%s/lib/*" % installed.folder, "-d", folder, HERE / "LiveClient.java"],
                   check=True)


def command(installed):
    return ["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx700m", "-cp",
            "{0}/lib/*:{0}/live".format(installed.folder), "LiveClient"]
