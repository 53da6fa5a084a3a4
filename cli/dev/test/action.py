"""action.py PROGRAM - action.yml as GitHub would read it: its shape, and its shell steps run in
order against a good and a bad snapshot, with the environment that a runner sets. A server here
is the page of releases."""

import os
import re
import shutil
import subprocess
import sys
import tempfile

import yaml

from release import ROOT, VERSION, serving, wrapper

with open(os.path.join(ROOT, "cli", "dev", "test", "routes.yaml"), encoding="utf-8") as sample:
    GOOD = sample.read()
BAD = GOOD.replace("[shop.example.com]", "[]")
HOSTILE = '$(touch hacked) `touch hacked` "; touch hacked; \''
EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")


def expect(condition, what):
    if not condition:
        sys.exit(f"action.yml: {what}")


def check_shape(action):
    expect(action["runs"]["using"] == "composite", "is not a composite action")
    for name, spec in action["inputs"].items():
        expect(spec.get("description"), f"input {name} has no description")
        expect(spec.get("required") or "default" in spec, f"input {name} has no default")
    for step in action["runs"]["steps"]:
        expect("name" in step, "a step has no name")
        expect(("run" in step) != ("uses" in step), f"{step['name']}: neither run nor uses")
        if "run" in step:
            expect(step.get("shell") == "bash", f"{step['name']}: shell is not bash")
            expect("${{" not in step["run"], f"{step['name']}: an expression stands in shell text")
            text = "#!/bin/bash -e\n" + step["run"]
            done = subprocess.run(["shellcheck", "-"], input=text.encode(), check=False)
            expect(done.returncode == 0, f"{step['name']}: shellcheck, see above")


class Run:
    """One run of the shell steps in a folder of its own."""

    server, repository = "", ""
    certificate = ""  # of the server of releases
    programs = None  # a folder with a gh, which is in front of the others

    def __init__(self, action, program, snapshot, **inputs):
        self.action, self.outputs, self.log, self.uploaded = action, {}, "", None
        self.folder = tempfile.mkdtemp(prefix="action-", dir=os.path.join(ROOT, "build"))
        self.action_path = make_action_path(self.folder, program)
        self.inputs = {name: self.fill(spec.get("default", "")) for name, spec in action["inputs"].items()}
        self.inputs.update({"paths": "snapshot.yaml"}, **inputs)
        with open(os.path.join(self.folder, "snapshot.yaml"), "w", encoding="utf-8") as out:
            out.write(snapshot)
        self.status = self.play()
        expect(not os.path.exists(os.path.join(self.folder, "hacked")), "an input was run by the shell")
        expect(not os.path.exists(os.path.join(self.action_path, "hacked")), "an input was run by the shell")
        shutil.rmtree(self.folder)

    def value(self, expression):
        """Of the expressions that the action uses; another one is an error here."""
        github = {"github.action_path": self.action_path, "github.server_url": Run.server,
                  "github.action_repository": Run.repository, "github.token": "the token"}
        if expression in github:
            return github[expression]
        for start, values in (("inputs.", self.inputs), ("steps.lint.outputs.", self.outputs)):
            if expression.startswith(start):
                return values[expression[len(start):]]
        return sys.exit(f"action.yml: unknown expression {expression}")

    def fill(self, text):
        return EXPRESSION.sub(lambda found: self.value(found.group(1)), text)

    def holds(self, condition):
        """A chain of comparisons with && between them."""
        for part in condition.split("&&"):
            left, operator, right = part.split()
            if (self.value(left) == right.strip("'")) != (operator == "=="):
                return False
        return True

    def play(self):
        for step in self.action["runs"]["steps"]:
            if not self.holds(step["if"]) if "if" in step else False:
                continue
            if "uses" in step:
                with open(self.fill(step["with"]["sarif_file"]), encoding="utf-8") as sarif:
                    self.uploaded = yaml.safe_load(sarif)
                continue
            status = self.shell(step)
            if status != 0:
                return status
        return 0

    def shell(self, step):
        output = os.path.join(self.folder, "output")
        script = os.path.join(self.folder, "step.sh")
        with open(output, "w", encoding="utf-8"), open(script, "w", encoding="utf-8") as out:
            out.write(step["run"])
        path = ":".join(filter(None, [Run.programs, os.environ["PATH"]]))
        env = {"PATH": path, "CURL_CA_BUNDLE": Run.certificate, "HOME": self.folder, "CI": "true", "GITHUB_ACTIONS": "true",
               "GITHUB_OUTPUT": output, "RUNNER_TEMP": self.folder, "GITHUB_WORKSPACE": self.folder}
        env.update({name: self.fill(text) for name, text in step.get("env", {}).items()})
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", script], cwd=self.folder,
                              env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.log += done.stdout.decode()
        with open(output, encoding="utf-8") as lines:
            self.outputs.update(line.rstrip("\n").split("=", 1) for line in lines)
        return done.returncode


