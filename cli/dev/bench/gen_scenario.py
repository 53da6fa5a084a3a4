#!/usr/bin/env python3
"""gen_scenario.py - a scenario of a million events on standard output: two priorities that fail over and back again."""
import json

EVENTS = 1000000
HEAD = {"type": "config_update", "config": {"children": {"p0": {}, "p1": {}}, "priorities": ["p0", "p1"]}}
STATES = (("p0", "READY"), ("p0", "TRANSIENT_FAILURE"), ("p1", "READY"))


def event(i):
    child, state = STATES[i % len(STATES)]
    return {"type": "child_state", "child": child, "state": state}


def main():
    print('{"scenario": "fail over and back", "subject": "priority", "steps": [')
    print(json.dumps({"at": "0s", "event": HEAD}))
    for i in range(1, EVENTS):
        print("," + json.dumps({"at": f"{100 * i}ms", "event": event(i)}))
    print("]}")


if __name__ == "__main__":
    main()
