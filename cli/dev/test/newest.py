"""newest.py - {core}, {go}, {java}, {node} and {C-core} of cases: the newest releases, by clients.def."""
import re
from pathlib import Path


def newest_releases():
    """{"core": "1.85.3", "C-core": "58.0.0", ...} of clients.def."""
    rows = (Path(__file__).resolve().parents[3] / "libvalidate/include/xdscope/clients.def").read_text()
    found = {client.lower(): f"{major}.{minor}.{patch}" for client, major, minor, patch in
             re.findall(r"^XDS_RELEASE\((CORE|GO|JAVA|NODE), (\d+), (\d+), (\d+),", rows, re.M)}
    return found | {"C-core": "{}.{}.0".format(*re.findall(r"^XDS_CORE_VERSION\((\d+), (\d+),", rows, re.M)[-1])}


NEWEST = newest_releases()


def put_releases(text, given):
    """The newest release of a client by its name, unless the case asks for it by its number."""
    for name, version in NEWEST.items():
        if version.rsplit(".", 1)[0] not in given:
            text = re.sub(r"\b(%s\b[^\n]*?)(?<![\d.])%s\b(?!\.\d)" % (
                "(?:Python|core)" if name == "core" else name, re.escape(version)), r"\1{%s}" % name, text)
    return text


def fill_releases(text):
    """The text of a case with the releases themselves."""
    for name, version in NEWEST.items():
        text = text.replace("{%s}" % name, version)
    return text
