"""Makes the RPCs of cases with gRPC C-core: a line of JSON in for each case, one out. See live.py."""
import base64
import collections
import json
import sys
import time

import grpc

SETTLE_SECONDS = 0.3    # for connections that the first RPCs have begun


def metadata(headers):
    return [(k, base64.b64decode(v) if k.endswith("-bin") else v) for k, v in headers]


class Channels:
    def __init__(self, target):
        self.target = target
        self.by_authority = {}

    def get(self, authority):
        if authority not in self.by_authority:
            options = [("grpc.use_local_subchannel_pool", 1)]
            if authority:
                options.append(("grpc.default_authority", authority))
            self.by_authority[authority] = grpc.insecure_channel(self.target, options)
        return self.by_authority[authority]

    def close(self):
        for channel in self.by_authority.values():
            channel.close()


class Answer:
    def __init__(self):
        self.hosts = collections.Counter()
        self.failures = collections.Counter()
        self.attempts = collections.Counter()
        self.cookies = []
        self.message = None

    def succeeded(self, call):
        got = list(call.initial_metadata())
        self.hosts[dict(got).get("x-host")] += 1
        cookies = [v for k, v in got if k == "set-cookie"]
        if cookies not in self.cookies:
            self.cookies.append(cookies)

    def failed(self, error):
        self.failures[error.code().name] += 1
        self.message = error.details()
        attempt = dict(error.trailing_metadata() or ()).get("x-attempt")
        if attempt:
            self.attempts[attempt] += 1

    def as_json(self):
        return {"hosts": self.hosts, "failures": self.failures, "attempts": self.attempts,
                "set_cookie": self.cookies, "message": self.message}


def ask(channels, request, repeat):
    method = channels.get(request.get("authority")).unary_unary(request["path"])
    headers, answer = metadata(request["headers"]), Answer()
    for _ in range(repeat):
        try:
            _, call = method.with_call(b"", metadata=headers, timeout=request.get("deadline"))
            answer.succeeded(call)
        except grpc.RpcError as error:
            answer.failed(error)
    return answer.as_json()


def run(case):
    channels = Channels(case["target"])
    for request in case["requests"]:
        ask(channels, request, 1)
    time.sleep(SETTLE_SECONDS)
    answers = [ask(channels, r, r["repeat"]) for r in case["requests"]]
    channels.close()
    return {"case": case["case"], "answers": answers}


for line in sys.stdin:
    print(json.dumps(run(json.loads(line))), flush=True)
