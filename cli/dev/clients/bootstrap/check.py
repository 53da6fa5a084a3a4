"""check.py - gRPC bootstraps: the real clients beside xdscope. See README.md;
`make check-clients-bootstrap` runs it."""
import argparse
import collections
import concurrent.futures
import copy
import json
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from cases import UNPACK, XDSCOPE    # noqa: E402
from clients import CLIENTS, ROOT, Installed, environment, minor, releases    # noqa: E402

BATCH = 200    # bootstraps of a run of xdscope
PROGRAMS = {
    "core": ("{release}/bin/python", "{here}/core/client.py"),
    "go": ("{release}/bootstrap/client",),
    "java": ("java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp",
             "{release}/lib/*:{release}/bootstrap", "Bootstrap"),
    "node": ("node", "{here}/node/client.js"),
}


def arguments():
    parser = argparse.ArgumentParser(prog="check.py")
    parser.add_argument("--clients", default=" ".join(CLIENTS))
    parser.add_argument("--releases", default="newest", help="newest, 1.64, 1.60..1.85 or go@1.64, by comma")
    parser.add_argument("--count", type=int, default=0, help="mutated bootstraps, besides")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def chosen(client, words):
    known, found = releases(client), []
    for word in words.split(","):
        name, _, word = word.rpartition("@")
        if name not in ("", client):
            continue
        first, _, last = word.partition("..")
        found += known[-1:] if word == "newest" else [
            r for r in known if minor(first) <= minor(r) <= minor(last or first)]
    return found


# ---- bootstraps ----

def rule_cases():
    """(name, text, variables) of the cases about bootstraps."""
    for path in sorted((ROOT / "testdata/rules").glob("*/*.case")):
        if not (path.parent.name.startswith("bootstrap-") or path.stem.startswith("bootstrap-")):
            continue
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([UNPACK, path, folder], capture_output=True, text=True)
            words = shlex.split(done.stdout)
            env = tuple(words[i + 1].partition("=")[::2] for i, w in enumerate(words) if w == "--env")
            for file in sorted(pathlib.Path(folder).glob("boot*.json")):
                yield "%s/%s" % (path.parent.name, path.stem), file.read_text(), env


VALUES = (None, True, False, 0, 1, -1.5, "", "x", "%s", "600s", "insecure", "tls", "file_watcher", "-1s",
          "xdstp://a/%s", "xdstp://a/", "600", [], ["xds_v3"], [None], {}, {"type": "insecure"},
          {"x": 1}, {"plugin_name": "file_watcher", "config": {}}, {"ca_certificate_file": "ca.pem"},
          {"certificate_file": "c", "private_key_file": "k", "refresh_interval": "1s"})
KEYS = ("xds_servers", "server_uri", "channel_creds", "type", "config", "server_features", "node",
        "id", "cluster", "locality", "metadata", "region", "zone", "certificate_providers",
        "plugin_name", "authorities", "client_listener_resource_name_template", "call_creds",
        "client_default_listener_resource_name_template", "ca_certificate_file",
        "server_listener_resource_name_template", "certificate_file", "private_key_file",
        "refresh_interval", "a", "x")


def places(value, out):
    """Each container, with each of its keys or indices."""
    if isinstance(value, dict):
        pairs = list(value.items())
    elif isinstance(value, list):
        pairs = list(enumerate(value))
    else:
        return out
    for key, child in pairs:
        out.append((value, key))
        places(child, out)
    return out


