"""Attacks on the gRPC listener, frame by frame. Each is a function of the lab."""
import pathlib
import socket
import struct
import time

import h2.config
import h2.connection
import h2.events
import h2.exceptions
from h2.errors import ErrorCodes

from program import eventually

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
CHECK = "/envoy.service.auth.v3.Authorization/Check"


class Client:
    """An HTTP/2 connection."""

    def __init__(self, lab):
        self.socket = socket.create_connection(("127.0.0.1", lab.listener_ports["9196"]), 60)
        self.state = h2.connection.H2Connection(h2.config.H2Configuration(validate_outbound_headers=False))
        self.state.initiate_connection()
        self.answers, self.ended = {}, False
        self.flush()

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.socket.close()

    def flush(self):
        self.socket.sendall(self.state.data_to_send())

    def open(self, path=CHECK, fields=(), without=(), end=False):
        """Begins a call with its usual fields, but those called `without`, and with others; those of HTTP/2 come first."""
        stream = self.state.get_next_available_stream_id()
        usual = [(":method", "POST"), (":scheme", "http"), (":authority", "x"), (":path", path), ("te", "trailers"),
                 ("content-type", "application/grpc")]
        own = [field for field in usual if field[0] not in without] + list(fields)
        self.state.send_headers(stream, sorted(own, key=lambda field: not field[0].startswith(":")), end_stream=end)
        self.answers[stream] = {"fields": {}, "body": b"", "ended": False}
        return stream

    def call(self, body, path=CHECK):
        """Makes a call and returns its fields, trailers included, and its body."""
        stream = self.open(path)
        for start in range(0, len(body), 16_000):
            part = body[start:start + 16_000]
            while not self.is_over(stream) and self.state.local_flow_control_window(stream) < len(part):
                self.read()
            if self.is_over(stream):
                return self.answers[stream]
            self.state.send_data(stream, part)
            self.flush()
        self.state.end_stream(stream)
        self.flush()
        return self.answer(stream)

    def is_over(self, stream):
        """Whether the whole answer has arrived, or none will."""
        return self.answers[stream]["ended"] or self.ended

    def answer(self, stream):
        while not self.is_over(stream):
            self.read()
        return self.answers[stream]

    def read(self):
        data = self.socket.recv(65_536)
        if not data:
            self.ended = True
            return
        for event in self.state.receive_data(data):
            answer = self.answers.get(getattr(event, "stream_id", None))
            if isinstance(event, (h2.events.ResponseReceived, h2.events.TrailersReceived)) and answer is not None:
                answer["fields"].update({name.decode(): value.decode() for name, value in event.headers})
            elif isinstance(event, h2.events.DataReceived) and answer is not None:
                answer["body"] += event.data
                self.state.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            elif isinstance(event, (h2.events.StreamEnded, h2.events.StreamReset)) and answer is not None:
                answer["ended"] = True
            elif isinstance(event, h2.events.ConnectionTerminated):
                self.ended = True
        self.flush()


def varint(number):
    return bytes([number]) if number < 0x80 else bytes([number & 0x7F | 0x80]) + varint(number >> 7)


def field(number, content):
    content = content.encode() if isinstance(content, str) else content
    return varint(number << 3 | 2) + varint(len(content)) + content


def message(*http):
    """A CheckRequest with fields of its HttpRequest."""
    return field(1, field(4, field(2, b"".join(http))))


def framed(content):
    return b"\0" + struct.pack(">I", len(content)) + content


def request(token=None, target="/orders"):
    headers = field(3, field(1, "authorization") + field(2, f"Bearer {token}")) if token else b""
    return framed(message(field(2, "GET"), field(4, target), field(5, "app.example"), field(6, "http"), headers))


def is_allowed(answer):
    """Whether a CheckResponse admits: its status, the first field, is empty, and an `ok_response` follows."""
    return answer["fields"].get("grpc-status") == "0" and answer["body"][5:8] == b"\x0a\x00\x1a"


def is_denied(answer, status):
    """Whether a CheckResponse has an `HttpStatus` of this code."""
    return answer["fields"].get("grpc-status") == "0" and b"\x0a\x03\x08" + varint(status) in answer["body"]


def a_call_is_decided(lab):
    token = lab.provider.token()
    with Client(lab) as client:
        assert is_allowed(client.call(request(token)))
        assert is_denied(client.call(request()), 401)
        assert is_denied(client.call(request(lab.forged(token))), 401)
        assert is_allowed(client.call(request(target="/public")))


