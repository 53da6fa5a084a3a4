#!/usr/bin/python3
"""check_memory.py PROGRAM [BOMB...] - memory and time by what arrived.

Each bomb is a few megabytes of input, as text or as bytes, packed or not, from a file, a control plane,
a client or an editor. "What may be held" is its size once it is unpacked. Every reader ends on its own
after at most SECONDS of processor time, and its memory is at most ROOM and TIMES what may be held.
With -v the figures of each run are printed, the largest last.
"""
import contextlib
import gzip
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "fetch"))
sys.path.insert(0, str(HERE.parents[0] / "clients"))
from raw_server import answering  # noqa: E402
from wire import any_message, data, uint  # noqa: E402

LAUNCH = (sys.executable, "-I", "-S", str(HERE / "launch.py"))
PROGRAM = str(Path(sys.argv[1]).resolve())
WITHOUT_FETCH = "--without-fetch" in sys.argv
VERBOSE = "-v" in sys.argv
WANTED = [word for word in sys.argv[2:] if not word.startswith("-")]
MB = 1 << 20
SIZE = MB // 4
ROOM = 32 * MB
# An empty message is two bytes on the wire, and some hundred once it is decoded, and once more as a model.
TIMES = 350
# Beyond this a resource is refused (XDS_MAX_DECODED_BYTES, as a message and as a model), whatever its size.
MOST = 1024 * MB
# The aliases of a small document may name a million tokens, whatever their number (yaml_events.c).
ALIASED = 256 * MB
SECONDS = 20
AT_ONCE = 3

TYPE = "type.googleapis.com/envoy.config."
LISTENER, ROUTE, CLUSTER, ENDPOINT = (TYPE + name for name in (
    "listener.v3.Listener", "route.v3.RouteConfiguration", "cluster.v3.Cluster", "endpoint.v3.ClusterLoadAssignment"))
FAULT = "type.googleapis.com/envoy.extensions.filters.http.fault.v3.HTTPFault"

CHAINS = '{"@type": "%s", "name": "l", "filter_chains": [' % LISTENER
LOCALITIES = '{"@type": "%s", "cluster_name": "c", "endpoints": [' % ENDPOINT

runs = []
numbers = itertools.count()


def fill(make, size=SIZE, join=""):
    """make(0), make(1)... until they are so large."""
    parts, total, i = [], 0, 0
    while total < size:
        parts.append(make(i))
        total += len(parts[-1])
        i += 1
    return (join if isinstance(parts[0], str) else join.encode()).join(parts)


# ---- bombs of text: name, extension, text ------------------------------------------------------------

def route(fields):
    return '{"@type": "%s", "name": "r", %s}' % (ROUTE, fields)


