"""Attacks on the administrative listener, above all by a page of another site in an operator's browser. Each is a function of the lab."""
import json

from exchange import Connection, ask, converse

PATHS = ("/", "/healthz", "/readyz", "/metrics", "/keys", "/status.json", "/explain")
QUESTION = {"method": "GET", "host": "app.example", "target": "/orders"}


def port(lab):
    return lab.listener_ports["9190"]


def explain(lab, body, fields=(("Content-Type", "application/json"),)):
    return ask(port(lab), "/explain", [("Host", "localhost"), *fields], method="POST", body=body)


def another_sites_name_gets_nothing(lab, long):
    """A page of evil.example whose name has got the address of this listener would be allowed to read the answers."""
    names = [
        "evil.example", f"evil.example:{port(lab)}", "127.0.0.1.evil.example", "localhost.evil.example", "LOCALHOST.evil", "xlocalhost",
        "2130706433", "0x7f000001", "127.1", "127.0.0.1%2eevil.example", "assay", ".", "[::1].evil.example", "[::1", "localhost:evil",
    ]
    for path in PATHS:
        for name in names:
            answer = ask(port(lab), path, [("Host", name)])
            assert answer and answer.status in (400, 421), (path, name, answer)
            assert lab.provider.issuer.encode() not in answer.body, (path, name, answer)
    for name in ("127.0.0.1", f"127.0.0.1:{port(lab)}", "localhost", "[::1]:1"):
        assert ask(port(lab), "/healthz", [("Host", name)]).status == 200, name


def a_page_of_another_site_cannot_ask(lab, long):
    """What a browser sends without asking first is answered without a permission to read, and changes nothing."""
    origin = ("Origin", "https://evil.example")
    for path in PATHS:
        for method in ("GET", "POST", "OPTIONS"):
            fields = [("Host", "localhost"), origin, ("Access-Control-Request-Method", "POST"), ("Content-Type", "text/plain")]
            answer = ask(port(lab), path, fields, method=method, body=b"{}" if method == "POST" else b"")
            assert not [name for name, _ in answer.fields if name.lower().startswith("access-control-")], (path, method, answer)
    body = json.dumps(QUESTION).encode()
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/json; charset=utf-8", ""):
        assert explain(lab, body, [("Content-Type", kind)]).status == 415, kind
    assert explain(lab, body, []).status == 415
    assert explain(lab, body).status == 200


def names_and_methods_are_exact(lab, long):
    for path in ("//metrics", "/metrics/", "/%6detrics", "/./metrics", "/METRICS", "/metrics;a", "/keys%00", "/public/../keys", "metrics"):
        answer = ask(port(lab), path, [("Host", "localhost")])
        assert answer and answer.status in (400, 404), (path, answer)
    for method in ("PUT", "DELETE", "PATCH", "TRACE", "PROPFIND"):
        for path in PATHS:
            answer = ask(port(lab), path, [("Host", "localhost")], method=method)
            assert answer and answer.status == 405, (method, path, answer)
    assert ask(port(lab), "/metrics?a=b", [("Host", "localhost")]).status == 200
    fields = [("Host", "localhost"), ("X-Original-URI", "/public"), ("X-Original-Method", "GET")]
    assert ask(port(lab), "/decide", fields).status == 404, "a question of a gateway was answered"


def strange_questions_are_refused(lab, long):
    for body in [
        b"", b"{", b"[]", b"null", b"1", b"[" * 60_000, b'{"a":' * 10_000, b"\xff" * 100, b'{"method":"GET"}',
        b'{"method":1,"host":"a","target":"/"}', json.dumps({**QUESTION, "fields": [["a"]]}).encode(),
        json.dumps({**QUESTION, "fields": [["a", "b", "c"]]}).encode(),
        json.dumps({**QUESTION, "fields": {"a": "b"}}).encode(), json.dumps({**QUESTION, "target": "/" + "a" * 70_000}).encode(),
    ]:
        answer = explain(lab, body)
        assert answer is None or answer.status >= 400, (body[:40], answer)
    assert explain(lab, json.dumps(QUESTION).encode()).status == 200


def an_explanation_repeats_no_token(lab, long):
    token = lab.provider.token(sub="a-subject-to-hide")
    for value in (f"Bearer {token}", f"Bearer {lab.forged(token)}", f"Bearer {token}, Bearer {token}", f"Basic {token}"):
        answer = explain(lab, json.dumps({**QUESTION, "fields": [["authorization", value]]}).encode())
        assert answer.status == 200, answer
        for part in [*token.split("."), "a-subject-to-hide"]:
            assert part.encode() not in answer.body, (part, answer)
    assert not any(part in lab.service.program.output() for part in token.split(".")), "the log has a part of a token"


def answers_are_not_kept(lab, long):
    for path in PATHS:
        answer = ask(port(lab), path, [("Host", "localhost")])
        assert answer.field("cache-control") == "no-store" and answer.field("x-content-type-options") == "nosniff", (path, answer)
        assert "frame-ancestors 'none'" in answer.field("content-security-policy"), (path, answer)
    with Connection(port(lab)) as connection:
        answer = connection.ask("/keys", [("Host", "localhost")])
        assert b'"d"' not in answer.body and b'"k"' not in answer.body, "a private part of a key"
    assert converse(port(lab), b"GET /metrics HTTP/1.1\r\nHost: a\r\nHost: localhost\r\n\r\n")[0] == 400


ALL = [
    another_sites_name_gets_nothing, a_page_of_another_site_cannot_ask, names_and_methods_are_exact, strange_questions_are_refused,
    an_explanation_repeats_no_token, answers_are_not_kept,
]
