#!/usr/bin/env python3
"""site.py PROGRAM FOLDER [URL] - static pages of all that xdscope knows, from the same rows.

Rules and facts are what `xdscope rule -f json` prints, the answers of real clients are
testdata/releases, the cases testdata/rules, the manual pages man/ (made HTML by mandoc), the
style that of the HTML reports. Pages load nothing but files beside them; `make check-site`
looks at them in a browser.
"""

import collections
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys

PROGRAM, OUT, URL = sys.argv[1], pathlib.Path(sys.argv[2]), (sys.argv[3:] or [""])[0].rstrip("/")
ROOT = pathlib.Path(__file__).resolve().parents[2]
RELEASES = ROOT / "testdata/releases"
CLIENTS = ("core", "go", "java", "node")
NAV = (("rules/index.html", "Rules"), ("spec/index.html", "Facts"), ("documents/index.html", "Documents"), ("agreement/index.html", "Agreement"), ("man/index.html", "Manual"))
CSP = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'"
esc = html.escape
index = []  # of the search: kind, title, page, text
counts = collections.Counter()


def run(*arguments):
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, cwd=ROOT, check=False)
    if done.returncode > 1:
        sys.exit(f"{PROGRAM} {' '.join(arguments)}: {done.stderr}")
    return done.stdout


# ---- pages ---------------------------------------------------------------------