def json_bombs():
    yield "empty anys", '{"resources": [' + fill(lambda i: "{}", join=",") + "]}"
    yield "empty lists", "[" + fill(lambda i: "[]", join=",") + "]"
    yield "tiny resources", '{"resources": [' + fill(
        lambda i: '{"@type":"%s","name":"c%d"}' % (CLUSTER, i), join=",") + "]}"
    yield "tiny resources of a type", '{"clusters": [' + fill(lambda i: '{"name":"c%d"}' % i, join=",") + "]}"
    yield "deep lists", "[" * SIZE
    yield "deep objects", '{"a":' * (SIZE // 5)
    yield "deep values", route('"virtual_hosts": [{"metadata": {"filter_metadata": {"a": {"b": ' + "[" * 90 + "]" * 90 + "}}}}]")
    yield "unknown fields", route(fill(lambda i: '"u%d":0' % i, join=","))
    yield "the same key", route(fill(lambda i: '"name":"a"', join=","))
    yield "the same object", route(fill(lambda i: '"a":{}', join=","))
    yield "empty hosts", route('"virtual_hosts": [' + fill(lambda i: "{}", join=",") + "]")
    yield "empty routes", route('"virtual_hosts": [{"domains": ["*"], "routes": [' + fill(lambda i: "{}", join=",") + "]}]")
    yield "domains", route('"virtual_hosts": [{"domains": [' + fill(lambda i: '"d%d"' % i, join=",") + "]}]")
    yield "empty domains", route('"virtual_hosts": [{"domains": [' + fill(lambda i: '""', join=",") + "]}]")
    yield "references", route('"virtual_hosts": [{"domains": ["*"], "routes": [' + fill(
        lambda i: '{"match":{"prefix":"/%d"},"route":{"cluster":"c%d"}}' % (i, i), join=",") + "]}]")
    yield "weighted clusters", route('"virtual_hosts": [{"domains": ["*"], "routes": [{"match": {"prefix": "/"}, '
                                     '"route": {"weighted_clusters": {"clusters": [' + fill(
                                         lambda i: '{"name":"c%d","weight":1}' % i, join=",") + "]}}}]}]")
    yield "regexes", route('"virtual_hosts": [{"domains": ["*"], "routes": [' + fill(
        lambda i: '{"match":{"safe_regex":{"regex":"a{1,1000}%d"}},"route":{"cluster":"c"}}' % i, join=",") + "]}]")
    yield "a regex", route('"virtual_hosts": [{"domains": ["*"], "routes": [{"match": {"safe_regex": {"regex": "%s"}}, '
                           '"route": {"cluster": "c"}}]}]' % ("a|" * (SIZE // 2)))
    yield "a nested regex", route('"virtual_hosts": [{"domains": ["*"], "routes": [{"match": {"safe_regex": {"regex": "%s"}}, '
                                  '"route": {"cluster": "c"}}]}]' % ("(" * (SIZE // 2) + ")" * (SIZE // 2)))
    yield "a long name", '{"@type": "%s", "name": "%s"}' % (CLUSTER, "x" * SIZE)
    yield "a long type", '{"@type": "%s"}' % ("x" * SIZE)
    yield "a long key", route('"%s": 1' % ("x" * SIZE))
    yield "a long word", '{"@type": "%s", "name": "c", "lb_policy": "%s"}' % (CLUSTER, "X" * SIZE)
    yield "a long number", '{"@type": "%s", "name": "c", "connect_timeout": {"seconds": %s}}' % (CLUSTER, "1" * SIZE)
    yield "a long duration", '{"@type": "%s", "name": "c", "connect_timeout": "%ss"}' % (CLUSTER, "1" * SIZE)
    yield "a long path", route('"typed_per_filter_config": {"%s": {"@type": "%s", %s}}' % (
        "k" * (SIZE // 2), FAULT, fill(lambda i: '"u%d":0' % i, SIZE // 2, ",")))
    yield "long paths", route('"virtual_hosts": [{"domains": ["*"], "typed_per_filter_config": {' + fill(
        lambda i: '"%s%d":{"@type":"%s","u":1,"v":2,"w":3}' % ("k" * 1000, i, FAULT), join=",") + "}}]")
    yield "references that are long", route('"virtual_hosts": [{"domains": ["*"], "routes": [' + fill(
        lambda i: '{"match":{"prefix":"/%d"},"route":{"cluster":"%s%d"}}' % (i, "c" * 1000, i), join=",") + "]}]")
    yield "U+0000", '{"@type": "%s", "name": "%s"}' % (CLUSTER, "\\u0000" * (SIZE // 6))
    yield "values", route('"virtual_hosts": [{"metadata": {"filter_metadata": {"a": {"b": [' + fill(
        lambda i: "0", join=",") + "]}}}}]")
    yield "empty values", route('"virtual_hosts": [{"metadata": {"filter_metadata": {"a": {"b": [' + fill(
        lambda i: "{}", join=",") + "]}}}}]")
    yield "addresses", '{"@type": "%s", "cluster_name": "c", "endpoints": [{"lb_endpoints": [%s]}]}' % (
        ENDPOINT, fill(lambda i: "{}", join=","))
    yield "localities", LOCALITIES + fill(lambda i: "{}", join=",") + "]}"
    yield "filter chains", CHAINS + fill(lambda i: "{}", join=",") + "]}"
    yield "aggregates", '{"clusters": [' + fill(
        lambda i: '{"name":"a%d","cluster_type":{"name":"envoy.clusters.aggregate","typed_config":{"@type":"type.googleapis.com/'
                  'envoy.extensions.clusters.aggregate.v3.ClusterConfig","clusters":["a%d","a%d"]}}}' % (i, i + 1, i + 2), join=",") + "]}"
    yield "documents", fill(lambda i: "{}\n")
    yield "open", '{"resources": [' + fill(lambda i: '{"@type":"%s","name":"' % CLUSTER)


def yaml_bombs():
    yield "aliases", "a: &a [%s]\n" % ",".join("x" * 9) + "".join(
        "b%d: &b%d [%s]\n" % (i, i, ",".join(["*" + ("a" if i == 0 else "b%d" % (i - 1))] * 9)) for i in range(40))
    yield "many aliases", "a: &a {name: a}\nclusters: [" + fill(lambda i: "*a", join=",") + "]\n"
    yield "merges", "a: &a {name: a}\nclusters: [" + fill(lambda i: "{<<: *a}", join=",") + "]\n"
    yield "anchors", "clusters: [" + fill(lambda i: "&a%d {}" % i, join=",") + "]\n"
    yield "documents", fill(lambda i: "---\n")
    yield "documents with a name", fill(lambda i: "name: a\n---\n")
    yield "tiny resources", "clusters:\n" + fill(lambda i: "- {name: c%d}\n" % i)
    yield "deep", fill(lambda i: "[")
    yield "deep blocks", "".join(" " * i + "a:\n" for i in range(2000))
    yield "dashes", "- " * (SIZE // 2)
    yield "unknown fields", "name: r\nvirtual_hosts: []\n" + fill(lambda i: "u%d: 0\n" % i)
    yield "the same key", "virtual_hosts: []\n" + fill(lambda i: "name: a\n")
    yield "empty values", "virtual_hosts:\n" + fill(lambda i: "-\n")
    yield "a long line", "name: " + "x" * SIZE
    yield "a long block", "name: |\n" + fill(lambda i: " x\n")
    yield "comments", "name: a\nvirtual_hosts: []\n" + fill(lambda i: "# xdscope:ignore x\n")
    yield "tags", "clusters: [" + fill(lambda i: "!t%d {}" % i, join=",") + "]\n"
    yield "directives", fill(lambda i: "%%TAG !t%d! tag:x,2000:\n" % i) + "---\na: 1\n"
    yield "lines", "\n" * SIZE


def text_bombs():
    yield "unknown fields", fill(lambda i: "u%d: 0\n" % i)
    yield "the same field", fill(lambda i: 'name: "a"\n')
    yield "deep", "virtual_hosts {" * (SIZE // 15)
    yield "deep unknown", "a {" * (SIZE // 3)
    yield "empty hosts", 'name: "r"\n' + fill(lambda i: "virtual_hosts {}\n")
    yield "a long string", 'name: "' + "x" * SIZE + '"'
    yield "strings", "name: " + fill(lambda i: '"" ')
    yield "escapes", 'name: "' + fill(lambda i: "\\000") + '"'
    yield "lists", "virtual_hosts: [" + fill(lambda i: "{}", join=",") + "]"
    yield "anys", fill(lambda i: 'resources { [%s] { name: "c" } }\n' % CLUSTER)


def wire_bombs():
    """Messages; as a response of a control plane, those that are one."""
    head = data(1, "v") + data(4, LISTENER) + data(5, "n")
    yield "empty anys", head + fill(lambda i: b"\x12\x00", MB)
    yield "tiny anys", head + fill(lambda i: data(2, any_message(LISTENER, data(1, "l%d" % i))))
    yield "unknown types", head + fill(lambda i: data(2, any_message("x/y%d" % i, b"")))
    yield "the same resource", head + fill(lambda i: data(2, any_message(LISTENER, data(1, "x"))))
    yield "a long type", data(1, "v") + data(4, "x" * SIZE) + data(5, "n")
    yield "long versions", fill(lambda i: data(1, "v" * 1000)) + head
    yield "a long name", head + data(2, any_message(LISTENER, data(1, "l" * SIZE)))
    yield "long names", head + fill(lambda i: data(2, any_message(LISTENER, data(1, "l" * 10000 + str(i)))))
    yield "unknown fields", head + data(2, any_message(LISTENER, data(1, "x") + fill(lambda i: uint(15000, i))))
    yield "filter chains", head + data(2, any_message(LISTENER, data(1, "x") + fill(lambda i: b"\x1a\x00")))
    yield "filters", head + data(2, any_message(LISTENER, data(1, "x") + data(3, fill(lambda i: b"\x1a\x00"))))
    nested = b""
    while len(nested) < SIZE // 2:
        nested = data(3, nested)
        if len(nested) < 20000:
            continue
        nested += nested
    yield "deep", head + data(2, any_message(LISTENER, data(1, "x") + nested))
    anys = b""
    for _ in range(3000):
        anys = any_message(LISTENER, anys)
    yield "anys in anys", head + data(2, anys)
    groups = b"\x0b" * (SIZE // 2)
    yield "groups", head + data(2, any_message(LISTENER, groups))
    yield "routes", data(1, "v") + data(4, ROUTE) + data(5, "n") + data(2, any_message(
        ROUTE, data(1, "x") + data(2, data(2, "*") + fill(lambda i: b"\x1a\x00"))))
    yield "hosts", data(1, "v") + data(4, ROUTE) + data(5, "n") + data(2, any_message(ROUTE, data(1, "x") + fill(lambda i: b"\x12\x00")))


def status_bombs():
    """ClientStatusResponse"""
    yield "clients", fill(lambda i: b"\x0a\x00")
    yield "configs", data(1, fill(lambda i: b"\x1a\x00"))
    yield "named configs", data(1, fill(lambda i: data(3, data(1, CLUSTER) + data(2, "c%d" % i))))
    yield "typed configs", data(1, fill(lambda i: data(3, data(1, CLUSTER) + data(2, "c%d" % i) + data(
        5, any_message(CLUSTER, data(1, "c%d" % i))))))
    yield "errors", data(1, fill(lambda i: data(3, data(1, CLUSTER) + data(2, "c") + data(7, data(3, "e" * 1000)))))
    yield "nodes", fill(lambda i: data(1, data(1, data(1, "n"))))


# ---- running ---------------------------------------------------------------------------------------------

def run(words, talk=None, seconds=SECONDS):
    """Wait status, peak memory and processor time of a program."""
    report, to_report = os.pipe()
    with open(os.devnull, "wb") as out:
        child = subprocess.Popen([*LAUNCH, str(to_report), str(seconds), *words], pass_fds=[to_report],
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE if talk else out, stderr=out)
    os.close(to_report)
    if talk:
        talk(child)
    with contextlib.suppress(BrokenPipeError):
        child.stdin.close()
    child.wait()
    with os.fdopen(report) as used:
        status, peak, seconds = used.readline().split()
    return int(status), int(peak) << 10, float(seconds)


def faults_of(status, peak, held, most):
    if os.WIFSIGNALED(status):
        yield "ended by " + signal.Signals(os.WTERMSIG(status)).name
    elif os.WEXITSTATUS(status) > 3:
        yield f"exit {os.WEXITSTATUS(status)}"
    if peak > most:
        yield f"{peak / MB:.0f} MB for {held / MB:.1f} MB, more than {most / MB:.0f}"


def measure(what, held, words, talk=None):
    """Is the memory of a run what it may have?"""
    status, peak, seconds = run((PROGRAM, *words), talk)
    most = ROOM + min(TIMES * held, MOST + 4 * held) + (ALIASED if "alias" in what else 0)
    faults = list(faults_of(status, peak, held, most))
    runs.append((peak / most, peak, seconds, what))
    for fault in faults:
        print(f"memory: {what}: {fault}")
    if VERBOSE:
        print(f"{what}: {peak / MB:.0f} of {most / MB:.0f} MB, {seconds:.1f} s")
    return not faults


def finds_faults():
    """What must not pass: programs that take too much, or die, and a known bomb with half of its bound."""
    python = (sys.executable, "-I", "-S", "-c")
    Path("bomb.routes.textproto").write_text(dict(text_bombs())["lists"])
    finds = True
    for what, words, most, seconds, fault in (
            ("as much as it may", (*python, "b'x' * (40 << 20)"), 60 * MB, 9, None),
            ("too much", (*python, "b'x' * (80 << 20)"), 60 * MB, 9, "(8|9)\\d MB for 1.0 MB, more than 60"),
            ("a crash", (*python, "import os; os.abort()"), 60 * MB, 9, "ended by SIGABRT"),
            ("without end", (*python, "while True: pass"), 60 * MB, 1, "ended by SIGXCPU"),
            ("another exit status", (*python, "raise SystemExit(9)"), 60 * MB, 9, "exit 9"),
            ("half of the bound", (PROGRAM, "show", "bomb.routes.textproto"), ROOM + TIMES * SIZE // 2, 9,
             ".* MB for 1.0 MB, more than .*")):
        status, peak, _ = run(words, seconds=seconds)
        faults = list(faults_of(status, peak, MB, most))
        if [bool(re.fullmatch(fault or "", each)) for each in faults] != [True] * bool(fault):
            print(f"memory: self-test: {what}: expected {fault}, found {faults}")
            finds = False
    return finds


def zstd(content):
    return subprocess.run(["zstd", "-q", "-c"], input=content, stdout=subprocess.PIPE, check=True).stdout


COMMANDS = [("lint", "--no-config"), ("show",), ("convert", "-f", "yaml")]
PAGE = ("lint", "--no-config", "-f", "html")
# What unpacks does not look at what is in it: one of each syntax.
PACKED = ("json: empty hosts", "yaml: aliases", "text proto: lists", "binary: routes", "status: nodes", "gzip of gzip")
PACKERS = {"": bytes, ".gz": lambda content: gzip.compress(content, 6, mtime=0)}
if shutil.which("zstd"):
    PACKERS[".zst"] = zstd


def read_file(what, ending, content, commands=COMMANDS):
    good = True
    for packing, pack in PACKERS.items() if any(name in what for name in PACKED) else [("", bytes)]:
        name = f"bomb{next(numbers)}{ending}{packing}"
        Path(name).write_bytes(pack(content))
        for words in commands if packing == "" else commands[:1]:
            good &= measure(f"{what}: {' '.join(words)} {ending}{packing}", len(content), (*words, name))
        os.unlink(name)
    return good


def frame(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def read_document(what, text):
    """As an editor opens it, and waits for what is found."""
    uri = "file:///bomb.json" if text[:1] in "{[" else "file:///bomb.yaml"
    opening = [{"id": 1, "method": "initialize", "params": {"capabilities": {}}},
               {"method": "initialized", "params": {}},
               {"method": "textDocument/didOpen", "params": {"textDocument": {
                   "uri": uri, "languageId": "yaml", "version": 1, "text": text}}}]
    closing = [{"id": 2, "method": "shutdown"}, {"method": "exit"}]

    answers = []

    def talk(child):
        found = threading.Event()

        def read_all():
            last = b""
            while more := os.read(child.stdout.fileno(), 65536):
                if b"publishDiagnostics" in last + more:
                    answers.append("diagnostics")
                    found.set()
                last = more[-100:]
            answers.append("end")
            found.set()

        threading.Thread(target=read_all, daemon=True).start()
        with contextlib.suppress(BrokenPipeError):
            child.stdin.write(b"".join(map(frame, opening)))
            child.stdin.flush()
            found.wait(120)
            child.stdin.write(b"".join(map(frame, closing)))
            child.stdin.flush()

    good = measure(f"{what}: lsp", len(text), ("lsp",), talk)
    if "diagnostics" not in answers:
        print(f"memory: {what}: lsp: ended before it published diagnostics")
    return good and "diagnostics" in answers


def read_response(what, content):
    server = answering(gzip.compress(content, 6, mtime=0), ends=False)
    good = True
    for words in (("--as", "core"), ("--as", "java", "--delta")):
        good &= measure(f"{what}: fetch ads {' '.join(words)}", len(content), (
            "fetch", "ads", f"localhost:{server.port}", "--target", "xds:///x", "--resource-timeout", "1", "-q", *words))
    server.stop()
    return good


def read_status(what, content):
    server = answering(gzip.compress(content, 6, mtime=0))
    good = measure(f"{what}: fetch csds", len(content), ("fetch", "csds", f"localhost:{server.port}", "-q"))
    good &= measure(f"{what}: lint --from csds", len(content), ("lint", "--no-config", "--from", f"csds://localhost:{server.port}"))
    server.stop()
    return good


def all_readers():
    for kind, ending, bombs in (("json", ".json", json_bombs), ("yaml", ".yaml", yaml_bombs),
                                ("text proto", ".routes.textproto", text_bombs)):
        for name, text in bombs():
            yield f"{kind}: {name}", read_file, (ending, text.encode(), COMMANDS + [PAGE] * (kind == "json"))
            if kind != "text proto":
                yield f"{kind}: {name}", read_document, (text,)
    for name, content in wire_bombs():
        yield f"binary: {name}", read_file, (".binpb", content)
        if not WITHOUT_FETCH:
            yield f"response: {name}", read_response, (content,)
    for name, content in status_bombs():
        yield f"status: {name}", read_file, (".binpb", content)
        if not WITHOUT_FETCH:
            yield f"status: {name}", read_status, (content,)
    # Almost too large as a message or as a model; larger than that.
    for name, head, count in (("filter chains", CHAINS, 4000000), ("more filter chains", CHAINS, 5000000),
                              ("localities", LOCALITIES, 3500000)):
        yield f"large: {name}", read_file, (".json", (head + ",".join(["{}"] * count) + "]}").encode(), [("show",)])
    yield "large: merges", read_file, (".yaml", (b"clusters: [" + b"{<<: a}," * (2 * MB // 8) + b"]\n"))
    yield "gzip of gzip", read_file, (".json", gzip.compress(gzip.compress(b"\0" * (64 * MB), mtime=0), mtime=0))


def run_all():
    """One bomb after the other is made, so that this program stays small."""
    room, results = threading.Semaphore(AT_ONCE + 1), []

    def read(reader, what, args):
        try:
            return reader(what, *args)
        finally:
            room.release()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        for what, reader, args in all_readers():
            if WANTED and not any(word in what for word in WANTED):
                continue
            room.acquire()
            results.append(pool.submit(read, reader, what, args))
    return all([result.result() for result in results])


def main():
    work = Path(tempfile.mkdtemp(prefix="xdscope-memory."))
    os.chdir(work)
    try:
        good = finds_faults() & run_all()
    finally:
        os.chdir("/")
        shutil.rmtree(work, ignore_errors=True)
    runs.sort()
    if VERBOSE:
        for part, peak, seconds, what in runs[-20:]:
            print(f"{100 * part:.0f} % of the bound: {peak / MB:.0f} MB, {seconds:.1f} s: {what}")
        for part, peak, seconds, what in sorted(runs, key=lambda run: run[2])[-10:]:
            print(f"{seconds:.1f} s: {what}")
        print(f"{sum(run[2] for run in runs):.0f} s of processor time")
    print(f"  MEMORY	{len(runs)} runs, at most {100 * runs[-1][0]:.0f} % of the bound, {max(run[1] for run in runs) / MB:.0f} MB, "
          f"{max(run[2] for run in runs):.1f} s")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
