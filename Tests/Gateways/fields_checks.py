"""Attacks by header fields: identity that the client writes itself, and fields of the gateway's own. Each is a function of a gateway."""
from exchange import ask, bearer, converse, converse_all
from expectations import JANE, NOBODY, identity, nothing_passes_unjudged, passed, refused, stopped

FORGED = [
    [("X-Auth-Subject", "evil")], [("x-auth-subject", "evil")], [("X-AUTH-SUBJECT", "evil")], [("X-Auth-Subject", "")],
    [("X-Auth-Subject", "evil"), ("X-Auth-Subject", "evil2")], [("X_Auth_Subject", "evil")], [("X-Auth_Subject", "evil")],
    [("X_AUTH_SUBJECT", "evil"), ("X-Auth-Subject", "evil")], [("X-Auth-Tenant", "evil")], [("X_Auth_Tenant", "evil")],
    [("x-auth-tenant", "evil"), ("X-AUTH-TENANT", "evil2"), ("X-Auth-Tenant", "")], [("X-Auth-Name", "evil"), ("X-Auth-Tenant", "evil")],
    [("X.Auth.Subject", "evil")], [("X!Auth-Subject", "evil")], [("X-Auth~Tenant", "evil")],
    [("Connection", "X-Auth-Subject"), ("X-Auth-Subject", "evil")], [("X-Auth-Subject", "jane"), ("Connection", "close, X-Auth-Subject")],
    [("Connection", "X-Auth-Tenant"), ("X-Auth-Tenant", "evil")], [("Connection", "authorization")],
]


def identity_cannot_be_spoofed(gateway):
    token = gateway.lab.provider.token()
    for fields in FORGED:
        for order in ([bearer(token), *fields], [*fields, bearer(token)]):
            answer = ask(gateway.port, "/orders", order)
            assert answer, fields
            if answer.status == 200:
                seen = identity(answer.arrived())
                # Who names a field in Connection takes it away, and its application then has no identity.
                removed = {**JANE, "x-auth-subject": []}
                assert seen == JANE or seen == removed and "Connection" in dict(fields), (fields, seen)
            else:
                # Who names Authorization in Connection takes the token away.
                assert answer.status == 400 or answer.status == 401 and "Connection" in dict(fields), (fields, answer)
        answer = ask(gateway.port, "/public", fields)
        assert answer and (answer.status == 400 or identity(answer.arrived()) == NOBODY), (fields, answer)


RAW = [
    b"X-Auth-Subject : evil", b"X-Auth-Subject\t: evil", b" X-Auth-Subject: evil", b"\tX-Auth-Subject: evil",
    b"X-A: b\nX-Auth-Subject: evil", b"X-A: b\rX-Auth-Subject: evil", b"X-A: b\r X-Auth-Subject: evil", b"X-A: b\0\r\nX-Auth-Subject: evil",
    b"X-A: b\x0bX-Auth-Subject: evil", b"X-A: b\x85X-Auth-Subject: evil", b"X-A: b\r\n X-Auth-Subject: evil",
    b"X-A\r\nX-Auth-Subject: evil",
    b"X-Auth-Subject", b": evil\r\nX-Auth-Tenant: evil", b"X-Auth-Subject\0: evil", b"X-Auth-\xc5\xbfubject: evil", b"X-Auth-Subject:evil",
    b"\0X-Auth-Tenant: evil", b"X-Auth-Tenant;: evil", b"X-Auth-Tenant:: evil", b"X-Auth-Tenant=evil: evil",
]


def malformed_fields_carry_no_identity(gateway):
    """Folds, controls and spaces that one reader takes for the end of a field, and another does not."""
    line = b"GET /orders HTTP/1.1\r\nHost: app.example\r\n"
    own = b"Authorization: Bearer " + gateway.lab.provider.token().encode() + b"\r\n"
    with nothing_passes_unjudged(gateway, RAW, token=True):
        converse_all(gateway.port, [line + own + text + b"\r\n\r\n" for text in RAW])
        converse_all(gateway.port, [line + text + b"\r\n" + own + b"\r\n" for text in RAW])
    with nothing_passes_unjudged(gateway, RAW, token=False):
        converse_all(gateway.port, [line + text + b"\r\n\r\n" for text in RAW])


