#!/usr/bin/env python3
"""check_rooms.py BUILD [--calls] - which rooms call which, by the symbols of their objects.

libvalidate/rooms.txt has what each room may use. lint.sh holds includes to it; a declaration in
include/xdscope is open to every room, so calls are held to it here. Also fails for a circle of
rooms, for a circle of files that is not in the list, and for a pair that nothing uses. --calls
prints each pair with its symbols.
"""
import collections
import re
import subprocess
import sys
from pathlib import Path

ROOMS = Path("libvalidate/rooms.txt")


def listed():
    """What each room may use, and the circles of files that are meant."""
    rooms, rings = {}, []
    for line in ROOMS.read_text().splitlines():
        name, _, rest = line.split("#")[0].partition(":")
        if name == "circle":
            rings.append(sorted(rest.split()))
        elif name:
            rooms[name] = set(rest.split())
    return rooms, rings


def symbols(build):
    """{file: (defined, undefined)} of the objects of libvalidate; file is like "print/xml"."""
    root = Path(build, "libvalidate")
    objects = [o for o in sorted(root.rglob("*.o")) if not o.stem.endswith("_test") and "kit" not in o.stem
               and Path("libvalidate", o.relative_to(root)).with_suffix(".c").exists()]
    text = subprocess.run(["nm", "-A", "-g", *map(str, objects)], check=True, capture_output=True, text=True).stdout
    found = {}
    for line in text.splitlines():
        place, _, rest = line.partition(".o:")
        kind, name = rest.split()[-2:]
        found.setdefault(place.split("libvalidate/", 1)[1], (set(), set()))[kind in "Uw"].add(name)
    return found


def included():
    """The pairs of rooms of which one includes a header or rows of the other."""
    pairs = set()
    for path in Path("libvalidate").rglob("*.[chd]*"):
        if path.suffix in (".c", ".h", ".def"):
            room = path.relative_to("libvalidate").parts[0]
            pairs |= {(room, to) for to in re.findall(r'^#include "([a-z_]+)/', path.read_text(), re.M)}
    return pairs


def circles(arrows):
    """The strongly connected parts of more than one node (Tarjan)."""
    index, low, stack, on, out = {}, {}, [], set(), []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        on.add(node)
        for to in sorted(arrows.get(node, ())):
            if to not in index:
                visit(to)
                low[node] = min(low[node], low[to])
            elif to in on:
                low[node] = min(low[node], index[to])
        if low[node] == index[node]:
            part = []
            while not part or part[-1] != node:
                part.append(stack.pop())
                on.discard(part[-1])
            if len(part) > 1:
                out.append(sorted(part))

    sys.setrecursionlimit(10000)
    for node in sorted(arrows):
        if node not in index:
            visit(node)
    return out


def main():
    rooms, rings = listed()
    files = symbols(sys.argv[1])
    home = {name: file for file, (defined, _) in files.items() for name in defined}
    pairs, arrows = collections.defaultdict(set), collections.defaultdict(set)
    for file, (_, undefined) in files.items():
        for name in undefined & home.keys():
            pairs[file.split("/")[0], home[name].split("/")[0]].add(name)
            arrows[file].add(home[name])
    if "--calls" in sys.argv:
        for (room, to), names in sorted(pairs.items()):
            print(f"{room} -> {to}: {' '.join(sorted(names))}")
    faults = [f"{room}/ may not call {to}/: {' '.join(sorted(names))}"
              for (room, to), names in sorted(pairs.items()) if to not in {room, "include"} | rooms.get(room, set())]
    faults += [f"rooms.txt: {room}/ does not use {to}/"
               for room, uses in rooms.items() for to in sorted(uses) if (room, to) not in pairs.keys() | included()]
    calls = {room: {to for of, to in pairs if of == room} for room in rooms}
    faults += ["a circle of rooms: " + " ".join(part) for part in circles(calls)]
    found = circles(arrows)
    faults += ["a circle of files: " + " ".join(part) for part in found if part not in rings]
    faults += ["rooms.txt: no circle any more: " + " ".join(ring) for ring in rings if ring not in found]
    print(*faults, sep="\n") if faults else print(f"  ROOMS\t{len(rooms)} rooms, {len(pairs)} pairs that call, {len(home)} symbols ok")
    sys.exit(bool(faults))


main()
