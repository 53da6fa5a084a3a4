"""check_faults.py PROGRAM... - every command, on every kind of file with two faulty documents, in
every format: as operands, as the value of each option that takes a file, and with each flag. The
programs are built with sanitizers: a run must end with one of the exit codes, in time, and without
a report of theirs. Commands and options are those that --help lists, so that a new one is run, too."""

import concurrent.futures
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile

HCM = "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager"
ROUTE = "type.googleapis.com/envoy.config.route.v3.RouteConfiguration"
TWO_ROUTES = "".join('---\n"@type": %s\nname: %s\nvirtual_hosts:\n- {name: v, domains: [], routes: [{match: {prefix: a, prefix: b}}]}\n'
                     % (ROUTE, name) for name in "ab")
# What can be converted, to have it in the binary format: only clients find faults in it.
CLEAR = TWO_ROUTES.replace(", prefix: b", "")

# One for each kind of file that some command reads; each of its documents has a fault of its own.
KINDS = {
    "two.yaml": TWO_ROUTES,
    "sections.yaml": "listeners:\n- {name: l, api_listener: {api_listener: {\"@type\": %s, rds: {}}}}\nclusters: [{name: a, type: 7}]\n"
                     "---\nroutes: [{}]\nendpoints: [{cluster_name: a, endpoints: [{priority: 3}]}]\nnonsense: 1\n" % HCM,
    "two.json": '{"@type": "%s", "name": "a", "virtual_hosts": [{"domains": []}]}\n{"@type": "%s", "nonsense": 1, "name": 2}\n' % (ROUTE, ROUTE),
    "two.txtpb": 'name: "a" virtual_hosts { domains: 1 }\nnonsense: 2\n',
    "broken.yaml": "a: [1\n---\nb: \"\n",
    "broken.json": '{"a": 1,}\n{"b": \n',
    "scenario.yaml": "a: 1\n---\nsubject: channel\nsteps: [{nonsense: 1}, {event: 2}]\n",
    "tests.yaml": "snapshot: two.yaml\ntests: [{name: a, rpc: {path: 1}, nonsense: 2}]\n---\ntests: [{expect: {}}]\n",
    "checks.yaml": "tests:\n- {test_name: a, input: {nonsense: 1}}\n- {input: {authority: 1, path: a}, validate: {cluster_name: 2}}\n",
    "xdscope.conf": "nonsense = 1\nclient = \"rust\"\n[lint]\nformat = 3\n[nonsense]\n",
    "baseline.json": '{"version": 1, "findings": [{"rule": 1}, {"nonsense": 2}]}\n{}\n',
    "bootstrap.json": '{"xds_servers": [{"server_uri": 1}, {"channel_creds": 2}], "node": 3, "certificate_providers": {"a": 4}}\n',
    "requests.jsonl": '{"path": 1}\n{"nonsense": 2}\n{\n',
    "state.json": '{"10.0.0.1:80": "NONSENSE", "a": 1}\n',
    "config.json": '[{"nonsense": {}}, {"round_robin": 1}]\n{"loadBalancingConfig": [{"a": 1}], "methodConfig": 2}\n',
    "client.log": "xds: nonsense\ndomains: must be non-empty\n\xff\n",
    "empty.yaml": "",
}

# What is between the name of a command and its files; those that are not here need nothing.
NEEDED = {"explain": ["--path", "/a.B/C"]}
# What a command reads that does not read snapshots.
MAIN_KIND = {"simulate": "scenario.yaml", "test": "tests.yaml"}
# Of an option that several commands have, all but the first get these.
FEW_KINDS = ["two.yaml", "broken.json", "bootstrap.json"]
# Commands whose operands are not files.
OPERANDS = {"fetch": ["ads", "127.0.0.1:1"], "cookie": ["decode", "MTAuMC4wLjE6ODA="], "completion": ["bash"], "rule": ["--from-log", "-"], "lsp": []}
# Never ends by itself.
LEFT_OUT = {"watch"}
FILE_ARGUMENTS = {"FILE", "NAME=FILE", "OLD"}


def ask(program, *args):
    return subprocess.run([program, *args], capture_output=True, text=True, check=True).stdout


def options_of(program, command):
    """[(name, argument or "")] of a command."""
    live = subprocess.run([program, "help", command, "live"], capture_output=True, text=True, check=False)
    text = ask(program, command, "--help") + live.stdout
    return re.findall(r"^  (?:-.,|   ) --([a-z-]+) ?(\S[^ \n]*(?: \S+)*)?", text, re.M)


def formats_of(program, command):
    """The program says which there are, to who asks for one that is not."""
    said = subprocess.run([program, command, "--format", "?"], capture_output=True, text=True, check=False).stderr
    return re.findall(r"[a-z]+", said.partition("one of ")[2].partition(", not")[0]) or [None]


