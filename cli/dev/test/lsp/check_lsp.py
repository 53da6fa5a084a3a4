"""check_lsp.py PROGRAM [CASE...] - the language server beside testdata/lsp/*.lsp: a client that
sends what a case says, one step after the other, and prints all that comes back. UPDATE=1
rewrites what is expected. testdata/lsp/README.md says what a case looks like."""

import glob
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import threading

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "..", ".."))
SEVERITIES = {1: "error", 2: "warning", 3: "information", 4: "hint"}
CAPABILITIES = {
    "textDocument": {
        "publishDiagnostics": {"relatedInformation": True, "tagSupport": {"valueSet": [1]},
                               "codeDescriptionSupport": True},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}},
    },
    "workspace": {"workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"]}},
}


def read_case(path):
    """{section: text}, in order; sections of one name are joined."""
    sections, name = {"why": ""}, "why"
    with open(path, encoding="utf-8", newline="") as lines:
        for line in lines:
            found = re.fullmatch(r"-- (.+) --\n", line)
            if found:
                name = found.group(1)
                sections.setdefault(name, "")
            else:
                sections[name] += line
    for name in list(sections):
        if name.startswith("use "):
            fixture, _, as_name = name[4:].partition(" as ")
            with open(os.path.join(ROOT, "testdata", fixture), encoding="utf-8") as text:
                sections[as_name or os.path.basename(fixture)] = text.read()
            del sections[name]
    return sections


def offset_of(text, line, character):
    """Of a position in UTF-16, as an index of text."""
    lines = re.split("(?<=\n)", text)
    before = sum(len(one) for one in lines[:line])
    units = 0
    for index, char in enumerate(lines[line] if line < len(lines) else ""):
        if units >= character:
            return before + index
        units += 2 if ord(char) > 0xFFFF else 1
    return min(before + (len(lines[line]) if line < len(lines) else 0), len(text))


