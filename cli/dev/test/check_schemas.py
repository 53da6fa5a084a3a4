#!/usr/bin/env python3
"""check_schemas.py PROGRAM UNPACK - man/schema says what programs read and people write.

All JSON that the cases expect of a command, and what the program prints of all rules and facts,
is valid by the schema of that command; files of settings, tests and scenarios that the program
takes are valid by theirs. Each member that the schema of explain lists is printed in some case. What is wrong is refused: members that are unknown, missing or of
another type. Schemas name the keys that the code reads.
"""

import functools
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import jsonschema
import yaml

from newest import fill_releases

PROGRAM, UNPACK = (str(pathlib.Path(arg).resolve()) for arg in sys.argv[1:3])
COMMANDS = ("diff", "explain", "lb-config", "lint", "rule", "service-config", "show", "simulate", "test")
faults = []
printed = {}  # names of members, by schema
counts = {"outputs": 0, "files": 0, "refused": 0}


def fault(where, what):
    faults.append(f"{where}: {what}")


class Loader(yaml.CSafeLoader):
    """YAML as xdscope reads it: only true, false, null and numbers are no text."""

    yaml_implicit_resolvers = {}


for tag, pattern, first in (
    ("null", r"^(~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    ("bool", r"^(true|True|TRUE|false|False|FALSE)$", list("tTfF")),
    ("int", r"^[-+]?[0-9]+$", list("-+0123456789")),
    ("float", r"^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$", list("-+.0123456789")),
):
    Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(pattern), first)