def write(path, title, body, *, scripts=("html.js",), crumbs=(), about=""):
    """A page; paths in body are from the folder of the page, `up` leads to the top."""
    up = "../" * path.count("/")
    nav = "".join(f'<a href="{up}{target}"{" aria-current=page" if target.split("/")[0] == path.split("/")[0] else ""}>{name}</a>' for target, name in NAV)
    trail = "".join(f'<a href="{target}">{esc(name)}</a> / ' for target, name in crumbs)
    canonical = f'<link rel="canonical" href="{esc(URL)}/{path}"/>\n' if URL else ""
    (OUT / path).parent.mkdir(parents=True, exist_ok=True)
    (OUT / path).write_text(f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta http-equiv="Content-Security-Policy" content="{CSP}"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<meta name="referrer" content="no-referrer"/>
<meta name="description" content="{esc(about or title)}"/>
{canonical}<title>{esc(title)}{"" if title == "xdscope" else " · xdscope"}</title>
<link rel="icon" href="{up}icon.svg"/>
<link rel="stylesheet" href="{up}html.css"/>
<link rel="stylesheet" href="{up}site.css"/>
</head>
<body>
<header class="top"><a class="home" href="{up}index.html">xdscope</a><nav aria-label="Parts">{nav}</nav>
<form class="find" action="{up}search.html" role="search"><input type="search" name="q" placeholder="Search" aria-label="Search rules, facts and manual" autocomplete="off" spellcheck="false"/></form></header>
<main>
{f'<p class="trail">{trail}</p>' if trail else ""}{body}
</main>
<footer>{esc(run("--version").splitlines()[0])}, Apache-2.0. Made from the rows of the program by <code>make site</code>; loads nothing from elsewhere.</footer>
{"".join(f'<script src="{up}{script}"></script>' for script in scripts)}
</body>
</html>
""", encoding="utf-8")
    counts["pages"] += 1


LABELLED = ("cases", "clients", "open")  # on a phone each cell has a line, after its heading


def table(heads, rows, kind="", caption=""):
    """Cells are markup. A row may be (attributes, cells)."""
    cells = "".join(f'<th scope="col">{head}</th>' for head in heads)
    lines = []
    for row in rows:
        attributes, row = row if isinstance(row, tuple) else ("", row)
        marks = [f' data-label="{re.sub("<[^>]*>", "", head)}"' if kind in LABELLED else "" for head in heads]
        lines.append(f'<tr{attributes}><th scope="row">{row[0]}</th>{"".join(f"<td{mark}>{cell}</td>" for mark, cell in zip(marks[1:], row[1:]))}</tr>')
    return (f'<div class="scroll {kind}" tabindex="0" role="region" aria-label="{esc(caption or "Table")}"><table><thead><tr>{cells}</tr></thead>\n'
            + "<tbody>\n" + "\n".join(lines) + "\n</tbody></table></div>\n")


def filters(what, boxes=(), lists=(), only=()):
    """The form of html.js; hidden until it runs."""
    out = [f'<form class="filters" aria-label="Filters" hidden="" data-what="{what}">']
    for name, label, values in boxes:
        out.append(f"<fieldset><legend>{label}</legend>" + "".join(
            f'<label><input type="checkbox" checked="" name="{name}" value="{value}"/> {value} <span class="count"></span></label>' for value in values) + "</fieldset>")
    for name, value, label in only:
        out.append(f'<label><input type="checkbox" class="only" name="{name}" value="{value}"/> {label}</label>')
    for name, label, values in lists:
        options = "".join(f'<option value="{esc(value)}">{esc(value)}</option>' for value in values)
        out.append(f'<label>{label} <select name="{name}"><option value="">any</option>{options}</select></label>')
    out.append('<label class="search">Text <input type="search" name="q" autocomplete="off" spellcheck="false"/></label>'
               '<button type="reset">Reset</button> <output class="shown" aria-live="polite"></output></form>')
    return "\n".join(out)


def code(text, marked=0, kind=""):
    """A block; the marked line is where a finding is."""
    lines = [f"<mark>{esc(line)}</mark>" if i == marked else esc(line) for i, line in enumerate(text.rstrip("\n").split("\n"), 1)]
    attribute = f' class="{kind}"' if kind else ""
    return f'<pre tabindex="0"{attribute}>{chr(10).join(lines)}</pre>\n'


def plain(text):
    return re.sub(r"\s+", " ", text).strip()


# ---- what is known -------------------------------------------------------------

rules = json.loads(run("rule", "-f", "json"))["rules"]
pages = [json.loads(run("rule", "-f", "json", "--spec", path.stem))["spec"][0] for path in sorted((ROOT / "man/spec").glob("*.spec"))]
by_slug = {rule["rule"]: rule for rule in rules}
documents = [json.loads(run("rule", "-f", "json", "--document", path.stem))["document"] for path in sorted((ROOT / "testdata/documents").glob("A*.tsv"))]
grfcs = {grfc["number"]: grfc for rule in rules for grfc in rule["grfcs"]}
spec_page = {}  # the page of each id
cited_by = collections.defaultdict(list)
for page in pages:
    for section in page["sections"]:
        spec_page[section["id"]] = page["id"]
        spec_page.update((row["id"], page["id"]) for row in section["rows"])
for rule in rules:
    for row in rule["spec"]:
        cited_by[row["id"]].append(rule["rule"])


def anchor(spec_id):
    return re.sub(r"[^A-Za-z0-9.-]+", "-", spec_id)


def spec_link(up, spec_id, words=None):
    return f'<a href="{up}spec/{spec_page[spec_id]}.html#{anchor(spec_id)}">{esc(words or spec_id)}</a>'


IDS = re.compile(r"\b(?:(?:" + "|".join({name.split(" ")[0] for name in spec_page if " " in name}) + r") [0-9]+(?:\.[0-9]+)*(?:/[0-9]+)?|[A-Z]{1,3}[0-9]*(?:-[a-z])?[0-9]*)\b")


def linked(text, up):
    """Ids of facts, and gRFCs by number, as links."""
    def put(match):
        word = match.group(0)
        if word in spec_page:
            return spec_link(up, word)
        number = re.fullmatch(r"A([0-9]+)", word)
        if number and int(number.group(1)) in grfcs:
            grfc = grfcs[int(number.group(1))]
            return f'<a rel="noreferrer" href="{esc(grfc["url"])}" title="{esc(grfc["title"])}">{word}</a>'
        return word
    return IDS.sub(put, esc(text))


# ---- cases and the answers of clients ------------------------------------------

class Case:
    """A case below testdata/rules: SLUG/NAME."""

    def __init__(self, path):
        text = path.read_text(encoding="utf-8", errors="replace")
        parts = re.split(r"^-- (.+) --\n", text, flags=re.M)
        self.slug, self.name = path.parent.name, path.stem
        self.why = plain(parts[0])
        self.sections = list(zip(parts[1::2], parts[2::2]))
        self.said = "".join(body for name, body in self.sections if name in ("findings", "stdout", "stderr"))
        self.command = next((body.split()[0] for name, body in self.sections if name == "args" and body.split()), "")

    def finds(self):
        return f"[{self.slug}]" in self.said

    def line(self):
        """Where the finding is, if it is in a file alone."""
        found = re.search(r"^[^ :]+:([0-9]+):[0-9]+: .*\[" + re.escape(self.slug) + r"\]$", self.said, re.M)
        return int(found.group(1)) if found else 0

    def type(self):
        found = re.search(r"\[" + re.escape(self.slug) + r"\]\n +(Listener|RouteConfiguration|Cluster|ClusterLoadAssignment)\b", self.said)
        return found and found.group(1)


cases = collections.defaultdict(list)
for path in sorted((ROOT / "testdata/rules").glob("*/*.case")):
    case = Case(path)
    cases[case.slug].append(case)

OTHER_TYPES = {"test": "test file", "simulate": "scenario", "service-config": "config", "lb-config": "config"}


def types_of(slug):
    found = {case.type() for case in cases[slug] if case.finds()} - {None}
    return sorted(found) or sorted({OTHER_TYPES.get(case.command, "input") for case in cases[slug] if case.finds()}) or ["input"]


def number(release):
    return tuple(int(part) for part in release.split("."))[:2]


class Answers:
    """What the releases of a client did, and where xdscope judges otherwise."""

    def __init__(self, client):
        lines = (RELEASES / f"{client}.tsv").read_text(encoding="utf-8").splitlines()
        self.client, self.releases = client, lines[0].split(": ")[1].split()
        self.minors = [".".join(release.split(".")[:2]) for release in self.releases]
        self.runs, self.left_out = {}, {}
        for line in lines[1:]:
            name, rest = line.removeprefix("# ").split("\t")
            words = rest.split(" ")
            if line.startswith("# "):
                self.left_out[name] = rest
            else:
                self.runs[name] = list(zip(words[::2], words[1::2]))
        self.open = collections.defaultdict(list)
        for line in (RELEASES / "open.tsv").read_text(encoding="utf-8").splitlines():
            cells = line.split("\t")
            if cells[0] == client:
                first, last = cells[1].split("..")
                self.open[cells[2]].append((self.releases.index(first), self.releases.index(last), *cells[3:]))

    def verdicts(self, name):
        """One for each release."""
        out, runs = [], list(self.runs[name])
        said = "-"
        for minor in self.minors:
            while runs and number(runs[0][1]) <= number(minor):
                said = runs.pop(0)[0]
            out.append(said)
        return out

    def is_open(self, name, i):
        return any(first <= i <= last for first, last, *_ in self.open[name])

    def words(self, name):
        """ACK; or what changed: ACK, NACK since 1.54."""
        runs = [(said, since) for said, since in self.runs[name]]
        parts = [said if i == 0 else f"{said} since {since}" for i, (said, since) in enumerate(runs)]
        return ", ".join("no answer" + part[1:] if part.startswith("-") else part for part in parts)

    def bar(self, name):
        """The releases from left to right."""
        verdicts, rects = self.verdicts(name), []
        start = 0
        for i in range(1, len(verdicts) + 1):
            key = lambda k: (verdicts[k], self.is_open(name, k))
            if i == len(verdicts) or key(i) != key(start):
                said, is_open = key(start)
                rects.append(f'<rect x="{start}" width="{i - start}" height="1" class="{"none" if said == "-" else said.lower()}"/>')
                if is_open:
                    rects.append(f'<rect x="{start}" y=".7" width="{i - start}" height=".3" class="open"/>')
                start = i
        return f'<svg class="runs" viewBox="0 0 {len(verdicts)} 1" preserveAspectRatio="none" aria-hidden="true">{"".join(rects)}</svg>'

    def cell(self, name):
        if name not in self.runs:
            return f'<span class="quiet">not asked: {esc(self.left_out.get(name, ""))}</span>'
        notes = "".join(f'<p class="warn">xdscope says {esc(says)} of {self.span(first, last)}: {esc(why)}</p>' for first, last, _, says, why in self.open[name])
        return f"{self.bar(name)}<span>{esc(self.words(name))}</span>{notes}"

    def span(self, first, last):
        return self.minors[first] if first == last else f"{self.minors[first]} to {self.minors[last]}"


answers = {client: Answers(client) for client in CLIENTS}


def case_anchor(name):
    return "case-" + name


def case_link(up, name):
    slug, _, fault = name.partition("/")
    return f'<a href="{up}rules/{slug}.html#{case_anchor(fault)}">{esc(name)}</a>'


# ---- rules ---------------------------------------------------------------------

WORDS = {"ACCEPT": "accepts", "IGNORE": "ignores the field", "SKIP": "skips the entry", "NACK": "rejects (NACK)", "CRASH": "dies (CRASH)"}


def verdict(said):
    return f'<span class="verdict {said.lower()}">{WORDS[said]}</span>'


def history_of(rule, client):
    """[(first, release or None, verdict, source)] of a client before its newest release."""
    out, since = [], None
    for row in rule["history"]:
        if row["client"] == client:
            out.append((since, row["before"], row["verdict"], row["source"]))
            since = row["before"]
    return out


def clients_table(rule, up):
    rows = []
    for client, said in rule["clients"].items():
        past = history_of(rule, client)
        newest = f'newest run: {answers[client].releases[-1]}' if client in answers else "the documents"
        since = f' <span class="quiet">since {past[-1][1]}</span>' if past else ""
        before = "".join(f'<p>{verdict(was)} {f"since {first} and " if first else ""}before {last} <span class="quiet">({linked(source, up)})</span></p>' for first, last, was, source in past)
        rows.append([f"<b>{client}</b> <span class=\"quiet\">{newest}</span>", verdict(said) + since, before or '<span class="quiet">the same</span>'])
    return table(("Client", "What it does", "Older releases"), rows, "clients", "What each client does")


def guards_list(rule):
    out = []
    for guard in rule["guards"]:
        past = [row for row in rule["guard_history"] if row["guard"] == guard]
        state = lambda row: ("by default " if row["read"] else "always ") + ("on" if row["on"] else "off")
        words = "; ".join(f'{row["client"]} before {row["before"]}: {state(row)}' for row in past)
        out.append(f"<li>The variable <code>{guard}</code> switches it{esc(f' ({words})') if words else ''}.</li>")
    return "".join(out)


def example(title, kind, rule, key):
    found = rule["examples"][key]
    if not found:
        return ""
    case = next((case for case in cases[rule["rule"]] if found["case"].endswith(f"/{case.name}.case")), None)
    body = code(found["input"], case.line() if case and key == "bad" else 0) if found["input"] else '<p class="quiet">Too long to show, or not text.</p>'
    why = f'<p class="why">{esc(case.why)}</p>' if case else ""
    return f'<section class="example {kind}"><h3>{title}</h3>\n{why}{body}<p class="quiet"><code>{esc(found["case"])}</code></p></section>'


def spec_rows(rule, up):
    out = []
    for row in rule["spec"]:
        if "title" in row:
            out.append(f'<h3>{spec_link(up, row["id"])}: {esc(row["title"])}</h3>')
        else:
            out.append(fact(row, up, heading=spec_link(up, row["id"]), with_rules=False))
    return "".join(out)


def rule_page(rule):
    slug, up = rule["rule"], "../"
    level, types = rule["level"], types_of(slug)
    out = [f'<h1 class="slug">{slug}</h1>',
           f'<p class="badges"><span class="badge {level}">{level}</span> <span class="badge">{rule["effect"]}</span> '
           + " ".join(f'<span class="badge">{name}</span>' for name in types) + f' <span class="quiet">{rule["id"]}</span></p>',
           f'<p class="lead">{linked(rule["text"], up)}</p>']
    if rule["fix"]:
        out.append(f'<p class="fix"><b>Fix:</b> {linked(rule["fix"], up)}</p>')
    if rule["examples"]["bad"] or rule["examples"]["good"]:
        out.append('<h2 id="examples">Bad and good</h2>\n<div class="examples">' + example("Bad", "bad", rule, "bad") + example("Good", "good", rule, "good") + "</div>")
    out.append('<h2 id="what-happens">What happens</h2>')
    if rule["effect"] in ("hygiene", "syntax"):
        out.append("<p>" + ("Every client accepts it; it is a slip all the same." if rule["effect"] == "hygiene" else "The input is not xDS, so no client sees a resource.") + "</p>")
    else:
        out.append(clients_table(rule, up))
    notes = "".join(f"<li>{esc(words[0].upper() + words[1:])}.</li>" for words in rule["consequences"]) + guards_list(rule)
    if notes:
        out.append(f'<ul class="notes">{notes}</ul>')
    if rule["differences"]:
        rows = []
        for row in rule["differences"]:
            past = ", ".join(("also " if was["differs"] else "not ") + f'{was["client"]} before {was["before"]}' for was in row["history"])
            rows.append([esc(", ".join(row["clients"]) or past), esc(row["text"]) + (f' <span class="quiet">({esc(past)})</span>' if past and row["clients"] else ""), linked(row["source"], up)])
        out.append('<h2 id="differences">Differences between clients</h2>' + table(("Who", "What", "Source"), rows, caption="Differences"))
    if rule["logs"]:
        rows = [[esc(", ".join(row["clients"])), (f'<code>{esc(row["path"])}</code>: ' if row["path"] else "") + f'<code>{esc(row["message"])}</code>'] for row in rule["logs"]]
        out.append('<h2 id="logs">In the logs</h2>' + table(("Client", "It says; * is what changes"), rows, caption="Log messages"))
    out.append(f'<h2 id="sources">Sources</h2>\n<p>{linked(rule["source"], up)}</p>')
    if rule["grfcs"]:
        out.append("<ul class=\"notes\">" + "".join(f'<li><a rel="noreferrer" href="{esc(row["url"])}">gRFC A{row["number"]}</a>: {esc(row["title"])}</li>' for row in rule["grfcs"]) + "</ul>")
    out.append(spec_rows(rule, up))
    if cases[slug]:
        rows = []
        for case in cases[slug]:
            name = f"{slug}/{case.name}"
            asked = any(name in found.runs for found in answers.values())
            cells = [found.cell(name) for found in answers.values()] if asked else [f'<span class="quiet">{esc(next((found.left_out[name] for found in answers.values() if name in found.left_out), "not asked"))}</span>', "", "", ""]
            rows.append((f' id="{case_anchor(case.name)}"', [f'<b>{esc(case.name)}</b><p class="why">{esc(case.why)}</p>', *cells]))
        heads = ["Case"] + [f'{client} <span class="quiet">{found.minors[0]} to {found.minors[-1]}</span>' for client, found in answers.items()]
        out.append('<h2 id="cases">Cases, asked of real clients</h2>\n' + legend() + table(heads, rows, "cases", "Cases and what releases of clients did"))
    write(f"rules/{slug}.html", slug, "\n".join(out), crumbs=(("index.html", "Rules"),), about=rule["text"])
    index.append(["rule", slug, f"rules/{slug}.html", plain(" ".join([rule["text"], rule["fix"] or "", rule["id"], *types, *(row["message"] for row in rule["logs"])]))])


def legend():
    return ('<p class="legend quiet"><svg class="runs key" viewBox="0 0 1 1" aria-hidden="true"><rect width="1" height="1" class="ack"/></svg>&nbsp;ACK '
            '<svg class="runs key" viewBox="0 0 1 1" aria-hidden="true"><rect width="1" height="1" class="nack"/></svg>&nbsp;NACK '
            '<svg class="runs key" viewBox="0 0 1 1" aria-hidden="true"><rect width="1" height="1" class="crash"/></svg>&nbsp;CRASH '
            '<svg class="runs key" viewBox="0 0 1 1" aria-hidden="true"><rect width="1" height="1" class="none"/></svg>&nbsp;no answer '
            '<svg class="runs key" viewBox="0 0 1 1" aria-hidden="true"><rect width="1" height="1" class="ack"/><rect y=".6" width="1" height=".4" class="open"/></svg>&nbsp;xdscope says something else; '
            "the oldest release is on the left.</p>")


def rules_index():
    rows, order = [], {"error": 0, "warning": 1, "note": 2}
    letters = {"ACCEPT": "–", "IGNORE": "I", "SKIP": "S", "NACK": "N", "CRASH": "C"}
    effects = ["crash", "nack", "skip", "ignore", "hygiene", "syntax"]
    for rule in sorted(rules, key=lambda rule: (order[rule["level"]], effects.index(rule["effect"]), rule["rule"])):
        types = types_of(rule["rule"])
        seen = rule["effect"] not in ("hygiene", "syntax")
        marks = "".join(f'<abbr class="{said.lower()}" title="{client}: {WORDS[said]}">{letters[said]}</abbr>' for client, said in rule["clients"].items()) if seen else '<span class="quiet">all</span>' if rule["effect"] == "hygiene" else '<span class="quiet">not xDS</span>'
        rows.append((f' data-item="" data-level="{rule["level"]}" data-effect="{rule["effect"]}" data-type="{esc(" ".join(name.replace(" ", "-") for name in types))}"',
                     [f'<a href="{rule["rule"]}.html">{rule["rule"]}</a>', f'<span class="{rule["level"]}">{rule["level"]}</span>', f'<span class="letters">{marks}</span>', esc(", ".join(types)), esc(rule["text"])]))
    levels = collections.Counter(rule["level"] for rule in rules)
    body = (f'<h1>{len(rules)} rules</h1>\n<p class="lead">What gRPC clients reject, skip, ignore or die of, and what is a slip: '
            + ", ".join(f"{levels[level]} {level}s" for level in order) + f'. Letters are for {", ".join(rules[0]["clients"])}: '
            "C dies, N rejects the resource, S skips the entry, I ignores the field, – accepts.</p>\n"
            + filters("rule", [("level", "Level", order)], [("type", "Type", sorted({name.replace(" ", "-") for rule in rules for name in types_of(rule["rule"])})), ("effect", "Effect", effects)])
            + table(("Rule", "Level", "Clients", "Type", "What must hold"), rows, "rules", "All rules"))
    write("rules/index.html", "Rules", body)


# ---- facts ---------------------------------------------------------------------

LABELS = {"from": "from", "core_says": "core says", "go_says": "go says", "java_says": "java says", "node_says": "node says", "no_rule": "no rule"}


def fact(row, up, heading=None, with_rules=True):
    """A row with a line for each client; clients that do the same share one."""
    lines = []
    shared = collections.defaultdict(list)
    for client, words in row.get("clients", {}).items():
        shared[words].append(client)
    lines += [(", ".join(who), linked(words, up), "does") for words, who in shared.items()]
    for key, value in row.items():
        if key not in ("id", "section", "field", "when", "clients", "statements"):
            lines.append((LABELS.get(key, key.replace("_", " ")), linked(value, up), "more"))
    lines += [("gRFC", f'<a href="{up}documents/{said["document"]}.html#line-{said["line"]}">{said["document"]}, line {said["line"]}</a>: {esc(said["text"])}', "more") for said in row.get("statements", ())]
    if with_rules and cited_by[row["id"]]:
        lines.append(("rules", ", ".join(f'<a href="{up}rules/{slug}.html">{slug}</a>' for slug in cited_by[row["id"]]), "more"))
    title = f'<code>{esc(row["field"])}</code>' if "field" in row else ""
    when = f': {linked(row["when"], up)}' if "when" in row else ""
    body = "".join(f'<div class="{kind}"><dt>{esc(key)}</dt><dd>{value}</dd></div>' for key, value, kind in lines)
    mark = heading or f'<a href="#{anchor(row["id"])}">{esc(row["id"])}</a>'
    place = "" if heading else f' id="{anchor(row["id"])}"'
    return f'<section class="fact"{place}><h4><span class="id">{mark}</span> {title}{when}</h4><dl>{body}</dl></section>\n'


def prose(text, up):
    if text.startswith("  "):
        return f'<pre tabindex="0">{linked(text, up)}</pre>'
    return f"<p>{linked(text, up)}</p>"


def spec_pages():
    up, rows = "../", []
    for page in pages:
        out = [f'<h1>{esc(page["title"])}</h1>\n<p class="lead">{linked(page["about"], up)}</p>']
        if len(page["sections"]) > 1:
            out.append('<details class="contents"><summary>Contents</summary><ul>' + "".join(
                f'<li><a href="#{anchor(section["id"])}">{esc(section["id"])}</a> {esc(section["title"])}</li>' for section in page["sections"]) + "</ul></details>")
        for section in page["sections"]:
            out.append(f'<h2 id="{anchor(section["id"])}"><a class="id" href="#{anchor(section["id"])}">{esc(section["id"])}</a> {esc(section["title"])}</h2>')
            if section["source"]:
                out.append(f'<p class="quiet source">Source: {linked(section["source"], up)}</p>')
            out += [prose(text, up) for text in section["text"]]
            out += [fact(row, up) for row in section["rows"]]
            for row in section["rows"]:
                index.append(["fact", f'{row["id"]} {row.get("field", "")}', f'spec/{page["id"]}.html#{anchor(row["id"])}', plain(" ".join([row.get("when", ""), *row.get("clients", {}).values(), *(value for key, value in row.items() if key.endswith("_says"))]))])
        facts = sum(len(section["rows"]) for section in page["sections"])
        counts["facts"] += facts
        write(f'spec/{page["id"]}.html', page["title"], "\n".join(out), crumbs=(("index.html", "Facts"),), about=page["about"])
        rows.append([f'<a href="{page["id"]}.html">{esc(page["id"])}</a>', esc(page["title"]), str(facts), linked(page["about"], up)])
    write("spec/index.html", "Facts", f'<h1>{counts["facts"]} facts about gRPC clients</h1>\n<p class="lead">What each client does with a field or in a situation, '
          "and the gRFC, the source or the run that says so. Rules cite them.</p>" + table(("Page", "Title", "Facts", "About"), rows, caption="Pages"))


# ---- documents -----------------------------------------------------------------

def number(release):
    return [int(part) for part in release.lstrip("A").split(".")]


def spans(found, first, last):
    """"core since 1.60" of releases of clients: all known ones need no number."""
    words = []
    for span in found:
        name, since, until = span["client"], span["from"], span["to"]
        if until == last[name]:
            words.append(name if since == first[name] else f"{name} since {since}")
        else:
            words.append(f"{name} {since}" if since == until else f"{name} {since} to {until}")
    return ", ".join(words)


def statement(said, up):
    both = said["agree"] + said["differ"]
    first, last = ({name: pick((span[key] for span in both if span["client"] == name), key=number) for name in {span["client"] for span in both}}
                   for pick, key in ((min, "from"), (max, "to")))
    lines = [(key, esc(spans(said[key], first, last)), "does") for key in ("agree", "differ") if said[key]]
    for row in said["differences"]:
        past = ", ".join(("also " if was["differs"] else "not ") + f'{was["client"]} before {was["before"]}' for was in row["history"])
        lines.append(("difference", esc(", ".join(row["clients"]) or past) + " " + esc(row["text"]) + (f' <span class="quiet">({esc(past)})</span>' if past and row["clients"] else ""), "more"))
    if said["rules"]:
        lines.append(("rules", ", ".join(f'<a href="{up}rules/{slug}.html">{slug}</a>' for slug in said["rules"]), "more"))
    if said["facts"]:
        lines.append(("facts", ", ".join(spec_link(up, name) for name in said["facts"]), "more"))
    lines.append(("cases", ", ".join(f"<code>{esc(path)}</code>" for path in said["cases"]), "more") if said["cases"] else ("no case", esc(said["no_case"]), "more"))
    body = "".join(f'<div class="{kind}"><dt>{esc(key)}</dt><dd>{value}</dd></div>' for key, value, kind in lines)
    return f'<section class="fact"><h4><span class="id">line {said["line"]}</span> {esc(said["text"])}</h4><dl>{body}</dl></section>\n'


def document_pages():
    """The gRFCs statement by statement."""
    up, rows = "../", []
    for document in documents:
        name, statements = document["name"], document["statements"]
        held = sum(bool(said["cases"]) for said in statements)
        lead = f'{len(statements)} statements, {held} of them held by cases of <code>--client grfc@{name}</code>.'
        out = [f'<h1>gRFC {name}: {esc(document["title"])}</h1>\n<p class="lead">{lead} '
               f'<a rel="noreferrer" href="{esc(document["url"])}">The document</a> has the lines that are named. Agree and differ: who has none or one of the differences and verdicts below a statement; '
               "without these lines no fact about clients is known.</p>"]
        section, line = "", 0
        for said in statements:
            if said["section"] != section:
                section = said["section"]
                out.append(f"<h2>{esc(section)}</h2>")
            if said["line"] != line:
                line = said["line"]
                out.append(f'<a id="line-{line}"></a>')
            out.append(statement(said, up))
            index.append(["gRFC", f'{name}, line {line}', f'documents/{name}.html#line-{line}', plain(said["text"])])
        write(f"documents/{name}.html", f'gRFC {name}', "\n".join(out), crumbs=(("index.html", "Documents"),), about=document["title"])
        counts["statements"] += len(statements)
        rows.append([f'<a href="{name}.html">{name}</a>', esc(document["title"]), str(len(statements)), str(held)])
    write("documents/index.html", "Documents", f'<h1>{counts["statements"]} statements of gRFCs</h1>\n<p class="lead">What the documents say, a statement at a time, the case that holds it, and which clients do so.</p>'
          + table(("gRFC", "Title", "Statements", "Held by cases"), rows, caption="Documents"))


# ---- agreement -----------------------------------------------------------------

def sums(found):
    """(releases: [(asked, open)])"""
    per = [[0, 0] for _ in found.releases]
    for name in found.runs:
        for i, said in enumerate(found.verdicts(name)):
            if said != "-":
                per[i][0] += 1
                per[i][1] += found.is_open(name, i)
    return per


def percent(asked, differ):
    share = 100 * (asked - differ) / asked
    return f"{int(share * 100) / 100:.2f} %"  # never rounded up


def client_page(found):
    client, up, per = found.client, "../", sums(found)
    rows = [[release, str(asked), str(asked - differ), str(differ)] for release, (asked, differ) in zip(found.releases, per)]
    out = [f'<h1>{client}: {len(found.runs)} cases, {len(found.releases)} releases</h1>',
           f'<p class="lead">Each rule case, as it was answered by {client} {found.releases[0]} to {found.releases[-1]}. Where xdscope judges otherwise, the reason is given; the test <code>check_history.sh</code> holds it to all others.</p>',
           legend(), f'<details><summary>By release</summary>{table(("Release", "Answers", "Agree", "Differ"), rows[::-1], caption="Releases")}</details>']
    rows = []
    for name in found.runs:
        kinds = {said.lower() for said in found.verdicts(name)} - {"-"}
        words = " ".join(sorted(kinds) + (["changed"] if len(kinds) > 1 else []))
        rows.append((f' data-item="" data-did="{words}" data-open="{"yes" if found.open[name] else "no"}"', [case_link(up, name), f'<div class="did">{found.cell(name)}</div>']))
    out.append('<h2 id="cases">Cases</h2>' + filters("case", only=[("open", "yes", "only where they differ"), ("did", "changed", "only what changed between releases")])
               + table(("Case", "What it did"), rows, "answers", f"Cases and what {client} did"))
    reasons = collections.Counter(found.left_out.values())
    out.append(f'<h2 id="not-asked">{len(found.left_out)} cases were not asked</h2>' + table(("Why", "Cases"), [[esc(why), str(n)] for why, n in reasons.most_common()], caption="Not asked"))
    write(f"agreement/{client}.html", f"Agreement with {client}", "\n".join(out), crumbs=(("index.html", "Agreement"),))
    return [sum(asked for asked, _ in per), sum(differ for _, differ in per)]


def agreement():
    up, rows, total = "../", [], [0, 0]
    for client, found in answers.items():
        asked, differ = client_page(found)
        total = [total[0] + asked, total[1] + differ]
        rows.append([f'<a href="{client}.html">{client}</a>', f"{found.releases[0]} to {found.releases[-1]}", str(len(found.releases)), f"{len(found.runs):,}", f"{asked:,}", f"{differ:,}", percent(asked, differ)])
    open_rows = []
    for client, found in answers.items():
        for name in sorted(found.open):
            for first, last, did, says, why in found.open[name]:
                open_rows.append((f' data-item="" data-client="{client}" data-did="{did.lower()}"', [client, found.span(first, last), case_link(up, name), f'<span class="{did.lower()}">{did}</span>', f'<span class="{says.lower()}">{says}</span>', linked(why, up)]))
    counts["answers"], counts["differ"] = total
    body = (f'<h1>{percent(*total)} of {total[0]:,} answers agree</h1>\n<p class="lead">Each rule case was put to each release of each client, as a resource over ADS; '
            "what it answered is kept, and xdscope has to say the same for that release, or the reason is listed below.</p>"
            + table(("Client", "From, to", "Releases", "Cases", "Answers", "Differ", "Agree"), rows, "numbers", "Clients")
            + f'<h2 id="open">Where xdscope judges otherwise: {len(open_rows)} rows</h2>' + filters("row", lists=[("client", "Client", CLIENTS)])
            + table(("Client", "Releases", "Case", "It did", "xdscope says", "Why"), open_rows, "open", "Open differences"))
    write("agreement/index.html", "Agreement with real clients", body)


# ---- the manual ----------------------------------------------------------------

def manual():
    sources = sorted((path for folder in ("man", "build/man") for path in (ROOT / folder).iterdir() if re.fullmatch(r"[a-z.-]+\.[1357]", path.name)), key=lambda path: (path.suffix, path.name))
    names = {path.name for path in sources}
    rows = []

    def cross(match):
        name = f"{match.group(1)}.{match.group(2)}"
        return f'<a href="{name}.html">{match.group(1)}({match.group(2)})</a>' if name in names else match.group(0)

    for path in sources:
        body = subprocess.run(["mandoc", "-T", "html", "-O", "fragment", path], capture_output=True, text=True, check=True).stdout
        body = re.sub(r'<table class="(head|foot)">.*?</table>', "", body, flags=re.S)
        body = re.sub(r"<(/?)h2\b", r"<\1h3", body)
        body = re.sub(r"<(/?)h1\b", r"<\1h2", body)
        body = re.sub(r' style="[^"]*"', "", body)
        body = re.sub(r"<b>([a-z.-]+)</b>\(([1357])\)", cross, body)
        body = re.sub(r"<b>([a-z0-9-]+)</b>", lambda match: f'<a href="../rules/{match.group(1)}.html">{match.group(1)}</a>' if match.group(1) in by_slug else match.group(0), body)
        body = body.replace("<pre>", '<pre tabindex="0">')
        title = f"{path.stem}({path.suffix[1:]})"
        about = plain(html.unescape(re.sub(r"<[^>]*>", "", re.search(r'id="NAME".*?<p class="Pp">(.*?)</p>', body, re.S).group(1)))).partition(" - ")[2]
        write(f"man/{path.name}.html", title, f'<h1>{title}</h1>\n<div class="man">{body}</div>', crumbs=(("index.html", "Manual"),), about=about)
        rows.append([f'<a href="{path.name}.html">{title}</a>', esc(about)])
        for part in re.split(r'(?=<section class="Sh">)', body)[1:]:
            head = re.search(r'id="([^"]+)">\s*<a[^>]*>(.*?)</a>', part, re.S)
            words = plain(html.unescape(re.sub(r"<[^>]*>", "", part)))
            if not path.name.startswith(("xdscope-rules.", "xdscope-spec-")):
                index.append(["manual", f"{title} {html.unescape(head.group(2)).capitalize()}", f"man/{path.name}.html#{head.group(1)}", words[:3000]])
    schemas = sorted((ROOT / "man/schema").glob("*.json"))
    (OUT / "schema").mkdir(exist_ok=True)
    for schema in schemas:
        shutil.copy(schema, OUT / "schema")
    described = [(schema.name, json.loads(schema.read_text(encoding="utf-8"))) for schema in schemas]
    rows_of_schemas = [[f'<a href="../schema/{name}">{name}</a>', esc(schema["description"])] for name, schema in described]
    write("man/index.html", "Manual", "<h1>Manual</h1>" + table(("Page", "About"), rows, caption="Manual pages")
          + '<h2 id="schemas">JSON schemas</h2>' + table(("Schema", "Of what"), rows_of_schemas, caption="JSON schemas"))


# ---- the front, reports, search ------------------------------------------------

def intro():
    """The first paragraphs of the README."""
    text = (ROOT / "README.md").read_text(encoding="utf-8").split("\n\n")
    return [re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", esc(plain(part))) for part in text[1:2]]


def session(*arguments):
    """A command and what it prints; rules in brackets lead to their pages."""
    text = code(f"$ xdscope {' '.join(arguments)}\n{run(*arguments)}", kind="wrap" if arguments[0] == "lint" else "")
    return re.sub(r"\[([a-z0-9-]+)\]", lambda match: f'[<a href="rules/{match.group(1)}.html">{match.group(1)}</a>]' if match.group(1) in by_slug else match.group(0), text)


def front():
    (OUT / "reports").mkdir(exist_ok=True)
    reports = (("lint", ["lint", "-f", "html", "testdata/snapshots/shop", "testdata/snapshots/gateway/gateway.yaml"], "what clients reject, with filters"),
               ("explain", ["explain", "-f", "html", "--target", "xds:///shop.example.com", "--path", "/shop.Cart/Checkout", "--cookie-host", "10.1.0.3:8443", "--cookie-cluster", "cart", "testdata/snapshots/shop"], "where one RPC goes, as a picture"),
               ("diff", ["diff", "-f", "html", "testdata/snapshots/shop", "testdata/snapshots/shop-next"], "what a rollout changes"),
               ("simulate", ["simulate", "-f", "html", "testdata/fixtures/addresses-change.scenario.yaml"], "LB policies over time"))
    for name, arguments, _ in reports:
        (OUT / f"reports/{name}.html").write_text(run(*arguments), encoding="utf-8")
        counts["pages"] += 1
    gateway = "testdata/snapshots/gateway/gateway.yaml"
    cards = ((f"{len(rules)}", "rules", "rules/index.html", "what each client does, with bad and good input"),
             (f'{counts["facts"]:,}', "facts", "spec/index.html", "fields and situations, client by client"),
             (f'{counts["statements"]}', "statements of gRFCs", "documents/index.html", "what holds each, and who does so"),
             (percent(counts["answers"], counts["differ"]), f'of {counts["answers"]:,} answers agree', "agreement/index.html", f'{sum(len(found.releases) for found in answers.values())} releases of {len(answers)} clients were run'),
             ("Manual", "pages and JSON schemas", "man/index.html", "commands, files, what is stable"))
    playground = ROOT / "build/playground/index.html"
    if playground.is_file():
        shutil.copyfile(playground, OUT / "playground.html")
        cards = (("Try it", "in the browser", "playground.html", "nothing leaves your machine"), *cards)
    body = ("<h1>What gRPC clients make of xDS configuration</h1>\n" + "".join(f'<p class="lead">{text}</p>' for text in intro())
            + code("pip install xdscope && xdscope lint snapshot/") + '<p>Or in your own language: <a href="man/xdscope-go.7.html">Go</a>, <a href="man/xdscope-java.7.html">Java</a>, <a href="man/xdscope-node.7.html">Node</a>, <a href="man/xdscope-python.7.html">Python</a>.</p>'
            + '<form class="find big" action="search.html" role="search"><input type="search" name="q" placeholder="A rule, a field, a message from a log" aria-label="Search" autocomplete="off" spellcheck="false"/> <button>Search</button></form>'
            + '<div class="cards">' + "".join(f'<a class="card" href="{target}"><b>{esc(big)}</b> <span>{esc(what)}</span><small>{esc(more)}</small></a>' for big, what, target, more in cards) + "</div>"
            + '<h2 id="lint">Would clients accept it?</h2>' + session("lint", gateway)
            + '<h2 id="explain">Where does an RPC go, and why?</h2>' + session("explain", "--path", "/helloworld.Greeter/SayHello", gateway)
            + '<h2 id="reports">The same for a browser</h2><ul class="notes">' + "".join(f'<li><a href="reports/{name}.html">xdscope {name} -f html</a>: {what}</li>' for name, _, what in reports) + "</ul>"
            + '<h2 id="install">Build it</h2>' + code("make deps-build && make\nsudo make install\nxdscope lint snapshot/"))
    write("index.html", "xdscope", body, about="What gRPC clients make of xDS configuration")


def search():
    body = ('<h1>Search</h1><form class="find big" id="search" role="search"><input type="search" name="q" autofocus="" placeholder="A rule, a field, a message from a log" aria-label="Search" autocomplete="off" spellcheck="false"/></form>'
            '<p class="quiet" id="found" aria-live="polite">Without scripts there is no search: the lists of <a href="rules/index.html">rules</a>, <a href="spec/index.html">facts</a> and <a href="man/index.html">manual pages</a> have everything.</p><ol id="results"></ol>')
    write("search.html", "Search", body, scripts=("search_index.js", "search.js"))
    lines = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in index)
    (OUT / "search_index.js").write_text(f'"use strict";\nconst searchIndex = [\n{lines}\n];\n', encoding="utf-8")


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    for name in ("libvalidate/print/write/html.css", "libvalidate/print/write/html.js", "mk/site/site.css", "mk/site/search.js", "mk/site/icon.svg"):
        shutil.copy(ROOT / name, OUT)
    for rule in rules:
        rule_page(rule)
    rules_index()
    spec_pages()
    document_pages()
    agreement()
    manual()
    front()
    search()
    print(f'  SITE	{OUT}: {counts["pages"]} pages, {len(rules)} rules, {counts["facts"]} facts, {counts["statements"]} statements, {len(index)} entries of the search')


if __name__ == "__main__":
    main()
