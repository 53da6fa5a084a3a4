"""Backends that say who they are, and an ADS server that answers from snapshots."""
import socket
import threading
from concurrent import futures

import grpc

import ads
from discovery import response

HOST = "127.0.0.1"


class Backend(grpc.GenericRpcHandler):
    """Answers every RPC with its address in x-host. An RPC with x-fail ends with that status, and
    says in x-attempt which attempt it was."""

    def __init__(self, threads):
        self.grpc = grpc.server(threads, options=[("grpc.so_reuseport", 0)])
        self.grpc.add_generic_rpc_handlers((self,))
        self.address = "%s:%d" % (HOST, self.grpc.add_insecure_port(HOST + ":0"))
        self.grpc.start()

    def service(self, _call):
        return grpc.unary_unary_rpc_method_handler(self.answer)

    def answer(self, _message, context):
        sent = dict(context.invocation_metadata())
        if "x-fail" in sent:
            before = sent.get("grpc-previous-rpc-attempts", "0")
            context.set_trailing_metadata((("x-attempt", str(int(before) + 1)),))
            context.abort(grpc.StatusCode[sent["x-fail"]], "as asked")
        context.send_initial_metadata((("x-host", self.address),))
        return b""


def backends(count):
    threads = futures.ThreadPoolExecutor(16)
    return [Backend(threads) for _ in range(count)]


def closed_ports(count):
    """Addresses that refuse connections, and the sockets that keep them so."""
    sockets = [socket.socket() for _ in range(count)]
    for s in sockets:
        s.bind((HOST, 0))
    return ["%s:%d" % s.getsockname() for s in sockets], sockets


class Snapshots:
    """Serves all resources that were added, by name; a name that is not there is answered by
    leaving it out."""

    def __init__(self):
        self.server = ads.Server()
        self.resources = {}    # by type URL and name
        self.nacks = []
        self.verdicts = {}     # by type URL and name: "" for an ACK, or the text of a NACK
        threading.Thread(target=self.run, daemon=True).start()

    @property
    def port(self):
        return self.server.port

    def add(self, resources):
        self.resources.update({(r["type_url"], r["name"]): r["bytes"] for r in resources})

    def run(self):
        asked = {}    # by stream and type: the names of the last request
        told = {}     # the names of a response, by its nonce
        sent = 0
        while True:
            stream, request = self.server.requests.get()
            if request is None:
                continue
            if request.error is not None:
                self.nacks.append(request.error)
            for name in told.pop(request.nonce, ()):
                self.verdicts[request.type_url, name] = request.error or ""
            key, names = (stream, request.type_url), set(request.names)
            if asked.get(key) == names:
                continue
            asked[key] = names
            sent += 1
            told[str(sent)] = names
            found = [(request.type_url, self.resources[request.type_url, n]) for n in sorted(names)
                     if (request.type_url, n) in self.resources]
            stream.put(response(request.type_url, str(sent), found))
