"""peers.py - `xdscope fetch` beside real control planes and real clients. See README.md."""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import queue
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "live")]

import cases  # noqa: E402
import dumps  # noqa: E402
import each_client  # noqa: E402
import planes  # noqa: E402
import programs  # noqa: E402
import recipes  # noqa: E402
from channel import full_bootstrap  # noqa: E402
from clients import environment  # noqa: E402

WORKERS = 4
FETCH_SECONDS = 300
SETTLE_SECONDS = 240    # until a client waits for nothing any more, which has waited 15 for what does not come
POLL_SECONDS, STILL = 0.4, 4    # polls with the same answer
SHOWN = 3               # names of a cause that are printed,
SHOWN_DETAILS = 600     # and characters of its details
COLUMNS = ("snapshots", "resources", "ACKED", "NACKED", "other", "equal", "explained", "differ",
           "asks", "lint", "delta")


def say(text):
    print(text, flush=True)


def run(*words, seconds=FETCH_SECONDS):
    return subprocess.run([cases.XDSCOPE, *map(str, words)], capture_output=True, timeout=seconds,
                          env=environment({}))


class Difference:
    def __init__(self, cause, what, details=""):
        self.cause, self.what, self.details = cause, what, details


# ---- what is held ----

def short(url):
    return url.split(".")[-1]


def words(held, client):
    """The text of a rejection, without what core writes around it; that of the others is in our
    words, and only compared by whether there is one."""
    if held.status == "DOES_NOT_EXIST":
        return None
    return held.details.removeprefix("invalid resource: ") if client == "core" else bool(held.details)


def compare(ours, theirs, client):
    """Differences of what fetch holds and what the client does, resource by resource."""
    out = []
    for key in sorted(set(ours) | set(theirs)):
        mine, real = ours.get(key), theirs.get(key)
        what = "%s %s" % (short(key[0]), key[1])
        if not mine or not real:
            which = real or mine
            out.append(Difference("%s alone has it, %s" % (client if real else "fetch", which.status), what))
        elif mine.status != real.status:
            out.append(Difference("%s, of %s %s" % (mine.status, client, real.status), what,
                                  mine.details or real.details))
        else:
            out += [Difference("%s, of %s" % (field, real.status), what, "fetch %r, %s %r" % (a, client, b))
                    for field, a, b in fields_of(mine, real, client) if a != b]
    return out


def fields_of(mine, real, client):
    yield "words", words(mine, client), words(real, client)
    for field in ("version", "value", "failed_version", "failed"):
        yield field, getattr(mine, field), getattr(real, field)


def last_asked(requests):
    """Of each type: the names of the last request, and whether the last answer was a NACK."""
    out = {}
    for r in requests:
        before = out.get(r["type_url"], ((), None))
        out[r["type_url"]] = (tuple(sorted(r["names"] or ())),
                              r["error"] is not None if r["nonce"] else before[1])
    return out


def compare_asked(ours, theirs, client):
    """What the control plane has got."""
    mine, real = last_asked(ours), last_asked(theirs)
    return [Difference("asks of %s" % short(url), "the control plane", "fetch %s, %s %s" % (
        mine.get(url), client, real.get(url)))
        for url in sorted(set(mine) | set(real)) if mine.get(url) != real.get(url)]


def compare_delta(ours, delta):
    """By the incremental protocol: the same, in versions of their own."""
    out = []
    for key in sorted(set(ours) | set(delta)):
        a, b = (held.get(key) and held[key]._replace(version="", failed_version="", details="")
                for held in (ours, delta))
        if a != b:
            out.append(Difference("delta: %s instead of %s" % (b and b.status, a and a.status),
                                  "%s %s" % (short(key[0]), key[1])))
    return out


def lint(path, bootstrap, *more):
    return json.loads(run("lint", "-f", "json", "--exit-zero", "--bootstrap", bootstrap, *more,
                          path).stdout)


