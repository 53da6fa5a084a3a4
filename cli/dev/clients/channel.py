"""Asks a client for its verdict on resources: a process with a channel, which gets the
resources in responses of the ADS server, or its parser alone."""
import base64
import collections
import json
import queue
import re
import subprocess
import tempfile
import threading
import time
from typing import NamedTuple

from clients import environment
from discovery import CDS, CHAIN, EDS, KEEP, LDS, RDS, TYPES, response
from xds_resource import Answer, Resource


class Limits(NamedTuple):
    """Seconds without an answer, after which the client hangs."""

    start: int     # for the first request, and for each link of the chain
    answer: int


QUICK = Limits(10, 8)
PATIENT = Limits(80, 300)    # a client may also be late because the machine is busy


NO_ANSWER = "no answer"


class Dead(Exception):
    """The process has ended, closed its stream, or does not answer."""


class NoChain(Exception):
    """The client does not come up with this environment and bootstrap."""


def full_bootstrap(text, port):
    """The bootstrap of a case with what it leaves out because xdscope does not read it."""
    boot = json.loads(text) if text else {}
    server = (boot.get("xds_servers") or [{}])[0]
    features = sorted({"xds_v3", *server.get("server_features", [])})
    boot["xds_servers"] = [{**server, "server_uri": "127.0.0.1:%d" % port,
                            "channel_creds": [{"type": "insecure"}],
                            "server_features": features}]
    boot["node"] = {"id": "n", "locality": {"region": "r", "zone": "z", "sub_zone": "s"}}
    files = {"certificate_file": "/dev/null", "private_key_file": "/dev/null",
             "ca_certificate_file": "/dev/null", "refresh_interval": "600s"}
    for provider in boot.get("certificate_providers", {}).values():
        provider["config"] = {**files, **provider.get("config", {})}
    return json.dumps(boot)


class Process:
    """A client that runs. `requests` has what it has sent: (stream, request), and None as the
    request at the end of the stream."""

    def __init__(self, installed, env, bootstrap, port, requests, limits):
        self.requests, self.limits = requests, limits
        self.stream = None
        self.sent = 0
        self.log = tempfile.TemporaryFile()
        variables = {"GRPC_VERBOSITY": "ERROR", **dict(env),
                     "GRPC_XDS_BOOTSTRAP_CONFIG": full_bootstrap(bootstrap, port)}
        over_pipe = installed.client.over == "pipe"
        self.process = subprocess.Popen(
            [*installed.command(), KEEP], cwd=installed.folder, env=environment(variables),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE if over_pipe else self.log,
            stderr=self.log)

    def words(self):
        """What the process has printed."""
        self.log.seek(0)
        return self.log.read().decode("utf-8", "backslashreplace")

    def receive(self, wanted, seconds):
        """The next request that is wanted. Raises Dead."""
        end = time.monotonic() + seconds
        while True:
            try:
                stream, request = self.requests.get(timeout=0.25)
            except queue.Empty:
                if self.process.poll() is not None:
                    raise Dead("exit status %d" % self.process.returncode) from None
                if time.monotonic() > end:
                    raise Dead(NO_ANSWER) from None
                continue
            if self.stream is None and request is not None:
                self.stream = stream
            if stream is not self.stream:
                continue
            if request is None:
                raise Dead(self.end_of_stream())
            if wanted(request):
                return request

    def end_of_stream(self):
        try:
            return "exit status %d" % self.process.wait(1)
        except subprocess.TimeoutExpired:
            return "closed the stream"

    def close(self):
        self.process.kill()
        self.process.wait()
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass  # it has died before it read all of it
        self.log.close()


class Channel(Process):
    """A channel to xds:///KEEP."""

    def __init__(self, server, installed, env, bootstrap, limits=QUICK):
        server.forget()
        super().__init__(installed, env, bootstrap, server.port, server.requests, limits)
        try:
            self.bring_up()
        except Dead as e:
            words = self.words()[-1500:]
            self.close()
            raise NoChain("%s: %s" % (e, words)) from e

    def bring_up(self):
        self.receive(lambda r: r.type_url == LDS, self.limits.start)
        for type_url, after in zip(TYPES, (RDS, CDS, EDS, None)):
            nonce = self.send(type_url, [])
            wanted = {nonce, after} - {None}

            def seen(request):
                if request.nonce == nonce and request.error is not None:
                    raise Dead("NACK of %s: %s" % (type_url, request.error))
                wanted.discard(request.nonce if request.type_url == type_url else
                               request.type_url)
                return not wanted

            self.receive(seen, self.limits.start)

    def send(self, type_url, resources):
        """Sends the resource that keeps the chain alive and these; returns the nonce."""
        self.sent += 1
        parts = [(type_url, CHAIN[type_url]), *((r.url, r.value) for r in resources)]
        self.stream.put(response(type_url, str(self.sent), parts))
        return str(self.sent)

    def close(self):
        super().close()
        if self.stream:
            self.stream.put(None)


class Line:
    """The answer of a parser, as a request."""

    def __init__(self, line):
        answer = json.loads(line)
        self.nonce, self.error = answer["nonce"], answer.get("error")
        self.died = answer.get("died")    # what it has thrown


