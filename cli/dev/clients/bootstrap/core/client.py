"""client.py: does gRPC C-core start with a bootstrap? Reads lines of JSON, each a text, and answers
with what it says, null when it starts. Each text has a process of its own, as what was read is
shared as long as a channel lives, which ends a little after it is closed. Its trace says when the
client is made, before the first RPC can end."""
import json
import os
import select
import signal
import sys
import time

os.environ.update(GRPC_VERBOSITY="debug", GRPC_TRACE="xds_client")
import grpc    # noqa: E402

REFUSED = "ailed to create XdsClient", "ailed to create xds client", "errors validating", "errors parsing"
MADE = b"creating xds client"
USED = b"starting ADS call", b"TRANSIENT_FAILURE"    # it lives with what it has read
LATE, SETTLES = 20, 1    # seconds; on a busy machine a client is late that does not hang


def call(text):
    """In a process of its own: a refusal on stdout, the trace on stderr."""
    os.environ["GRPC_XDS_BOOTSTRAP_CONFIG"] = text
    with grpc.insecure_channel("xds:///x") as channel:
        try:
            channel.unary_unary("/x/y")(b"", timeout=LATE)
        except grpc.RpcError as e:
            if any(words in e.details() for words in REFUSED):
                os.write(1, e.details().encode())


def read(trace, said, pid):
    """What it says, None once it has started, or how it died."""
    seen, end = b"", time.monotonic() + LATE
    while not any(words in seen for words in USED) and time.monotonic() < end:
        if select.select([trace], [], [], 0.1)[0]:
            more = os.read(trace, 65536)
            seen += more
            if not more:
                break
        if MADE in seen:
            end = min(end, time.monotonic() + SETTLES)
    if MADE in seen:
        os.kill(pid, signal.SIGKILL)
    words = b"".join(iter(lambda: os.read(said, 65536), b"")).decode()
    status = os.waitpid(pid, 0)[1]
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) != signal.SIGKILL:
        return {"died": "by signal %d" % os.WTERMSIG(status)}
    return words or (None if MADE in seen else {"died": "without a word"})


def answer(text):
    if "\0" in text:
        return "NUL"    # no value of a variable
    said, trace = os.pipe(), os.pipe()
    pid = os.fork()
    if pid == 0:
        os.dup2(said[1], 1)
        os.dup2(trace[1], 2)
        os.closerange(3, 64)
        call(text)
        os._exit(0)
    os.close(said[1])
    os.close(trace[1])
    try:
        return read(trace[0], said[0], pid)
    finally:
        os.close(said[0])
        os.close(trace[0])


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
