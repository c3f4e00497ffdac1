"""Requests that a gateway, the service and the application may read differently.

One rule holds for all: the application never gets an identity that the service did not set, and never a request for another host or path than
the one that was judged.
"""
import time

import gateways
import http2_checks
import tokens_checks
from exchange import Connection, ask, bearer, converse
from expectations import FIELDS, NOBODY, identity, passed, refused
from program import eventually, free_port
from upstream import Upstream


def conversation(gateway, text):
    """Sends bytes; returns the statuses, and the requests that reached the application but for the last, plain one."""
    reached = gateway.lab.upstream.arrived
    count = len(reached)
    statuses = converse(gateway.port, text)
    return statuses, [seen for seen in reached[count:] if seen["target"] != "/public/last"]


def field(seen, name):
    return [value for other, value in seen["fields"] if other.lower() == name]


# Hosts

HOSTS = [
    # Without a token: /tenants is open for open.example alone.
    (b"GET http://app.example/tenants HTTP/1.1\r\nHost: open.example\r\n\r\n", False),
    (b"GET http://APP.example./tenants HTTP/1.1\r\nHost: open.example\r\n\r\n", False),
    (b"GET /tenants HTTP/1.1\r\nHost: open.example..\r\n\r\n", False),
    (b"GET /tenants HTTP/1.1\r\nHost: open..example\r\n\r\n", False),
    (b"GET /tenants HTTP/1.1\r\nHost: open.example@app.example\r\n\r\n", False),
    (b"GET /tenants HTTP/1.1\r\nHost: app.example\r\nHost: open.example\r\n\r\n", False),
    (b"GET /tenants HTTP/1.1\r\n\r\n", False),
    (b"GET /tenants HTTP/1.0\r\n\r\n", False),
    (b"GET /tenants HTTP/1.1\r\nHost: OPEN.example\r\n\r\n", True),
]


def a_request_is_judged_by_the_host_that_serves_it(gateway):
    for text, is_open in HOSTS:
        statuses, reached = conversation(gateway, text)
        assert statuses and statuses[0] != 500, (text, statuses)
        for seen in reached:
            hosts = [host.lower().partition(":")[0].rstrip(".") for host in field(seen, "host")]
            assert is_open and hosts == ["open.example"], (text, seen)
        assert not is_open or reached, (text, statuses)
    # An absolute target names the host, and the application reads the same one.
    _, reached = conversation(gateway, b"GET http://open.example/tenants HTTP/1.1\r\nHost: app.example\r\n\r\n")
    assert all("app.example" not in host for seen in reached for host in field(seen, "host")), reached


def the_application_reads_the_clients_port(gateway):
    """It makes its own URLs of it."""
    for host in ("app.example:8443", "app.example"):
        answer = ask(gateway.port, "/public", [("Host", host)])
        assert answer and answer.status == 200 and field(answer.arrived(), "host") == [host], (host, answer)


# Fields

CONNECTIONS = ["close, x-auth-tenant", "x-auth-tenant", "keep-alive, X-Auth-Subject", "authorization", "cookie,close", "X-AUTH-NAME , close"]


def a_connection_that_names_a_field_is_400(gateway):
    token = gateway.lab.provider.token(tenant="t-1")
    for value in CONNECTIONS:
        for target, fields in [("/orders", [bearer(token)]), ("/public", [])]:
            answer = ask(gateway.port, target, [("Connection", value), *fields])
            if answer and answer.status == 200:
                # The gateway has dropped Connection before it asked, and nothing that it names.
                seen = answer.arrived()
                assert target == "/public" or identity(seen)["x-auth-tenant"] == ["t-1"], (value, seen)
                assert not any("auth" in option.lower() for option in field(seen, "connection")), (value, seen)
            else:
                assert answer and answer.status in (400, 401), (value, target, answer)
    for value in ("close", "keep-alive", "Keep-Alive, close", "TE, close"):
        answer = ask(gateway.port, "/orders", [("Connection", value), bearer(token)])
        assert answer and answer.status == 200, (value, answer)