def message(method, params, number=None):
    body = {"jsonrpc": "2.0", "method": method, "params": params}
    if number is not None:
        body["id"] = number
    text = json.dumps(body).encode()
    return b"Content-Length: %d\r\n\r\n" % len(text) + text


def session(name, text):
    """An editor with the file: every request at every place, then an edit, and the same again."""
    document = {"uri": "file:///" + name}
    near = [(line, character) for line in range(4) for character in (0, 3, 9)]
    out = message("initialize", {"rootUri": None, "capabilities": {"textDocument": {"codeAction": {"codeActionLiteralSupport": {}}}}}, 0)
    out += message("textDocument/didOpen", {"textDocument": {**document, "languageId": "yaml", "version": 1, "text": text}})
    for version in (2, 3):
        for line, character in near:
            here = {"line": line, "character": character}
            out += message("textDocument/hover", {"textDocument": document, "position": here}, 1)
            out += message("textDocument/definition", {"textDocument": document, "position": here}, 2)
            out += message("textDocument/codeAction", {"textDocument": document, "range": {"start": here, "end": here}, "context": {"diagnostics": []}}, 3)
        edit = {"range": {"start": {"line": 1, "character": 0}, "end": {"line": 2, "character": 1}}, "text": "---\nc: 1\n"}
        out += message("textDocument/didChange", {"textDocument": {**document, "version": version}, "contentChanges": [edit]})
    out += message("textDocument/didClose", {"textDocument": document}) + message("shutdown", None, 4)
    return out + message("exit", None)


def runs_of(program, command, seen):
    """(arguments, standard input) of each run; the formats take turns. seen: options of the commands before."""
    formats = itertools.cycle(formats_of(program, command))
    main_kind, operands = MAIN_KIND.get(command, "two.yaml"), OPERANDS.get(command)

    def job(*more, given=b""):
        chosen = next(formats)
        return [command, *NEEDED.get(command, []), *(["-f", chosen] if chosen else []), *more], given

    for name, text in KINDS.items():
        if command == "lsp":
            yield [command], session(name, text)
        if operands is None:
            yield job(name)
            yield job(name, main_kind)
            yield job("-", "--stdin-name", name, given=text.encode("latin-1"))
    files = operands if operands is not None else [main_kind, "sections.yaml"]
    for option, argument in options_of(program, command):
        if argument in FILE_ARGUMENTS and option != "output":
            for name in FEW_KINDS if option in seen else KINDS:
                yield job("--" + option, "sarif=" + name if argument == "NAME=FILE" else name, *files)
        elif not argument and option not in LEFT_OUT:
            yield job("--" + option, *files, given=KINDS["client.log"].encode("latin-1"))
        seen.add(option)


def run(program, args, given, binary):
    """What is wrong with a run, or None."""
    env = {**os.environ, "ASAN_OPTIONS": "detect_leaks=1:exitcode=99", "UBSAN_OPTIONS": "print_stacktrace=1:exitcode=99", "LSAN_OPTIONS": "exitcode=99"}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in KINDS.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(text.encode("latin-1"))
        with open(os.path.join(folder, "two.binpb"), "wb") as file:
            file.write(binary)
        if "xdscope.conf" not in args:
            os.remove(os.path.join(folder, "xdscope.conf"))
        try:
            done = subprocess.run([program, *args], cwd=folder, env=env, input=given, capture_output=True, timeout=120, check=False)
        except subprocess.TimeoutExpired:
            return "is still running"
    if done.returncode in (0, 1, 2, 3) and b"Sanitizer" not in done.stderr and b"runtime error" not in done.stderr:
        return None
    return "exit %d\n%s" % (done.returncode, done.stderr.decode(errors="replace")[:4000])


def main():
    failed, counts = 0, []
    for program in map(os.path.abspath, sys.argv[1:]):
        commands = re.findall(r"^  ([a-z-]+) ", ask(program, "--help").split("Commands:")[1].split("\nOptions:")[0], re.M)
        binary = subprocess.run([program, "convert", "-f", "binary", "-"], input=CLEAR.encode(), capture_output=True, check=True).stdout
        KINDS.setdefault("two.binpb", "")
        seen = set()
        jobs = [job for command in commands for job in runs_of(program, command, seen)]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for (args, _), wrong in zip(jobs, pool.map(lambda job: run(program, *job, binary), jobs)):
                if wrong:
                    failed += 1
                    print("%s %s: %s" % (os.path.relpath(program), " ".join(args), wrong))
        counts.append("%d runs of %d commands in %s" % (len(jobs), len(commands), os.path.relpath(program)))
    print("  FAULTS\t%s, %d wrong" % (", ".join(counts), failed))
    sys.exit(failed > 0)


main()