def make_action_path(folder, program):
    """A checkout under a name that a shell must quote; what it builds tells that it was built."""
    path = os.path.join(folder, "the action")
    os.makedirs(path)
    with open(os.path.join(path, "built"), "w", encoding="utf-8") as out:
        out.write(wrapper(program, "built"))
    os.chmod(out.name, 0o755)
    with open(os.path.join(path, "Makefile"), "w", encoding="utf-8") as out:
        out.write(f"VERSION    := {VERSION}\ndeps-build:\nbuild/xdscope:\n\tmkdir -p build && cp built build/xdscope\n"
                  ".PHONY: deps-build\n")
    return path


def make_gh(folder, status):
    """A gh that writes down what it is asked, and with which token, and says no with a status of its own."""
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "gh"), "w", encoding="utf-8") as out:
        out.write(f'#!/bin/sh\necho "gh $* with $GH_TOKEN" >>"{folder}/asked"\necho "no such attestation"\nexit {status}\n')
    os.chmod(out.name, 0o755)
    return folder


def check_program(run, serve):
    """Where the program comes from: the release, unless there is none or it is another one."""
    def came(word, what, **inputs):
        got = run(GOOD, **inputs)
        expect(got.status == 0 and got.log.count(f"lint by the {word} one") == 1, f"{what}:\n{got.log}")
        return got.log

    def refused(text, what, **inputs):
        got = run(GOOD, **inputs)
        expect(got.status == 2 and text in got.log and "lint by" not in got.log, f"{what}:\n{got.log}")

    Run.certificate = serve.certificate
    good, spoilt = serve("good"), serve("spoilt", spoilt=True)
    alone = {"verify": "checksum"}
    log = came("downloaded", "does not take the program of the release", **{"release-url": good}, **alone)
    expect("::warning::" not in log, f"warns of a good release:\n{log}")
    refused("must begin with https://", "takes plain http", **{"release-url": good.replace("https:", "http:")})
    refused("without the command gh", "does without an attestation", **{"release-url": good})
    refused("verify is attestation or checksum", "takes any word", **{"release-url": good, "verify": "no"})
    Run.server, Run.repository = good.rpartition("/")[0], "good"
    os.makedirs(os.path.join(serve.folder, "good", "releases"))
    os.symlink("..", os.path.join(serve.folder, "good", "releases", "download"))
    came("downloaded", "does not find the release of its own repository", **alone)
    Run.programs = make_gh(os.path.join(serve.folder, "bad-gh"), 1)
    refused("is not valid, so it is not run: no such attestation", "runs what has no attestation")
    Run.programs = make_gh(os.path.join(serve.folder, "good-gh"), 0)
    came("downloaded", "does not run what has an attestation")
    with open(os.path.join(Run.programs, "asked"), encoding="utf-8") as asked:
        expect(re.fullmatch(r"gh attestation verify build/download/xdscope-\S+\.tar\.gz --repo good --hostname localhost:\d+ "
                            rf"--signer-workflow good/\.github/workflows/release\.yml --source-ref refs/tags/v{re.escape(VERSION)} "
                            r"with the token\n", asked.read()), "asks gh something else")
    Run.server, Run.repository, Run.programs = "", "", None
    refused("does not have its checksum", "takes another file than the checksum is of", **{"release-url": spoilt})
    refused("does not have its checksum", "takes an archive without a checksum", **{"release-url": serve("unlisted", unlisted=True)})
    log = came("built", "does not build without a release", **{"release-url": good + "/none"})
    expect("SHA256SUMS cannot be downloaded" in log, f"does not say why it builds:\n{log}")
    came("built", "does not build if it is asked to", **{"release-url": "none"})
    refused("must begin with https://", "runs a part of release-url", **{"release-url": HOSTILE})


