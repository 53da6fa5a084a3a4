"""The calls: inputs to files, the program, its JSON to dataclasses."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, Iterable, List, Mapping, Optional, Protocol, Sequence, Tuple, Union, runtime_checkable

from xdscope import _program


class XdscopeError(Exception):
    """Nothing was judged: status 2 for a wrong request, 3 for an input that cannot be read."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class File:
    """The content of a file as xdscope reads it; the name is that of reports, and may tell the type."""

    name: str
    content: Union[bytes, str]


@runtime_checkable
class Message(Protocol):
    """A protobuf message: of xds-protos, of envoy-data-plane, and whatever else protoc or betterproto has made."""

    def SerializeToString(self) -> bytes: ...  # noqa: N802


Resources = Union[str, "os.PathLike[str]", bytes, File, Message, Iterable[Any]]


@dataclass(frozen=True)
class ResourceId:
    type: str
    name: str


@dataclass(frozen=True)
class Finding:
    rule: str
    level: str  # "error", "warning", "note"
    message: str
    path: str  # the field: "virtual_hosts[0].routes[2].match"
    resource: Optional[ResourceId]
    file: Optional[str]
    line: Optional[int]  # from 1
    column: Optional[int]
    clients: Mapping[str, str]  # "go": "NACK", "ACCEPT", "IGNORE", "SKIP", "CRASH"

    def __str__(self) -> str:
        where = self.file or ""
        if self.resource:
            where = '%s "%s"' % (self.resource.type.rpartition(".")[2], self.resource.name)
        return "%s%s: %s: %s [%s]" % (where, ": " + self.path if self.path else "", self.level, self.message, self.rule)


@dataclass(frozen=True)
class Resource:
    type: str
    name: str
    verdict: str  # "ACK", "NACK", "CRASH"
    clients: Mapping[str, str]


@dataclass(frozen=True)
class Report:
    clients: List[str]
    resources: List[Resource]
    findings: List[Finding]
    raw: Dict[str, Any] = field(repr=False)  # man/schema/lint.schema.json

    @property
    def errors(self) -> List[Finding]:
        """Those for which a client rejects a resource."""
        return [finding for finding in self.findings if finding.level == "error"]

    @property
    def accepted(self) -> bool:
        return not self.errors


@dataclass(frozen=True)
class Decision:
    client: str
    outcome: str  # "routed", "routed_with_gaps"; else the RPC fails: see routed
    status: Optional[Dict[str, Any]]
    route_config: Optional[str]
    raw: Dict[str, Any] = field(repr=False)  # man/schema/explain.schema.json

    @property
    def routed(self) -> bool:
        """Does the RPC go to a host? As the exit status of the program says: gaps, such as a fault that may happen, fail none."""
        return self.outcome in ("routed", "routed_with_gaps")


@dataclass(frozen=True)
class Difference:
    resources: List[Dict[str, Any]]
    summary: Dict[str, Any]
    raw: Dict[str, Any] = field(repr=False)  # man/schema/diff.schema.json


# ---- inputs ----


def _field(number: int, content: bytes) -> bytes:
    """A field of bytes on the wire."""
    head, size = bytearray([number << 3 | 2]), len(content)
    while size >= 0x80:
        head.append(0x80 | size & 0x7F)
        size >>= 7
    head.append(size)
    return bytes(head) + content


def _response(type_url: str, messages: Sequence[bytes]) -> bytes:
    """The DiscoveryResponse that has the messages."""
    url = type_url.encode()
    return _field(4, url) + b"".join(_field(2, _field(1, url) + _field(2, message)) for message in messages)


def _name_of(message: Message) -> str:
    """The full name of its type. One of betterproto knows only its module: the package, below that of the distribution."""
    descriptor = getattr(message, "DESCRIPTOR", None)
    if descriptor is not None:
        return str(descriptor.full_name)
    parts = type(message).__module__.split(".")
    if "envoy" not in parts:
        raise XdscopeError("not a message of Envoy's API: %r" % (message,), 2)
    return ".".join((*parts[parts.index("envoy"):], type(message).__name__))