def unexplained(dump, held, bootstrap, client):
    """What lint does not say of a client's dump: the rule of each NACK, and its line in the rejected
    version where the client keeps that; and what it says and should not. What kills the client
    later is ACKED."""
    out = []
    findings = lint(dump, bootstrap)["findings"]
    for (url, name), h in held.items():
        own = [f for f in findings if f["resource"]["name"] == name and f["level"] == "error" and
               f["resource"]["type"].endswith(short(url))]
        told = [f for f in own if f["rule"] == "client-nacked"]
        rules = [f for f in own if f["rule"] != "client-nacked" and f["line"] > 1]
        what = "%s %s" % (short(url), name)
        if h.status == "NACKED" and not (rules if h.failed else re.search(r"\(rules? ", str(told))):
            out.append(Difference("lint does not explain a NACK", what, h.details))
        rejected = [f for f in own if not any(
            verdict == "CRASH" for who, verdict in f["clients"].items() if who.split("@")[0] == client)]
        if h.status == "ACKED" and rejected:
            out.append(Difference("lint rejects what is ACKED", what, rejected[0]["message"]))
    return out


# ---- one snapshot ----

class Peer:
    """A client beside a control plane."""

    def __init__(self, plane, installed, folder):
        self.plane, self.installed, self.folder = plane, installed, folder
        self.client = installed.client.name
        self.as_name = "%s@%s" % (self.client, installed.release)

    def path(self, name, ending):
        return self.folder / (re.sub(r"\W+", "-", "%s-%s-%s" % (self.plane.name, self.client, name)) + ending)

    def bootstrap(self, snapshot, port):
        boot = json.loads(full_bootstrap(snapshot.bootstrap, port))
        boot["node"].update(planes.KINDS[self.plane.name].node(snapshot.name))
        path = self.path(snapshot.name, ".json")
        path.write_text(json.dumps(boot))
        return path

    def fetch(self, snapshot, bootstrap, *more):
        out = self.path(snapshot.name, ".fetch.binpb")
        out.unlink(missing_ok=True)
        done = run("fetch", "ads", "--bootstrap", bootstrap, "--target", "xds:///" + snapshot.target,
                   "--as", self.as_name, "-f", "binary", "-o", out, *more)
        if not out.exists():
            raise RuntimeError(done.stderr.decode())
        return dumps.read(out.read_bytes())

    def settled(self, program, out):
        """What the client holds once it waits for nothing; {} when it has died."""
        end, before, same = time.monotonic() + SETTLE_SECONDS, None, 0
        while program.port and program.lives():
            run("fetch", "csds", "127.0.0.1:%d" % program.port, "-f", "binary", "-q", "-o", out)
            held = dumps.read(out.read_bytes()) if out.exists() else {}
            same = same + 1 if held == before else 0
            waits = not held or any(h.status == "REQUESTED" for h in held.values())
            if same >= STILL and (not waits or time.monotonic() > end):
                return held
            before = held
            time.sleep(POLL_SECONDS)
        return {}

    def ask(self, snapshot, bootstrap):
        """(what the client holds, whether it has died, its dump, as JSON if that holds it)"""
        out, text = (self.path(snapshot.name, ".csds" + ending) for ending in (".binpb", ""))
        out.unlink(missing_ok=True)
        with tempfile.TemporaryFile() as log:
            program = programs.Program(self.installed, snapshot.target, bootstrap, log)
            try:
                held = self.settled(program, out)
                run("fetch", "csds", "127.0.0.1:%d" % program.port, "-q", "-o", text)
                died = not program.lives()
            finally:
                program.close()
        return held, died, text

    def serve(self, snapshot, who):
        """The snapshot for a node of its own, and the bootstrap of that."""
        mine = snapshot._replace(name="%s/%s/%s" % (snapshot.name, self.client, who))
        port, _ = self.plane.set(mine.name, "1", mine.resources)
        return mine, self.bootstrap(mine, port)

    def play(self, snapshot):
        """(what the client holds, differences)"""
        has_delta = planes.KINDS[self.plane.name].has_delta
        fetch, real = (self.serve(snapshot, who) for who in ("fetch", "client"))
        ours = self.fetch(*fetch)
        theirs, died, dump = self.ask(*real)
        by_delta = self.fetch(*self.serve(snapshot, "delta"), "--delta") if has_delta else ours
        if died:
            says_so = lint(self.path(fetch[0].name, ".fetch.binpb"), fetch[1], "--client",
                           self.as_name)["summary"]["crashing"]
            return {}, [] if says_so else [Difference("%s has died" % self.client, "the program")]
        asked = (self.plane.requests[s.name] for s, _ in (fetch, real))
        return theirs, (compare(ours, theirs, self.client) + compare_delta(ours, by_delta) +
                        compare_asked(*asked, self.client) +
                        unexplained(dump, theirs, real[1], self.client))


