#!/usr/bin/env python3
"""check_entries.py - what registries of editors are sent (cli/bindings/editors) names what there is: the server's command line,
the schemas, the entry points of the wheel; and xdscope-editors(7) shows the same. What looks for files of xDS outside the
program, such as a binding in a folder, knows the extensions that the program knows."""
import json
import re
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[3]
EDITORS = ROOT / "cli/bindings/editors"
faults = []


def expect(right, what):
    if not right:
        faults.append(what)


def lua():
    text = (EDITORS / "xdscope.lua").read_text(encoding="utf-8")
    block = text[text.index("return {"):]
    page = (ROOT / "man/xdscope-editors.7").read_text(encoding="utf-8").replace(r"\(aq", "'").replace(r"\-", "-")
    expect(f".nf\n{block}.fi\n" in page, "xdscope-editors(7) does not show xdscope.lua")
    expect("cmd = { 'xdscope', 'lsp' }" in block, "xdscope.lua: cmd")
    return set(re.findall(r"'(\w+)'", re.search(r"filetypes = \{(.*)\}", block).group(1)))


def mason():
    entry = yaml.safe_load((EDITORS / "mason.yaml").read_text(encoding="utf-8"))
    expect({"name", "description", "homepage", "licenses", "languages", "categories", "source", "bin"} <= entry.keys(), "mason.yaml: a member is missing")
    expect(entry["source"]["id"] == "pkg:pypi/xdscope@@VERSION@", "mason.yaml: source")
    wheel = (ROOT / "cli/bindings/python/wheel.py").read_text(encoding="utf-8")
    for name, of in entry["bin"].items():
        expect(of == f"pypi:{name}" and f"\n{name} = " in wheel, f"mason.yaml: the wheel has no command {name}")


def schemas():
    named = [(name, row["url"]) for row in json.loads((EDITORS / "schemastore.json").read_text(encoding="utf-8")) for name in row["fileMatch"]]
    package = json.loads((ROOT / "cli/bindings/vscode/package.json").read_text(encoding="utf-8"))
    rows = package["contributes"]["yamlValidation"] + package["contributes"]["jsonValidation"]
    ours = [(row["fileMatch"], row["url"]) for row in rows]
    for _, url in named + ours:
        expect((ROOT / "man/schema" / Path(url).name).is_file(), f"there is no schema {url}")
    expect({(name, Path(url).name) for name, url in named} == {(name, Path(url).name) for name, url in ours},
           "SchemaStore and VS Code have other schemas, or for other files")
    page = (ROOT / "man/xdscope-editors.7").read_text(encoding="utf-8")
    for name in {re.sub(r"\w+$", "", name) for name, _ in named if name.startswith("*")}:
        expect(f"{name}yaml" in page, f"xdscope-editors(7) does not name {name}yaml")
    return set(re.findall(r'"onLanguage:(\w+)"', json.dumps(package)))


def extensions():
    """A pattern of names, with those of libvalidate/source/input.c in it."""
    known = set(re.findall(r'\{"\.(\w+)", XDS_ENDING', (ROOT / "libvalidate/source/input.c").read_text(encoding="utf-8")))
    expect(len(known) > 10, "libvalidate/source/input.c: its extensions were not found")
    packed, listed = r"\\\.\(([\w|]+)\)\(\\\.gz\|\\\.zst\)\?\$", r"\*\.\{([\w,]+)\}"
    for path, pattern in ((".pre-commit-hooks.yaml", packed), ("cli/bindings/node/command.js", packed),
                          ("cli/bindings/go/xdscope.go", packed), ("cli/bindings/java/src/main/java/xdscope/Input.java", packed),
                          ("cli/bindings/python/xdscope/_api.py", packed), ("cli/bindings/vscode/extension.js", listed),
                          ("cli/lsp/server.c", listed)):
        text = (ROOT / path).read_text(encoding="utf-8").replace('"\n', "").replace("\\\\", "\\")
        found = re.findall(pattern, re.sub(r',\s*"', ",", text))
        expect(found and all(set(re.split("[|,]", names)) == known for names in found), f"{path}: other extensions than {sorted(known)}: {found}")


def main():
    of_neovim, _, of_code = lua(), mason(), schemas()
    extensions()
    expect(of_neovim <= of_code, f"VS Code does not start for {of_neovim - of_code}")
    code = (ROOT / "cli/bindings/vscode/extension.js").read_text(encoding="utf-8")
    expect(set(re.findall(r'"(\w+)"', re.search(r"LANGUAGES = \[(.*)\]", code).group(1))) == of_code, "extension.js: other LANGUAGES than package.json")
    print("\n".join(faults) or "  ENTRIES	ok")
    return bool(faults)


sys.exit(main())
