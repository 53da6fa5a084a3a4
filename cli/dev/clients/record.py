"""What a run has found, as data of the project: CLIENT.tsv and CLIENT.nack of
testdata/releases."""
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


def write_releases(client, releases, by_case, left_out):
    """by_case: name -> [verdict of each release]."""
    lines = ["# releases: " + " ".join(releases)]
    for name in sorted(by_case):
        lines.append(name + "\t" + runs(list(zip(releases, by_case[name]))))
    lines += ["# %s\t%s" % (name, left_out[name]) for name in sorted(left_out)]
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / (client + ".tsv")).write_text("\n".join(lines) + "\n")


def one_line(text):
    return (text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")
            .replace("\r", "\\r"))


def write_nacks(client, cases, answers):
    """Each text of the newest release once, with the first case that made it."""
    first = {}
    for name in sorted(cases):
        for r in cases[name]:
            answer = answers[r.id]
            if answer.verdict == "NACK" and len(answer.text) <= LONGEST:
                first.setdefault(one_line(answer.text), name)
    lines = sorted("%s\t%s\n" % (name, text) for text, name in first.items())
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / (client + ".nack")).write_text("".join(lines))
