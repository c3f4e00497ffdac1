"""The middlewares in real frameworks and behind real servers."""

import http.client
import sys
import textwrap

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from werkzeug.test import Client as WSGIClient

from assay import Client, Gateway
from assay import asgi, wsgi
from assay.testing import TestIssuer
from servers import EXAMPLES, GUNICORN, running

sys.path.insert(0, str(EXAMPLES))
LOCAL = Client(addresses=["loopback", "plain_loopback"])


@pytest.fixture
def issuer():
    with TestIssuer() as issuer:
        yield issuer


@pytest.fixture
def gateway(issuer):
    with Gateway.of_issuer(issuer.identifier, "client-1", client=LOCAL) as gateway:
        yield gateway


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


def asgi_client(module, gateway):
    client = TestClient(__import__(module).application(gateway))
    return lambda path, **fields: (lambda answer: (answer.status_code, answer.headers, answer.text))(
        client.get(path, headers=fields.pop("headers", {}))
    )


def wsgi_client(module, gateway):
    application = __import__(module).application(gateway)
    client = WSGIClient(application)

    def get(path, headers={}):
        answer = client.get(path, headers=headers)
        return answer.status_code, answer.headers, answer.get_data(as_text=True)

    return get


FRAMEWORKS = [("fastapi_app", asgi_client), ("starlette_app", asgi_client), ("flask_app", wsgi_client), ("django_app", wsgi_client)]


@pytest.mark.parametrize("module, client", FRAMEWORKS, ids=[module for module, _ in FRAMEWORKS])
def test_a_framework_gets_the_claims_and_no_request_without_a_token(issuer, gateway, module, client):
    get = client(module, gateway)
    status, _, body = get("/me", headers=bearer(issuer.token()))  # the first one waits for the keys
    assert (status, body.replace(" ", "").strip()) == (200, '{"subject":"user-1"}')
    issuer.rotate()
    assert get("/me", headers=bearer(issuer.token()))[0] == 200
    for headers, expected, name in (
        ({}, 401, "missing_token"),
        (bearer("x.y.z"), 401, "invalid_base64url"),
        (bearer(issuer.token(lifetime=-90)), 401, "expired"),
        (bearer(issuer.token(audience="other")), 401, "audience_mismatch"),
    ):
        status, fields, body = get("/me", headers=headers)
        assert (status, body) == (expected, name + "\n")
        assert fields["WWW-Authenticate"].startswith("Bearer") and fields["Cache-Control"] == "no-store"
    assert get("/absent", headers=bearer(issuer.token()))[0] == 404


def test_fastapi_reads_a_scope(issuer, gateway):
    get = asgi_client("fastapi_app", gateway)
    assert get("/orders", headers=bearer(issuer.token({"scope": "orders"})))[0] == 200
    assert get("/orders", headers=bearer(issuer.token()))[0] == 403


def test_web_sockets_are_decided_about(issuer, gateway):
    client = TestClient(__import__("starlette_app").application(gateway))
    with client.websocket_connect("/socket", headers=bearer(issuer.token())) as session:
        assert session.receive_text() == "user-1"
    with pytest.raises((WebSocketDisconnect, Exception)) as refused:
        with client.websocket_connect("/socket"):
            pass
    assert getattr(refused.value, "status_code", getattr(refused.value, "code", None)) in (401, 1008)


SETTINGS = {
    "policies": [{"name": "all", "requires": "main"}, {"name": "people", "requires": "main", "browsers": {"redirect": "/login?to={url}"}}],
    "policy": "all",
}


def with_fields(issuer):
    provider = {
        "name": "main",
        "issuer": issuer.identifier,
        "audiences": ["client-1"],
        "keys": {"url": issuer.identifier + "/jwks"},
        "claims": [{"header": "X-User", "claim": "sub"}, {"header": "X-Mail", "claim": "email"}],
        "forwardToken": False,
        "tokenFrom": [{"authorization": "Bearer"}, {"query": "access_token"}],
    }
    return Gateway({"providers": [provider], **SETTINGS}, client=LOCAL)


async def asgi_scope(gateway, token, **scope):
    seen = []

    async def app(scope, receive, send):
        seen.append(scope)

    sent = []

    async def send(message):
        sent.append(message)

    fields = [
        (b"host", b"a.example"),
        (b"x-user", b"forged"),
        (b"X-Mail", b"forged"),
        *([(b"authorization", b"Bearer " + token)] if token else []),
        *scope.pop("fields", []),
    ]
    complete = {
        "type": "http",
        "method": "GET",
        "path": "/a",
        "raw_path": b"/a",
        "query_string": b"",
        "headers": fields,
        "scheme": "https",
        **scope,
    }
    await asgi.AssayMiddleware(app, gateway, policy=scope.get("policy"))(complete, None, send)
    return seen, sent


