"""Attacks on the service's own listeners, without a gateway. Each is a function of the lab."""
import resource
import socket
import time

import grpc_checks
from exchange import ask, bearer, converse

HTTP = {"nginx": "9191", "caddy": "9192", "haproxy": "9193", "traefik": "9194", "envoy-http": "9195", "apisix": "9197"}
GRPC, ADMINISTRATION = "9196", "9190"


def connected(lab, port):
    return socket.create_connection(("127.0.0.1", lab.listener_ports[port]), 60)


def question(name, token=None, target="/orders", method="GET"):
    """The fields by which a gateway describes a request; Envoy sends the request itself."""
    own = [bearer(token)] if token else []
    if name == "nginx":
        return [("Host", "app.example"), ("X-Original-Method", method), ("X-Original-URI", target), *own]
    if name == "envoy-http":
        return [("Host", "app.example"), *own]
    return [("X-Forwarded-Method", method), ("X-Forwarded-Proto", "http"), ("X-Forwarded-Host", "app.example"),
            ("X-Forwarded-Uri", target), *own]


def answer_to(lab, name, fields, target="/orders"):
    return ask(lab.listener_ports[HTTP[name]], target if name == "envoy-http" else "/", fields)


def a_question_of_a_gateway_is_answered(lab, long):
    """Without this, the refusals below would prove nothing."""
    token = lab.provider.token()
    for name in HTTP:
        assert answer_to(lab, name, question(name, token)).status == 200, name
        assert answer_to(lab, name, question(name)).status == 401, name


def a_question_without_the_gateways_fields_is_refused(lab, long):
    """A client that reaches a listener without its gateway, or through another one, gets no admission."""
    token = lab.provider.token()
    for name in HTTP:
        if name == "envoy-http":
            continue
        others = [question(other, token) for other in HTTP if question(other) != question(name)]
        for fields in ([bearer(token)], [bearer(token), ("X-Other", "/public")], *others):
            answer = answer_to(lab, name, fields)
            assert answer.status in (400, 403) and answer.field("x-assay-code") == "malformed_request", (name, fields, answer)


def a_field_after_the_gateways_own_changes_nothing(lab, long):
    """A gateway that adds its fields, and leaves the client's in place, gets a refusal: which one is whose cannot be told."""
    token = lab.provider.token()
    for name in HTTP:
        own = [(field, value) for field, value in question(name) if field.startswith("X-")]
        for field, value in own:
            other = {"X-Original-Method": "OPTIONS", "X-Forwarded-Method": "OPTIONS", "X-Forwarded-Proto": "https",
                     "X-Forwarded-Host": "open.example"}.get(field, "/public")
            for spelling in (field, field.lower(), field.upper()):
                for second in (value, other, ""):
                    for fields in ([*question(name, token), (spelling, second)], [(spelling, second), *question(name, token)]):
                        answer = answer_to(lab, name, fields)
                        assert answer.field("x-assay-code") == "malformed_request", (name, fields, answer)
            alias = field.replace("-", "_")
            for fields in ([*question(name), (alias, other)], [(alias.lower(), other), *question(name)]):
                assert answer_to(lab, name, fields).status in (400, 401, 403), (name, fields)


def another_gateways_fields_change_nothing(lab, long):
    token = lab.provider.token()
    for name in HTTP:
        fields = [
            ("X-Original-URI", "/public"), ("X-Original-Method", "OPTIONS"), ("X-Forwarded-Uri", "/public"),
            ("X-Forwarded-Method", "OPTIONS"), ("X-Envoy-Original-Path", "/public"), ("X-Forwarded-Host", "open.example"),
        ]
        mine = {field.lower() for field, _ in question(name)}
        fields = [(field, value) for field, value in fields if field.lower() not in mine]
        assert answer_to(lab, name, [*question(name), *fields]).status == 401, name
        answer = answer_to(lab, name, [*question(name, token, "/admin"), *fields], "/admin")
        assert answer.field("x-assay-code") == "insufficient_scope", (name, answer)


def operators_ask_elsewhere(lab, long):
    for name, port in HTTP.items():
        for target in ("/", "/metrics", "/keys", "/healthz", "/readyz", "/status.json", "/explain"):
            for method, body in (("GET", b""), ("POST", b'{"method":"GET","host":"a","target":"/"}'), ("HEAD", b"")):
                answer = ask(lab.listener_ports[port], target, [("Content-Type", "application/json")], method=method, body=body)
                assert answer.status >= 400 and not answer.body, (name, target, answer)
    for target in ("/metrics", "/keys", "/healthz", "/explain"):
        with grpc_checks.Client(lab) as client:
            fields = client.call(b"", path=target)["fields"]
            assert fields.get("grpc-status") == "12", (target, fields)