def a_token_in_a_second_cookie_field_is_not_anonymous(gateway):
    """HTTP/1.1 has one Cookie field. Gateways join two, by a comma or a semicolon, or hand on both."""
    token = gateway.lab.provider.token()
    for cookies in (
        ["a=1", "session=evil"], ["session=evil", "a=1"], ["a=1", "b=2", "session=evil"], ["session=evil", f"session={token}"],
        ["a", "session=evil"], ["a=1", "session[]=evil"], ["a", "session[0]=evil"],
    ):
        answer = ask(gateway.port, "/maybe", [("Cookie", value) for value in cookies])
        assert answer and answer.status in (400, 401), (cookies, answer)
    answer = ask(gateway.port, "/maybe", [("Cookie", "a=1"), ("Cookie", f"session={token}")])
    assert answer and answer.status in (200, 400), answer
    if answer.status == 200:
        assert identity(answer.arrived())["x-auth-subject"] == [], "the provider sets no claims"


def a_token_that_another_reader_finds_is_not_anonymous(gateway):
    """`/maybe` needs no token. Names that PHP or a reader without regard to case takes for the one of the token, and other separators."""
    token = gateway.lab.provider.token()
    assert identity(passed(gateway, "/maybe")) == NOBODY
    for query in tokens_checks.ALIKE_PARAMETERS:
        refused(gateway, 400, "several_tokens", "/maybe?" + query.replace("{}", token))
    for cookies in tokens_checks.ALIKE_COOKIES + tokens_checks.COOKIES_BEHIND_A_COMMA:
        refused(gateway, 400, "several_tokens", "/maybe", [("Cookie", cookies.replace("{}", token))])


def no_identity_arrives_in_trailers(gateway):
    token = gateway.lab.provider.token()
    trailers = "".join(f"{name}: evil\r\n" for name in (*FIELDS, "X_Auth_Subject", "authorization"))
    for announced in ("", f"Trailer: {', '.join(FIELDS)}\r\n"):
        head = f"POST /orders HTTP/1.1\r\nHost: app.example\r\nAuthorization: Bearer {token}\r\n{announced}Transfer-Encoding: chunked\r\n"
        _, reached = conversation(gateway, (head + "\r\n1\r\nx\r\n0\r\n" + trailers + "\r\n").encode())
        for seen in reached:
            assert not seen["trailers"] or gateway.name == "envoy-http" or gateway.name == "envoy-grpc", (announced, seen)
            assert not [name for name, _ in seen["trailers"] if name.lower() in FIELDS], (announced, seen)


def no_identity_arrives_in_trailers_of_http2(gateway):
    """A head of HTTP/2 does not say whether trailers follow, and a length does not rule them out."""
    if gateway.name not in http2_checks.SPEAKING:
        return
    trailers, reached = [(name, "evil") for name in FIELDS], gateway.lab.upstream.arrived
    token = gateway.lab.provider.token()
    for target, own in (("/orders", token), ("/public", None)):
        for more in ([], [("content-length", "1")], [("trailer", ", ".join(FIELDS))], [("te", "trailers")]):
            count = len(reached)
            status = http2_checks.exchange(gateway.port, http2_checks.head(target, own, "POST", more), b"x", trailers)
            assert status != 200 or len(reached) > count, (target, more, status)
            assert not any(seen["trailers"] for seen in reached[count:]), (target, more, reached[count:])
            # However much of the request has arrived when HAProxy judges it.
            assert gateway.name != "haproxy" or status == 411 or ("content-length", "1") in more, (target, more, status)
        status = http2_checks.exchange(gateway.port, http2_checks.head(target, own, "POST", [("content-length", "1")]), b"x")
        assert status == 200, (target, status)


# What a gateway cannot carry to the service