async def test_fields_of_the_client_do_not_reach_an_asgi_application(issuer):
    with with_fields(issuer) as gateway:
        token = issuer.token().encode()
        seen, _ = await asgi_scope(gateway, token)
        fields = seen[0]["headers"]
        assert [value for name, value in fields if name.lower() == b"x-user"] == [b"user-1"]
        assert [value for name, value in fields if name.lower() == b"x-mail"] == [b""]
        assert not any(name == b"authorization" for name, _ in fields)
        seen, _ = await asgi_scope(gateway, None, query_string=b"x=1&access_token=" + token)
        assert seen[0]["query_string"] == b"x=1" and seen[0]["path"] == "/a"


async def test_paths_with_two_readings_do_not_reach_an_asgi_application(issuer):
    with with_fields(issuer) as gateway:
        token = issuer.token().encode()
        for raw, path in (
            (b"/a/../b", "/a/../b"),
            (b"/a%2e%2e/b", "/a../b"),
            (b"/%2e%2e/b", "/../b"),
            (b"/a%2Fb", "/a/b"),
            (b"//a", "//a"),
            (None, "/a/../b"),
            (b"/plain", "/a/../b"),
            (b"/%ff", "/\ufffd"),  # as uvicorn reads what is no UTF-8
        ):
            seen, sent = await asgi_scope(gateway, token, path=path, **({} if raw is None else {"raw_path": raw}))
            allowed = raw == b"/a%2e%2e/b"
            assert bool(seen) == allowed or sent[0]["status"] == 400, (raw, path)
        seen, sent = await asgi_scope(gateway, token, path="/täg", raw_path=b"/t%C3%A4g")
        assert seen[0]["path"] == "/täg"


async def test_no_other_path_than_the_judged_one_reaches_an_application(issuer):
    with with_fields(issuer) as gateway:
        token = issuer.token()
        seen, _ = await asgi_scope(gateway, token.encode(), path="/b c", raw_path=b"/%61")
        assert (seen[0]["path"], seen[0]["raw_path"]) == ("/b c", b"/b%20c")
        for key in ("RAW_URI", "REQUEST_URI"):
            for told, expected in (("/%61?x=1", "/b?x=1"), ("http://a.example/b?x=1", "/b?x=1"), ("/%62?x=1", "/%62?x=1")):
                environ = {"HTTP_AUTHORIZATION": f"Bearer {token}", "PATH_INFO": "/b", "QUERY_STRING": "x=1", key: told}
                assert wsgi_environ(gateway, **environ)[0][0][key] == expected


async def test_browsers_are_redirected(issuer):
    with with_fields(issuer) as gateway:
        fields = [(b"accept", b"text/html"), (b"sec-fetch-mode", b"navigate"), (b"sec-fetch-dest", b"document")]
        _, sent = await asgi_scope(gateway, None, fields=fields, policy="people")
        assert sent[0]["status"] == 302 and dict(sent[0]["headers"])[b"location"].startswith(b"/login?to=")


async def test_a_request_that_servers_read_in_two_ways_reaches_no_application(issuer):
    with with_fields(issuer) as gateway:
        token = issuer.token().encode()
        for fields in ([(b"host", b"b.example")], [(b"Host", b"a.example")], [(b"a-%d" % number, b"") for number in range(1024)]):
            seen, sent = await asgi_scope(gateway, token, fields=fields)
            assert seen == [] and sent[0]["status"] == 400 and sent[1]["body"] == b"malformed_request\n"
    many = {f"HTTP_A_{number}": "" for number in range(1024)}
    seen, said = wsgi_environ(gateway, HTTP_AUTHORIZATION="Bearer x", **many)
    assert seen == [] and said == ["400 Bad Request"]


async def test_a_scope_of_an_unknown_type_reaches_no_application(gateway):
    with pytest.raises(RuntimeError):
        await asgi_scope(gateway, None, type="webtransport")


async def test_the_life_of_a_server_passes(gateway):
    seen = []

    async def app(scope, receive, send):
        seen.append(scope["type"])

    await asgi.AssayMiddleware(app, gateway)({"type": "lifespan"}, None, None)
    assert seen == ["lifespan"]


