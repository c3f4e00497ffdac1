"""The lab of the connection checks: the service with short deadlines, behind nginx and Envoy, and raw bytes for its listeners."""
import re
import struct
import time

import hpack

import grpc_checks
import lab
from exchange import ask, bearer

SETTINGS = b"\0\0\0\4\0\0\0\0\0"
PING = b"\0\0\x08\6\0\0\0\0\0pingpong"
QUESTION = b"GET / HTTP/1.1\r\nHost: app.example\r\nX-Original-Method: GET\r\nX-Original-URI: /public\r\n\r\n"
# A gateway's client waits this long at most, whatever else the service does, in seconds. Two cores carry all programs of the checks, and
# perhaps others.
ANSWER = 5
# Seconds after its deadline by which a connection must have ended: a look at a deadline, and a machine with two cores.
LATE = 10


class Deadlines:
    """Seconds after which the service ends what does not go on."""

    def __init__(self, long):
        # The first of a thousand connections must last until all are open.
        self.head = self.idle = 20
        self.body = self.write = 4 if long else 2
        self.drain = 2 if long else 1
        # Of a call's message; the configuration does not set it (AuthorizationLimits).
        self.message = 10

    def settings(self, maximum):
        return (
            f"connections: {{maximum: {maximum}, headSeconds: {self.head}, idleSeconds: {self.idle}, bodySeconds: {self.body}, "
            f"writeSeconds: {self.write}, drainSeconds: {self.drain}}}\n")


class Service(lab.Service):
    """With a listener at a Unix socket, and with these deadlines."""
    deadlines, maximum = Deadlines(False), 12_000

    def __init__(self, place):
        self.socket = place.folder / "direct.sock"
        super().__init__(place)

    def configure(self, text):
        unix = f"  - {{name: direct, profile: nginx, unix: {self.socket}}}\n"
        text = text.replace("administration: {tcp", unix + "administration: {tcp", 1)
        super().configure(re.sub(r"(?m)^connections:.*\n", "", text) + self.deadlines.settings(self.maximum))


class ConnectionLab(lab.ServiceLab):
    """count: connections of a crowd."""

    def __init__(self, deadlines, count, service=Service, names=("nginx", "envoy-grpc")):
        service.deadlines = self.deadlines = deadlines
        self.count = count
        super().__init__(names, service)

    @property
    def process(self):
        return self.service.program.process.pid

    def renew(self):
        """A new process of the service: an allocator keeps what earlier connections needed."""
        self.service.kill()
        self.service.restart()
        self.service.wait_until_ready()
        self.slowest_answer(1)

    def slowest_answer(self, count=30):
        """Through each gateway on connections of their own, in seconds."""
        token, slowest = self.provider.token(), 0.0
        for gateway in self.gateways:
            for _ in range(count):
                start = time.monotonic()
                answer = ask(gateway.port, "/orders", [bearer(token)])
                slowest = max(slowest, time.monotonic() - start)
                assert answer and answer.status == 200, (gateway.name, answer)
        assert slowest < ANSWER, f"a request took {slowest:.2f} s"
        return slowest


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def call_head(stream, flags=4):
    """HEADERS of a call. Its fields enter no table, so the same bytes do for every stream."""
    fields = [(":method", "POST"), (":scheme", "http"), (":authority", "x"), (":path", grpc_checks.CHECK), ("te", "trailers"),
              ("content-type", "application/grpc")]
    return frame(1, flags, stream, hpack.Encoder().encode([(*one, True) for one in fields], huffman=False))


OPENED = grpc_checks.PREFACE + SETTINGS
