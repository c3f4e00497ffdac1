"""Attacks over HTTP/2, which a gateway translates to HTTP/1.1: what is text there could be a field, a request line or a body here.

They concern the gateways that speak HTTP/2 without TLS in their configuration. Each is a function of a gateway.
"""
import socket
from concurrent.futures import ThreadPoolExecutor

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions

from expectations import nothing_passes_unjudged

SPEAKING = ("haproxy", "envoy-http", "envoy-grpc", "envoy-module")


def exchange(port, head, body=b"", trailers=()):
    """Sends the fields as they are, on a connection of its own. Returns the status; None if the gateway ends the stream without one."""
    configuration = h2.config.H2Configuration(
        header_encoding="latin-1", validate_outbound_headers=False, normalize_outbound_headers=False, validate_inbound_headers=False)
    state = h2.connection.H2Connection(configuration)
    status = None
    with socket.create_connection(("127.0.0.1", port), 60) as connection:
        try:
            state.initiate_connection()
            state.send_headers(1, head, end_stream=not body and not trailers)
            if body:
                state.send_data(1, body, end_stream=not trailers)
            if trailers:
                state.send_headers(1, trailers, end_stream=True)
            connection.sendall(state.data_to_send())
            while data := connection.recv(65_536):
                for event in state.receive_data(data):
                    if isinstance(event, h2.events.ResponseReceived):
                        status = int(dict(event.headers)[":status"])
                    elif isinstance(event, (h2.events.StreamEnded, h2.events.StreamReset, h2.events.ConnectionTerminated)):
                        return status
                connection.sendall(state.data_to_send())
        except (OSError, h2.exceptions.H2Error):
            pass
    return status


def exchange_all(port, requests):
    """Requests at the same time, each with the arguments of ``exchange``."""
    with ThreadPoolExecutor(32) as pool:
        return list(pool.map(lambda request: exchange(port, *request), requests))


def head(target, token=None, method="GET", more=(), **pseudo):
    names = {":method": method, ":scheme": "http", ":authority": "app.example", ":path": target, **pseudo}
    own = [("authorization", f"Bearer {token}")] if token else []
    return [*names.items(), *own, *more]


def requests_over_http2_are_judged(gateway):
    """Without these, the attacks below would prove nothing."""
    token = gateway.lab.provider.token()
    assert exchange(gateway.port, head("/orders", token)) == 200
    assert exchange(gateway.port, head("/public")) == 200
    assert exchange(gateway.port, head("/orders")) == 401
    assert exchange(gateway.port, head("/admin", token)) == 403
    assert exchange(gateway.port, head("/orders", token, "POST", [("content-length", "4")]), b"body") == 200


SMUGGLED = "GET /admin/hidden HTTP/1.1\r\nHost: app.example\r\n\r\n"


