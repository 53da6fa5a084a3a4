"""check.py - the real clients beside xdscope. See README.md; `make check-clients` runs it."""
import argparse
import os
import shutil
import subprocess
import sys

import answers
import cases
import compare
import minimise
import pairs
import reasons
import record
import schema
import xdscope
from ads import Server
from channel import Judge
from clients import CLIENTS, HERE, Installed, minor, releases
from mutate import Mutator

SLICE = 100000    # mutated resources that are kept in memory with their answers: 130 MB


def arguments():
    parser = argparse.ArgumentParser(prog="check.py")
    parser.add_argument("--clients", default=" ".join(CLIENTS), help="names, by space or comma")
    parser.add_argument("--releases", default="newest", help="newest, all, 1.64 or 1.60..1.85")
    parser.add_argument("--cases", default="", help="only those with one of these in the name")
    parser.add_argument("--new", action="store_true",
                        help="only those that testdata/releases has as not asked yet")
    parser.add_argument("--samples", help="also the files below this folder")
    parser.add_argument("--count", type=int, default=0, help="mutated resources, besides")
    parser.add_argument("--whole", type=int, default=0,
                        help="whole resources of all of Envoy's protos, besides")
    parser.add_argument("--seed", type=int, default=1, help="of the mutator and of these")
    parser.add_argument("--pairs", action="store_true",
                        help="also each fault that kills with each that is rejected")
    parser.add_argument("--reasons", action="store_true",
                        help="also whether each NACK has the reason that xdscope gives")
    parser.add_argument("--update", action="store_true", help="write testdata/releases")
    return parser.parse_args()


def chosen(client, words):
    known = releases(client)
    if words == "newest":
        return known[-1:]
    if words == "all":
        return known
    first, _, last = words.partition("..")
    return [r for r in known if minor(first) <= minor(r) <= minor(last or first)]


def say(text):
    print(text, flush=True)


