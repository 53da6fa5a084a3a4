"""gitlab.py PROGRAM - the template for GitLab CI: its script, run by a shell with a local server
in place of the releases, on a good and a bad snapshot."""

import json
import os
import re
import subprocess
import sys
import tempfile

import yaml

from release import ROOT, VERSION, serving

with open(os.path.join(ROOT, "cli", "dev", "test", "routes.yaml"), encoding="utf-8") as sample:
    GOOD = sample.read()


def expect(condition, what):
    if not condition:
        sys.exit(f"xdscope.gitlab-ci.yml: {what}")


def play(job, folder, snapshot, **variables):
    report = os.path.join(folder, "gl-code-quality-report.json")
    with open(os.path.join(folder, "snapshot.yaml"), "w", encoding="utf-8") as out:
        out.write(snapshot)
    if os.path.exists(report):
        os.remove(report)
    env = {"PATH": os.environ["PATH"], "HOME": folder, "TMPDIR": folder, **job["variables"], **variables}
    script = "\n".join(job["before_script"] + job["script"])
    done = subprocess.run(["sh", "-e", "-c", script], cwd=folder, env=env, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    found = None
    if os.path.exists(report):
        with open(report, encoding="utf-8") as text:
            found = json.load(text)
    return done.returncode, done.stdout.decode(), found


def main():
    program = os.path.realpath(sys.argv[1])
    with open(os.path.join(ROOT, "mk", "dist", "xdscope.gitlab-ci.yml"), encoding="utf-8") as text:
        job = yaml.safe_load(text)["xdscope"]
    expect(job["variables"]["XDSCOPE_VERSION"] == VERSION, f"is not of version {VERSION}")
    report = job["artifacts"]["reports"]["codequality"]
    expect(f"gitlab={report}" in job["script"][-1], "keeps another report than it writes")

    with tempfile.TemporaryDirectory(prefix="gitlab-", dir=os.path.join(ROOT, "build")) as folder:
        serve = serving(folder, program)
        with open(os.path.join(folder, ".wgetrc"), "w", encoding="utf-8") as out:
            out.write(f"ca_certificate = {serve.certificate}\n")
        asked = {"XDSCOPE_RELEASE_URL": serve("good"), "XDSCOPE_PATHS": "snapshot.yaml"}

        status, log, found = play(job, folder, GOOD, **asked)
        expect(status == 0 and found == [], f"fails a good snapshot:\n{log}")
        bad = re.sub(r"\[shop.example.com\]", "[]", GOOD)
        status, log, found = play(job, folder, bad, **asked)
        expect(status == 1 and "snapshot.yaml:5:3: error:" in log, f"passes a bad snapshot:\n{log}")
        expect(found[0]["location"] == {"path": "snapshot.yaml", "lines": {"begin": 5, "end": 5}}, f"reports {found}")
        status, log, _ = play(job, folder, bad, XDSCOPE_ARGS="--client go", **asked)
        expect(status == 0, f"does not pass arguments on:\n{log}")
        status, log, found = play(job, folder, GOOD, **{**asked, "XDSCOPE_RELEASE_URL": serve("spoilt", spoilt=True)})
        expect(status != 0 and found is None, f"runs another program than the checksum is of:\n{log}")
        expect(play(job, folder, GOOD)[0] == 2, "runs without a place of releases")
        plain = asked["XDSCOPE_RELEASE_URL"].replace("https:", "http:")
        status, log, _ = play(job, folder, GOOD, **{**asked, "XDSCOPE_RELEASE_URL": plain})
        expect(status == 2 and "must begin with https://" in log, f"takes a program over plain http:\n{log}")
    print("  GITLAB	ok")


main()
