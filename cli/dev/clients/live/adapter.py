"""A program that is asked by lines of JSON. It is started when it is asked, and again after its
death."""
import json
import queue
import subprocess
import tempfile
import threading

from clients import environment

SECONDS = 300    # for an answer
WORDS = 2000     # characters of the last words of a program


class Died(Exception):
    """The program ended, or does not answer."""


class Adapter:
    def __init__(self, command, bootstrap=None):
        self.command = command
        self.variables = {"GRPC_VERBOSITY": "NONE"}
        if bootstrap:
            self.variables["GRPC_XDS_BOOTSTRAP_CONFIG"] = json.dumps(bootstrap)
        self.process = None

    def start(self):
        self.words = tempfile.TemporaryFile()
        self.lines = queue.Queue()
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.words,
            env=environment(self.variables))
        threading.Thread(target=self.read, args=(self.process.stdout, self.lines),
                         daemon=True).start()

    @staticmethod
    def read(stdout, lines):
        for line in stdout:
            lines.put(line)
        lines.put(None)

    def ask(self, message):
        """Raises Died."""
        if not self.process:
            self.start()
        try:
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()
            line = self.lines.get(timeout=SECONDS)
        except (BrokenPipeError, queue.Empty):
            line = None
        if line is None:
            raise Died(self.stop())
        return json.loads(line)

    def stop(self):
        """Its last words."""
        if not self.process:
            return ""
        self.process.kill()
        self.process.wait()
        self.process = None
        self.words.seek(0)
        return self.words.read().decode("utf-8", "replace")[-WORDS:]
