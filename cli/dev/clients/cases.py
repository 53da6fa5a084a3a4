"""Reads text cases, and plain files, into resources. xdscope itself makes the bytes."""
import json
import pathlib
import re
import shlex
import subprocess
import tempfile

import wire
from clients import ROOT, environment
from discovery import TYPES
from xds_resource import Resource

XDSCOPE = ROOT / "build/release/xdscope"
UNPACK = ROOT / "build/release/unpack"
TYPE_WORDS = dict(zip(("listener", "route", "cluster", "endpoint"), TYPES))
RECEIVED_BYTES = 4 << 20    # gRPC receives no larger message
WITH_VALUE = {"--client", "--type", "--env", "--bootstrap", "--against", "--select", "--ignore",
              "--level", "--baseline", "--config", "--per-file-ignores", "--fail-on", "-f",
              "--format", "-j", "--jobs", "-o", "--output", "--write-baseline"}


class LeftOut(Exception):
    """Why a case has nothing to send."""


class Arguments:
    """Of a `lint`, as far as they matter to what a client gets."""

    def __init__(self, line):
        words = shlex.split(line)
        if not words or words[0] != "lint":
            raise LeftOut("not a case of lint: " + (words[0] if words else "no command"))
        self.inputs, self.env, self.options = [], {}, {}
        words = iter(words[1:])
        for word in words:
            if not word.startswith("-") or word == "-":
                self.inputs.append(word)
                continue
            name, equals, value = word.partition("=")
            if name in WITH_VALUE and not equals:
                value = next(words)
            if name == "--env":
                variable, _, setting = value.partition("=")
                self.env[variable] = setting
            self.options[name] = value

    def type_words(self):
        words = ["--type", self.options["--type"]] if "--type" in self.options else []
        if "--allow-unknown-fields" in self.options:
            words.append("--allow-unknown-fields")
        return words


def run(command, folder):
    return subprocess.run(command, cwd=folder, env=environment({}), capture_output=True)


def from_response(message):
    """(type URL of the response, of the Any, value) of each resource; None if it is none."""
    try:
        parts = wire.fields(message)
        anys = [v for f, kind, v in parts if f == 2 and kind == wire.BYTES]
        url = wire.last(message, 4).decode()
        pairs = [(wire.last(a, 1).decode(), wire.last(a, 2)) for a in anys]
    except (wire.Malformed, UnicodeDecodeError, AttributeError):
        return None
    if not anys or not all(re.match(r"[\w.]+/", u) for u, _ in pairs):
        return None
    return [(url or u, u, value) for u, value in pairs]


def encode(snapshot):
    """The bytes of resources that are JSON with @type."""
    with tempfile.TemporaryDirectory() as folder:
        source, out = (pathlib.Path(folder) / n for n in ("in.json", "out.binpb"))
        source.write_text(json.dumps(snapshot))
        # Of what no client reads only the empty message is written, and said so.
        done = run([XDSCOPE, "convert", "-q", "-f", "binary", "-o", out, source], folder)
        if not out.exists():
            raise ValueError(done.stderr.decode())
        found = from_response(out.read_bytes())
    return [{"type_url": url, "name": r.get("name") or r["cluster_name"], "bytes": value}
            for (_, url, value), r in zip(found, snapshot, strict=True)]


def in_binary(path, type_word):
    """The resources of a binary file as they are: converting them would mend them."""
    content = path.read_bytes()
    found = from_response(content)
    if found is None:
        type_url = TYPE_WORDS.get(type_word)
        if not type_url:
            raise LeftOut("bytes that are no DiscoveryResponse, and no --type")
        found = [(type_url, type_url, content)]
    return found


def response_in_text(text):
    """The type of the response that a text is, or None. `convert` makes a response of each type
    of resource that it has."""
    try:
        message = json.loads(text)
    except ValueError:
        found = re.search(r"^type_?[uU]rl: *\"?([^\s\"]+)", text, re.M)
        return found[1] if found and re.search(r"^resources:", text, re.M) else None
    if not isinstance(message, dict) or "resources" not in message:
        return None
    return message.get("type_url") or message.get("typeUrl")


def in_text(path, args, folder):
    out = folder / "converted.binpb"
    done = run([XDSCOPE, "convert", "-q", "-f", "binary", "-o", out, *args.type_words(), path],
               folder)
    said = done.stderr.decode("utf-8", "replace").strip()
    # What no client reads may be missing: its message is there, and empty.
    if not out.exists() or ": error: " in said:
        raise LeftOut("cannot be encoded: " + re.sub(r"^\S+?:[\d:]* error: ", "",
                                                     said.split("\n")[0]))
    found = from_response(out.read_bytes())
    out.unlink()
    if found is None:
        raise LeftOut("no resource")
    response = response_in_text(path.read_text(errors="replace"))
    if response and response not in TYPES:
        raise LeftOut("of no type that gRPC asks for: " + response)
    return [(response or t, u, value) for t, u, value in found]


def response_type(type_url, url, asked_for):
    """The type of response that holds a resource: the one its container names."""
    for candidate in (type_url, url, asked_for):
        if candidate in TYPES:
            return candidate
    raise LeftOut("of no type that gRPC asks for: " + (url or type_url))


def of_inputs(name, args, folder):
    boot = args.options.get("--bootstrap")
    bootstrap = (folder / boot).read_text() if boot else ""
    word = args.options.get("--type")
    found = []
    for given in args.inputs:
        path = folder / given
        if not path.is_file():
            raise LeftOut("input is not one file")
        binary = path.suffix in (".binpb", ".pb")
        found += in_binary(path, word) if binary else in_text(path, args, folder)
    if not found:
        raise LeftOut("no resource")
    if any(len(value) > RECEIVED_BYTES - 1000 for _, _, value in found):
        raise LeftOut("more bytes than gRPC receives in a message")
    env = tuple(sorted(args.env.items()))
    return [Resource("%s#%d" % (name, i), response_type(t, u, TYPE_WORDS.get(word)), u, v,
                     env, bootstrap) for i, (t, u, v) in enumerate(found)]


def read_case(path, name):
    """The resources of a case. Raises LeftOut."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        unpacked = run([UNPACK, path, folder], ROOT)
        if unpacked.returncode != 0:
            raise LeftOut("cannot be unpacked")
        return of_inputs(name, Arguments(unpacked.stdout.decode()), folder)


def rule_cases(patterns=(), names=None):
    """Resources by case of testdata/rules, and the reason of each case without any. Only cases
    whose name contains one of the patterns and is one of the names, when there are any."""
    found, left_out = {}, {}
    rules = ROOT / "testdata/rules"
    for path in sorted(rules.glob("*/*.case")):
        name = str(path.relative_to(rules))[:-len(".case")]
        if names is not None and name not in names:
            continue
        if patterns and not any(p in name for p in patterns):
            continue
        try:
            found[name] = read_case(path, name)
        except LeftOut as e:
            left_out[name] = str(e)
    return found, left_out


def samples(folder):
    """The resources of all files below a folder."""
    found = []
    for path in sorted(p for p in pathlib.Path(folder).rglob("*") if p.is_file()):
        args = Arguments("lint " + shlex.quote(str(path.resolve())))
        try:
            with tempfile.TemporaryDirectory() as work:
                name = "sample:%s" % path.relative_to(folder)
                found += of_inputs(name, args, pathlib.Path(work))
        except LeftOut:
            continue
    return found