def malformed_messages_are_refused_and_not_failed(lab):
    good = message(field(2, "GET"), field(4, "/public"), field(5, "h"))
    with Client(lab) as client:
        assert is_allowed(client.call(framed(good)))
        for content in [
            b"", b"\x0a", b"\xff" * 50, good[:-1], good + b"\x0a", good + good, b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
            message(field(2, "GET"), field(4, "/public"), field(4, "/admin")), message(field(4, "/public")), b"\x0b" * 1_000,
            message(field(2, "GET"), field(4, b"/public\xff")), message(*[field(3, field(1, f"n{number}")) for number in range(5_000)]),
        ]:
            assert is_denied(client.call(framed(content)), 400), content[:40]
        assert is_denied(client.call(framed(message(field(2, "GET"), field(4, "/public"), field(11, b"x" * 300_000)))), 400)
        unknown = field(900, b"\xff" * 100) + varint(901 << 3 | 5) + b"1234"
        assert is_allowed(client.call(framed(unknown + good + unknown)))


def other_frames_fail_the_call(lab):
    with Client(lab) as client:
        for body, status in [
            (b"", "13"), (b"\0\0\0\0", "13"), (b"\1" + request()[1:], "12"), (request() + b"x", "13"), (request() + request(), "13"),
            (b"\0\xff\xff\xff\xffx", "13"), (b"\7\0\0\0\0", "13"),
        ]:
            assert client.call(body)["fields"].get("grpc-status") == status, body[:10]
        assert client.call(request(), path="/envoy.service.auth.v2.Authorization/Check")["fields"]["grpc-status"] == "12"
        assert client.call(request(), path="/")["fields"]["grpc-status"] == "12"


def health_is_told(lab):
    with Client(lab) as client:
        assert client.call(framed(b""), path="/grpc.health.v1.Health/Check")["body"] == b"\0\0\0\0\2\x08\x01"
        assert client.call(framed(field(1, "x")), path="/grpc.health.v1.Health/Check")["fields"]["grpc-status"] == "5"


def a_thousand_streams_reset_at_once_disturb_no_other_call(lab):
    """The resets of clients that go away must not end the connection; other connections must not notice."""
    token = lab.provider.token()
    with Client(lab) as other, Client(lab) as client:
        for _ in range(10):
            streams = []
            for _ in range(100):
                streams.append(client.open())
                client.state.send_data(streams[-1], request(token)[:20])
            for stream in streams:
                client.state.reset_stream(stream, ErrorCodes.CANCEL)
            client.flush()
        start = time.monotonic()
        assert is_allowed(other.call(request(token)))
        assert time.monotonic() - start < 8, "another connection had to wait"
        assert is_allowed(client.call(request(token))), "the connection was lost"


def more_streams_than_allowed_are_refused(lab):
    with Client(lab) as client:
        client.call(request())
        limit = client.state.remote_settings.max_concurrent_streams
        assert 100 <= limit <= 1_000, limit
        streams = [client.open() for _ in range(limit)]
        client.flush()
        client.state.remote_settings.max_concurrent_streams = limit + 10
        client.state.remote_settings.acknowledge()
        extra = client.open()
        client.flush()
        assert "grpc-status" not in client.answer(extra)["fields"]
    with Client(lab) as client:
        assert is_denied(client.call(request()), 401)


def other_protocols_are_cut_off(lab):
    # Fewer bytes than HTTP/2's preface has would be silence.
    hello = b"\x16\x03\x01\x02\x00\x01" + b"\0" * 60
    openings = [b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", hello, b"\0" * 100, PREFACE + b"\xff" * 64]
    for opening in openings:
        with socket.create_connection(("127.0.0.1", lab.listener_ports["9196"]), 20) as connection:
            connection.sendall(opening)
            try:
                while connection.recv(4_096):
                    pass
            except ConnectionError:
                pass
    with Client(lab) as client:
        assert is_denied(client.call(request()), 401)


def a_flood_of_control_frames_disturbs_no_other_connection(lab):
    """A peer that takes no answers must not make the service keep them all."""
    flood = b"\0\0\x08\6\0\0\0\0\0pingpong" * 100_000
    with socket.create_connection(("127.0.0.1", lab.listener_ports["9196"]), 1) as connection, Client(lab) as other:
        try:
            connection.sendall(PREFACE + b"\0\0\0\4\0\0\0\0\0" + flood * 10)
        except OSError:
            pass
        start = time.monotonic()
        assert is_denied(other.call(request()), 401)
        assert time.monotonic() - start < 8, "another connection had to wait"


def a_connection_ends_with_its_peer(lab):
    """A peer that is gone leaves no descriptor behind."""
    files = pathlib.Path(f"/proc/{lab.service.program.process.pid}/fd")
    clients = [Client(lab) for _ in range(50)]
    for client in clients:
        assert is_denied(client.call(request()), 401)
    during = len(list(files.iterdir()))
    for client in clients:
        client.socket.close()
    eventually(lambda: len(list(files.iterdir())) <= during - len(clients), 60, "the end of connections without a peer")


ALL = [
    a_call_is_decided, malformed_messages_are_refused_and_not_failed, other_frames_fail_the_call, health_is_told,
    a_thousand_streams_reset_at_once_disturb_no_other_call, more_streams_than_allowed_are_refused, other_protocols_are_cut_off,
    a_flood_of_control_frames_disturbs_no_other_connection, a_connection_ends_with_its_peer,
]
