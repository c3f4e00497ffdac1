"""Attacks by the framing of requests: what one reader takes for a body, and another for the next request.

Each is a function of a gateway.
"""
from exchange import Connection, bearer, converse, converse_all
from expectations import nothing_passes_unjudged, stopped
from readings import below


def request(target, token=None, fields=(), method="GET"):
    own = [f"Authorization: Bearer {token}"] if token else []
    return "\r\n".join([f"{method} {target} HTTP/1.1", "Host: app.example", *own, *fields, "", ""]).encode()


def each_request_of_a_connection_is_judged(gateway):
    token = gateway.lab.provider.token()
    with Connection(gateway.port) as connection:
        for _ in range(3):
            assert connection.ask("/orders", [bearer(token)]).status == 200
            answer = connection.ask("/orders")
            if answer is None or (answer.field("connection") or "").lower() == "close":
                assert answer is None or answer.status == 401
                return
            assert answer.status == 401, answer


def each_pipelined_request_is_judged(gateway):
    token = gateway.lab.provider.token()
    text = b"".join([request("/orders", token), request("/admin", token), request("/orders", token), request("/public")])
    with nothing_passes_unjudged(gateway, "pipelined", token=True):
        statuses = converse(gateway.port, text)
    assert statuses == [200, 403, 200, 200, 200][:len(statuses)] and statuses[0] == 200, statuses
    reached = gateway.lab.upstream.arrived
    count = len(reached)
    converse(gateway.port, request("/orders", token) + request("/orders") + request("/orders/hidden"))
    assert not any(below(seen["target"], "/orders/hidden") for seen in reached[count:]), reached[count:]


HIDDEN = b"GET /public/hidden HTTP/1.1\r\nHost: app.example\r\n\r\n"


def no_body_becomes_a_request(gateway):
    """The body of a refused request stays a body, and so does that of a request which passes."""
    token = gateway.lab.provider.token()
    reached = gateway.lab.upstream.arrived
    count = len(reached)
    length = f"Content-Length: {len(HIDDEN)}"
    chunk = f"{len(HIDDEN):x}".encode() + b"\r\n" + HIDDEN + b"\r\n0\r\n\r\n"
    texts = []
    for own in (None, token):
        for method in ("POST", "GET", "HEAD", "DELETE", "OPTIONS"):
            texts.append(request("/orders", own, [length], method) + HIDDEN)
            texts.append(request("/orders", own, ["Transfer-Encoding: chunked"], method) + chunk)
        for expected in ("100-continue", "evil"):
            texts.append(request("/orders", own, [length, f"Expect: {expected}"], "POST") + HIDDEN)
    converse_all(gateway.port, texts)
    assert not any(below(seen["target"], "/public/hidden") for seen in reached[count:]), reached[count:]


SECRET = b"GET /admin/hidden HTTP/1.1\r\nHost: app.example\r\n\r\n"
LENGTH = f"Content-Length: {len(SECRET)}"
CONFLICTS = [
    [LENGTH, "Transfer-Encoding: chunked"], ["Transfer-Encoding: chunked", "Content-Length: 0"],
    ["Content-Length: 0", LENGTH], [LENGTH, "Content-Length: 0"], [f"{LENGTH}, 0"], ["Content-Length: 0", "content-length: 0, 49"],
    ["Content-Length: +0"], ["Content-Length: 0x0"], ["Content-Length: -1"], ["Content-Length: 0 0"], ["Content-Length:"],
    ["Content-Length : 0"], ["Content_Length: 49"], ["Transfer-Encoding: xchunked"], ["Transfer-Encoding: chunked, identity"],
    ["Transfer-Encoding: identity, chunked"], ["Transfer-Encoding: chunked", "Transfer-Encoding: identity"],
    ["Transfer-Encoding: chunked", "Transfer-encoding: chunked"], ["Transfer-Encoding:\x0bchunked"], ["Transfer-Encoding : chunked"],
    ["Transfer-Encoding: \"chunked\""], ["Transfer-Encoding:", " chunked"], ["Transfer_Encoding: chunked"],
    ["X: y\rTransfer-Encoding: chunked"], ["X: y\nTransfer-Encoding: chunked"], ["Connection: Content-Length", LENGTH],
    ["Connection: Transfer-Encoding", "Transfer-Encoding: chunked"], ["TE: trailers", "Transfer-Encoding: chunked", LENGTH],
]


