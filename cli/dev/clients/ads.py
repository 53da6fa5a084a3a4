"""An ADS server on loopback."""
import queue
import threading
from concurrent import futures

import grpc

from discovery import Request


class Server(grpc.GenericRpcHandler):
    """Puts (stream, request) into `requests`, and (stream, None) at the end of a stream. What
    is put into a stream is sent; None closes it."""

    def __init__(self):
        self.requests = queue.Queue()
        self.grpc = grpc.server(futures.ThreadPoolExecutor(16), options=[
            ("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1),
            ("grpc.so_reuseport", 0)])
        self.grpc.add_generic_rpc_handlers((self,))
        self.port = self.grpc.add_insecure_port("127.0.0.1:0")
        self.grpc.start()

    def service(self, call):
        if call.method.endswith("/StreamAggregatedResources"):
            return grpc.stream_stream_rpc_method_handler(self.stream)
        return None

    def stream(self, messages, _context):
        out = queue.Queue()

        def read():
            try:
                for message in messages:
                    self.requests.put((out, Request(message)))
            except grpc.RpcError:
                pass
            except Exception:  # the client has gone: its class depends on the release of grpcio
                pass
            out.put(None)
            self.requests.put((out, None))

        threading.Thread(target=read, daemon=True).start()
        yield from iter(out.get, None)

    def forget(self):
        """Drops what earlier clients have sent."""
        while not self.requests.empty():
            self.requests.get()
