"""xdscope's verdicts on the same resources: one process for many of them."""
import itertools
import json
import pathlib
import subprocess
import tempfile

from cases import XDSCOPE
from clients import environment
from discovery import response

MANY = 2000    # resources of one run
BOOTSTRAP = '{"xds_servers": [{"server_uri": "xds.example.com", "channel_creds": [{"type": "insecure"}]}]}'    # as little as a client takes


class Failed(Exception):
    """xdscope did not judge the resources."""


class Refused(Exception):
    """It says that the client does not come up with this bootstrap."""


def lint(resources, client):
    """The JSON of one run: all are of one type, environment and bootstrap."""
    first = resources[0]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        command = [XDSCOPE, "lint", "--client", client, "-f", "json", "--exit-zero", "-j1",
                   "--no-config", "--role", "all", *("--env=%s=%s" % pair for pair in first.env)]
        # Without one, names that a bootstrap defines are not judged; a client always has one.
        (folder / "bootstrap.json").write_text(first.bootstrap or BOOTSTRAP)
        command += ["--bootstrap", "bootstrap.json"]
        message = response(first.type_url, "", [(r.url, r.value) for r in resources])
        (folder / "in.binpb").write_bytes(message)
        done = subprocess.run([*command, "in.binpb"], cwd=folder, env=environment({}),
                              capture_output=True)
    if b" refuses this bootstrap: " in done.stderr:
        raise Refused
    if done.returncode != 0:
        raise Failed(done.stderr.decode("utf-8", "replace"))
    return json.loads(done.stdout.decode("utf-8", "replace"))


def knows(client):
    """Whether --client takes this name, such as go@1.64."""
    done = subprocess.run([XDSCOPE, "lint", "--client", client, "--type", "cluster", "-"],
                          input=b"name: c", capture_output=True, env=environment({}))
    return done.returncode in (0, 1)


def of_client(verdicts_by_client, client):
    """That of go@1.64, under whichever name it is printed."""
    return verdicts_by_client.get(client) or verdicts_by_client.get(client.split("@")[0])


def judge_some(resources, client):
    try:
        judged = lint(resources, client)["resources"]
    except Refused:
        return {r.id: "-" for r in resources}
    if len(judged) == len(resources):
        return {r.id: of_client(j["clients"], client) for r, j in zip(resources, judged)}
    if len(resources) == 1:
        return {resources[0].id: "NACK"}     # it cannot even be decoded
    half = len(resources) // 2
    return {**judge_some(resources[:half], client), **judge_some(resources[half:], client)}


def verdicts(resources, client):
    """ACK, NACK, CRASH or - by id, as in channel.py."""
    def key(r):
        return r.type_url, r.env, r.bootstrap

    out = {}
    for _, same in itertools.groupby(sorted(resources, key=key), key):
        same = list(same)
        for i in range(0, len(same), MANY):
            out.update(judge_some(same[i:i + MANY], client))
    return out


def rules(resource, client):
    """The rules by which the client rejects a resource."""
    try:
        found = lint([resource], client)["findings"]
    except Refused:
        return ["(bootstrap refused)"]
    return sorted({f["rule"] for f in found if of_client(f["clients"], client) == "NACK"})


def nack_text(resource, client):
    """The errors of a resource in the words of C-core."""
    return lint([resource], client)["resources"][0].get("nack") or ""


def as_text(resource):
    """The resource as YAML with its type, or its bytes in hex if they are no message."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "in.binpb"
        path.write_bytes(response(resource.type_url, "", [(resource.url, resource.value)]))
        done = subprocess.run([XDSCOPE, "convert", "-q", "-f", "yaml", path],
                              env=environment({}), capture_output=True)
    text = done.stdout.decode("utf-8", "replace").strip()
    return text or "%s: %s" % (resource.type_url.split("/")[-1], resource.value.hex())
