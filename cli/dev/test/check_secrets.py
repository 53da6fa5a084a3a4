"""check_secrets.py PROGRAM [WORD...] - nothing that the program prints of a file shows a secret of it: each shape of
testdata/secrets/shapes.txt through each command and format, whole, in part, reversed, in base64 and in hex. WORD: only the shapes that have it in their names."""

import base64
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
SECRET = "zQ7hunterX9secretW4"
OTHER = "kV3rabbitP8publicM6"
PART = 8  # bytes of it that must not be seen


def formats(command):
    """The words of its formats."""
    with open(os.path.join(ROOT, "cli", "formats.def"), encoding="utf-8") as rows:
        return re.findall(rf'^FORMAT_{command}\("([a-z]+)"', rows.read(), flags=re.M)


def read_shapes(name):
    """The texts of all shapes by "NAME.EXT SHAPE", and of their frames without one."""
    with open(name, encoding="utf-8", newline="") as text:
        parts = re.split(r"^-- (\S+\.\S+)(?: (\S+))? --\n", text.read(), flags=re.M)[1:]
    frames, shapes = {}, {}
    for frame, shape, body in zip(parts[::3], parts[1::3], parts[2::3]):
        if shape is None:
            frames[frame] = body
            continue
        shapes[f"{frame} {shape}"] = frames[frame].replace("<HERE>", body[:-1].replace("<01>", "\x01").replace("<CR>", "\r"))
    return shapes, {name: frame.replace("<HERE>", "") for name, frame in frames.items()}


def traces():
    """What gives a secret away: its parts as they are, reversed, in hex, and in the three ways base64 has of it."""
    raw = SECRET.encode()
    found = {raw[i:i + PART] for i in range(len(raw) - PART + 1)}
    found |= {part[::-1] for part in found}
    found |= {raw[i:i + PART].hex().encode() for i in range(len(raw) - PART + 1)}
    found |= {part.upper() for part in found if re.fullmatch(rb"[0-9a-f]+", part)}
    for skip in range(3):
        whole = base64.b64encode(b"x" * skip + raw + b"xxx")[4:-4]
        found |= {whole[i:i + PART] for i in range(0, len(whole) - PART + 1)}
    return re.compile(b"|".join(re.escape(part) for part in found))


TRACES = traces()