@functools.cache
def validator(name):
    schema = json.loads(pathlib.Path(f"man/schema/{name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def why_invalid(name, document):
    """The most telling error, or None."""
    error = jsonschema.exceptions.best_match(validator(name).iter_errors(document))
    return error and f"{error.json_path}: {error.message[:300]}"


# ---- what is refused -------------------------------------------------------------

def check_closed(name, schema, at="$"):
    """An object whose members are listed has no others."""
    if isinstance(schema, list):
        for i, item in enumerate(schema):
            check_closed(name, item, f"{at}[{i}]")
    if not isinstance(schema, dict):
        return
    if "properties" in schema and ".if" not in at and ".then" not in at and schema.get("additionalProperties") is not False:
        fault(f"{name}.schema.json", f"{at} takes any member")
    for key, value in schema.items():
        check_closed(name, value, f"{at}.{key}")


def spoiled(document):
    """The same with one fault: an unknown member, one less, one of another type."""
    yield "an unknown member", {**document, "no_such_member": 1}
    for key in document:
        if key == "version":
            yield "another version", {**document, key: 2}
            yield "no version", {k: v for k, v in document.items() if k != key}
        else:
            yield f"a wrong {key}", {**document, key: [[["wrong"]]]}


def check_refusals(name, document):
    for what, wrong in spoiled(document):
        counts["refused"] += 1
        if not why_invalid(name, wrong):
            fault(f"{name}.schema.json", f"takes {what}")


# ---- what the program prints -----------------------------------------------------

def documents_of(text):
    decoder, at, found = json.JSONDecoder(), 0, []
    while at < len(text):
        document, at = decoder.raw_decode(text, at)
        found.append(document)
        while at < len(text) and text[at] in " \n":
            at += 1
    return found


def schema_of(command, document):
    if "$schema" in document or "diagnostics" in document:  # SARIF and rdjson: check_formats.sh
        return None
    if "statistics" in document:
        return "statistics"
    if command in ("lint", "service-config", "lb-config") and "findings" in document:
        return "lint" if "tool" in document else "baseline"
    return command


def sections_of(path):
    """The comment, then the arguments and all else by name; of several the last one."""
    parts = re.split(r"^-- (.+) --\n", path.read_text(encoding="utf-8", errors="surrogateescape"), flags=re.M)
    return dict(zip(parts[1::2], map(fill_releases, parts[2::2])))


def members_of(value, listed):
    """The names of all members below a document; listed: below a schema, of those that it lists."""
    if isinstance(value, list):
        for item in value:
            yield from members_of(item, listed)
    elif isinstance(value, dict):
        yield from value.get("properties", {}) if listed else value
        for item in value.values():
            yield from members_of(item, listed)


def check_printed(name):
    """What a schema lists is printed in some case: it has no member that the code lost."""
    for member in sorted(set(members_of(validator(name).schema, True)) - printed[name]):
        fault(f"{name}.schema.json", f"no case prints {member}")


def check_output(where, command, text, tried):
    try:
        found = documents_of(text)
    except ValueError as error:
        return fault(where, f"is not JSON: {error}")
    for document in found:
        name = schema_of(command, document)
        if not name:
            continue
        counts["outputs"] += 1
        printed.setdefault(name, set()).update(members_of(document, False))
        wrong = why_invalid(name, document)
        if wrong:
            fault(where, f"not what {name}.schema.json says: {wrong}")
        elif name not in tried:
            tried.add(name)
            check_refusals(name, document)


def check_catalogue(tried):
    pages = sorted(path.stem for path in pathlib.Path("man/spec").glob("*.spec"))
    for arguments in [[]] + [["--spec", page] for page in pages]:
        text = subprocess.run([PROGRAM, "rule", "-f", "json", *arguments], capture_output=True, text=True, check=True).stdout
        check_output(f"xdscope rule -f json {' '.join(arguments)}", "rule", text, tried)


# ---- what people write -----------------------------------------------------------

def check_file(where, name, path, is_good, is_bad=False):
    """is_bad: the program says that it has a key too many."""
    try:
        found = list(yaml.load_all(path.read_text(encoding="utf-8"), Loader))
    except (yaml.YAMLError, ValueError):
        return is_good and fault(where, f"{path.name} cannot be read here")
    reasons = [why_invalid(name, document) for document in found if document]
    wrong = next(filter(None, reasons), None)
    counts["files"] += len(reasons)
    counts["refused"] += len(reasons) - reasons.count(None)
    if wrong and is_good:
        fault(where, f"{path.name} is not what {name}.schema.json says: {wrong}")
    if is_bad and not wrong:
        fault(where, f"{path.name} is wrong, and {name}.schema.json takes it")


def files_of(command, arguments, folder):
    """The files of a case that are settings, tests or scenarios, by their schema."""
    operands = {word for before, word in zip(arguments, arguments[1:]) if not before.startswith("-")}
    for path in filter(pathlib.Path.is_file, sorted(folder.rglob("*"))):
        if command == "lint" and path.name == "xdscope.conf":
            yield "xdscope.conf", path
        elif command != "lint" and path.name in operands:
            yield {"test": "test-file", "simulate": "scenario"}[command], path


def check_files(path, sections, command, arguments):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([UNPACK, path, folder], capture_output=True, check=False)
        said = "".join(sections.get(name, "") for name in ("stdout", "findings", "stderr"))
        for name, file in files_of(command, arguments, pathlib.Path(folder)):
            is_good = not re.search(re.escape(file.name) + r":\d+:\d+: |\"rule\":\"(test|scenario)-", said)
            # Trees of LB policies are those of gRPC: the schema takes any.
            is_bad = path.parent.name != "policy" and re.search(re.escape(file.name) + r":\d+:\d+: .*(unknown setting|has no key|must be one of)", said)
            check_file(path, name, file, is_good and sections["exit"].strip() in ("0", "1"), is_bad)


# ---- keys that the code reads ----------------------------------------------------

def properties(name, *path):
    schema = validator(name).schema
    for key in path:
        schema = schema[key]
    return set(schema["properties"])


def compare(name, what, listed, read):
    for key in sorted(listed ^ read):
        fault(f"{name}.schema.json", f"{what}: {key} is {'not read' if key in listed else 'missing'}")


def texts(code):
    return set(re.findall(r'"([A-Za-z_]+)"', code))


def table(path, start):
    """The texts of an initializer in a source file."""
    code = pathlib.Path(path).read_text(encoding="utf-8")
    at = code.index(start)
    return texts(code[at:code.index("};", at)])


def check_settings():
    """Each long option of lint is a key of the file, or refused there as one that is unknown."""
    helps = (["lint", "--help"], ["help", "lint", "live"])
    said = "".join(subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=True).stdout for words in helps)
    options = set(re.findall(r"^  .{4}--([a-z-]+)", said, re.M))
    read = {"suppress"}
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "xdscope.conf")
        for option in options:
            file.write_text(f"{option}: [[]]\n", encoding="utf-8")
            said = subprocess.run([PROGRAM, "lint", "--config", file, "-"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False).stderr
            if "unknown setting" not in said:
                read.add(option)
        compare("xdscope.conf", "settings", properties("xdscope.conf"), read)
        for key, schema in validator("xdscope.conf").schema["properties"].items():
            if "enum" in schema:
                file.write_text(f"{key}: no-such-word\n", encoding="utf-8")
                said = subprocess.run([PROGRAM, "lint", "--config", file, "-"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False).stderr
                words = set(re.search("must be one of (.*), not", said).group(1).split(", "))
                compare("xdscope.conf", f"words of {key}", set(schema["enum"]), words)


def check_keys():
    compare("test-file", "a file", properties("test-file"), table("libvalidate/suite/head.c", "keys[] = {"))
    compare("test-file", "a case", properties("test-file", "properties", "cases", "items"), table("libvalidate/suite/case.c", "keys[] = {\"name\""))
    code = pathlib.Path("libvalidate/explain/request_read.c").read_text(encoding="utf-8")
    of_servers = pathlib.Path("libvalidate/explain/inbound_read.c").read_text(encoding="utf-8")
    of_both = pathlib.Path("libvalidate/suite/joint.c").read_text(encoding="utf-8")
    both = re.search(r'#define MEMBER "([a-z_]+)"', of_both).group(1)
    compare("test-file", "a request", properties("test-file", "$defs", "rpc"),
            set(re.findall(r'\{NAME\("([a-z_]+)"\)', code)) | set(re.findall(r'^    \{"([a-z_]+)", read_', of_servers, re.M)) | {both})
    connection = validator("test-file").schema["$defs"]["rpc"]["properties"][both]["oneOf"][1]
    compare("test-file", "a connection", set(connection["properties"]), table("libvalidate/suite/joint.c", "told[] = {"))
    compare("scenario", "a scenario", properties("scenario"), table("libvalidate/scenario/simulation.c", "keys[] = {") | {"steps"})
    definitions = validator("scenario").schema["$defs"]
    subjects, settings = {}, {}
    for path in sorted(pathlib.Path("libvalidate/scenario").glob("subject_*.c")):
        code = path.read_text(encoding="utf-8")
        lists = {name: texts(keys) for name, keys in re.findall(r"#define (\w+_FIELDS)((?:.*\\\n)*.*)", code)}
        for name, head, rows in re.findall(r'xds_subject_\w+ = \{\s*\.name = "([a-z_]+)",(.*?)\.events =(.*?)\.open =', code, re.S):
            settings[name] = texts("".join(re.findall(r"\.config_keys = XDS_KEYS\((.*?)\)", head, re.S)))
            subjects[name] = {event: texts(keys).union(*(lists[n] for n in re.findall(r"\w+_FIELDS", keys)))
                              for event, keys in re.findall(r'\{"([a-z_]+)",\s*XDS_KEYS\(([^)]*)\)', rows)}
    compare("scenario", "subjects", set(validator("scenario").schema["properties"]["subject"]["enum"]), set(subjects))
    for rule in validator("scenario").schema["allOf"]:
        subject = rule["if"]["properties"]["subject"]["const"]
        config = rule["then"]["properties"].get("config", {})
        compare("scenario", f"config of {subject}", set(config.get("properties", {})), settings[subject])
    for subject, events in subjects.items():
        listed = {event["properties"]["type"]["const"]: set(event["properties"]) - {"type", "random"}
                  for event in definitions[f"steps_of_{subject}"]["items"]["properties"]["event"]["oneOf"]}
        compare("scenario", f"events of {subject}", set(listed), set(events) | {"advance"})
        for event, keys in events.items():
            compare("scenario", f"{event} of {subject}", listed.get(event, keys), keys)


def main():
    tried = set()
    names = sorted(path.name[: -len(".schema.json")] for path in pathlib.Path("man/schema").iterdir())
    for name in names:
        check_closed(name, validator(name).schema)
    for path in sorted(pathlib.Path("testdata").rglob("*.case")):
        sections = sections_of(path)
        try:
            arguments = shlex.split(sections.get("args", ""))
        except ValueError:
            continue
        command = arguments[0] if arguments else ""
        output = sections.get("stdout", "")
        if command in COMMANDS and output.startswith("{"):
            check_output(path, command, output, tried)
        writes = {"--init", "--from-router-check", "--version", "--help", "--no-config"} & set(arguments)
        if not writes and (command in ("test", "simulate") or command == "lint" and "xdscope.conf" in str(sections.keys())):
            check_files(path, sections, command, arguments)
    for path in sorted(pathlib.Path("testdata").rglob("*.tests.yaml")):
        check_file(path, "test-file", path, True)
    check_catalogue(tried)
    check_printed("explain")
    check_settings()
    check_keys()
    for name in sorted(set(names) - tried - {"scenario", "test-file", "xdscope.conf"}):
        fault(f"{name}.schema.json", "no case has such an output")
    for line in faults[:60]:
        print(line)
    print(f"  SCHEMAS	{len(names)}: {counts['outputs']} outputs, {counts['files']} files, {counts['refused']} refused, {len(faults)} faults")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