class _Inputs:
    """Resources as operands of the program, which runs in the folder."""

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)

    def _write(self, name: str, content: Union[bytes, str]) -> str:
        path = self.folder / name.lstrip("/")
        if ".." in path.parts:
            raise XdscopeError("the name of a file may not have '..': " + name, 2)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(path.relative_to(self.folder))

    def add(self, resources: Resources, name: str) -> List[str]:
        if isinstance(resources, (str, bytes, File, os.PathLike)) or isinstance(resources, Message):
            resources = [resources]
        operands: List[str] = []
        messages: Dict[str, List[bytes]] = {}
        for i, one in enumerate(resources):
            if isinstance(one, File):
                operands.append(self._write(one.name, one.content))
            elif isinstance(one, bytes):
                operands.append(self._write("%s-%d" % (name, i), one))
            elif isinstance(one, (str, os.PathLike)):
                operands.append(os.path.abspath(one))
            elif isinstance(one, Message):
                messages.setdefault("type.googleapis.com/" + _name_of(one), []).append(one.SerializeToString())
            else:
                raise XdscopeError("not a path, File, bytes or message: %r" % (one,), 2)
        for url, contents in messages.items():
            operands.append(self._write("%s/%s.pb" % (name, url.rpartition(".")[2]), _response(url, contents)))
        return operands


ENDINGS = re.compile(r"\.(json|ndjson|jsonl|yaml|yml|pb|binpb|txtpb|textproto|pb_text|pbtxt|prototxt)(\.gz|\.zst)?$")


def _files(folder: Path, above: Tuple[Path, ...] = ()) -> List[Path]:
    """As the program reads a folder: in the order of the names. above: the folders that it is in, to which a link may lead back."""
    real = folder.resolve()
    found: List[Path] = []
    for inner in sorted(folder.iterdir()) if real not in above else []:
        if inner.name.startswith("."):
            continue
        if inner.is_dir():
            found += _files(inner, (*above, real))
        elif ENDINGS.search(inner.name) and (inner.is_file() or not inner.exists()):
            found.append(inner)
    return found


def _entries(folder: str, operands: List[str], contents: List[bytes]) -> List[Dict[str, Any]]:
    """Operands as inputs of the module."""

    def entry(file: Path) -> Dict[str, Any]:
        contents.append(file.read_bytes())
        return {"name": os.path.relpath(file, folder) if folder in map(str, file.parents) else str(file), "size": len(contents[-1])}

    try:
        return [
            {"name": operand, "files": [entry(file) for file in _files(path)]} if path.is_dir() else entry(path)
            for operand in operands for path in [Path(folder, operand)]]
    except OSError as error:
        raise XdscopeError(str(error), 3) from error


def _words(command: str, request: Mapping[str, Any]) -> List[str]:
    """A request as options of the program."""
    words: List[str] = ["--no-config"] if command == "lint" else []
    rpc = request.get("request") or {}
    words += ["--client=" + client for client in request["clients"]]
    words += ["--%s=%s" % (name, value) for name in ("env", "with") for value in request[name]]
    words += ["--header=%s: %s" % tuple(header) for header in rpc.get("headers", ())]
    for name, value in [*((name, request[name]) for name in ("format", "type", "bootstrap")), *rpc.items()]:
        words += ["--%s=%s" % (name, value)] if isinstance(value, str) else []
    return words + ["--" + name.replace("_", "-") for name in ("partial", "allow_unknown_fields") if request[name]]


def _ask_program(folder: str, command: str, request: Mapping[str, Any], operands: List[str]) -> Tuple[int, bytes, bytes]:
    words = [_program.path(), command, *_words(command, request), "--", *operands]
    run = subprocess.run(words, cwd=folder, capture_output=True, stdin=subprocess.DEVNULL, check=False)
    return run.returncode, run.stdout, run.stderr


