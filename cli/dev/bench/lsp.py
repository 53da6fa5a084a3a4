"""lsp.py PROGRAM [ROUNDS] - how long the language server takes from a change of a text of 1 MB to its
diagnostics, beside a lint of the same file: both in one run, in turn, medians; and the same of one of 1,000
files of a snapshot. Exit 1 when a change of 1 MB takes more than 100 ms, and, as the machine may be busy, more
than twice the lint."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

SIZE = 1 << 20
TYPE = "type.googleapis.com/envoy.config."


def resources():
    """Clusters, their endpoints and a route configuration, until there is 1 MB of JSON."""
    routes, rest, n = [], [], 0
    while len(rest) < 4 or n * 860 < SIZE:
        name = f"cluster-{n}"
        routes.append({"match": {"path": f"/pkg.Service{n}/Method", "headers": [{"name": "x-env", "string_match": {"exact": "a"}}]},
                       "route": {"cluster": name, "max_stream_duration": {"max_stream_duration": "5s"}}})
        rest.append({"@type": TYPE + "cluster.v3.Cluster", "name": name, "type": "EDS", "connect_timeout": "1s",
                     "eds_cluster_config": {"eds_config": {"ads": {}}}, "lb_policy": "ROUND_ROBIN" if n % 50 else "LEAST_REQUEST"})
        rest.append({"@type": TYPE + "endpoint.v3.ClusterLoadAssignment", "cluster_name": name, "endpoints": [
            {"locality": {"region": "eu"}, "load_balancing_weight": 1, "lb_endpoints": [
                {"endpoint": {"address": {"socket_address": {"address": f"10.0.{n % 250}.1", "port_value": 80 + i}}}} for i in range(2)]}]})
        n += 1
    rest.append({"@type": TYPE + "route.v3.RouteConfiguration", "name": "routes",
                 "virtual_hosts": [{"name": "v", "domains": ["*"], "routes": routes}]})
    return rest


class Server:
    def __init__(self, program, folder):
        self.process = subprocess.Popen([program, "lsp"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.send("initialize", {"rootUri": "file://" + folder, "capabilities": {}}, 1)
        self.receive()

    def send(self, method, params, number=None):
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if number is not None:
            message["id"] = number
        body = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def receive(self):
        length = int(self.process.stdout.readline().split()[1])
        self.process.stdout.readline()
        return json.loads(self.process.stdout.read(length))


def seconds_of(call):
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def measure(program, folder, name, rounds):
    path = os.path.join(folder, name)
    with open(path, encoding="utf-8") as stored:
        text = stored.read()
    server, uri, version = Server(program, folder), "file://" + path, 1
    server.send("textDocument/didOpen", {"textDocument": {"uri": uri, "version": 1, "text": text, "languageId": ""}})
    found = len(server.receive()["params"]["diagnostics"])
    line = text[:len(text) // 2].count("\n")
    times = {"change": [], "whole": [], "lint": []}

    def change(changes):
        nonlocal version
        version += 1
        server.send("textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": changes})
        server.receive()

    here = {"line": line, "character": 0}
    for _ in range(rounds):
        times["lint"].append(seconds_of(lambda: subprocess.run([program, "lint", "--jobs", "1", "-q", "--exit-zero", path], check=True, stdout=subprocess.DEVNULL)))
        times["change"].append(seconds_of(lambda: change([{"range": {"start": here, "end": here}, "text": " "}])))
        change([{"range": {"start": here, "end": {"line": line, "character": 1}}, "text": ""}])
        times["whole"].append(seconds_of(lambda: change([{"text": text}])))
    server.send("exit", None)
    server.process.wait()
    median = {key: statistics.median(values) * 1000 for key, values in times.items()}
    print(f"{name:18} {len(text) / SIZE:5.2f} MB {found:5} diagnostics   lint {median['lint']:6.1f} ms   "
          f"change {median['change']:6.1f} ms (x {median['change'] / median['lint']:4.2f})   "
          f"whole text {median['whole']:6.1f} ms (x {median['whole'] / median['lint']:4.2f})")
    return median["change"] <= max(100, 2 * median["lint"])


def measure_workspace(program, folder, files, rounds):
    """One of many files changes that are judged together; how long a lint of all of them takes."""
    text, server, uri = "", Server(program, folder), "file://" + os.path.join(folder, "f0.json")
    with open(os.path.join(folder, "f0.json"), encoding="utf-8") as stored:
        text = stored.read()
    server.send("textDocument/didOpen", {"textDocument": {"uri": uri, "version": 1, "text": text, "languageId": ""}})
    server.receive()
    times = {"change": [], "lint": []}

    def change(number):
        new = text.replace('"1s"', f'"{number + 2}s"')
        server.send("textDocument/didChange", {"textDocument": {"uri": uri, "version": number + 2}, "contentChanges": [{"text": new}]})
        server.receive()

    for number in range(rounds):
        times["lint"].append(seconds_of(lambda: subprocess.run([program, "lint", "--jobs", "1", "-q", "--exit-zero", folder], check=True, stdout=subprocess.DEVNULL)))
        times["change"].append(seconds_of(lambda: change(number)))
    server.send("exit", None)
    server.process.wait()
    median = {key: statistics.median(values) * 1000 for key, values in times.items()}
    print(f"{files:5} files of a snapshot   lint {median['lint']:6.1f} ms   change {median['change']:6.1f} ms (x {median['change'] / median['lint']:4.2f})")


def write_workspace(folder, files):
    os.mkdir(folder)
    with open(os.path.join(folder, "xdscope.conf"), "w", encoding="utf-8") as out:
        out.write("snapshot: .\n")
    parts = [[] for _ in range(files)]
    for i, one in enumerate(resources()):
        parts[i % files].append(one)
    for i, part in enumerate(parts):
        with open(os.path.join(folder, f"f{i}.json"), "w", encoding="utf-8") as out:
            json.dump(part, out)


def main():
    program = os.path.abspath(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 15
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "large.json"), "w", encoding="utf-8") as out:
            out.write("[" + ",\n".join(json.dumps(one) for one in resources()) + "]\n")
        for form, name in (("yaml", "large.yaml"), ("textproto", "large.textproto")):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
                subprocess.run([program, "convert", "-f", form, os.path.join(folder, "large.json")], stdout=out, check=True)
        good = [measure(program, folder, name, rounds) for name in ("large.json", "large.yaml", "large.textproto")]
        write_workspace(os.path.join(folder, "workspace"), 1000)
        measure_workspace(program, os.path.join(folder, "workspace"), 1000, rounds)
    sys.exit(0 if all(good) else 1)


main()
