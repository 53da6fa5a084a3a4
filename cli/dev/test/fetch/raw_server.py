"""A server that sends what it is told, byte by byte: HTTP/2 that no library would speak.

Options: tls CERT, mtls CERT (without ALPN: "no-alpn"; TLS 1.2: "tls12"). Each connection runs the steps:

    text WORDS              a line as it is, ended by CRLF CRLF; bytes HEX
    settings                the SETTINGS of a server, and an acknowledgement of the client's
    await                   all of the client's next request; await-open: the first of its messages
    headers [NAME=VALUE]... of an answer; without any: those of gRPC. "end": nothing follows
    message MESSAGE         length-prefixed, in frames of at most 16 KiB; with "gzip" compressed,
                            "flagged" marked as compressed but as it is, "cut N" only N bytes of it,
                            "slow MS" with so much time between frames; "ads KIND VERSION RESOURCE..."
                            a response as of grpc_server.py
    length N                the head of a message of N bytes
    trailers [NAME=VALUE].. without any: grpc-status=0
    bomb MB                 a gzip message that inflates to zeros
    rst CODE, goaway LAST CODE [TEXT], ping, frame TYPE FLAGS STREAM [HEX]
    flood FRAME...          such a frame, "headers" of an interim answer, or "ads" as of message, until
                            the client is gone
    renegotiate             ask for another TLS handshake, and tell if there was one
    sleep SECONDS, close, abort
"""
import ctypes
import gzip
import socket
import ssl
import struct
import threading
import time

import ads_messages

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST, SETTINGS, PING, GOAWAY = 0, 1, 3, 4, 6, 7
END_STREAM, END_HEADERS, ACK = 1, 4, 1
LARGEST = 16384


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def text(value):
    """HPACK: a string without Huffman coding."""
    value = value.encode()
    length = len(value)
    if length < 127:
        return bytes([length]) + value
    out, length = bytearray([127]), length - 127
    while length > 127:
        out.append(length & 127 | 128)
        length >>= 7
    return bytes(out) + bytes([length]) + value


def block(pairs):
    """HPACK: literals that are not indexed."""
    return b"".join(b"\0" + text(name) + text(value) for name, value in pairs)


class Gone(Exception):
    """The client has closed the connection."""