def _ask_module(folder: str, command: str, request: Dict[str, Any], operands: List[str]) -> Tuple[int, bytes, bytes]:
    from xdscope import _module

    contents: List[bytes] = []
    sides = [operands[1:], operands[:1]] if command == "diff" and len(operands) > 1 else [operands]
    request = {name: value for name, value in request.items() if value}
    if "bootstrap" in request:
        request["bootstrap"] = json.loads(Path(request["bootstrap"]).read_bytes())
    for name, side in zip(("files", "old"), sides):
        request[name] = _entries(folder, side, contents)
    try:
        status, output = _module.ask(command, request, contents)
    except _module.Stopped as error:
        raise XdscopeError(str(error), 3) from error
    return status, output, output


def _run(folder: str, command: str, request: Dict[str, Any], operands: List[str]) -> str:
    ask = _ask_program if _program.is_there() else _ask_module
    status, output, message = ask(folder, command, request, operands)
    if status not in (0, 1):
        raise XdscopeError(message.decode(errors="replace").strip() or "ended with status %d" % status, status)
    return output.decode(errors="replace")


def _known(kind: Any, values: Mapping[str, Any]) -> Any:
    """A dataclass of those values that it has."""
    return kind(**{name: values.get(name) for name in kind.__dataclass_fields__})


# ---- calls ----


def _request(
    format: str,  # noqa: A002
    clients: Sequence[str],
    type: Optional[str],  # noqa: A002
    env: Sequence[str],
    with_: Sequence[str],
    bootstrap: Optional["os.PathLike[str] | str"],
    partial: bool,
    allow_unknown_fields: bool,
) -> Dict[str, Any]:
    if isinstance(clients, str):
        raise XdscopeError("clients: is not a list, but the text %r" % clients, 2)
    return {
        "format": format, "clients": list(clients), "type": type, "env": list(env), "with": list(with_),
        "bootstrap": os.path.abspath(bootstrap) if bootstrap else None, "partial": partial,
        "allow_unknown_fields": allow_unknown_fields}


def lint(
    resources: Resources,
    *,
    clients: Sequence[str] = (),
    type: Optional[str] = None,  # noqa: A002
    env: Sequence[str] = (),
    with_: Sequence[str] = (),
    bootstrap: Optional["os.PathLike[str] | str"] = None,
    partial: bool = False,
    allow_unknown_fields: bool = False,
) -> Report:
    """Would gRPC clients accept these resources?

    clients: "core@1.72", "go"; all where none is named. type: of files that do not name the type of their resource. env: "NAME=VALUE".
    with_: packages that the client links, "rls". bootstrap: the path of a gRPC bootstrap. partial: references may lead out of the
    resources. allow_unknown_fields: fields that xdscope does not know are no fault.
    """
    raw = json.loads(lint_as(
        "json", resources, clients=clients, type=type, env=env, with_=with_, bootstrap=bootstrap, partial=partial,
        allow_unknown_fields=allow_unknown_fields))
    findings = [
        _known(Finding, {**finding, "resource": _known(ResourceId, finding["resource"]) if finding["resource"] else None})
        for finding in raw["findings"]]
    return Report(raw["clients"], [_known(Resource, resource) for resource in raw["resources"]], findings, raw)


def lint_as(
    format: str,  # noqa: A002
    resources: Resources,
    *,
    clients: Sequence[str] = (),
    type: Optional[str] = None,  # noqa: A002
    env: Sequence[str] = (),
    with_: Sequence[str] = (),
    bootstrap: Optional["os.PathLike[str] | str"] = None,
    partial: bool = False,
    allow_unknown_fields: bool = False,
) -> str:
    """The same in another format: "text", "gcc", "json", "sarif", "github", "junit", "checkstyle", "html", "gitlab", "rdjson"."""
    request = _request(format, clients, type, env, with_, bootstrap, partial, allow_unknown_fields)
    with tempfile.TemporaryDirectory(prefix="xdscope-") as folder:
        return _run(folder, "lint", request, _Inputs(folder).add(resources, "resources"))


