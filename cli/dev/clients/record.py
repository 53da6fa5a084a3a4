"""What a run has found, as data of the project: CLIENT.tsv and CLIENT.nack of
testdata/releases."""
import re

from clients import ROOT, minor

FOLDER = ROOT / "testdata/releases"
LONGEST = 2000    # of a text of a NACK; others quote a whole resource
WORST = ("CRASH", "NACK", "-", "ACK")


def of_case(answers):
    """The verdict on a case with several resources: the worst of them."""
    found = {a.verdict for a in answers}
    return next(v for v in WORST if v in found)


def runs(verdicts):
    """[("1.52.3", "ACK"), ...], oldest first -> "ACK 1.52 NACK 1.60": each holds until the
    next."""
    out, before = [], None
    for release, verdict in verdicts:
        if verdict != before:
            out.append("%s %d.%d" % (verdict, *minor(release)))
        before = verdict
    return " ".join(out)


def not_asked():
    """The names of the cases that a client has not been asked about yet."""
    found = set()
    for path in FOLDER.glob("*.tsv"):
        found |= set(re.findall(r"^# (.*)\tnot asked yet$", path.read_text(), re.M))
    return found


def kept(path, asked):
    """The lines of a file about other cases than those asked: (name, the rest)."""
    lines = path.read_text().splitlines() if path.exists() else []
    rows = [line.split("\t", 1) for line in lines if "\t" in line]
    cases = ((name.removeprefix("# "), name, rest) for name, rest in rows)
    return [(name, rest) for case, name, rest in cases
            if case not in asked and (ROOT / "testdata/rules" / (case + ".case")).exists()]


def write_releases(client, releases, by_case, left_out):
    """by_case: name -> [verdict of each release]. Other cases stay as they are. Raises ValueError."""
    path = FOLDER / (client + ".tsv")
    first = "# releases: " + " ".join(releases)
    asked = {name: runs(list(zip(releases, by_case[name]))) for name in by_case}
    asked.update(("# " + name, left_out[name]) for name in left_out)
    others = kept(path, by_case.keys() | left_out.keys())
    if others and path.read_text().split("\n", 1)[0] != first:
        raise ValueError("%s is about other releases: ask about all cases" % path)
    rows = sorted([*others, *asked.items()], key=lambda row: (row[0].startswith("# "), row[0]))
    FOLDER.mkdir(exist_ok=True)
    path.write_text("".join("%s\n" % line for line in (first, *map("\t".join, rows))))


def one_line(text):
    return (text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")
            .replace("\r", "\\r"))


def write_nacks(client, cases, left_out, answers):
    """Each text of the newest release once, with the first case that made it."""
    path = FOLDER / (client + ".nack")
    first = {text: name for name, text in kept(path, cases.keys() | left_out.keys())}
    for name in sorted(cases):
        for r in cases[name]:
            answer = answers[r.id]
            if answer.verdict == "NACK" and len(answer.text) <= LONGEST:
                first.setdefault(one_line(answer.text), name)
    lines = sorted("%s\t%s\n" % (name, text) for text, name in first.items())
    FOLDER.mkdir(exist_ok=True)
    path.write_text("".join(lines))