class Parser(Process):
    """A parser that answers line by line."""

    def __init__(self, _server, installed, env, bootstrap, limits):
        super().__init__(installed, env, bootstrap, 1, queue.Queue(), limits)
        self.stream = self.process.stdout
        threading.Thread(target=self.read, daemon=True).start()
        ready = self.send(LDS, [Resource("", LDS, LDS, CHAIN[LDS])])
        try:
            self.receive(lambda r: r.nonce == ready, limits.start)
        except Dead as e:
            words = self.words()[-1500:]
            self.close()
            raise NoChain("%s: %s" % (e, words)) from e

    def read(self):
        with self.process.stdout:
            for line in self.process.stdout:
                if not line.endswith(b"\n"):
                    break    # the process has ended within it
                self.requests.put((self.stream, Line(line)))
        self.requests.put((self.stream, None))

    def send(self, type_url, resources):
        self.sent += 1
        asked = {"nonce": str(self.sent), "type_url": type_url, "url": resources[0].url,
                 "value": base64.b64encode(resources[0].value).decode()}
        try:
            self.process.stdin.write(json.dumps(asked).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # its end is read from stdout
        return str(self.sent)


OVER = {"ads": Channel, "pipe": Parser}


INDEX = re.compile(r"(?:(?<=; )|(?<=\[))resource index (\d+): ")


def texts_by_index(error, count):
    """The text of each resource that a NACK of C-core names; resource 0 keeps the chain alive.
    A text may hold what looks like an index: those of a NACK ascend."""
    marks, lowest = [], 1
    for mark in INDEX.finditer(error):
        if lowest <= int(mark[1]) <= count:
            lowest = int(mark[1])
            marks.append(mark)
    ends = [mark.start() - 2 for mark in marks[1:]] + [len(error) - error.endswith("]")]
    out = {}
    for mark, end in zip(marks, ends):
        text = error[mark.end():end]
        before = out.get(int(mark[1]))
        out[int(mark[1])] = text if before is None else before + "; " + text
    return out


def read_answer(resources, error):
    """What one ACK or NACK says of each resource of a response, or None if it does not say."""
    if error is None:
        return [Answer("ACK")] * len(resources)
    if len(resources) == 1:
        text = texts_by_index(error, 1).get(1, error)
        return [Answer("NACK", text)]
    texts = texts_by_index(error, len(resources))
    if not texts:
        return None
    return [Answer("NACK", texts[i]) if i in texts else Answer("ACK")
            for i in range(1, len(resources) + 1)]


class Judge:
    """Verdicts of one installed client. `answers` has one for each resource's id. `alone`: each
    resource is sent on its own, and waited for long."""

    def __init__(self, server, installed, alone=False):
        self.server, self.installed = server, installed
        self.alone = alone
        self.batch, self.window, self.limits = (1, 1, PATIENT) if alone else (
            installed.client.batch, installed.client.window, QUICK)
        self.channel = None
        self.started_with = None    # environment and bootstrap of the channel
        self.answers = {}
        self.fresh = True    # nothing but the chain was sent to this process

    def judge(self, resources):
        names = {name for r in resources for name, _ in r.env}
        reads = self.installed.reads(sorted(names))
        groups = collections.OrderedDict()
        for r in resources:
            env = tuple(pair for pair in r.env if pair[0] in reads)
            groups.setdefault((env, r.bootstrap), []).append(r)
        for (env, bootstrap), group in groups.items():
            self.judge_group(env, bootstrap, group)
        return self.answers

    def judge_group(self, env, bootstrap, group):
        todo = collections.deque()
        for type_url in TYPES:
            same = [r for r in group if r.type_url == type_url]
            todo.extend(same[i:i + self.batch] for i in range(0, len(same), self.batch))
        alone = 0    # so many of the next responses are sent one by one
        while todo:
            try:
                self.start(env, bootstrap)
            except NoChain as e:
                for r in (r for part in todo for r in part):
                    self.answers[r.id] = Answer("-", str(e))
                return
            window = 1 if alone else self.window
            unanswered, how = self.converse(todo, window, alone)
            if how is None:
                alone = 0
                continue
            alone = self.after_death(todo, unanswered, how)

    def start(self, env, bootstrap):
        if self.channel and self.started_with == (env, bootstrap):
            return
        self.stop()
        self.channel = OVER[self.installed.client.over](self.server, self.installed, env,
                                                        bootstrap, self.limits)
        self.started_with = env, bootstrap
        self.fresh = True

    def converse(self, todo, window, count):
        """Sends the first `count` of todo, or all if it is 0. Returns what remained unanswered,
        and how the client died or None."""
        pending = collections.OrderedDict()
        left = count or len(todo)
        try:
            while pending or (left and todo):
                while left and todo and len(pending) < window:
                    part = todo.popleft()
                    left -= 1
                    pending[self.channel.send(part[0].type_url, part)] = part
                request = self.channel.receive(lambda r: r.nonce in pending,
                                               self.limits.answer)
                part = pending.pop(request.nonce)
                self.fresh = False
                self.keep_answer(todo, part, request)
        except Dead as e:
            return list(pending.values()), str(e)
        return [], None

    def keep_answer(self, todo, part, request):
        if request.died:
            self.answers[part[0].id] = Answer("CRASH", request.died)
            return
        answers = read_answer(part, request.error)
        if answers is None:
            todo.extendleft([r] for r in reversed(part))
            return
        for r, answer in zip(part, answers):
            self.answers[r.id] = answer

    def after_death(self, todo, unanswered, how):
        """Puts back what has to be asked again; returns how many of them one by one."""
        words, fresh = self.channel.words(), self.fresh
        self.stop()
        if len(unanswered) == 1 and len(unanswered[0]) > 1:
            part = unanswered[0]
            half = len(part) // 2
            unanswered = [part[:half], part[half:]]
        elif len(unanswered) == 1 and (fresh or self.alone and how == NO_ANSWER):
            self.answers[unanswered[0][0].id] = Answer("CRASH", how + "\n" + words[:1500])
            return 0
        todo.extendleft(reversed(unanswered))
        return len(unanswered)

    def stop(self):
        if self.channel:
            self.channel.close()
        self.channel = None
