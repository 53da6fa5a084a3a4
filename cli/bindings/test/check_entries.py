#!/usr/bin/env python3
"""check_entries.py - what registries of editors are sent (cli/bindings/editors) names what there is: the server's command line,
the schemas, the entry points of the wheel; and xdscope-editors(7) shows the same."""
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
    named = [row["url"] for row in json.loads((EDITORS / "schemastore.json").read_text(encoding="utf-8"))]
    package = json.loads((ROOT / "cli/bindings/vscode/package.json").read_text(encoding="utf-8"))
    rows = package["contributes"]["yamlValidation"] + package["contributes"]["jsonValidation"]
    for url in named + [row["url"] for row in rows]:
        expect((ROOT / "man/schema" / Path(url).name).is_file(), f"there is no schema {url}")
    expect({Path(url).name for url in named} == {Path(row["url"]).name for row in rows}, "SchemaStore and VS Code know other schemas")
    return set(re.findall(r'"onLanguage:(\w+)"', json.dumps(package)))


def main():
    of_neovim, _, of_code = lua(), mason(), schemas()
    expect(of_neovim <= of_code, f"VS Code does not start for {of_neovim - of_code}")
    code = (ROOT / "cli/bindings/vscode/extension.js").read_text(encoding="utf-8")
    expect(set(re.findall(r'"(\w+)"', re.search(r"LANGUAGES = \[(.*)\]", code).group(1))) == of_code, "extension.js: other LANGUAGES than package.json")
    print("\n".join(faults) or "  ENTRIES	ok")
    return bool(faults)


sys.exit(main())
