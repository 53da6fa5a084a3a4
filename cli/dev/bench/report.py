#!/usr/bin/env python3
"""report.py RAW RESULTS - from what bench.sh measured to tables in Markdown, and to JSON.

RAW has lines of fields parted by tabs:
  time KEY MEDIAN LEAST MOST CPU KIB   a command: milliseconds of wall time, of processor time, peak memory
  fact KEY VALUE UNIT                  a size, a count, or what a program measured itself
  note WHAT TEXT                       why something was not measured

A goal whose numbers are missing says so; what cannot be measured here never stops the rest.
Goals are measured by wall time and by processor time, which a machine that is busy otherwise changes less. CLOCK=cpu
takes the latter for verdicts, and for the other tables.
"""
import copy
import json
import math
import os
import sys
from typing import Callable, NamedTuple, Optional

CLOCK = os.environ.get("CLOCK", "wall")


class Time(NamedTuple):
    wall: float
    least: float
    most: float
    cpu: float
    kib: float


class Measured:
    def __init__(self, lines):
        self.times, self.facts, self.units, self.notes = {}, {}, {}, {}
        self.clock = CLOCK
        for line in lines:
            kind, key, *fields = line.rstrip("\n").split("\t")
            if kind == "time":
                self.times[key] = Time(*map(float, fields))
            elif kind == "fact":
                self.facts[key], self.units[key] = float(fields[0]), fields[1]
            else:
                self.notes[key] = fields[0]

    def by(self, clock):
        other = copy.copy(self)
        other.clock = clock
        return other

    def ms(self, key):
        return getattr(self.times[key], self.clock)

    def us(self, key):
        """What a program measured itself by both clocks."""
        return self.facts[key if self.clock == "wall" else f"{key}/{self.clock}"]

    def megabytes(self, key):
        """Peak memory."""
        return self.times[key].kib * 1024 / 1e6

    def speed(self, anchor, key):
        """How many times as fast as the anchor."""
        return self.ms(anchor) / self.ms(key)

    def size(self, key):
        """MB of a file, such as large/json."""
        return self.facts[key + "/bytes"] / 1e6

    def rpcs(self, run, count):
        """RPCs a second, reading of the snapshot excluded."""
        return self.facts["explain/" + count] / (self.ms("explain/" + run) - self.ms("explain/one")) * 1000

    def linearity(self):
        return self.ms("huge/json/lint") / self.ms("again/json/lint") / (self.size("huge/json") / self.size("large/json"))

    def start(self, *names):
        """The slowest of some, beside a trivial program."""
        return max(self.ms(name) for name in names) / self.ms("start/trivial")

    def curve(self, shape):
        """Of each size of a shape, in rising order: how large it is, and what its lint takes."""
        if shape == "size":
            return [(self.size(f"{size}/json"), self.times[f"{size}/json/alone"].cpu)
                    for size in SIZES if f"{size}/json/alone" in self.times]
        prefix = f"growth/{shape}/"
        return sorted((float(key[len(prefix):]), time.cpu) for key, time in self.times.items() if key.startswith(prefix))

    def exponents(self, shape):
        """Cost grows with this power of the size: over all sizes at which the start of the program, which does not
        count, is small beside it; and from the last but one to the last."""
        start = self.times["start/version"].cpu
        points = [(math.log(n), math.log(cpu - start)) for n, cpu in self.curve(shape) if cpu > WELL_ABOVE * start]
        return slope(points), slope(points[-2:])

    def exponent(self, what):
        """The worst of all shapes in which this is what grows."""
        return max(max(self.exponents(shape)) for shape in self.shapes() if shape.split("-")[0] == what)

    def shapes(self):
        return ["size"] + sorted({key.split("/")[1] for key in self.times if key.startswith("growth/")})

    def worst_shape(self, command):
        """Of a command other than lint: the greatest exponent between two sizes of a shape, of which one is ten times
        the other; the shape, and both sizes and times."""
        start, found = self.times["start/version"].cpu, []
        for key, most in self.times.items():
            part, *shape = key.split("/")
            least = self.times.get(f"{part}/{shape[0]}/{int(shape[1]) // 10}") if part == "growth-" + command else None
            if least and least.cpu > WELL_ABOVE * start:
                found.append((math.log10((most.cpu - start) / (least.cpu - start)), shape[0],
                              [int(shape[1]) // 10, int(shape[1])], [least.cpu, most.cpu]))
        return max(found)

    def beside_lint(self, size, command):
        """Processor time of a command, beside that of a lint in one thread."""
        return self.times[f"commands/{size}/{command}"].cpu / self.times[f"commands/{size}/lint"].cpu


WELL_ABOVE = 3


def slope(points):
    """Of the line with the least squares."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    x0, y0 = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - x0) * (y - y0) for x, y in points) / sum((x - x0) ** 2 for x in xs)


# ---- goals ---------------------------------------------------------------

class Goal(NamedTuple):
    id: str
    text: str
    value: Callable[[Measured], float]
    unit: str
    less_is_better: bool
    must: Optional[float]
    target: Optional[float] = None
    stretch: Optional[float] = None
    needs: str = ""  # the notes that may tell why it was not measured


def peak(m, text, file, needs="", **limits):
    """The memory that a lint takes; it must not grow faster than the file."""
    must = 1.2 * m.size(file) + 24 if file + "/bytes" in m.facts else None
    return Goal("G7", text, lambda m: m.megabytes(file + "/lint"), "MB", True, must, needs=needs, **limits)


class Command(NamedTuple):
    key: str
    text: str
    size: str = "large"
    time: Optional[float] = None  # target, beside lint
    memory: Optional[float] = None
    growth: str = ""


COMMANDS = (
    Command("diff", "`diff` of a file with itself", time=1.2, memory=100, growth="diff"),
    Command("changed", "`diff`, every hundredth resource changed", time=2, memory=200),
    Command("init", "`test --init`", time=3, memory=200, growth="init"),
    Command("init", "`test --init`, 5 MB", "medium", time=3),
    Command("test", "`test` of the file that it writes", time=2, growth="test"),
    Command("explain", "`explain` of one RPC", time=0.4, memory=64, growth="explain"),
    Command("show", "`show`", time=0.5, growth="show"),
    Command("yaml", "`convert` to YAML", time=1.3, growth="yaml"),
    Command("text", "`convert` to text proto", time=1.3, growth="textproto"),
    Command("binary", "`convert` to binary", time=0.8, growth="binary"),
    Command("json", "`convert` to JSON"),
)


def command_goals():
    """What takes as long as a lint in one thread is 1x."""
    for c in COMMANDS:
        if c.time:
            yield Goal("G22", f"{c.text}, beside lint", lambda m, c=c: m.beside_lint(c.size, c.key), "x", True, None, c.time)
    for c in COMMANDS:
        if c.memory:
            yield Goal("G23", f"{c.text}, peak memory", lambda m, c=c: m.megabytes(f"commands/{c.size}/{c.key}"), "MB", True,
                       None, c.memory)
    for c in COMMANDS:
        if c.growth:
            yield Goal("G24", f"exponent of the cost of {c.text}", lambda m, c=c: m.worst_shape(c.growth)[0], "", True, 1.05)


def goals(m):
    return [
        Goal("G1", "lint `large` JSON, beside simdjson's DOM parse of it",
             lambda m: m.speed("large/json/simdjson", "large/json/lint"), "x", False, 0.5, 1.2, 1.6),
        Goal("G1a", "the same, one thread",
             lambda m: m.speed("large/json/simdjson", "large/json/alone"), "x", False, None, 0.8, 1.0, "jobs"),
        Goal("G2", "lint `large` JSON, beside decoding and validating in the Node client",
             lambda m: m.speed("large/pb/node", "large/json/lint"), "x", False, 8, 14, 20, "node"),
        Goal("G3", "lint of 5 MB of JSON, beside simdjson's DOM parse of it",
             lambda m: m.speed("medium/json/simdjson", "medium/json/lint"), "x", False, None, 0.9, 1.2),
        Goal("G4", "lint `large` binary, beside the Node client",
             lambda m: m.speed("large/pb/node", "large/pb/lint"), "x", False, 12, 18, 28, "node"),
        Goal("G5", "the same, beside C++ protobuf, every Any unpacked",
             lambda m: m.speed("large/pb/protobuf", "large/pb/lint"), "x", False, 1.0, 3, 4),
        Goal("G6", "lint `large` YAML, beside libyaml's event loop",
             lambda m: m.speed("large/yaml/libyaml", "large/yaml/lint"), "x", False, 0.6, 2.5, 3),
        peak(m, "peak memory of a lint, `large` JSON", "large/json", target=32, stretch=24),
        peak(m, "the same, YAML", "large/yaml", target=48),
        peak(m, "the same, binary", "large/pb", target=48),
        peak(m, "the same, 500 MB of JSON", "huge/json", "huge", target=48, stretch=32),
        Goal("G8", "time per byte, 500 MB beside 100 MB of JSON", Measured.linearity, "x", True, 1.2, 1.1, None, "huge"),
        Goal("G9", "route lookup, 10,000 routes",
             lambda m: m.facts["routes/lookup-10000"] / 1000, "us", True, 4, 1.5, 0.8, "routes"),
        Goal("G9", "the same, beside the Node client",
             lambda m: m.facts["routes/node-lookup-10000"] / m.facts["routes/lookup-10000"], "x", False, 200, None, None,
             "routes node"),
        Goal("G10", "route lookup, 10 routes",
             lambda m: m.facts["routes/lookup-10"] / 1000, "us", True, 0.3, 0.15, None, "routes"),
        Goal("G11", "growth of a lookup from 100 to 10,000 routes",
             lambda m: m.facts["routes/lookup-10000"] / m.facts["routes/lookup-100"], "x", True, 10, 5, None, "routes"),
        Goal("G12", "`explain --requests`, 10,000 routes, one thread",
             lambda m: m.rpcs("many", "many") / 1000, "k/s", False, 200, 1000, 1500),
        Goal("G13", "building the table of 10,000 routes",
             lambda m: m.facts["routes/table-10000"], "ms", True, 40, 20, 10, "routes"),
        Goal("G14", "`--version`, `--help`, beside a trivial program of the same libraries",
             lambda m: m.start("start/version", "start/help"), "x", True, 2, 1.3),
        Goal("G14", "the same, the static program",
             lambda m: m.start("start/static-version", "start/static-help"), "x", True, 2, 1.3, None, "static"),
        Goal("G15", "lint of 54 KB, beside that program", lambda m: m.start("small/json/lint"), "x", True, 4, 1.5, 1.3),
        Goal("G15", "the same, the static program", lambda m: m.start("start/static-lint"), "x", True, 4, 1.5, 1.3,
             "static"),
        Goal("G16", "the worst of hostile regexes on one path", lambda m: m.facts["routes/hostile-worst"], "ms", True, 2,
             None, None, "routes"),
        Goal("G17", "lint of 5 MB for `all@3y`, beside one release",
             lambda m: m.ms("releases/many") / m.ms("releases/one"), "x", True, None, 1.5, 1.2),
        Goal("G21", "RPCs to a server with 1,000 policies, decided on one thread", lambda m: m.facts["servers/decide"] / 1000,
             "k RPCs/s", False, 300, 350, None, "servers"),
        Goal("G18", "a cluster judged through the library", lambda m: m.us("library/cluster"), "us", True, None, 3, None,
             "library"),
        Goal("G18", "the same, beside the Go client's own decoder",
             lambda m: m.us("library/go-cluster") / m.us("library/cluster"), "x", False, None, None, None, "library go"),
        *(Goal("G19", f"exponent of the cost against {text}", lambda m, what=what: m.exponent(what), "", True, 1.05, None,
               None, "jobs")
          for what, text in (("size", "bytes of JSON"), ("routes", "routes of one virtual host"), ("clusters", "clusters"),
                             ("findings", "findings"))),
        *command_goals(),
    ]


def value_of(goal, m):
    try:
        return goal.value(m)
    except (KeyError, ValueError, ZeroDivisionError):
        return None


def verdict(goal, value):
    if value is None:
        return "not measured"
    reached = "missed" if any((goal.must, goal.target, goal.stretch)) else ""
    for level in ("must", "target", "stretch"):
        limit = getattr(goal, level)
        if limit is not None and (value <= limit if goal.less_is_better else value >= limit):
            reached = level
    return reached


# ---- tables --------------------------------------------------------------

def number(value, unit=""):
    """Three digits that count, thousands parted; nothing for nothing."""
    if not value:
        return ""
    text = f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
    return text + ("x" if unit == "x" else f" {unit}").rstrip()


def size_name(megabytes):
    return f"{megabytes:.0f} MB" if megabytes >= 1 else f"{1000 * megabytes:.0f} KB"


def table(heads, rows):
    """Columns of numbers stand to the right."""
    lines = [heads, ["---" if i == 0 or head in ("goal", "command", "verdict") else "---:" for i, head in enumerate(heads)]]
    return "\n".join("| " + " | ".join(row) + " |" for row in lines + rows)


def values_of(goal, m):
    """By either clock; the second one only where it makes a difference."""
    wall, cpu = value_of(goal, m.by("wall")), value_of(goal, m.by("cpu"))
    return wall, None if cpu == wall else cpu


def goal_rows(m):
    for goal in goals(m):
        value = value_of(goal, m)
        wall, cpu = values_of(goal, m)
        why = next((f": {m.notes[note]}" for note in goal.needs.split() if note in m.notes and value is None), "")
        yield [f"{goal.id} {goal.text}", number(wall, goal.unit) or "-", number(cpu, goal.unit), number(goal.must, goal.unit),
               number(goal.target, goal.unit), number(goal.stretch, goal.unit), verdict(goal, value) + why]


FORMS = (
    ("json", "JSON", "simdjson", (
        ("lint", "**lint**"), ("alone", "**lint**, one thread"),
        ("static", "**lint**, static program"), ("read", "only read"),
        ("simdjson", "simdjson, DOM"), ("cjson", "cJSON"),
        ("protobuf", "C++ protobuf, JsonStringToMessage"), ("jq", "jq -c ."))),
    ("yaml", "YAML", "libyaml", (("lint", "**lint**"), ("libyaml", "libyaml, events"))),
    ("pb", "binary", "protobuf", (
        ("lint", "**lint**"), ("protobuf", "C++ protobuf, every Any unpacked"),
        ("node", "Node client, decode and validate"))),
)
SIZES = ("small", "medium", "large", "huge")


def throughput_row(m, size, form, anchor, command, name):
    key, file = f"{size}/{form}/{command}", f"{size}/{form}"
    seconds = m.ms(key) / 1000
    best = m.speed(f"{file}/{anchor}", key) if f"{file}/{anchor}" in m.times else None
    return [size_name(m.size(file)), name, number(seconds * 1000), number(m.size(file) / seconds), number(best),
            number(m.megabytes(key)), number(m.facts[f"{size}/resources"] / seconds) if command != "read" else ""]


def throughput_rows(m):
    for form, form_name, anchor, commands in FORMS:
        for size in SIZES:
            for command, name in commands:
                if f"{size}/{form}/{command}" in m.times:
                    first, *rest = throughput_row(m, size, form, anchor, command, name)
                    yield [f"{form_name}, {first}", *rest]


def beside_lint_rows(m):
    for c in (Command("lint", "`lint`, one thread"), *COMMANDS):
        key = f"commands/{c.size}/{c.key}"
        if key in m.times:
            yield [c.text, number(m.times[key].cpu), number(m.beside_lint(c.size, c.key), "x"), number(m.megabytes(key))]


def command_rows(m):
    """What is compared with nothing."""
    rows = [
        ("`explain --requests`, with the index", lambda: number(m.rpcs("many", "many"), "RPCs/s")),
        ("the same with `--all`, by the plain scan", lambda: number(m.rpcs("scan", "few"), "RPCs/s")),
        ("`simulate -f json`", lambda: number(m.facts["simulate/events"] / m.ms("simulate/json") * 1000, "events/s")),
        ("`simulate`, text", lambda: number(m.facts["simulate/events"] / m.ms("simulate/text") * 1000, "events/s")),
        ("a trivial program", lambda: number(m.ms("start/trivial"), "ms")),
        ("`--version`", lambda: number(m.ms("start/version"), "ms")),
        ("`--version`, static program", lambda: number(m.ms("start/static-version"), "ms")),
        *((f"lint of 100 MB, `--jobs {n}` beside one", lambda n=n: number(m.speed("jobs/1", f"jobs/{n}"), "x"))
          for n in (2, 4)),
        ("a cluster through the library, each with a report of its own",
         lambda: number(m.us("library/cluster-alone"), "us")),
    ]
    for name, value in rows:
        try:
            yield [name, value()]
        except (KeyError, ZeroDivisionError):
            continue


def stage_rows(m):
    """bench-stages: MB/s and resources/s of each stage, with all before it."""
    for form, name, *_ in FORMS:
        prefix = f"stages/{form}/"
        for key, value in m.facts.items():
            stage = key[len(prefix):]
            if key.startswith(prefix) and "/" not in stage:
                yield [f"{name}, {stage}", number(value), number(m.facts.get(f"{key}/resources/s"))]


def growth_rows(m):
    for shape in m.shapes():
        sizes, times = zip(*m.curve(shape)) if m.curve(shape) else ((), ())
        try:
            worst = m.exponents(shape)
        except (KeyError, ValueError, ZeroDivisionError):
            continue
        names = [size_name(n) if shape == "size" else f"{n:,.0f}" for n in sizes]
        yield [shape.replace("-", ", "), " / ".join(names), " / ".join(map(number, times)), *map(number, worst)]
    for c in COMMANDS:
        try:
            exponent, shape, sizes, times = m.worst_shape(c.growth)
        except (KeyError, ValueError):
            continue
        name = f"{c.text}: {shape.replace('-', ', ')}"
        yield [name, " / ".join(f"{n:,}" for n in sizes), " / ".join(map(number, times)), "", number(exponent)]


def print_tables(m):
    tables = (
        (["goal", "wall time", "processor time", "must", "target", "stretch", "verdict"], goal_rows(m)),
        (["input", "command", "ms", "MB/s", "x anchor", "peak MB", "resources/s"], throughput_rows(m)),
        (["stage of a lint, 5 MB, with all before it", "MB/s", "resources/s"], stage_rows(m)),
        (["command, 100 MB of JSON", "ms of processor time", "x lint", "peak MB"], beside_lint_rows(m)),
        (["what grows", "how many", "ms of processor time, one thread", "exponent", "of the last step"], growth_rows(m)),
        (["command", "measured"], command_rows(m)),
    )
    print("\n\n".join(table(heads, rows) for heads, rows in ((h, list(r)) for h, r in tables) if rows))
    for what, why in m.notes.items():
        print(f"\nNot measured ({what}): {why}.")


def as_json(m):
    return {
        "goals": [{"id": goal.id, "text": goal.text, "wall": wall, "cpu": cpu, "unit": goal.unit, "must": goal.must,
                   "target": goal.target, "stretch": goal.stretch, "verdict": verdict(goal, value_of(goal, m))}
                  for goal in goals(m) for wall, cpu in [values_of(goal, m)]],
        "times": {key: time._asdict() for key, time in m.times.items()},
        "facts": {key: {"value": value, "unit": m.units[key]} for key, value in m.facts.items()},
        "notes": m.notes,
    }


def main(raw, results):
    with open(raw) as file:
        m = Measured(file)
    with open(results, "w") as file:
        json.dump(as_json(m), file, indent=1)
    print_tables(m)


if __name__ == "__main__":
    main(*sys.argv[1:])