def what_the_service_cannot_read_is_a_fault_of_the_client(gateway):
    """Never a 5xx: an operator would look for the fault in the service."""
    token = gateway.lab.provider.token()
    many = [(f"X-Field-{number}", "x") for number in range(300)]
    for fields in (
        [("X-Other", "a\x01b")], [("X-Other", "a\x7fb")], [("Host", "a@b")], [("Host", "caf\xe9.example")], [("Host", "a b")],
        [("X-Other", "x" * 15_000), ("X-More", "x" * 15_000), ("X-Third", "x" * 15_000)], many,
    ):
        answer = ask(gateway.port, "/orders", [bearer(token), *fields])
        assert answer is None or answer.status < 500, (fields[:2], answer)
    with Connection(gateway.port) as connection:
        connection.socket.sendall(f"GET /orders HTTP/1.0\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
        answer = connection.receive()
        assert answer is None or answer.status < 500, answer


# Several servers

class ThreeServers(gateways.Nginx):
    """nginx with three server blocks, each with an application of its own."""

    place = "nginx-three"
    names = ("first.example", "admin.example", "open.example")

    def __init__(self, lab):
        self.upstreams = {name: Upstream(free_port()) for name in self.names}
        super().__init__(lab)

    def adapted(self, text):
        page = super().adapted(text)
        server = page[page.index("    server {\n        listen"):page.index("    server {\n        listen", page.index("include assay"))]
        return page[:page.index(server)] + "".join(self.block(server, name) for name in self.names) + "}\n"

    def block(self, server, name):
        port = self.upstreams[name].server.server_address[1]
        named = server.replace("        include", f"        server_name {name};\n        include", 1)
        return named.replace(f"proxy_pass http://127.0.0.1:{self.lab.upstream_port};", f"proxy_pass http://127.0.0.1:{port};")


THREE = [
    (b"GET http://admin.example/tenants HTTP/1.1\r\nHost: open.example\r\n\r\n", None),
    (b"GET http://open.example/tenants HTTP/1.1\r\nHost: admin.example\r\n\r\n", "open.example"),
    (b"GET /tenants HTTP/1.1\r\nHost: open.example\r\n\r\n", "open.example"),
    (b"GET /tenants HTTP/1.1\r\nHost: OPEN.EXAMPLE.\r\n\r\n", "open.example"),
    (b"GET /tenants HTTP/1.1\r\nHost: admin.example\r\n\r\n", None),
    (b"GET /tenants HTTP/1.1\r\nHost: nobody.example\r\n\r\n", None),
    (b"GET /tenants HTTP/1.0\r\n\r\n", None),
    (b"GET http://admin.example/tenants HTTP/1.0\r\nHost: open.example\r\n\r\n", None),
]


def three_servers_of_nginx_judge_by_the_one_that_serves(lab, long):
    if not any(gateway.name == "nginx" for gateway in lab.gateways):
        return "skipped"
    nginx = ThreeServers(lab)
    try:
        for text, expected in THREE:
            before = {name: len(upstream.arrived) for name, upstream in nginx.upstreams.items()}
            with Connection(nginx.port) as connection:
                connection.socket.sendall(text)
                answer = connection.receive()
            reached = [name for name, upstream in nginx.upstreams.items() if len(upstream.arrived) > before[name]]
            assert reached == ([expected] if expected else []), (text, reached, answer)
            assert answer is None or answer.status != 500, (text, answer)
    finally:
        nginx.stop()


# WebSocket, as the pages say

class NginxWithWebSocket(gateways.Nginx):
    place = "nginx-websocket"

    def adapted(self, text):
        page = (gateways.INTEGRATIONS / "nginx-auth-request/README.md").read_text()
        maps, settings = page.partition("For WebSocket")[2].split("```nginx\n")[1:3]
        text = super().adapted(text).replace("    upstream assay {", maps.partition("```")[0] + "    upstream assay {", 1)
        return text.replace("assay-location.conf;\n", "assay-location.conf;\n" + settings.partition("```")[0], 1)


class EnvoyWithWebSocket(gateways.EnvoyGRPC):
    place = "envoy-websocket"

    def adapted(self, text):
        setting = "upgrade_configs: [{upgrade_type: websocket}]"
        assert setting in (gateways.INTEGRATIONS / "envoy-ext-authz/README.md").read_text()
        return text.replace("                stat_prefix: web\n", f"                stat_prefix: web\n                {setting}\n", 1)


class HAProxyWithWebSocket(gateways.HAProxy):
    place = "haproxy-websocket"


class CaddyWithWebSocket(gateways.Caddy):
    place = "caddy-websocket"


def a_websocket_opens_with_a_token_and_no_other_upgrade_does(lab, long):
    token = lab.provider.token()
    names = {gateway.name for gateway in lab.gateways}
    for kind in (NginxWithWebSocket, EnvoyWithWebSocket, HAProxyWithWebSocket, CaddyWithWebSocket):
        if kind.name not in names:
            continue
        gateway = kind(lab)
        try:
            upgrade = [("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13"), ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")]
            for protocol, own, statuses in [
                ("websocket", [bearer(token)], [101]), ("WebSocket", [bearer(token)], [101]), ("websocket", [], [401]),
                ("h2c", [bearer(token)], [200, 400, 403, 426]), ("websocket, h2c", [bearer(token)], [200, 400, 403, 426]),
            ]:
                answer = ask(gateway.port, "/orders", [("Upgrade", protocol), *upgrade, *own])
                # HAProxy 3.0 takes every protocol but WebSocket out of the field.
                is_websocket = answer and answer.status == 101 and answer.field("upgrade") == "websocket" and "websocket" in protocol
                assert answer and (answer.status in statuses or own and is_websocket), (kind.name, protocol, answer)
        finally:
            gateway.stop()


# A service that does not answer

def a_hung_service_is_given_up_in_the_time_of_the_page(lab, long):
    """With the files' own times, and not with those of the tests."""
    kinds = [kind for kind in gateways.ALL if kind.is_real and any(kind.name == gateway.name for gateway in lab.gateways)]
    hasty = [type(kind.__name__, (kind,), {"is_patient": False, "place": f"{kind.name}-hasty"})(lab) for kind in kinds]
    token, took = lab.provider.token(), {}
    try:
        for gateway in hasty:
            eventually(lambda: ask(gateway.port, "/orders", [bearer(token)]).status == 200, 60, f"{gateway.name} answers")
        lab.service.program.freeze()
        for gateway in hasty:
            start = time.monotonic()
            answer = ask(gateway.port, "/orders", [bearer(token)])
            took[gateway.name] = round(time.monotonic() - start, 1)
            assert answer and answer.status in (502, 503, 504), (gateway.name, answer)
        # A busy machine may need a little longer than the page says.
        late = {gateway.name: took[gateway.name] for gateway in hasty if took[gateway.name] > gateway.gives_up_after + 2}
        assert not late, took
        return took
    finally:
        lab.service.program.thaw()
        for gateway in hasty:
            gateway.stop()


# They need the route `/maybe`.
MAYBE = [a_token_in_a_second_cookie_field_is_not_anonymous, a_token_that_another_reader_finds_is_not_anonymous]
ALL = [
    a_request_is_judged_by_the_host_that_serves_it, the_application_reads_the_clients_port, a_connection_that_names_a_field_is_400,
    *MAYBE,
    no_identity_arrives_in_trailers, no_identity_arrives_in_trailers_of_http2,
    what_the_service_cannot_read_is_a_fault_of_the_client,
]
OF_THE_LAB = [
    three_servers_of_nginx_judge_by_the_one_that_serves,
    a_websocket_opens_with_a_token_and_no_other_upgrade_does,
    a_hung_service_is_given_up_in_the_time_of_the_page,
]
