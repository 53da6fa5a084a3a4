"""check.py - the real clients beside xdscope. See README.md; `make check-clients` runs it."""
import argparse
import os
import shutil
import subprocess
import sys

import answers
import cases
import compare
import record
import xdscope
from clients import CLIENTS, Installed, minor, releases


def arguments():
    parser = argparse.ArgumentParser(prog="check.py")
    parser.add_argument("--clients", default=" ".join(CLIENTS), help="names, by space or comma")
    parser.add_argument("--releases", default="newest", help="newest, all, 1.64 or 1.60..1.85")
    parser.add_argument("--update", action="store_true", help="write testdata/releases")
    parser.add_argument("--cases", default="", help="only those whose name contains one of these")
    parser.add_argument("--samples", help="also the files below this folder")
    return parser.parse_args()


def chosen(client, words):
    known = releases(client)
    if words == "newest":
        return known[-1:]
    if words == "all":
        return known
    first, _, last = words.partition("..")
    return [r for r in known if minor(first) <= minor(r) <= minor(last or first)]


class Run:
    def __init__(self, options):
        from ads import Server    # needs grpcio; without it nothing else can be said either
        self.options = options
        self.server = Server()
        self.explained = compare.read_explained()
        self.failed = False
        patterns = options.cases.split()
        self.cases, self.left_out = cases.rule_cases(patterns)
        self.resources = [r for name in sorted(self.cases) for r in self.cases[name]]
        if options.samples:
            self.resources += cases.samples(options.samples)
        print("%d cases, %d left out, %d resources" % (
            len(self.cases), len(self.left_out), len(self.resources)), flush=True)

    def fail(self, message):
        print(message, flush=True)
        self.failed = True

    def install(self, client, release):
        """The installed release, or None."""
        installed = Installed(client, release)
        if installed.there():
            return installed
        print("installing %s %s" % (client.name, release), flush=True)
        try:
            installed.install()
        except subprocess.CalledProcessError as e:
            self.fail("SKIPPED %s %s: it cannot be installed (%s)" % (client.name, release, e))
            return None
        return installed

    def run_client(self, client):
        missing = [tool for tool in client.needs if not shutil.which(tool)]
        if missing:
            self.fail("SKIPPED %s: %s not found" % (client.name, ", ".join(missing)))
            return
        told = {}
        for release in chosen(client.name, self.options.releases):
            installed = self.install(client, release)
            if installed:
                told[release] = answers.ask(self.server, installed, self.resources)
                self.compare(client, release, told[release])
        if self.options.update and told:
            self.update(client, told)

    def compare(self, client, release, told):
        newest = release == releases(client.name)[-1]
        name = client.name if newest else "%s@%d.%d" % (client.name, *minor(release))
        counts = {v: sum(a.verdict == v for a in told.values()) for v in record.WORST}
        shown = " ".join("%s %d" % pair for pair in counts.items())
        if not newest and not xdscope.knows(name):
            print("%s %s: %s; xdscope does not know this release" % (client.name, release,
                                                                     shown), flush=True)
            return
        expected = xdscope.verdicts(self.resources, name)
        found = compare.differences(self.resources, told, expected)
        print("%s %s: %s, differ %d" % (client.name, release, shown, len(found)), flush=True)
        for cause, group in compare.groups(found, name):
            reason = compare.explanation(self.explained, client.name, release, cause)
            line = "  %4d  %s\n          %s" % (
                len(group), cause, " ".join(d.resource.id for d in group[:4]))
            if reason:
                print(line + "\n          explained: " + reason)
            else:
                self.fail(line)

    def update(self, client, told):
        run = list(told)
        by_case = {name: [record.of_case([told[release][r.id] for r in rs]) for release in run]
                   for name, rs in self.cases.items()}
        record.write_releases(client.name, run, by_case, self.left_out)
        record.write_nacks(client.name, self.cases, told[run[-1]])


def main():
    run = Run(arguments())
    for name in run.options.clients.replace(",", " ").split():
        run.run_client(CLIENTS[name])
    sys.stdout.flush()
    os._exit(run.failed)    # the server's threads do not end


main()