class Session:
    """Messages to the language server, and all that it answers."""

    def __init__(self):
        self.sent, self.number = b"", 0

    def send(self, method, **params):
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if not method.startswith("textDocument/did") and method not in ("initialized", "exit"):
            self.number += 1
            message["id"] = self.number
        text = json.dumps(message).encode()
        self.sent += b"Content-Length: %d\r\n\r\n" % len(text) + text

    def open(self, uri, name, text):
        """What the server finds is asked for by itself."""
        self.send("initialize", capabilities={}, rootUri=None)
        self.send("initialized")
        self.send("textDocument/didOpen", textDocument={"uri": uri, "languageId": name.rpartition(".")[2], "version": 1, "text": text})

    def ask(self, uri, text):
        """Every position where a word begins is hovered over, and all actions are asked for."""
        lines = text.split("\n")
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": len(lines), "character": 0}}
        for number, line in enumerate(lines):
            for word in re.finditer(r"\w+", line):
                at = {"line": number, "character": word.start()}
                self.send("textDocument/hover", textDocument={"uri": uri}, position=at)
                if SECRET in word.group():
                    self.send("textDocument/definition", textDocument={"uri": uri}, position=at)
        self.send("textDocument/codeAction", textDocument={"uri": uri}, range=whole, context={"diagnostics": []})
        self.send("shutdown")
        self.send("exit")

    def play(self, program, folder, name, text):
        """All that the server says. It judges a document once nothing more comes for a while."""
        uri = "file://" + os.path.join(folder, name)
        with subprocess.Popen([program, "lsp"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT) as server:
            self.open(uri, name, text)
            server.stdin.write(self.sent)
            server.stdin.flush()
            said = b""
            while b"publishDiagnostics" not in said:
                more = os.read(server.stdout.fileno(), 1 << 16)
                if not more:
                    break
                said += more
            self.sent = b""
            self.ask(uri, text)
            rest, _ = server.communicate(self.sent, timeout=60)
            return server.returncode, said + rest


def commands(name, old, before):
    """Everything that prints something of a file: what it is, its arguments. old: without the secret; before: with another."""
    also = [f"--also={form}={form}.out" for form in formats("LINT") if form != "text"]
    yield "lint", ["lint", "--no-config", "-v", *also, name]
    yield "lint --stream", ["lint", "--no-config", "--stream", "-v", name]
    yield "lint --bootstrap", ["lint", "--no-config", "-v", "--bootstrap", name, old]
    yield "explain --bootstrap", ["explain", "--path", "/x", "--bootstrap", name, old]
    yield "lint --statistics", ["lint", "--no-config", "--statistics", "-v", name]
    yield "lint --fix --diff", ["lint", "--no-config", "--fix", "--diff", name]
    yield "lint --each", ["lint", "--no-config", "--each", "-v", name]
    yield "lint --write-baseline", ["lint", "--no-config", "--write-baseline", "baseline.out", name]
    for form in formats("EXPLAIN"):
        yield f"explain {form}", ["explain", "--path", "/x", "-H", f"authorization: {SECRET}", "-f", form, "-v", name]
    for form in formats("SHOW"):
        yield f"show {form}", ["show", "-f", form, name]
    for form in formats("DIFF"):
        yield f"diff {form}", ["diff", "-f", form, old, name]
        yield f"diff of two, {form}", ["diff", "-f", form, before, name]
    for form in ("json", "text", "html"):
        yield f"service-config {form}", ["service-config", "-f", form, name]
        yield f"lb-config {form}", ["lb-config", "--cluster", "a", "-f", form, name]
    yield "test --init", ["test", "--init", name]
    yield "simulate --init", ["simulate", "--init", name]


def run(program, folder, arguments):
    done = subprocess.run([program, *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False, timeout=60)
    return done.returncode, done.stdout


def leaks(program, shape, text, frame):
    """What shows the secret, and what ended in no way that a command ends."""
    with tempfile.TemporaryDirectory(prefix="secrets-", dir=os.path.join(ROOT, "build")) as folder:
        name, old, before = shape.partition(" ")[0], "old." + shape.partition(" ")[0], "before." + shape.partition(" ")[0]
        for path, content in ((name, text.replace("HUNTER", SECRET)), (old, frame), (before, text.replace("HUNTER", OTHER))):
            with open(os.path.join(folder, path), "w", encoding="utf-8", newline="") as out:
                out.write(content)
        for what, arguments in commands(name, old, before):
            status, said = run(program, folder, arguments)
            if status not in (0, 1, 2, 3):
                yield f"{shape}: {what}: exit {status}"
            found = TRACES.search(said)
            if found:
                yield f"{shape}: {what}: {said[max(0, found.start() - 60):found.end() + 20]}"
            for path in [path for path in os.listdir(folder) if path.endswith(".out")]:
                with open(os.path.join(folder, path), "rb") as written:
                    found = TRACES.search(written.read())
                if found:
                    yield f"{shape}: {what}: {path}: {found.group()}"
                os.remove(os.path.join(folder, path))
        status, said = Session().play(program, folder, name, text.replace("HUNTER", SECRET))
        found = TRACES.search(said)
        if status != 0 or b"publishDiagnostics" not in said or found:
            yield f"{shape}: lsp: exit {status}: {said[max(0, found.start() - 60):found.end() + 20] if found else said[-200:]}"


def check_itself(program):
    """What has a secret where none is expected shows it: the search finds it, and excerpts are there."""
    with tempfile.TemporaryDirectory(prefix="secrets-", dir=os.path.join(ROOT, "build")) as folder:
        with open(os.path.join(folder, "a.yaml"), "w", encoding="utf-8") as out:
            out.write(f"clusters: [{{name: {SECRET}, bogus: 1}}]\n")
        said = run(program, folder, ["lint", "--no-config", "-v", "-f", "text", "a.yaml"])[1]
    if not TRACES.search(said) or b"    1 | clusters" not in said:
        sys.exit("check_secrets.py: finds no secret where one is shown")
    for form in (SECRET[::-1], base64.b64encode(b"ab" + SECRET.encode()).decode(), SECRET.encode().hex()):
        if not TRACES.search(form.encode()):
            sys.exit(f"check_secrets.py: does not find {form}")


def main():
    program = os.path.realpath(sys.argv[1])
    check_itself(program)
    shapes, frames = read_shapes(os.path.join(ROOT, "testdata", "secrets", "shapes.txt"))
    words = sys.argv[2:]
    shapes = {name: text for name, text in shapes.items() if not words or any(word in name for word in words)}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        work = [pool.submit(lambda shape, text: list(leaks(program, shape, text, frames[shape.partition(" ")[0]])), shape, text)
                for shape, text in shapes.items()]
        found = [leak for part in work for leak in part.result()]
    for leak in found:
        print(leak)
    if found:
        sys.exit(1)
    print(f"  SECRETS\t{len(shapes)} shapes: ok")


main()