class Connection:
    def __init__(self, stream, messages, told):
        self.socket, self.messages, self.stream, self.buffer, self.told = stream, messages, 1, b"", told
        self.window = None  # what the client lets us send, once a step cares

    def send(self, data):
        try:
            self.socket.sendall(data)
        except OSError as error:
            raise Gone from error

    def read(self, n):
        while len(self.buffer) < n:
            try:
                got = self.socket.recv(65536)
            except OSError as error:
                raise Gone from error
            if not got:
                raise Gone
            self.buffer += got
        data, self.buffer = self.buffer[:n], self.buffer[n:]
        return data

    def read_frame(self):
        head = self.read(9)
        return head[3], head[4], struct.unpack(">I", head[5:])[0], self.read(int.from_bytes(head[:3], "big"))

    def run(self, steps):
        for step in steps:
            words = step.split()
            getattr(self, "do_" + words[0].replace("-", "_"))(words[1:])

    # ---- steps ----

    def do_text(self, words):
        self.send(" ".join(words).encode() + b"\r\n\r\n")

    def do_bytes(self, words):
        self.send(bytes.fromhex("".join(words)))

    def do_settings(self, _words):
        self.send(frame(SETTINGS, 0, 0) + frame(SETTINGS, ACK, 0))

    def do_await(self, _words):
        if self.read(1) == PREFACE[:1]:
            self.read(len(PREFACE) - 1)
        else:
            raise AssertionError("not at the beginning of a connection")
        ended = False
        while not ended:
            kind, flags, stream, _ = self.read_frame()
            if kind == HEADERS:
                self.stream = stream
            ended = kind in (DATA, HEADERS) and flags & END_STREAM

    def do_await_open(self, _words):
        self.read(len(PREFACE))
        kind = None
        while kind != DATA:
            kind, _, stream, _ = self.read_frame()
            self.stream = stream or self.stream

    def do_headers(self, words):
        pairs = [word.split("=", 1) for word in words if word != "end"]
        pairs = pairs or [(":status", "200"), ("content-type", "application/grpc")]
        flags = END_HEADERS | (END_STREAM if "end" in words else 0)
        self.send(frame(HEADERS, flags, self.stream, block((n, v.replace("_", " ")) for n, v in pairs)))

    def do_trailers(self, words):
        self.do_headers((words or ["grpc-status=0"]) + ["end"])

    def do_message(self, words):
        def option(name):
            if name not in words:
                return None
            at = words.index(name)
            value = words[at + 1]
            del words[at:at + 2]
            return int(value)

        words = list(words)
        cut, slow = option("cut"), option("slow")
        flag = b"\1" if "gzip" in words or "flagged" in words else b"\0"
        if words[0] == "ads":
            body = ads_messages.response(self.messages, words[1:], "n", False)
        else:
            body = self.messages.get([word for word in words if word not in ("gzip", "flagged")])
        if "gzip" in words:
            body = gzip.compress(body)
        data = (flag + struct.pack(">I", len(body)) + body)[:cut if cut is None else cut + 5]
        for at in range(0, len(data), LARGEST):
            self.send(frame(DATA, 0, self.stream, data[at:at + LARGEST]))
            time.sleep((slow or 0) / 1000)

    def do_length(self, words):
        self.send(frame(DATA, 0, self.stream, b"\0" + struct.pack(">I", int(words[0]))))

    def do_bomb(self, words):
        body = gzip.compress(b"\0" * (int(words[0]) << 20))
        data = b"\1" + struct.pack(">I", len(body)) + body
        for at in range(0, len(data), LARGEST):
            self.send(frame(DATA, 0, self.stream, data[at:at + LARGEST]))

    def do_rst(self, words):
        self.send(frame(RST, 0, self.stream, struct.pack(">I", int(words[0]))))

    def do_goaway(self, words):
        self.send(frame(GOAWAY, 0, 0, struct.pack(">II", int(words[0]), int(words[1])) + " ".join(words[2:]).encode()))

    def do_frame(self, words):
        kind, flags, stream = (int(word) for word in words[:3])
        self.send(frame(kind, flags, stream, bytes.fromhex("".join(words[3:]))))

    def do_flood(self, words):
        if words[0] == "headers":
            one = frame(HEADERS, END_HEADERS, self.stream, block([(":status", "103"), ("link", "x" * 100)]))
        elif words[0] == "ads":
            body = ads_messages.response(self.messages, words[1:], "n", False)
            one = frame(DATA, 0, self.stream, b"\0" + struct.pack(">I", len(body)) + body)
        elif words[0] == "messages":
            one = frame(DATA, 0, self.stream, b"\0" * 5)
        else:
            kind, flags, stream = (int(word) for word in words[:3])
            one = frame(kind, flags, stream, bytes.fromhex("".join(words[3:])))
        while True:
            self.send(one * 100)

    def do_renegotiate(self, _words):
        """Python's ssl cannot: its object has OpenSSL's after the head and the socket."""
        library = ctypes.CDLL("libssl.so.3")
        inner = ctypes.c_void_p.from_address(id(self.socket._sslobj) + object.__basicsize__ + ctypes.sizeof(ctypes.c_void_p))
        library.SSL_renegotiate(inner)
        library.SSL_do_handshake(inner)
        for _ in range(50):
            if not library.SSL_renegotiate_pending(inner):
                break
            self.socket.settimeout(0.1)
            try:
                self.buffer += self.socket.recv(65536)
            except TimeoutError:
                pass
            except OSError as error:  # refused; when it comes to know is a matter of time
                raise Gone from error
        self.told.append("renegotiated")

    def do_sleep(self, words):
        time.sleep(float(words[0]))

    def do_close(self, _words):
        raise Gone

    def do_abort(self, _words):
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        raise Gone


class Server:
    def __init__(self, options, steps, messages, certs, _there):
        self.steps, self.messages, self.context, self.told = steps, messages, None, []
        if options:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(certs / f"{options[1]}.pem", certs / f"{options[1]}.key")
            if "tls12" in options:
                self.context.maximum_version = ssl.TLSVersion.TLSv1_2
            if "http1" in options:
                self.context.set_alpn_protocols(["http/1.1"])
            elif "no-alpn" not in options:
                self.context.set_alpn_protocols(["h2"])
        self.listener = socket.create_server(("localhost", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                stream, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(stream,), daemon=True).start()

    def serve(self, stream):
        try:
            if self.context:
                stream = self.context.wrap_socket(stream, server_side=True)
            connection = Connection(stream, self.messages, self.told)
            connection.run(self.steps)
            while True:  # as long as the client likes
                connection.read(1)
        except (Gone, OSError):
            pass
        finally:
            stream.close()

    def stop(self):
        self.listener.close()
        return self.told


class OneMessage:
    """In place of Messages: there is only this one."""

    def __init__(self, message):
        self.message = message

    def get(self, _words):
        return self.message


def answering(message, ends=True):
    """A server that gives each call the same message, which gzip has packed. Unless it ends, the calls
    stay open, as those of a control plane do."""
    steps = ["settings", "await-open",
             "headers :status=200 content-type=application/grpc grpc-encoding=gzip", "message it flagged"]
    return Server([], steps + (["trailers"] if ends else []), OneMessage(message), None, None)