def conflicting_lengths_hide_no_request(gateway):
    """A second request behind two lengths must not reach the application without being judged."""
    token = gateway.lab.provider.token()
    with nothing_passes_unjudged(gateway, CONFLICTS, token=True):
        for body in (b"0\r\n\r\n" + SECRET, SECRET):
            converse_all(gateway.port, [request("/orders", token, fields, "POST") + body for fields in CONFLICTS])


CHUNKS = [
    b"0\r\n\r\n", b"0;a=b\r\n\r\n", b"0\n\r\n", b"0 \r\n\r\n", b"00000000000000000000\r\n\r\n", b"0\r\n X: y\r\n\r\n",
    b"1\r\nxx\r\n0\r\n\r\n", b"-1\r\n\r\n", b"0x0\r\n\r\n", b"1;\nx\r\n0\r\n\r\n", b"fffffffffffffffff\r\n", b"1\r\nx0\r\n\r\n",
    b"2\r\nx\r\n0\r\n\r\n", b"0;a=\"\r\n\r\n", b"0\r\r\n\r\n", b"0\r\n\n", b"1\n\nx\r\n0\r\n\r\n",
]


def odd_chunks_hide_no_request(gateway):
    token = gateway.lab.provider.token()
    head = request("/orders", token, ["Transfer-Encoding: chunked"], "POST")
    with nothing_passes_unjudged(gateway, CHUNKS, token=True):
        converse_all(gateway.port, [head + chunks + SECRET for chunks in CHUNKS])


UPGRADES = [
    ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA"],
    ["Connection: Upgrade", "Upgrade: h2c"], ["Connection: upgrade", "Upgrade: H2C"], ["Connection: Upgrade", "Upgrade: websocket, h2c"],
    ["Connection: Upgrade", "Upgrade: h2c, websocket"], ["Connection: Upgrade", "Upgrade: HTTP/2.0"], ["Upgrade: h2c"],
    ["Connection: keep-alive, Upgrade", "Upgrade: TLS/1.2"], ["Connection: Upgrade", "Upgrade: other"],
    ["Connection: Upgrade", "Upgrade: h2c", "Content-Length: 0"], ["Connection: Upgrade", "Upgrade: websocket", "Upgrade: h2c"],
]
SOCKET = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version: 13"]


def an_upgrade_needs_a_token(gateway):
    for fields in [*UPGRADES, SOCKET]:
        stopped(gateway, "/orders", [tuple(field.split(": ")) for field in fields])


def no_upgrade_opens_a_tunnel_for_requests(gateway):
    """The application agrees to every protocol. A gateway that then forwards bytes sees no request of HTTP/2 any more.

    HAProxy 3.0 takes every protocol but WebSocket out of the field: then the application has agreed to WebSocket, whose bytes are no requests.
    """
    token = gateway.lab.provider.token()
    for fields in UPGRADES:
        with nothing_passes_unjudged(gateway, fields, token=True), Connection(gateway.port) as connection:
            connection.socket.sendall(request("/orders", token, fields))
            answer = connection.receive()
            if answer and answer.status == 101 and answer.field("upgrade") != "websocket":
                # A tunnel ends only with its client.
                connection.socket.settimeout(0.5)
                connection.socket.sendall(SECRET)
                try:
                    connection.receive()
                except TimeoutError:
                    pass


ALL = [each_request_of_a_connection_is_judged, an_upgrade_needs_a_token]
PARSING = [
    each_pipelined_request_is_judged, no_body_becomes_a_request, conflicting_lengths_hide_no_request, odd_chunks_hide_no_request,
    no_upgrade_opens_a_tunnel_for_requests,
]
