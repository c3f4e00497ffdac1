"""Attacks on the gRPC listener by HTTP/2 itself: frames, fields and calls that are cut off. Each is a function of the lab.

None of them may be admitted, and none may disturb another connection or the next one.
"""
import socket
import struct

import hpack

from grpc_checks import CHECK, PREFACE, Client, is_allowed, is_denied, request

DATA, HEADERS, PRIORITY, RESET, SETTINGS, PROMISE, PING, AWAY, WINDOW, CONTINUATION = range(10)
END_STREAM, END_HEADERS, PADDED = 1, 4, 8
CALL = [
    (":method", "POST"), (":scheme", "http"), (":authority", "x"), (":path", CHECK), ("te", "trailers"),
    ("content-type", "application/grpc"),
]
ADMITTED = b"\x0a\x00\x1a"


def frame(kind, flags, stream, content=b"", length=None):
    length = len(content) if length is None else length
    return struct.pack(">I", length)[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + content


def block(fields):
    return hpack.Encoder().encode(fields, huffman=False)


def call(body, fields=CALL, stream=1):
    return frame(HEADERS, END_HEADERS, stream, block(fields)) + frame(DATA, END_STREAM, stream, body)


def told(lab, data, timeout=0.25, until=b"\0" * 99, cut=False):
    """Sends bytes after the opening of a connection; returns what arrives until it ends or is silent.

    until: what ends the wait. cut: the client closes its side behind the bytes.
    """
    received = b""
    with socket.create_connection(("127.0.0.1", lab.listener_ports["9196"]), timeout) as connection:
        try:
            connection.sendall(PREFACE + frame(SETTINGS, 0, 0) + data)
            if cut:
                connection.shutdown(socket.SHUT_WR)
            while until not in received and (part := connection.recv(65_536)):
                received += part
        except OSError:
            pass
    return received


def another_content_type_is_no_call(lab):
    token = lab.provider.token()
    for kind in [
        "application/json", "application/grpc-web", "application/grpc-web+proto", "application/grpcx", "text/plain", "", "application/grp",
        "application/grpc+json", "application/x-protobuf",
    ]:
        with Client(lab) as client:
            stream = client.open(fields=[("content-type", kind)], without=("content-type",))
            client.state.send_data(stream, request(token), end_stream=True)
            client.flush()
            answer = client.answer(stream)
            assert answer["fields"].get(":status") == "415" and ADMITTED not in answer["body"], (kind, answer)
    for method in ("GET", "PUT", "OPTIONS", "HEAD"):
        with Client(lab) as client:
            stream = client.open(fields=[(":method", method)], without=(":method",))
            client.state.send_data(stream, request(token), end_stream=True)
            client.flush()
            assert client.answer(stream)["fields"].get(":status") in ("415", "405"), method
    for kind in ("application/grpc", "application/grpc+proto", "application/grpc;charset=utf-8"):
        with Client(lab) as client:
            stream = client.open(fields=[("content-type", kind)], without=("content-type",))
            client.state.send_data(stream, request(token), end_stream=True)
            client.flush()
            assert is_allowed(client.answer(stream)), kind


def trailers_are_no_message(lab):
    """Fields behind the message decide nothing, with and without an end."""
    token = lab.provider.token()
    for fields in ([("authorization", f"Bearer {token}")], [("grpc-status", "0")], [("x-a", "b" * 1_000)]):
        with Client(lab) as client:
            stream = client.open()
            client.state.send_data(stream, request())
            client.state.send_headers(stream, fields, end_stream=True)
            client.flush()
            assert is_denied(client.answer(stream), 401), fields
    with Client(lab) as client:
        stream = client.open()
        client.state.send_data(stream, request(token))
        client.state.send_headers(stream, [("x-a", "b")], end_stream=True)
        client.flush()
        assert is_allowed(client.answer(stream))


def a_message_in_small_frames_is_read(lab):
    """Also with an empty frame between them. Many in a row end the connection."""
    token = lab.provider.token()
    with Client(lab) as client:
        stream = client.open()
        for byte in request(token):
            client.state.send_data(stream, bytes([byte]))
        client.state.end_stream(stream)
        client.flush()
        assert is_allowed(client.answer(stream))
    body = request(token)
    empty = frame(DATA, 0, 1)
    head = frame(HEADERS, END_HEADERS, 1, block(CALL))
    received = told(lab, head + empty + frame(DATA, 0, 1, body) + frame(DATA, END_STREAM, 1), 60, ADMITTED)
    assert ADMITTED in received
    told(lab, head + empty * 100_000)


def a_call_that_is_cut_off_is_not_admitted(lab):
    token = lab.provider.token()
    whole = call(request(token))
    assert ADMITTED in told(lab, whole, 60, ADMITTED), "the whole call is not admitted, so the following would prove nothing"
    for count in [*range(1, 60), *range(60, len(whole), 23), len(whole) - 1]:
        received = told(lab, whole[:count], cut=True)
        assert ADMITTED not in received, count
    # Without the end of the stream there is no message, however complete it looks.
    open_end = frame(HEADERS, END_HEADERS, 1, block(CALL)) + frame(DATA, 0, 1, request(token))
    assert ADMITTED not in told(lab, open_end)
    assert ADMITTED not in told(lab, open_end + frame(RESET, 0, 1, b"\0\0\0\x08"))


def faults(token):
    """Frames that HTTP/2 forbids (RFC 9113 sections 4 to 6), each before a call that would be admitted, or as a part of it."""
    head, body = block(CALL), request(token)
    good = call(body)
    yield "a frame beyond the size limit", frame(HEADERS, END_HEADERS, 1, head) + frame(DATA, END_STREAM, 1, body + b"x" * 20_000)
    yield "a length of 16 MiB", frame(DATA, 0, 1, b"x", length=0xFFFFFF)
    yield "data on an idle stream", frame(DATA, END_STREAM, 1, body) + good
    yield "data on stream 0", frame(DATA, END_STREAM, 0, body) + good
    yield "headers on stream 0", frame(HEADERS, END_HEADERS, 0, head) + good
    yield "headers on an even stream", frame(HEADERS, END_HEADERS, 2, head) + frame(DATA, END_STREAM, 2, body)
    yield "a lower stream", call(request(), stream=5) + good
    yield "a continuation without headers", frame(CONTINUATION, END_HEADERS, 1, head) + frame(DATA, END_STREAM, 1, body)
    yield "another frame within headers", frame(HEADERS, 0, 1, head) + frame(PING, 0, 0, b"x" * 8) + frame(DATA, END_STREAM, 1, body)
    yield "padding longer than its frame", frame(HEADERS, END_HEADERS | PADDED, 1, b"\xff" + head) + frame(DATA, END_STREAM, 1, body)
    yield "padded data longer than its frame", frame(HEADERS, END_HEADERS, 1, head) + frame(DATA, END_STREAM | PADDED, 1, b"\xff" + b"x")
    yield "a reset of an idle stream", frame(RESET, 0, 1, b"\0\0\0\0") + good
    yield "a reset of three bytes", frame(RESET, 0, 1, b"\0\0\0") + good
    yield "a window update of 0", frame(WINDOW, 0, 0, b"\0\0\0\0") + good
    yield "a window beyond 2^31", frame(WINDOW, 0, 0, b"\x7f\xff\xff\xff") * 2 + good
    yield "settings of five bytes", frame(SETTINGS, 0, 0, b"\0" * 5) + good
    yield "settings of a stream", frame(SETTINGS, 0, 1) + good
    yield "an initial window beyond 2^31", frame(SETTINGS, 0, 0, b"\0\x04\xff\xff\xff\xff") + good
    yield "a frame size of 1", frame(SETTINGS, 0, 0, b"\0\x05\0\0\0\x01") + good
    yield "a ping of seven bytes", frame(PING, 0, 0, b"x" * 7) + good
    yield "a promise", frame(PROMISE, END_HEADERS, 1, b"\0\0\0\x02" + head) + good
    yield "an index beyond the table", frame(HEADERS, END_HEADERS, 1, b"\xff\xff\xff\xff\x0f") + frame(DATA, END_STREAM, 1, body)
    yield "a broken Huffman code", frame(HEADERS, END_HEADERS, 1, b"\x00\x83\xff\xff\xff\x00") + frame(DATA, END_STREAM, 1, body)
    yield "a table beyond the setting", frame(HEADERS, END_HEADERS, 1, b"\x3f\xff\xff\x7f" + head) + frame(DATA, END_STREAM, 1, body)


def forbidden_heads(token):
    """Heads of a request that is malformed (RFC 9113 section 8.2 and 8.3)."""
    for more in [
        ("Upper", "a"), ("a b", "c"), ("", "a"), ("x\r\ny", "a"), ("x", "a\r\nb"), ("x", "a\0"), ("connection", "close"), ("te", "gzip"),
        ("transfer-encoding", "chunked"), ("upgrade", "h2c"), (":status", "200"), (":path", CHECK), (":unknown", "a"),
        ("content-length", "7"), ("content-length", "-1"),
    ]:
        yield [*CALL, more]
    for name in (":method", ":scheme", ":path"):
        yield [field for field in CALL if field[0] != name]
    yield [CALL[-1], *CALL[:-1]]
    yield [*CALL[:-1], *CALL]


def forbidden_frames_admit_nothing(lab):
    token = lab.provider.token()
    with Client(lab) as bystander:
        for name, data in faults(token):
            assert ADMITTED not in told(lab, data), name
        for fields in forbidden_heads(token):
            received = told(lab, call(request(token), fields))
            assert ADMITTED not in received, fields
        assert is_allowed(bystander.call(request(token))), "another connection was disturbed"


def unknown_frames_are_skipped(lab):
    token = lab.provider.token()
    unknown = frame(0x20, 0xFF, 0, b"x" * 100) + frame(0xFE, 0, 1, b"")
    received = told(lab, unknown + frame(SETTINGS, 0, 0, b"\x12\x34\0\0\0\x01") + call(request(token)) + unknown, 60, ADMITTED)
    assert ADMITTED in received


def floods_end_their_connection_alone(lab):
    """Each costs a server memory or time that does not count its frames: fields without an end, tables that expand, settings, pings."""
    token = lab.provider.token()
    # A field of 4,000 bytes goes into the table, and is named 12,000 times.
    bomb = block(CALL) + b"\x40\x01a\x7f\xa1\x1e" + b"b" * 4_000 + b"\xbe" * 12_000
    floods = {
        "fields without an end": frame(HEADERS, 0, 1, block(CALL)) + frame(CONTINUATION, 0, 1, b"\x00\x01a\x01b" * 3_000) * 1_000,
        "empty continuations": frame(HEADERS, 0, 1, block(CALL)) + frame(CONTINUATION, 0, 1) * 200_000,
        "a table that expands": frame(HEADERS, END_HEADERS, 1, bomb),
        "settings": frame(SETTINGS, 0, 0, b"\0\x04\0\0\xff\xff") * 100_000,
        "priorities": frame(PRIORITY, 0, 1, b"\0\0\0\0\x10") * 100_000,
        "small windows": frame(SETTINGS, 0, 0, b"\0\x04\0\0\0\0") + b"".join(call(request(token), stream=2 * n + 1) for n in range(100)),
    }
    with Client(lab) as bystander:
        for name, data in floods.items():
            received = told(lab, data, timeout=1)
            assert ADMITTED not in received, name
            assert is_allowed(bystander.call(request(token))), f"{name}: another connection was disturbed"
    received = told(lab, call(request(token), [*CALL, ("x-large", "a" * 3_000)]), 60, ADMITTED)
    assert ADMITTED in received
    received = told(lab, call(request(token), [*CALL, *[(f"x-{number}", "a" * 3_000) for number in range(6)]]), timeout=1)
    assert ADMITTED not in received, "fields beyond the limit"


ALL = [
    another_content_type_is_no_call, trailers_are_no_message, a_message_in_small_frames_is_read, a_call_that_is_cut_off_is_not_admitted,
    forbidden_frames_admit_nothing, unknown_frames_are_skipped, floods_end_their_connection_alone,
]
