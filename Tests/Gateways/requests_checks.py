"""Checks of single requests. Each is a function of a gateway; its name is the fact that it checks."""
import time

from exchange import ask, bearer
from expectations import NOBODY, identity, nothing_passes_unjudged, passed, plain, refused, stopped


def a_valid_token_passes_with_its_claims(gateway):
    token = gateway.lab.provider.token(tenant="t-1")
    arrived = passed(gateway, "/orders?a=1&b=%20", [bearer(token)])
    assert arrived["method"] == "GET" and arrived["target"] == "/orders?a=1&b=%20", arrived
    assert identity(arrived) == {"x-auth-subject": ["jane"], "x-auth-name": ["Jane Doe"], "x-auth-tenant": ["t-1"]}, arrived


def an_open_route_needs_no_token(gateway):
    assert identity(passed(gateway, "/public/index.html")) == NOBODY


def a_body_reaches_the_application(gateway):
    token = gateway.lab.provider.token()
    arrived = passed(gateway, "/orders", [bearer(token), ("Content-Type", "text/plain")], method="POST", body=b"x" * 50_000)
    assert arrived["method"] == "POST" and arrived["bytes"] == 50_000, arrived


def no_token_is_401_without_an_error_code(gateway):
    answer = refused(gateway, 401, "missing_token", "/orders")
    assert answer.field("www-authenticate") == 'Bearer realm="api"', answer


def each_bad_token_is_401_invalid_token(gateway):
    provider = gateway.lab.provider
    now = int(time.time())
    cases = {
        "expired": provider.token(exp=now - 3_600, iat=now - 7_200),
        "not_yet_valid": provider.token(nbf=now + 3_600),
        "audience_mismatch": provider.token(aud="client-2"),
        "missing_claim": provider.token(exp=None),
        "signature_invalid": gateway.lab.forged(provider.token()),
        "malformed_token": "a.b",
    }
    for code, token in cases.items():
        answer = refused(gateway, 401, code, "/orders", [bearer(token)])
        assert 'error="invalid_token"' in (answer.field("www-authenticate") or ""), (code, answer)
        assert token not in str(answer), "the answer repeats the token"


def a_missing_scope_is_403(gateway):
    provider = gateway.lab.provider
    answer = refused(gateway, 403, "insufficient_scope", "/admin/users", [bearer(provider.token(scope="read write"))])
    challenge = answer.field("www-authenticate") or ""
    assert 'error="insufficient_scope"' in challenge and 'scope="admin"' in challenge, answer
    passed(gateway, "/admin/users", [bearer(provider.token(scope="read admin"))])


def a_token_of_8_KB_passes_and_a_huge_one_does_not(gateway):
    provider = gateway.lab.provider
    token = provider.token(filler="x" * 5_850)
    assert 8_000 <= len(token) <= 8_300, len(token)
    assert identity(passed(gateway, "/orders", [bearer(token)]))["x-auth-subject"] == ["jane"]
    for size in (24_000, 100_000):
        stopped(gateway, "/orders", [bearer(provider.token(filler="x" * size))])
    passed(gateway, "/orders", [bearer(provider.token())])


OPERATORS = (
    "/metrics", "/keys", "/healthz", "/readyz", "/status.json", "/explain", "/envoy.service.auth.v3.Authorization/Check", "/assay_decision",
)


def what_operators_ask_is_not_answered_here(gateway):
    for target in OPERATORS:
        refused(gateway, 401, "missing_token", target)
        stopped(gateway, target, [("X-Forwarded-Uri", "/public"), ("X-Original-URI", "/public")])
        stopped(gateway, target, [("Content-Type", "application/json")], method="POST", body=b'{"method":"GET","host":"a","target":"/"}')


def the_client_gets_no_answer_of_the_service(gateway):
    """What the service tells the gateway about a token is not for the client."""
    token = gateway.lab.provider.token(tenant="t-1")
    for target in ("/orders", "/assay_decision", "assay_decision", "/public"):
        for method in ("GET", "HEAD", "POST"):
            answer = ask(gateway.port, target, [bearer(token)], method=method)
            assert answer and not [name for name, _ in answer.fields if plain(name).startswith("x-auth")], (target, answer)


METHODS = (
    "HEAD", "OPTIONS", "POST", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND", "PURGE", "QUERY", "get", "Get", "CONNECT", "A" * 40, "G@T",
)


def no_method_passes_without_a_token(gateway):
    for method in METHODS:
        stopped(gateway, "/orders", method=method)
    stopped(gateway, "/orders", [("Origin", "https://evil.example"), ("Access-Control-Request-Method", "GET")], method="OPTIONS")
    for target in ("app.example:443", "127.0.0.1:80", "/public", "http://app.example/public"):
        stopped(gateway, target, method="CONNECT")


def a_token_opens_no_tunnel(gateway):
    """No route names CONNECT. Other spellings of a method that a route names are other methods, or none."""
    token = gateway.lab.provider.token()
    for target in ("app.example:443", f"127.0.0.1:{gateway.lab.upstream_port}", "/orders", "/public"):
        stopped(gateway, target, [bearer(token)], method="CONNECT")
    for method in ("get", "Get", "gET"):
        stopped(gateway, "/reports", [bearer(token)], method=method)
    stopped(gateway, "*", [bearer(token)])
    with nothing_passes_unjudged(gateway, "OPTIONS *", token=False):
        ask(gateway.port, "*", method="OPTIONS")


def the_method_is_the_clients(gateway):
    provider = gateway.lab.provider
    token = provider.token()
    for method in ("HEAD", "OPTIONS", "PUT", "DELETE", "PATCH"):
        count = len(gateway.lab.upstream.arrived)
        answer = ask(gateway.port, "/orders", [bearer(token)], method=method)
        assert answer and answer.status == 200 and gateway.lab.upstream.arrived[count]["method"] == method, (method, answer)
    refused(gateway, 403, "insufficient_scope", "/reports", [bearer(token)], method="POST", body=b"x")
    passed(gateway, "/reports", [bearer(token)])
    passed(gateway, "/reports", [bearer(provider.token(scope="admin"))], method="POST", body=b"x")


OVERRIDES = ("X-HTTP-Method-Override", "x-http-method-override", "X-HTTP-Method", "X-Method-Override", "X_HTTP_Method_Override")


def a_method_override_gains_nothing(gateway):
    """Some applications take the method from a field; the service has judged another one."""
    token = gateway.lab.provider.token()
    for name in OVERRIDES:
        for values in (["DELETE"], ["delete"], ["GET", "DELETE"], ["DELETE", "GET"], ["GET, DELETE"]):
            answer = ask(gateway.port, "/reports", [bearer(token), *((name, value) for value in values)])
            assert answer, (name, values)
            fields = answer.arrived()["fields"] if answer.status == 200 else []
            assert answer.status in (200, 400) and plain(name) not in [plain(other) for other, _ in fields], (name, values, answer)


ALL = [
    a_valid_token_passes_with_its_claims, an_open_route_needs_no_token, a_body_reaches_the_application,
    no_token_is_401_without_an_error_code, each_bad_token_is_401_invalid_token, a_missing_scope_is_403,
    a_token_of_8_KB_passes_and_a_huge_one_does_not, what_operators_ask_is_not_answered_here,
    the_client_gets_no_answer_of_the_service, no_method_passes_without_a_token,
    a_token_opens_no_tunnel, the_method_is_the_clients, a_method_override_gains_nothing,
]