def fields_behind_a_body_are_no_fields(gateway):
    """Trailers carry neither a token nor an identity."""
    token = gateway.lab.provider.token()
    trailers = f"0\r\nAuthorization: Bearer {token}\r\nX-Auth-Subject: evil\r\nX-Auth-Tenant: evil\r\nHost: open.example\r\n\r\n".encode()
    reached = gateway.lab.upstream.arrived
    first = len(reached)
    for announced in (b"", b"Trailer: Authorization, X-Auth-Subject, X-Auth-Tenant\r\n"):
        head = b"POST /orders HTTP/1.1\r\nHost: app.example\r\n" + announced + b"Transfer-Encoding: chunked\r\n"
        with nothing_passes_unjudged(gateway, head, token=False):
            converse(gateway.port, head + b"\r\n1\r\nx\r\n" + trailers)
        count = len(reached)
        converse(gateway.port, head + b"Authorization: Bearer " + token.encode() + b"\r\n\r\n1\r\nx\r\n" + trailers)
        for seen in reached[count:]:
            assert seen["target"] == "/public/last" or identity(seen) == JANE, (announced, seen)
    return "passes trailers on" if any(seen["trailers"] for seen in reached[first:]) else None


def claims_cannot_break_fields(gateway):
    provider = gateway.lab.provider
    token = provider.token(name="Jane\r\nX-Auth-Tenant: evil\0", tenant=" a, \u00fc%0d\u2028", sub="\"';--")
    assert identity(passed(gateway, "/orders", [bearer(token)])) == {
        "x-auth-subject": ["\"';--"], "x-auth-name": ["Jane%0D%0AX-Auth-Tenant: evil%00"], "x-auth-tenant": ["%20a, %C3%BC%250d%E2%80%A8"],
    }
    large = provider.token(name="n" * 2_500, tenant="t" * 2_500)
    assert identity(passed(gateway, "/orders", [bearer(large)]))["x-auth-tenant"] == ["t" * 2_500]
    refused(gateway, 403, "claims_too_large", "/orders", [bearer(provider.token(tenant="t" * 4_097))])


OWN = {
    "X-Original-URI": "/public", "X-Original-URL": "/public", "X-Original-Method": "OPTIONS", "X-Forwarded-Uri": "/public",
    "X-Forwarded-Method": "OPTIONS", "X-Forwarded-Host": "open.example", "X-Forwarded-Proto": "https", "X-Forwarded-Prefix": "/public",
    "X-Forwarded-For": "127.0.0.1", "X-Real-IP": "127.0.0.1", "X-Rewrite-URL": "/public", "X-Assay-Status": "200", "X-Assay-Code": "none",
    "X-Envoy-Original-Path": "/public", "X-Envoy-Original-Url": "/public", "X-Envoy-Auth-Partial-Body": "true",
    "X-Envoy-Internal": "true", "X-Envoy-Auth-Headers-To-Remove": "x-auth-subject", "X-HTTP-Path-Override": "/public",
}


def spellings(name, value):
    """A field in every spelling that some reader takes for it."""
    alias = name.replace("-", "_")
    return [
        [(name, value)], [(name.lower(), value)], [(name.upper(), value)], [(alias, value)], [(alias.lower(), value)],
        [(name.replace("-", "_", 1), value)], [(name, value), (name, value)], [(name.lower(), value), (name.upper(), "/orders")],
        [(alias, value), (name, value)], [(name, f"{value}, {value}")], [(name, "")],
    ]


def the_gateways_own_fields_cannot_be_spoofed(gateway):
    token = gateway.lab.provider.token()
    for name, value in OWN.items():
        for fields in spellings(name, value):
            stopped(gateway, "/orders", fields)
            stopped(gateway, "/admin", [*fields, bearer(token)])
    for fields in [
        [("X-Original-URI", "/public"), ("X-Original-Method", "OPTIONS"), ("X-Original-URL", "/public")],
        [("X-Forwarded-Uri", "/public"), ("X-Forwarded-Method", "OPTIONS"), ("X-Forwarded-Host", "open.example")],
        [(":path", "/public")], [(":path", "/public"), (":method", "GET"), (":authority", "open.example")],
    ]:
        stopped(gateway, "/orders", fields)
        stopped(gateway, "/admin", [*fields, bearer(token)])


def a_method_cannot_be_spoofed(gateway):
    """`/reports` may be read without the scope, and not written."""
    token = gateway.lab.provider.token()
    for name in ("X-Original-Method", "X-Forwarded-Method"):
        for fields in spellings(name, "GET"):
            stopped(gateway, "/reports", [*fields, bearer(token)], method="POST", body=b"x")
            stopped(gateway, "/reports", [bearer(token), *fields], method="DELETE")


ALL = [
    identity_cannot_be_spoofed, claims_cannot_break_fields, the_gateways_own_fields_cannot_be_spoofed, a_method_cannot_be_spoofed,
]
PARSING = [malformed_fields_carry_no_identity, fields_behind_a_body_are_no_fields]