# ---- all of them ----

def read_explained():
    lines = (HERE / "explained.tsv").read_text().splitlines()
    return [line.split("\t") for line in lines if line and line[0] != "#"]


def reason(explained, peer, snapshot, difference):
    text = "%s: %s: %s: %s: %s" % (peer.plane.name, difference.cause, snapshot.name, difference.what,
                                   difference.details)
    for client, pattern, why in explained:
        if client in ("*", peer.client) and re.search(pattern, text, re.S):
            return why
    return None


def show(groups):
    for (peer, cause, why), found in sorted(groups.items(), key=lambda g: g[0]):
        head = "explained" if why else "DIFFERS"
        say("%s: %s: %s: %d x" % (head, peer, cause, len(found)) + ("\n  " + why if why else ""))
        for snapshot, d in found[:1 if why else SHOWN]:
            say("  e.g. %s: %s: %s" % (snapshot.name, d.what, str(d.details)[:SHOWN_DETAILS]))


def count(peer, played, explained):
    """The row of the table; differences by cause."""
    groups, row = collections.defaultdict(list), collections.Counter()
    for snapshot, (held, differences) in played:
        row["snapshots"] += 1
        row["resources"] += len(held)
        row.update(h.status if h.status in ("ACKED", "NACKED") else "other" for h in held.values())
        whys = [reason(explained, peer, snapshot, d) for d in differences]
        for d, why in zip(differences, whys):
            groups["%s, %s" % (peer.client, peer.plane.name), d.cause, why or ""].append((snapshot, d))
            row["asks"] += d.cause.startswith("asks ")
            row["lint"] += d.cause.startswith("lint ")
            row["delta"] += d.cause.startswith("delta")
        row["equal" if not differences else "explained" if all(whys) else "differ"] += 1
    show(groups)
    return row


def served(plane, drawn):
    """Those that the control plane can hold: it decodes them."""
    out = []
    for snapshot in drawn:
        _, error = plane.set(snapshot.name, "1", snapshot.resources)
        if error:
            say("left out: %s: %s cannot hold it: %s" % (snapshot.name, plane.name, error))
        else:
            out.append(snapshot)
    return out


def play_all(peer, drawn):
    def one(snapshot):
        try:
            return snapshot, peer.play(snapshot)
        except (RuntimeError, OSError, ValueError, queue.Empty, subprocess.SubprocessError) as e:
            return snapshot, ({}, [Difference("no answer", "the program", repr(e))])

    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        return list(pool.map(one, drawn))


def peers(args):
    """(name, ready or a text that says why not) of clients and control planes."""
    def split(words):
        return re.split(r"[\s,]+", words.strip())

    installed = {c: each_client.ready(c, "newest", (), programs.setup) for c in split(args.clients)}
    running = {p: planes.install(p) or planes.Plane(p) for p in split(args.planes)}
    for name, found in [*installed.items(), *running.items()]:
        if isinstance(found, str):
            say("SKIPPED %s: %s" % (name, found))
    return installed, running


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--clients", default="core go java node")
    parser.add_argument("--planes", default="go java")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="snapshots whose name contains it")
    parser.add_argument("--keep", help="a folder for dumps")
    args = parser.parse_args()

    installed, running = peers(args)
    failed = any(isinstance(found, str) for found in [*installed.values(), *running.values()])
    explained, table = read_explained(), [("client", "plane", *COLUMNS)]
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(args.keep or work)
        for plane in (p for p in running.values() if not isinstance(p, str)):
            drawn = planes.KINDS[plane.name].draw(args.count, args.seed)
            held = served(plane, [s for s in drawn if args.only in s.name])
            for one in (i for i in installed.values() if not isinstance(i, str)):
                peer = Peer(plane, one, folder)
                row = count(peer, play_all(peer, held), explained)
                failed = failed or row["differ"] > 0
                table.append((peer.client, plane.name, *(row[c] for c in COLUMNS)))
            plane.close()
    told = recipes.check(cases.XDSCOPE)
    if told is not True:
        say("SKIPPED the live sessions of the manual: " + told if told else "the live sessions of the manual differ")
    for row in table:
        say("".join(str(cell).rjust(11) for cell in row))
    return 1 if failed or told is not True or len(table) == 1 else 0


if __name__ == "__main__":
    sys.exit(main())