def explain(
    resources: Resources,
    path: str,
    *,
    target: Optional[str] = None,
    listener: Optional[str] = None,
    authority: Optional[str] = None,
    headers: Sequence[Tuple[str, str]] = (),
    client: Optional[str] = None,
    type: Optional[str] = None,  # noqa: A002
    env: Sequence[str] = (),
    with_: Sequence[str] = (),
    bootstrap: Optional["os.PathLike[str] | str"] = None,
) -> Decision:
    """Where does an RPC to path, "/package.Service/Method", go, and why?

    target: "xds:///name"; it and listener are not needed with one listener. authority: where it is not that of the target. client: C-core
    where none is named. The other options are those of lint.
    """
    raw = json.loads(explain_as(
        "json", resources, path, target=target, listener=listener, authority=authority, headers=headers, client=client, type=type,
        env=env, with_=with_, bootstrap=bootstrap))
    route_config = raw.get("route_config")
    return Decision(raw["client"], raw["outcome"], raw["status"], route_config and route_config["name"], raw)


def explain_as(
    format: str,  # noqa: A002
    resources: Resources,
    path: str,
    *,
    target: Optional[str] = None,
    listener: Optional[str] = None,
    authority: Optional[str] = None,
    headers: Sequence[Tuple[str, str]] = (),
    client: Optional[str] = None,
    type: Optional[str] = None,  # noqa: A002
    env: Sequence[str] = (),
    with_: Sequence[str] = (),
    bootstrap: Optional["os.PathLike[str] | str"] = None,
) -> str:
    """The same in another format: "text", for people, or "json"."""
    if format not in ("text", "json"):
        raise XdscopeError("format: '%s' is not known" % format, 2)
    rpc = {
        "path": path, "target": target, "listener": listener, "authority": authority, "headers": [list(header) for header in headers]}
    request = _request(format, [client] if client else [], type, env, with_, bootstrap, False, False)
    request["request"] = {name: value for name, value in rpc.items() if value}
    with tempfile.TemporaryDirectory(prefix="xdscope-") as folder:
        return _run(folder, "explain", request, _Inputs(folder).add(resources, "resources"))


def diff(
    old: Optional[Resources],
    new: Resources,
    *,
    clients: Sequence[str] = (),
    type: Optional[str] = None,  # noqa: A002
    env: Sequence[str] = (),
    with_: Sequence[str] = (),
    bootstrap: Optional["os.PathLike[str] | str"] = None,
) -> Difference:
    """What changes from old to new, and for which RPCs? Each is one path, or resources in memory. The options are those of lint.

    Without old: what two clients, or releases, make of new.
    """
    if old is not None and len(clients) > 1:
        raise XdscopeError("clients: diff takes one client, and several are named", 2)
    request = _request("json", clients, type, env, with_, bootstrap, False, False)
    with tempfile.TemporaryDirectory(prefix="xdscope-") as folder:
        sides: List[str] = []
        for name, side in (("old", old), ("new", new)):
            if side is None:
                continue
            inside = Path(folder, name)
            inside.mkdir()
            operands = _Inputs(str(inside)).add(side, name)
            paths = [operand for operand in operands if os.path.isabs(operand)]
            if paths and len(operands) > 1:
                raise XdscopeError("diff takes one path, or resources in memory", 2)
            sides.append(paths[0] if paths else name)
        raw = json.loads(_run(folder, "diff", request, sides))
    return Difference(raw["resources"], raw["summary"], raw)


def assert_accepted(resources: Resources, *, clients: Sequence[str] = (), **options: Any) -> Report:
    """Raises AssertionError with a line for each error. The options are those of lint."""
    __tracebackhide__ = True
    report = lint(resources, clients=clients, **options)
    if not report.accepted:
        raise AssertionError("rejected by gRPC clients:\n" + "\n".join("  %s" % error for error in report.errors))
    return report