def wsgi_environ(gateway, **environ):
    seen, said = [], []

    def app(environ, start_response):
        seen.append(environ)
        return []

    complete = {
        "REQUEST_METHOD": "GET",
        "SCRIPT_NAME": "",
        "PATH_INFO": "/a",
        "QUERY_STRING": "",
        "SERVER_NAME": "a.example",
        "wsgi.url_scheme": "https",
        "HTTP_X_USER": "forged",
        "HTTP_X_MAIL": "forged",
        **environ,
    }
    list(wsgi.AssayMiddleware(app, gateway)(complete, lambda status, fields: said.append(status)))
    return seen, said


def test_fields_of_the_client_do_not_reach_a_wsgi_application(issuer):
    with with_fields(issuer) as gateway:
        token = issuer.token()
        seen, _ = wsgi_environ(gateway, HTTP_AUTHORIZATION=f"Bearer {token}")
        assert seen[0]["HTTP_X_USER"] == "user-1" and seen[0]["HTTP_X_MAIL"] == "" and "HTTP_AUTHORIZATION" not in seen[0]
        seen, _ = wsgi_environ(
            gateway, SCRIPT_NAME="/app", QUERY_STRING=f"access_token={token}", REQUEST_URI=f"/app/a?access_token={token}"
        )
        assert (seen[0]["PATH_INFO"], seen[0]["QUERY_STRING"], seen[0]["REQUEST_URI"]) == ("/a", "", "/app/a")
        for environ in (
            {"PATH_INFO": "/a/../b"},
            {"PATH_INFO": "/a/b", "RAW_URI": "/a%2fb"},
            {"HTTP_AUTHORIZATION": f"Bearer {token},Bearer {token}"},
        ):
            seen, said = wsgi_environ(gateway, **{"HTTP_AUTHORIZATION": f"Bearer {token}", **environ})
            assert seen == [] and said == ["400 Bad Request"]


def test_a_target_that_names_another_host_reaches_no_wsgi_application(issuer):
    with with_fields(issuer) as gateway:
        for target, allowed in (
            ("http://a.example/a", True),
            ("HTTP://A.example/a?b=c", True),
            ("/a?b=http://other.example/", True),
            ("http://other.example/a", False),
            ("http://a.example:81/a", False),
            ("http://a.example@other.example/a", False),
            ("http://other.example?/a", False),
            ("http:///a", False),
        ):
            for key in ("RAW_URI", "REQUEST_URI"):
                environ = {"HTTP_HOST": "a.example", "HTTP_AUTHORIZATION": f"Bearer {issuer.token()}", key: target}
                seen, said = wsgi_environ(gateway, **environ)
                assert bool(seen) == allowed and (allowed or said == ["400 Bad Request"]), target


def test_a_program_answers_refusals_itself(issuer, gateway):
    reasons = []

    def answer(decision):
        reasons.append(decision.reason)
        status, fields, _ = decision.answer()
        return status, [field for field in fields if field[0] != "Content-Length"], b"own"

    async def app(scope, receive, send):
        raise AssertionError("reached")

    client = TestClient(asgi.AssayMiddleware(app, gateway, answer=answer)).get("/a")
    assert (client.status_code, client.text) == (401, "own") and client.headers["WWW-Authenticate"].startswith("Bearer")
    response = WSGIClient(wsgi.AssayMiddleware(app, gateway, answer=answer)).get("/a")
    assert (response.status_code, response.get_data()) == (401, b"own") and len(reasons) == 2 and "missing_token" in reasons[0]


# Servers that fork, with the keys fetched by each worker.


def get(port, token, path="/me"):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path, headers=bearer(token))
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


PROGRAM = """
    import sys
    sys.path.insert(0, {examples!r})
    from assay import Client, Gateway
    import {module}
    gateway = Gateway.of_issuer({issuer!r}, "client-1", client=Client(addresses=["loopback", "plain_loopback"]))
    application = {module}.application(gateway)
"""


@pytest.mark.parametrize(
    "module, command",
    [
        ("flask_app", [*GUNICORN, "--workers", "3", "served:application"]),
        ("fastapi_app", ["uvicorn", "--workers", "2", "--host", "127.0.0.1", "--port", "PORT", "served:application"]),
    ],
)
def test_a_server_with_workers_verifies_in_each(issuer, tmp_path, module, command):
    (tmp_path / "served.py").write_text(textwrap.dedent(PROGRAM.format(examples=str(EXAMPLES), module=module, issuer=issuer.identifier)))
    with running(command, tmp_path) as port:
        for _ in range(2):
            assert {get(port, issuer.token())[0] for _ in range(20)} == {200}
            assert get(port, "x.y.z")[0] == 401
            issuer.rotate()