def heads(token):
    """Heads that must not get past, or not change their meaning on the way."""
    for target in [
        "/public HTTP/1.1\r\nX-A: b", f"/public HTTP/1.1\r\nHost: a\r\n\r\n{SMUGGLED}", "/public\r\n/../admin", "/public\n/admin",
        "/public /../admin", "/public\0/../admin", "/public\t/admin", "", "*", "admin", "http://app.example/admin", "//admin",
        "/public/../admin", "/public/%2e%2e/admin", "/public#/../admin", "/public\\..\\admin", "/public;/../admin", "/admin\u00e4",
    ]:
        yield head(target, token)
    for more in [
        ("x-a", "b\r\nX-Auth-Subject: evil"), ("x-a", "b\nX-Auth-Subject: evil"), ("x-a", "b\rX-Auth-Subject: evil"), ("x-a", "b\0"),
        ("x-a", f"b\r\n\r\n{SMUGGLED}"), ("x-a: b\r\nx-auth-subject", "evil"), ("x-auth-subject: evil\r\nx-a", "b"),
        ("x-auth-subject ", "evil"), ("X-Auth-Subject", "evil"), ("x-auth-subject:", "evil"), ("x_auth_subject", "evil"),
        ("", "evil"), (" x-auth-subject", "evil"), ("x-auth-subject", "evil"), ("x-auth-tenant", " evil "), ("host", "open.example"),
        ("connection", "x-auth-subject"), ("connection", "upgrade"), ("upgrade", "h2c"), ("te", "gzip"), ("keep-alive", "a"),
        ("proxy-connection", "x-auth-subject"), ("transfer-encoding", "chunked"), ("cookie", "a\r\nX-Auth-Subject: evil"),
        (":path", "/admin"), (":method", "DELETE"), (":authority", "open.example"), (":status", "200"), (":x", "y"),
        ("authorization", "Bearer junk"), ("x-forwarded-uri", "/public"), ("x-original-uri", "/public"),
    ]:
        yield head("/orders", token, more=[more])
    for pseudo in [
        {":method": "GET /admin/hidden HTTP/1.1\r\nX:"}, {":method": "get"}, {":method": ""}, {":method": "CONNECT"},
        {":scheme": "http://app.example/admin?"}, {":scheme": ""}, {":scheme": "\r\n"},
        {":authority": "app.example\r\nX-Auth-Subject: evil"}, {":authority": ""}, {":authority": "app.example/admin?"},
        {":authority": "open.example@app.example"}, {":protocol": "websocket"},
    ]:
        yield head("/orders", token, **pseudo)
        yield head("/admin", token, **pseudo)
    yield head("/admin", token, "CONNECT", **{":protocol": "websocket"})
    yield [("authorization", f"Bearer {token}"), *head("/orders")]
    yield [field for field in head("/orders", token) if field[0] != ":path"]
    yield [field for field in head("/orders", token) if field[0] != ":method"]
    yield [*head("/public", token), *head("/admin", token)]


def translated_heads_pass_nothing(gateway):
    lists = list(heads(gateway.lab.provider.token()))
    with nothing_passes_unjudged(gateway, "heads of HTTP/2", token=True):
        exchange_all(gateway.port, [[fields] for fields in lists])
    without = [[field for field in fields if field[0] != "authorization"] for fields in lists]
    with nothing_passes_unjudged(gateway, "heads of HTTP/2", token=False):
        exchange_all(gateway.port, [[fields] for fields in without])


def translated_bodies_hide_no_request(gateway):
    token = gateway.lab.provider.token()
    lengths = [
        [("content-length", "0")], [("content-length", "5"), ("content-length", "0")], [("content-length", "-1")],
        [("content-length", "+0")],
        [("transfer-encoding", "chunked")], [("transfer-encoding", "chunked"), ("content-length", "5")], [],
        [("connection", "content-length"), ("content-length", "0")], [("content-length", f"{len(SMUGGLED) + 5}, 0")],
    ]
    with nothing_passes_unjudged(gateway, lengths, token=True):
        for body in (SMUGGLED, f"0\r\n\r\n{SMUGGLED}"):
            exchange_all(gateway.port, [[head("/orders", token, "POST", more), body.encode()] for more in lengths])


def translated_trailers_are_no_fields(gateway):
    token = gateway.lab.provider.token()
    trailers = [
        ("x-auth-subject", "evil"), ("x-auth-tenant", "evil"), ("authorization", f"Bearer {token}"), ("x-a", "b\r\nX-Auth-Name: evil"),
    ]
    with nothing_passes_unjudged(gateway, "trailers", token=False):
        exchange(gateway.port, head("/orders", method="POST"), b"x", trailers)
    with nothing_passes_unjudged(gateway, "trailers", token=True):
        exchange(gateway.port, head("/orders", token, "POST"), b"x", trailers)
        exchange(gateway.port, head("/orders", token, "POST"), b"x", trailers[:3])
        exchange(gateway.port, head("/orders", token, "POST"), b"x", [(":path", "/admin")])


ALL = [
    requests_over_http2_are_judged, translated_heads_pass_nothing, translated_bodies_hide_no_request, translated_trailers_are_no_fields,
]