def mutate(rng, text):
    root = json.loads(text)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        found = places(root, [])
        if not found:
            return text
        holder, key = rng.choice(found)
        kind = rng.randrange(5)
        if kind == 0:
            del holder[key]
        elif kind == 1 or not isinstance(holder, dict):
            holder[key] = copy.deepcopy(rng.choice(VALUES))
        elif kind == 2:
            holder[rng.choice(KEYS)] = copy.deepcopy(rng.choice(VALUES))
        elif kind == 3:
            holder[rng.choice(KEYS)] = holder.pop(key)
        else:
            holder[rng.choice(KEYS)] = json.loads(json.dumps(rng.choice(found)[0]))
    if rng.randrange(40) == 0:
        root = copy.deepcopy(rng.choice(VALUES))
    text = json.dumps(root)
    if rng.randrange(40) == 0:
        at = rng.randrange(len(text))
        text = text[:at] + rng.choice('{}[]",:x/') + text[at + rng.randrange(2):]
    return text


def mutated(seeds, count, seed):
    rng = random.Random(seed)
    usable = []
    for name, text, env in seeds:
        try:
            json.loads(text)
        except ValueError:
            continue
        usable.append((text, env))
    for i in range(count):
        text, env = rng.choice(usable)
        yield "mutated-%d" % i, mutate(rng, text), env


# ---- answers ----

def install(installed):
    """What the client needs besides its own installation."""
    folder, name = installed.folder / "bootstrap", installed.client.name
    if not installed.there():
        installed.install()
    if name == "go" and not (folder / "client").exists():
        folder.mkdir(exist_ok=True)
        (folder / "main.go").write_text((HERE / "go/main.go").read_text())
        subprocess.run(["go", "build", "-p", "1", "-ldflags", "-s -w", "-o", "bootstrap/client",
                        "./bootstrap"], cwd=installed.folder, check=True)
    if name == "java" and not (folder / "Bootstrap.class").exists():
        folder.mkdir(exist_ok=True)
        subprocess.run(["javac", "-nowarn", "-cp", "%s/lib/*" % installed.folder, "-d", folder,
                        HERE / "java/Bootstrap.java"], check=True)


def ask(installed, texts, env):
    """What the client says of each: None, words, or {"died": words}."""
    words = [w.format(here=HERE, release=installed.folder) for w in PROGRAMS[installed.client.name]]
    answers = []
    while len(answers) < len(texts):
        rest = "".join(json.dumps(t) + "\n" for t in texts[len(answers):])
        done = subprocess.run(words, input=rest, text=True, cwd=installed.folder,
                              env=environment(dict(env)), capture_output=True)
        answers += [json.loads(line) for line in done.stdout.splitlines()]
        if len(answers) < len(texts):
            answers.append({"died": "%d: %s" % (done.returncode,
                                               done.stderr.strip().split("\n")[-1][:300])})
    return answers


