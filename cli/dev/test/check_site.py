#!/usr/bin/env python3
"""check_site.py FOLDER [PROGRAM URL] - the pages of `make site`, as files.

Each page has the policy that lets it load only what is beside it, no style, script or handler
of its own, ids that are there once, and links that lead to a page and a place in it. What lies
elsewhere is only linked to. PROGRAM was built with SITE_URL=URL: its reports link to pages.
"""

import html.parser
import json
import pathlib
import posixpath
import subprocess
import sys
import urllib.parse

FOLDER = pathlib.Path(sys.argv[1])
ELSEWHERE = "https://github.com/grpc/proposal"  # drafts have the repository alone
faults = []
counts = {"pages": 0, "links": 0, "anchors": 0, "elsewhere": 0}


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.path = path
        # One file each, whose policy has the hashes of what is in it.
        self.is_alone = path.startswith("reports/") or path == "playground.html"
        self.ids, self.links, self.loads, self.policy = [], [], [], None
        self.feed((FOLDER / path).read_text(encoding="utf-8"))

    def fault(self, what):
        faults.append(f"{self.path}: {what}")

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if "id" in given:
            self.ids.append(given["id"])
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag == "form" and "action" in given:
            self.links.append(given["action"])
        if tag == "meta" and given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"]
        if "src" in given or tag == "link" and given.get("rel") != "canonical":
            self.loads.append(given.get("src") or given["href"])
        if self.is_alone:
            return
        if tag == "style" or tag == "script" and "src" not in given:
            self.fault(f"has a {tag} of its own")
        self.check_attributes(tag, given)

    def check_attributes(self, tag, given):
        for name in given:
            if name == "style" or name.startswith("on"):
                self.fault(f"<{tag} {name}>")


def check(page, pages):
    if not page.policy or "default-src 'none'" not in page.policy:
        page.fault("has no Content-Security-Policy")
    for name in {name for name in page.ids if page.ids.count(name) > 1}:
        page.fault(f"id {name} is there twice")
    for target in page.loads + page.links:
        check_link(page, pages, target, target in page.loads)


def check_link(page, pages, target, is_loaded):
    at = urllib.parse.urlsplit(target)
    if at.scheme or at.netloc:
        counts["elsewhere"] += 1
        if is_loaded or not target.startswith(ELSEWHERE):
            page.fault(f"{'loads' if is_loaded else 'links to'} {target}")
        return
    counts["links"] += 1
    there = posixpath.normpath(posixpath.join(posixpath.dirname(page.path), urllib.parse.unquote(at.path))) if at.path else page.path
    if not (FOLDER / there).is_file():
        page.fault(f"dead link {target}")
    elif at.fragment and there in pages:
        counts["anchors"] += 1
        if urllib.parse.unquote(at.fragment) not in pages[there].ids and at.fragment not in pages[there].ids:
            page.fault(f"no place {target}")


def check_search(pages):
    """Each entry of the search leads somewhere."""
    text = (FOLDER / "search_index.js").read_text(encoding="utf-8")
    entries = json.loads(text[text.index("["):text.rindex("]") + 1])
    for entry in entries:
        check_link(pages["search.html"], pages, entry[2], False)
    return len(entries)


def check_reports(program, url):
    """helpUri of every rule, and the link of a rule in HTML and text."""
    def said(form):
        return subprocess.run([program, "lint", "-f", form, "testdata/snapshots/gateway/gateway.yaml"], capture_output=True, text=True, check=False).stdout
    found = [rule["helpUri"] for rule in json.loads(said("sarif"))["runs"][0]["tool"]["driver"]["rules"]]
    for link in found:
        if not link.startswith(f"{url}/") or not (FOLDER / link[len(url) + 1:]).is_file():
            faults.append(f"helpUri {link}: no such page")
    home = subprocess.run([program, "--help"], capture_output=True, text=True, check=False).stdout
    if not home.endswith(f"Rules and manual: {url}\n") or json.loads(said("sarif"))["runs"][0]["tool"]["driver"]["informationUri"] != url:
        faults.append("--help and SARIF do not name the site")
    link = f"{url}/rules/route-path-specifier.html"
    if f'href="{link}">route-path-specifier</a>' not in said("html"):
        faults.append(f"lint -f html does not link to {link}")
    if f'"url":"{link}"' not in said("rdjson"):
        faults.append(f"lint -f rdjson does not link to {link}")
    counts["links"] += len(found)


def main():
    paths = sorted(str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*.html"))
    pages = {path: Page(path) for path in paths}
    counts["pages"] = len(pages)
    for page in pages.values():
        check(page, pages)
    entries = check_search(pages)
    if len(sys.argv) > 3:
        check_reports(*sys.argv[2:4])
    for fault in faults[:40]:
        print(fault)
    print(f"  SITE	{counts['pages']} pages, {counts['links']} links, {counts['anchors']} to places, {counts['elsewhere']} to gRFCs, {entries} entries of the search, {len(faults)} faults")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