def oversized_heads_are_refused(lab, long):
    for port in [*HTTP.values(), ADMINISTRATION]:
        for fields in ([("X-Big", "x" * 100_000)], [(f"X-{number}", "x" * 100) for number in range(1_000)]):
            answer = ask(lab.listener_ports[port], "/public", [("Host", "localhost"), *fields])
            assert answer is None or answer.status >= 400, answer
        answer = ask(lab.listener_ports[port], "/" + "x" * 100_000, [("Host", "localhost")])
        assert answer is None or answer.status >= 400, answer


def oversized_bodies_are_refused(lab, long):
    for port in [*HTTP.values(), ADMINISTRATION]:
        for fields in (b"Content-Length: 99999999", b"Transfer-Encoding: chunked"):
            text = b"POST /explain HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + fields + b"\r\n\r\n"
            chunk = b"10000\r\n" + b"x" * 65_536 + b"\r\n"
            assert not [status for status in converse(lab.listener_ports[port], text + chunk * 4) if status < 400], (port, fields)


# By listener: a beginning of a request, and what it is followed by, byte by byte.
SLOW_HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
SLOW_BODY = b"POST /explain HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 10000\r\n\r\n"


def slow_requests_are_cut_off(lab, long):
    """A byte now and then keeps no connection open: 3 s for a head, 4 s for a body (the lab's `connections`), 10 s for a gRPC message."""
    slow = {}
    for port in [*HTTP.values(), ADMINISTRATION]:
        for kind, text, limit in (("head", SLOW_HEAD, 3), ("body", SLOW_BODY, 4)):
            slow[port, kind] = begun(lab, port, text, limit)
    # A connection that sends nothing ends with the deadline for a head, too.
    for port in (HTTP["nginx"], ADMINISTRATION, GRPC):
        slow[port, "silence"] = begun(lab, port, b"", 3)
    slow[GRPC, "preface"] = begun(lab, GRPC, grpc_checks.PREFACE[:10], 3)
    with grpc_checks.Client(lab) as client:
        asked = time.monotonic()
        stream = client.open()
        client.flush()
        end = time.monotonic() + 30
        while slow and time.monotonic() < end:
            time.sleep(0.25)
            for key, (connection, limit, start) in list(slow.items()):
                if has_ended(connection, b"" if key[1] in ("silence", "preface") else b"x"):
                    took = time.monotonic() - start
                    assert took >= limit - 0.5, (key, took)
                    connection.close()
                    del slow[key]
        assert not slow, f"still open: {list(slow)}"
        answer, took = client.answer(stream), time.monotonic() - asked
        assert answer["fields"].get("grpc-status") == "4" and took >= 9, (answer, took)


def begun(lab, port, text, limit):
    """A connection with the beginning of a request, its limit in seconds, and a moment before the service could begin to count them."""
    start = time.monotonic()
    connection = connected(lab, port)
    connection.sendall(text)
    return connection, limit, start


def has_ended(connection, more):
    """Sends a byte more; whether the other side has ended the connection."""
    connection.setblocking(False)
    try:
        connection.send(more)
        while connection.recv(4_096):
            pass
        return True
    except BlockingIOError:
        return False
    except OSError:
        return True


def requests_are_answered_beside_silent_and_slow_connections(lab, long):
    """Idle connections, half of them with the beginning of a request, on every listener."""
    count = 1_600 if long else 150
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    token = lab.provider.token()
    idle = []
    try:
        for port in [*HTTP.values(), GRPC]:
            for number in range(count):
                idle.append(connected(lab, port))
                if number % 2:
                    idle[-1].sendall(SLOW_HEAD)
        for gateway in lab.gateways:
            assert ask(gateway.port, "/orders", [bearer(token)]).status == 200, gateway.name
    finally:
        for connection in idle:
            connection.close()
    for gateway in lab.gateways:
        assert ask(gateway.port, "/orders", [bearer(token)]).status == 200, gateway.name


ALL = [
    a_question_of_a_gateway_is_answered, a_question_without_the_gateways_fields_is_refused, a_field_after_the_gateways_own_changes_nothing,
    another_gateways_fields_change_nothing, operators_ask_elsewhere, oversized_heads_are_refused, oversized_bodies_are_refused,
    slow_requests_are_cut_off, requests_are_answered_beside_silent_and_slow_connections,
]