class Session:
    def __init__(self, program, folder):
        self.folder, self.log, self.n, self.texts, self.versions = folder, [], 0, {}, {}
        self.actions, self.held, self.encoding = [], None, "utf-16"
        env = {"PATH": os.environ["PATH"], "HOME": folder}
        env.update({name: os.environ[name] for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LD_PRELOAD") if name in os.environ})
        prefix = shlex.split(os.environ.get("LSP_UNDER", ""))
        self.process = subprocess.Popen(prefix + [program, "lsp"], cwd=folder, env=env, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.timer = threading.Timer(300, self.process.kill)
        self.timer.start()

    def say(self, text):
        self.log += text.split("\n")

    # ---- messages ----

    def write(self, data):
        if self.held is not None:
            self.held += data
            return
        try:
            self.process.stdin.write(data)
            self.process.stdin.flush()
        except BrokenPipeError:
            pass

    def send(self, message):
        body = json.dumps(message, ensure_ascii=False).encode()
        self.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def request(self, method, params):
        self.n += 1
        self.send({"jsonrpc": "2.0", "id": self.n, "method": method, "params": params})

    def notify(self, method, params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def receive(self):
        length = None
        for line in iter(self.process.stdout.readline, b""):
            if line == b"\r\n":
                return json.loads(self.process.stdout.read(length))
            name, _, value = line.decode().partition(":")
            if name == "Content-Length":
                length = int(value)
        return None

    def sync(self):
        """All that was asked for is answered: twice, as diagnostics come after the answers."""
        if self.held is not None:
            return
        for name in ("sync 1", "sync 2"):
            self.send({"jsonrpc": "2.0", "id": name, "method": "xdscope/sync"})
            while True:
                message = self.receive()
                if message is None or message.get("id") == name:
                    break
                self.show(message)

    # ---- what comes back ----

    def name(self, uri):
        return uri.replace("file://" + self.folder + "/", "")

    def range(self, area):
        return "{}:{}-{}:{}".format(area["start"]["line"], area["start"]["character"],
                                    area["end"]["line"], area["end"]["character"])

    def show(self, message):
        params = message.get("params", {})
        if message.get("method") == "textDocument/publishDiagnostics":
            version = f" version {params['version']}" if "version" in params else ""
            self.say(f"diagnostics of {self.name(params['uri'])}{version}: {len(params['diagnostics'])}")
            for found in params["diagnostics"]:
                self.show_diagnostic(found)
        elif message.get("method") == "client/registerCapability":
            patterns = [w["globPattern"] for r in params["registrations"] for w in r["registerOptions"]["watchers"]]
            self.say("watch " + ", ".join(patterns))
        elif "method" in message:
            self.say(f"{message['method']} {params.get('type')}: {params.get('message')}")
        elif "error" in message:
            self.say(f"error {message['error']['code']}: {message['error']['message']} (id {message['id']})")
        else:
            self.show_result(message["result"])

    def show_diagnostic(self, found):
        tags = " unnecessary" if found.get("tags") == [1] else ""
        self.say(f"  {self.range(found['range'])} {SEVERITIES[found['severity']]}{tags} [{found.get('code', '')}]")
        self.say("    " + found["message"].replace("\n", "\n    "))
        for related in found.get("relatedInformation", []):
            place = related["location"]
            self.say(f"    {self.name(place['uri'])} {self.range(place['range'])}: {related['message']}")

    def show_result(self, result):
        if isinstance(result, dict) and "contents" in result:
            self.say("hover" + (" of " + self.range(result["range"]) if "range" in result else ""))
            self.say("  | " + result["contents"]["value"].rstrip("\n").replace("\n", "\n  | "))
        elif isinstance(result, list) and result and "edit" in result[0]:
            self.actions = result
            for number, action in enumerate(result, 1):
                preferred = ", preferred" if action.get("isPreferred") else ""
                self.say(f"action {number}: {action['title']} ({action['kind']}{preferred})")
        elif isinstance(result, list):
            self.say("places: " + (", ".join(f"{self.name(one['uri'])} {self.range(one['range'])}" for one in result) or "none"))
        else:
            self.say("result " + json.dumps(result))

    # ---- steps ----

    def uri(self, name):
        return name if ":" in name else "file://" + self.folder + "/" + name

    def position(self, word):
        line, character = word.split(":")
        return {"line": int(line), "character": int(character)}

    def area(self, word):
        begin, _, end = word.partition("-")
        return {"start": self.position(begin), "end": self.position(end or begin)}

    def at(self, name, word):
        return {"textDocument": {"uri": self.uri(name)}, "position": self.position(word)}

    def path(self, name):
        return os.path.join(self.folder, name)

    def do_initialize(self, changes="{}"):
        capabilities = json.loads(json.dumps(CAPABILITIES))
        for path, value in json.loads(changes).items():
            at = capabilities
            *names, last = path.split("/")
            for one in names:
                at = at.setdefault(one, {})
            at[last] = value
        self.request("initialize", {"processId": None, "rootUri": "file://" + self.folder, "capabilities": capabilities})
        self.notify("initialized", {})

    def do_open(self, name, language="yaml"):
        with open(self.path(name), encoding="utf-8", newline="") as text:
            self.texts[name] = text.read()
        self.versions[name] = 1
        self.notify("textDocument/didOpen", {"textDocument": {"uri": self.uri(name), "languageId": language,
                                                              "version": 1, "text": self.texts[name]}})

    def change(self, name, changes):
        self.versions[name] = self.versions.get(name, 0) + 1
        self.notify("textDocument/didChange", {"textDocument": {"uri": self.uri(name), "version": self.versions[name]},
                                               "contentChanges": changes})

    def do_change(self, name, *words):
        """NAME RANGE TEXT [RANGE TEXT]...; RANGE "all" is the whole text."""
        changes = []
        for area, text in zip(words[::2], words[1::2]):
            text = text.encode().decode("unicode_escape").encode("latin-1").decode()
            change = {"text": text}
            if area == "all":
                self.texts[name] = text
            else:
                change["range"] = self.area(area)
                old = self.texts[name]
                begin, end = (offset_of(old, one["line"], one["character"]) for one in
                              (change["range"]["start"], change["range"]["end"]))
                self.texts[name] = old[:begin] + text + old[end:]
            changes.append(change)
        self.change(name, changes)

    def do_write(self, name, text, times=1):
        with open(self.path(name), "w", encoding="utf-8") as out:
            out.write(text.encode().decode("unicode_escape") * int(times))

    def do_save(self, name):
        self.notify("textDocument/didSave", {"textDocument": {"uri": self.uri(name)}})

    def do_close(self, name):
        self.notify("textDocument/didClose", {"textDocument": {"uri": self.uri(name)}})

    def do_hover(self, name, where):
        self.request("textDocument/hover", self.at(name, where))

    def do_definition(self, name, where):
        self.request("textDocument/definition", self.at(name, where))

    def do_actions(self, name, where, *only):
        context = {"diagnostics": []}
        if only:
            context["only"] = list(only)
        self.request("textDocument/codeAction", {"textDocument": {"uri": self.uri(name)}, "range": self.area(where),
                                                 "context": context})

    def do_apply(self, number):
        """The edits of an action, in the documents that are open and in files; what comes out."""
        changes = self.actions[int(number) - 1]["edit"].get("documentChanges")
        if changes is None:
            changes = [{"textDocument": {"uri": uri}, "edits": edits}
                       for uri, edits in self.actions[int(number) - 1]["edit"]["changes"].items()]
        for change in changes:
            name = self.name(change.get("uri") or change["textDocument"]["uri"])
            if change.get("kind") == "create":
                self.say(f"create {name}")
                self.do_write(name, "")
                continue
            text = self.texts.get(name)
            if text is None:
                with open(self.path(name), encoding="utf-8") as stored:
                    text = stored.read()
            for edit in change["edits"]:
                begin, end = (offset_of(text, one["line"], one["character"]) for one in
                              (edit["range"]["start"], edit["range"]["end"]))
                text = text[:begin] + edit["newText"] + text[end:]
            self.say(f"{name} is now:")
            self.say("  | " + text.rstrip("\n").replace("\n", "\n  | "))
            if name in self.texts:
                self.texts[name] = text
                self.change(name, [{"text": text}])
            else:
                with open(self.path(name), "w", encoding="utf-8") as out:
                    out.write(text)

    def do_request(self, method, params="{}"):
        self.request(method, json.loads(params))

    def do_notify(self, method, params="{}"):
        self.notify(method, json.loads(params))

    def do_raw(self, text):
        self.write(text.encode().decode("unicode_escape").encode("latin-1"))

    def do_body(self, text):
        body = text.encode().decode("unicode_escape").encode("latin-1")
        self.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def do_repeat(self, text, times):
        self.write(text.encode().decode("unicode_escape").encode("latin-1") * int(times))

    def do_together(self):
        """What follows is sent at once, at `end`."""
        self.held = b""

    def do_end(self):
        data, self.held = self.held, None
        self.write(data)

    def play(self, steps):
        for line in steps.splitlines():
            if not line or line.startswith("#"):
                continue
            self.say("> " + line)
            raw = {"initialize": 1, "request": 2, "notify": 2}.get(line.split(" ", 1)[0])
            words = line.split(" ", raw) if raw else shlex.split(line)
            getattr(self, "do_" + words[0].replace("-", "_"))(*words[1:])
            self.sync()
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        while True:
            message = self.receive()
            if message is None:
                break
            self.show(message)
        for line in self.process.stderr.read().decode().splitlines():
            self.say("stderr: " + line)
        status = self.process.wait()
        self.timer.cancel()
        if status != 0:
            self.say(f"exit {status}")


def run(program, path):
    """True if it is as expected, or rewritten."""
    sections = read_case(path)
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        for name, text in sections.items():
            if name not in ("why", "steps", "output"):
                os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
                with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as out:
                    out.write(text)
        session = Session(program, folder)
        session.play(sections["steps"])
    log = session.log
    got = "\n".join(line.rstrip().replace("file://" + folder, "file://FOLDER").replace(folder, "FOLDER") for line in log) + "\n"
    if got == sections.get("output", ""):
        return True
    if os.environ.get("UPDATE"):
        with open(path, encoding="utf-8", newline="") as old:
            text = old.read().split("-- output --\n")[0]
        with open(path, "w", encoding="utf-8", newline="") as out:
            out.write(text + "-- output --\n" + got)
        return True
    import difflib
    sys.stdout.writelines(difflib.unified_diff(sections.get("output", "").splitlines(True), got.splitlines(True),
                                               path, "now"))
    return False


def main():
    program = os.path.abspath(sys.argv[1])
    cases = sys.argv[2:] or sorted(glob.glob(os.path.join(ROOT, "testdata", "lsp", "*.lsp")))
    failed = [path for path in cases if not run(program, os.path.abspath(path))]
    for path in failed:
        print(f"FAILED {os.path.relpath(path, ROOT)}")
    print(f"lsp: {len(cases) - len(failed)} passed, {len(failed)} failed")
    sys.exit(1 if failed else 0)


main()