def ask_in_parts(installed, texts, env):
    """The same in several processes: core's wait for servers that are not there."""
    parts = 6 if installed.client.name == "core" and len(texts) > 12 else 1
    size = -(-len(texts) // parts)
    with concurrent.futures.ThreadPoolExecutor(parts) as pool:
        answers = pool.map(lambda at: ask(installed, texts[at:at + size], env),
                           range(0, len(texts), size))
        return [a for part in answers for a in part]


def verdict(answer):
    return "CRASH" if isinstance(answer, dict) else "ACK" if answer is None else "NACK"


def lint(folder, text, words):
    """xdscope's findings on a text that an option names; None where it is no JSON."""
    (folder / "boot.json").write_text(text)
    done = subprocess.run([*words, "--bootstrap", "boot.json", "in.yaml"], cwd=folder,
                          capture_output=True, text=True)
    if done.returncode == 2:
        return None
    return [f for f in json.loads(done.stdout)["findings"] if f["file"] == "boot.json"]


def lint_many(folder, texts, words):
    """The same of those texts that are known for a bootstrap without an option, by number."""
    names = ["%d.json" % i for i in range(len(texts))]
    for name, text in zip(names, texts, strict=True):
        (folder / name).write_text(text)
    done = subprocess.run([*words, *names], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        return {}
    said = json.loads(done.stdout)
    if said["summary"]["dropped"]:
        return {}
    broken = {f["file"] for f in said["findings"] if f["rule"] == "bootstrap-not-json"}
    found = {r["file"]: [] for r in said["resources"] if r["file"] not in broken}
    for finding in said["findings"]:
        if finding["file"] in found:
            found[finding["file"]].append(finding)
    return {int(name.split(".")[0]): some for name, some in found.items()}


def verdict_of(finding, installed):
    """That of a release: under the client's own name where no other one of it was asked."""
    name = installed.client.name
    return finding["clients"].get("%s@%s" % (name, installed.release)) or finding["clients"].get(name)


def judged(texts, env, all_installed):
    """The findings on each, for all clients at once. A bootstrap that an option names is judged
    whatever its keys are."""
    names = ",".join("%s@%s" % (i.client.name, i.release) for i in all_installed)
    words = [XDSCOPE, "lint", "--client", names, "-f", "json", "--exit-zero", "--no-config",
             "--partial", *("--env=%s=%s" % pair for pair in env)]
    out = []
    for at in range(0, len(texts), BATCH):
        some = texts[at:at + BATCH]
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "in.yaml").write_text("clusters: []\n")
            found = lint_many(folder, some, words)
            out += [found[i] if i in found else lint(folder, text, words)
                    for i, text in enumerate(some)]
    return out


def for_one(findings, installed):
    """Of judged(): (rule, verdict), for one release."""
    return None if findings is None else [
        (f["rule"], verdict_of(f, installed)) for f in findings if f["clients"]]


def of_findings(findings):
    told = ["NACK"] if findings is None else [v for _, v in findings]
    return "CRASH" if "CRASH" in told else "NACK" if "NACK" in told else "ACK"


def by_environment(bootstraps):
    groups = collections.defaultdict(list)
    for one in bootstraps:
        groups[one[2]].append(one)
    return groups


def compare(installed, what, groups, found_of):
    asked, differs, counts = 0, collections.defaultdict(list), collections.Counter()
    for env, some in groups.items():
        told = ask_in_parts(installed, [text for _, text, _ in some], env)
        for (case, text, _), answer, findings in zip(some, told, found_of[env], strict=True):
            findings = for_one(findings, installed)
            asked += 1
            counts[verdict(answer)] += 1
            if verdict(answer) == of_findings(findings):
                continue
            rules = ",".join(sorted({r for r, v in findings or () if v in ("NACK", "CRASH")}))
            words = re.sub(r'[0-9]+|"[^"]*"|\s+', "_", str(answer))[-60:]
            differs["%s, xdscope %s by %s: %s" % (verdict(answer), of_findings(findings),
                                                 rules or "nothing", words)].append((case, text, answer))
    print("%-5s %-8s %-8s %6d asked, %s; %d differ" % (
        installed.client.name, installed.release, what, asked,
        " ".join("%d %s" % (n, v) for v, n in sorted(counts.items())),
        sum(map(len, differs.values()))), flush=True)
    for cause, group in sorted(differs.items(), key=lambda pair: -len(pair[1])):
        case, text, answer = min(group, key=lambda one: len(one[1]))
        print("  %d x %s\n    %s: %s\n    %s" % (len(group), cause, case, text.strip()[:400],
                                             " ".join(str(answer).split())[-160:]), flush=True)
    return bool(differs)


def main():
    options = arguments()
    cases = list(rule_cases())
    more = list(mutated(cases, options.count, options.seed))
    asked = [Installed(CLIENTS[name], release)
             for name in options.clients.replace(",", " ").split()
             for release in chosen(name, options.releases)]
    sets = {"cases": by_environment(cases), "mutated": by_environment(more)}
    found = {what: {env: judged([text for _, text, _ in some], env, asked)
                    for env, some in groups.items()} for what, groups in sets.items()}
    failed = False
    for installed in asked:
        install(installed)
        for what, groups in sets.items():
            if groups:
                failed |= compare(installed, what, groups, found[what])
    sys.exit(failed)


if __name__ == "__main__":
    main()