class Run:
    def __init__(self, options):
        self.options = options
        self.server = Server()
        self.schema = schema.load()
        self.explained = compare.read_explained()
        self.failed = False
        self.table = []    # rows of the summary
        self.cases, self.left_out = cases.rule_cases(
            options.cases.split(), record.not_asked() if options.new else None)
        self.resources = [r for name in sorted(self.cases) for r in self.cases[name]]
        if options.samples:
            self.resources += cases.samples(options.samples)
        say("%d rule cases with %d resources, samples among them; %d cases left out" % (
            len(self.cases), len(self.resources), len(self.left_out)))

    def fail(self, message):
        say(message)
        self.failed = True

    def install(self, client, release):
        """The installed release, or None."""
        installed = Installed(client, release)
        if installed.there():
            return installed
        say("installing %s %s" % (client.name, release))
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
            if not installed:
                continue
            told[release] = answers.ask(self.server, installed, self.resources)
            self.compare(installed, "cases", [(self.resources, told[release])])
            if self.options.pairs:
                self.compare(installed, "pairs", self.pairs(installed, told[release]))
            if self.options.count:
                seeds = [r for r in self.resources
                         if told[release][r.id].verdict in ("ACK", "NACK")]
                self.compare(installed, "mutated", self.mutated(installed, seeds))
            if self.options.whole:
                self.compare(installed, "whole", self.whole(installed))
        if self.options.update and told:
            self.update(client, told)

    def pairs(self, installed, told):
        made = pairs.resources(self.resources, told)
        return [(made, answers.ask(self.server, installed, made))]

    def mutated(self, installed, seeds):
        """Yields slices of resources with the client's answers. What is much like a resource on
        which the client dies, or does not come up, is not asked for: each costs seconds."""
        mutator = Mutator(self.schema, seeds, self.options.seed)
        part = []
        for resource in mutator.resources(self.options.count):
            part.append(resource)
            if len(part) == SLICE:
                yield part, answers.ask_once(self.server, installed, part)
                part = []
        if part:
            yield part, answers.ask_once(self.server, installed, part)

    def whole(self, installed):
        """Resources made without a look at the rule cases, with the client's answers. Imported
        here as it needs xds-protos, and a second for it."""
        sys.path.append(str(HERE / "whole"))
        from whole import Whole
        made = list(Whole(self.options.seed).resources(self.options.whole))
        return [(made, answers.ask_once(self.server, installed, made))]

    def compare(self, installed, what, slices):
        client, release = installed.client.name, installed.release
        newest = release == releases(client)[-1]
        name = client if newest else "%s@%s" % (client, release)
        known = newest or xdscope.knows(name)
        asked, found, counts = 0, [], dict.fromkeys(record.WORST, 0)
        for resources, told in slices:
            asked += len(resources)
            for answer in told.values():
                counts[answer.verdict] += 1
            if known:
                expected = xdscope.verdicts(resources, name)
                found += compare.differences(resources, told, expected)
                if self.options.reasons:
                    self.reasons(installed, name, what, *reasons.check(resources, told, expected, name))
        if found:
            say("== %s %s, %s: %d of %d differ" % (client, release, what, len(found), asked))
        explained = self.report(installed, name, found)
        self.table.append((client, release, what, asked, *counts.values(), *(
            (asked - len(found), explained, len(found) - explained) if known else "---")))

    def reasons(self, installed, name, what, asked, groups):
        """Prints the NACKs that have another reason than xdscope gives, by cause."""
        if not asked:
            return
        differ = sum(len(group) for _, group in groups)
        say("reasons: %s %s, %s: %d NACKs, %d differ" % (installed.client.name, installed.release,
                                                        what, asked, differ))
        for cause, group in groups:
            smallest = min(group, key=lambda reason: len(reason.resource.value))
            lines = [smallest.text, *self.shown(smallest.resource)]
            self.fail("REASON DIFFERS: %d x %s%s" % (len(group), cause,
                                                     "".join("\n  " + line for line in lines)))

    def report(self, installed, name, found):
        """Prints the differences by cause; returns how many of them are explained."""
        client, release = installed.client.name, installed.release
        explained = 0
        judge = Judge(self.server, installed)
        for cause, group in compare.groups(self.schema, found, name):
            reasons = [compare.explanation(self.explained, client, release, cause, d)
                       for d in group]
            for reason in sorted(set(filter(None, reasons))):
                count = reasons.count(reason)
                explained += count
                say("explained: %s %s: %d x %s\n  %s" % (client, release, count, cause, reason))
            group = [d for d, reason in zip(group, reasons) if not reason]
            if not group:
                continue
            smallest = min(group, key=lambda d: (len(d.resource.value), d.resource.id))
            small = minimise.minimise(self.schema, judge, name, smallest, cause)
            self.fail("DIFFERS: %s %s: %d x %s%s" % (client, release, len(group), cause,
                                                     self.details(group, small)))
        judge.stop()
        return explained

    def details(self, group, small):
        lines = [" ".join(d.resource.id for d in group[:6])]
        lines += small.text.strip().split("\n")[:3] if small.text else []
        lines += self.shown(small.resource)
        return "".join("\n  " + line for line in lines)

    @staticmethod
    def shown(resource):
        lines = ["%s=%s" % pair for pair in resource.env]
        lines += ["bootstrap: " + resource.bootstrap.strip()] if resource.bootstrap else []
        return lines + xdscope.as_text(resource).split("\n")[:60]

    def update(self, client, told):
        run = list(told)
        by_case = {name: [record.of_case([told[release][r.id] for r in rs]) for release in run]
                   for name, rs in self.cases.items()}
        try:
            record.write_releases(client.name, run, by_case, self.left_out)
        except ValueError as e:
            self.fail("NOT WRITTEN: %s" % e)
            return
        record.write_nacks(client.name, self.cases, self.left_out, told[run[-1]])

    def summary(self):
        heads = ("client", "release", "what", "asked", *record.WORST, "agree", "explained",
                 "differ")
        for row in (heads, *self.table):
            say("".join(str(cell).rjust(10) for cell in row))


def main():
    run = Run(arguments())
    for name in run.options.clients.replace(",", " ").split():
        run.run_client(CLIENTS[name])
    run.summary()
    sys.stdout.flush()
    os._exit(run.failed)    # the threads of the server do not end


main()