PINNED = re.compile(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")


def check_pins():
    """Actions are named by their commit, and a workflow gives no job more than it asks for."""
    folder = os.path.join(ROOT, ".github", "workflows")
    for name in [os.path.join(ROOT, "action.yml")] + [os.path.join(folder, name) for name in sorted(os.listdir(folder))]:
        with open(name, encoding="utf-8") as text:
            lines = [line for line in text if not line.startswith("#")]
        for line in lines:
            found = re.match(r"\s*(?:- )?uses: (.*)", line)
            expect(not found or PINNED.fullmatch(found.group(1)), f"{name}: not the commit of a version: {line.strip()}")
        if os.path.dirname(name) != folder:
            continue
        workflow = yaml.safe_load("".join(lines))
        expect(workflow.get("permissions") == {}, f"{name}: jobs have permissions that they do not name")
        for job, what in workflow["jobs"].items():
            expect("permissions" in what, f"{name}: {job} names no permissions")
            for step in what["steps"]:
                expect("actions/checkout@" not in step.get("uses", "") or step.get("with", {}).get("persist-credentials") is False,
                       f"{name}: {job} keeps the token in its checkout")


def main():
    program = os.path.realpath(sys.argv[1])
    with open(os.path.join(ROOT, "action.yml"), encoding="utf-8") as text:
        action = yaml.safe_load(text)
    check_shape(action)
    check_pins()

    def run(snapshot, **inputs):
        return Run(action, program, snapshot, **{"release-url": "none", **inputs})

    with tempfile.TemporaryDirectory(prefix="releases-", dir=os.path.join(ROOT, "build")) as folder:
        check_program(lambda snapshot, **inputs: Run(action, program, snapshot, **inputs), serving(folder, program))

    good = run(GOOD)
    expect(good.status == 0 and good.uploaded["version"] == "2.1.0", f"fails a good snapshot:\n{good.log}")
    bad = run(BAD)
    expect(bad.status == 1 and bad.uploaded["runs"][0]["results"], f"passes a bad snapshot:\n{bad.log}")
    expect("snapshot.yaml:5:3: error:" in bad.log, f"does not show findings in the log:\n{bad.log}")
    expect(bad.log.count("lint by the") == 1, f"lints more than once:\n{bad.log}")
    expect(run(BAD, **{"upload-sarif": "false"}).uploaded is None, "uploads although it should not")
    notes = run(BAD, format="github")
    expect(notes.status == 1 and "::error file=snapshot.yaml,line=5" in notes.log, f"annotates nothing:\n{notes.log}")
    expect(run(BAD, client="go").status == 0, "does not ask the client")
    expect(run(BAD, args="--ignore\n\n  virtual-host-domains-empty\n").status == 0, "does not pass args on")
    expect(run(GOOD, paths="snapshot.yaml\nmissing.yaml").status == 3, "reads only the first path")
    expect(run(GOOD, version="999").status == 2, "does not look at the version")
    expect(run(GOOD, format="word").status == 2, "takes any format")
    for name in ("paths", "client", "args", "fail-on", "version", "format", "verify"):
        expect(run(GOOD, **{name: HOSTILE}).status != 0, f"takes any text as {name}")
    print("  ACTION	ok")


main()
