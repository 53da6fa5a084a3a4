"""A gRPC server by grpcio that does what the steps of a case say.

Options: tls CERT, mtls CERT, gzip, unix, abstract (a unix socket without a file). Steps, each for one method:

    unary MESSAGE | stream MESSAGE      answer with it; methods that no step names are unimplemented
    unary status CODE TEXT...           end with a status
    unary late SECONDS MESSAGE          answer after some time
    headers NAME...                     tell which of these headers came, and with which values

    ads                                 what follows is a call of ADS, the next one for the next call;
                                        the last one for all later calls. Every request is told.
    await N                             so many requests
    again N                             from now on, the last response once more for each request; N of these
                                        are told
    send KIND VERSION RESOURCE...       a response; RESOURCE is a file of testdata/fetch/client or served,
                                        or "many N" or "routes N" (ads_messages.py); of delta ADS also
                                        "-NAME", a resource that is removed
    bytes HEX | sleep SECONDS | abort CODE TEXT... | end | kill, the whole server
    interrupt                           the program gets the signal of "signal NAME asked"
"""
import threading
from concurrent import futures

import grpc

import ads_messages

SERVICE = "/envoy.service.status.v3.ClientStatusDiscoveryService/"
METHODS = {"unary": "FetchClientStatus", "stream": "StreamClientStatus"}


class Server(grpc.GenericRpcHandler):
    def __init__(self, options, steps, messages, certs, there):
        self.messages, self.told, self.wanted, self.done = messages, [], [], threading.Event()
        self.steps = {}
        self.calls, self.played, self.interrupt = [], [], threading.Event()
        for step in steps:
            kind, *words = step.split()
            if kind == "headers":
                self.wanted = words
            elif kind == "ads":
                self.calls.append([])
            elif self.calls:
                self.calls[-1].append((kind, words))
            else:
                self.steps[SERVICE + METHODS[kind]] = kind, words
        compression = grpc.Compression.Gzip if "gzip" in options else None
        self.grpc = grpc.server(futures.ThreadPoolExecutor(4), compression=compression, options=[
            ("grpc.max_send_message_length", -1), ("grpc.so_reuseport", 0)])
        self.grpc.add_generic_rpc_handlers((self,))
        self.port = self.listen(options, certs, there)
        self.grpc.start()

    def listen(self, options, certs, there):
        if "unix" in options and "tls" not in options:
            self.grpc.add_insecure_port(f"unix:{there}")
            return 0
        if "abstract" in options:
            self.grpc.add_insecure_port(f"unix-abstract:{there}")
            return 0
        for kind in ("tls", "mtls"):
            if kind in options:
                name = options[options.index(kind) + 1]
                credentials = grpc.ssl_server_credentials(
                    [((certs / f"{name}.key").read_bytes(), (certs / f"{name}.pem").read_bytes())],
                    (certs / "ca.pem").read_bytes() if kind == "mtls" else None, kind == "mtls")
                return self.grpc.add_secure_port(f"unix:{there}" if "unix" in options else "localhost:0", credentials)
        return self.grpc.add_insecure_port("localhost:0")

    def service(self, call):
        headers = dict(call.invocation_metadata)
        self.told += [f"{name}: {headers[name]}" for name in self.wanted if name in headers]
        if self.calls and call.method in ads_messages.METHODS:
            delta = call.method == ads_messages.METHODS[1]
            return grpc.stream_stream_rpc_method_handler(
                lambda requests, context: self.play(delta, requests, context))
        if call.method not in self.steps:
            return None
        kind, words = self.steps[call.method]
        if kind == "unary":
            return grpc.unary_unary_rpc_method_handler(lambda request, context: self.answer(words, request, context))
        return grpc.stream_stream_rpc_method_handler(lambda requests, context: self.answer_all(words, requests, context))

    def play(self, delta, requests, context):
        """One call of ADS."""
        steps = self.calls[min(len(self.played), len(self.calls) - 1)]
        told = [f"call {len(self.played) + 1}"]
        self.played.append(told)
        for n, (kind, words) in enumerate(steps, 1):
            if kind == "await":
                for _ in range(int(words[0])):
                    told.append(ads_messages.show(next(requests), delta))
            elif kind == "send":
                response = ads_messages.response(self.messages, words, f"n{n}", delta)
                yield response
            elif kind == "bytes":
                yield bytes.fromhex("".join(words))
            elif kind == "sleep":
                self.done.wait(float(words[0]))
            elif kind == "interrupt":
                self.interrupt.set()
            elif kind == "kill":
                threading.Thread(target=self.grpc.stop, args=(0,)).start()
            elif kind == "abort":
                context.abort(getattr(grpc.StatusCode, words[0]), " ".join(words[1:]))
            elif kind == "end":
                return
            elif kind == "again":
                yield from self.send_again(response, told, int(words[0]), requests, delta)
            else:
                raise AssertionError(kind)
        for request in requests:
            told.append(ads_messages.show(request, delta))

    @staticmethod
    def send_again(response, told, most, requests, delta):
        for n, request in enumerate(requests):
            if n < most:
                told.append(ads_messages.show(request, delta))
            yield response

    def answer_all(self, words, requests, context):
        for request in requests:
            yield self.answer(words, request, context)

    def answer(self, words, request, context):
        if request:
            self.told.append(f"request {request.hex()}")
        if words[0] == "status":
            context.abort(getattr(grpc.StatusCode, words[1]), " ".join(words[2:]))
        if words[0] == "late":
            self.done.wait(float(words[1]))
            words = words[2:]
        return self.messages.get(words)

    def stop(self):
        self.done.set()
        self.grpc.stop(0).wait()
        return self.told + [line for told in self.played for line in told]
