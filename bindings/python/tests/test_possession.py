"""Tokens that are bound to a key or to a certificate, and the metadata of resources, behind real servers."""

import base64
import hashlib
import http.client
import json
import ssl
import textwrap

import pytest

from assay import Code, Gateway, asgi, wsgi
from assay.testing import SigningKey, TestIssuer
from conftest import NOW
from servers import GUNICORN, running

PROGRAM = """
    import asyncio
    from assay import Gateway, asgi, wsgi

    class Later(Gateway):
        # Decides for the time that a request says.
        def decide(self, method, authority, target, fields, **options):
            times = [float(value) for name, value in fields if name.lower() == b"x-time"]
            return super().decide(method, authority, target, fields, now=times[0] if times else None, **options)

    gateway = Later({settings!r}, fetches=False)

    async def asgi_application(scope, receive, send):
        await send({{"type": "http.response.start", "status": 200, "headers": [(b"DPoP-Nonce", b"of the application"), (b"x-a", b"b")]}})
        await send({{"type": "http.response.body", "body": b"the application"}})

    def wsgi_application(environ, start_response):
        start_response("200 OK", [("dpop-nonce", "of the application"), ("X-A", "b")])
        return [b"the application"]

    asgi_application = asgi.AssayMiddleware(asgi_application, gateway)
    wsgi_application = wsgi.AssayMiddleware(
        wsgi_application, gateway, certificate=lambda environ: {tls} and environ["gunicorn.socket"].getpeercert(True)
    )
"""
UVICORN = ["uvicorn", "--host", "127.0.0.1", "--port", "PORT", "--lifespan", "off", "served:asgi_application"]
WITH_WORKERS = [*GUNICORN, "--workers", "2", "--threads", "2", "served:wsgi_application"]
SERVERS = [pytest.param(UVICORN, id="uvicorn"), pytest.param(WITH_WORKERS, id="gunicorn")]


@pytest.fixture
def issuer():
    return TestIssuer()


def settings(issuer, **provider):
    main = {"name": "main", "issuer": issuer.identifier, "audiences": ["client-1"], "keys": {"inline": json.dumps(issuer.jwks)}, **provider}
    return {"providers": [main], "policies": [{"name": "all", "requires": "main"}], "policy": "all"}


def write(folder, settings, tls=False):
    (folder / "served.py").write_text(textwrap.dedent(PROGRAM.format(settings=settings, tls=tls)))


def ask(port, path="/a", fields={}, method="GET", context=None, host=None):
    connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=10, context=context) if context else None
    connection = connection or http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request(method, path, headers={**fields, **({"Host": host} if host else {})})
    answer = connection.getresponse()
    answer.text = answer.read().decode()
    connection.close()
    return answer


def nonces_of(answer):
    return answer.headers.get_all("DPoP-Nonce") or []


@pytest.mark.parametrize("command", SERVERS)
def test_a_proof_passes_once_with_a_nonce_of_the_server(tmp_path, command):
    period, issuer, client = 300, TestIssuer(clock=lambda: NOW), SigningKey("ES256")
    write(tmp_path, settings(issuer, dpop={"tokens": "bound", "nonces": {"periodSeconds": period}}))
    token = issuer.token({"cnf": {"jkt": client.thumbprint}}, lifetime=3600)
    with running(command, tmp_path) as port:

        def prove(**claims):
            return client.proof(token, "GET", f"http://127.0.0.1:{port}/a", claims)

        def asked(proof, at):
            return ask(port, fields={"Authorization": f"DPoP {token}", "DPoP": proof, "X-Time": str(at)})

        refused = asked(prove(iat=NOW), NOW)
        (nonce,) = nonces_of(refused)
        assert refused.status == 401 and "use_dpop_nonce" in refused.headers["WWW-Authenticate"]
        proof = prove(iat=NOW, nonce=nonce)
        admitted = asked(proof, NOW)
        assert (admitted.status, admitted.headers["X-A"], nonces_of(admitted)) == (200, "b", ["of the application"])
        # Every worker knows what another one has let through.
        assert {asked(proof, NOW).text for _ in range(20)} == {"replayed_proof\n"}
        # The nonce of the period before still passes, and its response has the next one in place of the application's.
        admitted = asked(prove(iat=NOW + period, nonce=nonce), NOW + period)
        (following,) = nonces_of(admitted)
        assert (admitted.status, admitted.headers["X-A"]) == (200, "b") and following not in (nonce, "of the application")
        assert asked(prove(iat=NOW + period, nonce=following), NOW + period).status == 200
        assert asked(prove(iat=NOW + 2 * period, nonce=nonce), NOW + 2 * period).status == 401
        bearer = ask(port, fields={"Authorization": f"Bearer {token}", "X-Time": str(NOW)})
        assert bearer.text == "bound_token_without_proof\n"


def confirmation(pem):
    digest = hashlib.sha256(ssl.PEM_cert_to_DER_cert(pem)).digest()
    return {"cnf": {"x5t#S256": base64.urlsafe_b64encode(digest).rstrip(b"=").decode()}}


class Certificates:
    """A server and two clients, in PEM."""

    def __init__(self, folder):
        self.folder = folder
        self.made = {name: SigningKey("ES256").certificate(name) for name in ("server", "own", "other")}
        for name, (certificate, key) in self.made.items():
            (folder / f"{name}.pem").write_text(certificate + key)
        (folder / "clients.pem").write_text(self.made["own"][0] + self.made["other"][0])

    def context(self, name):
        context = ssl.create_default_context(cafile=str(self.folder / "server.pem"))
        context.check_hostname = False
        if name:
            context.load_cert_chain(str(self.folder / f"{name}.pem"))
        return context


WITH_CERTIFICATES = """
    import ssl
    import uvicorn
    from uvicorn_certificates import WithCertificates
    from served import asgi_application
    uvicorn.run(asgi_application, port=int("PORT"), lifespan="off", http=WithCertificates, ssl_certfile="server.pem",
                ssl_ca_certs="clients.pem", ssl_cert_reqs=ssl.CERT_OPTIONAL)
"""


@pytest.mark.parametrize("server", ["uvicorn", "gunicorn"])
def test_a_token_is_bound_to_the_certificate_of_the_connection(issuer, tmp_path, server):
    certificates = Certificates(tmp_path)
    write(tmp_path, settings(issuer, certificateBound="required"), tls=True)
    (tmp_path / "served_by_uvicorn.py").write_text(
        textwrap.dedent(WITH_CERTIFICATES).replace('int("PORT")', "int(__import__('sys').argv[1])")
    )
    command = ["served_by_uvicorn", "PORT"]
    if server == "gunicorn":
        command = [*WITH_WORKERS, "--certfile", "server.pem", "--ca-certs", "clients.pem", "--cert-reqs", "1"]
    token = issuer.token(confirmation(certificates.made["own"][0]))
    with running(command, tmp_path) as port:
        for token, name, expected in (
            (token, "own", (200, "the application")),
            (token, "other", (401, "certificate_mismatch\n")),
            (token, None, (401, "missing_certificate\n")),
            (issuer.token(), "own", (401, "not_certificate_bound\n")),
        ):
            answer = ask(port, fields={"Authorization": f"Bearer {token}"}, context=certificates.context(name))
            assert (answer.status, answer.text) == expected, name
        forged = {
            name: certificates.made["own"][0].replace("\n", " ") for name in ("Client-Cert", "X-Client-Cert", "SSL-Client-Cert", "SSL_CLIENT_CERT")
        }
        token = issuer.token(confirmation(certificates.made["own"][0]))
        answer = ask(port, fields={"Authorization": f"Bearer {token}", **forged}, context=certificates.context(None))
        assert (answer.status, answer.text) == (401, "missing_certificate\n")


async def code_of_asgi(middleware, token, **scope):
    sent = []

    async def send(message):
        sent.append(message)

    fields = [(b"host", b"a.example"), (b"authorization", b"Bearer " + token.encode())]
    complete = {"type": "http", "method": "GET", "path": "/a", "raw_path": b"/a", "headers": fields, "scheme": "https", **scope}
    await middleware(complete, None, send)
    return sent[1]["body"].decode().strip()


async def admitted(scope, receive, send):
    await send({"type": "http.response.start", "status": 200})
    await send({"type": "http.response.body", "body": b"admitted"})


async def test_a_scope_tells_the_certificate_by_its_extension(issuer):
    own, other = (SigningKey("RS256").certificate()[0] for _ in range(2))
    token = issuer.token(confirmation(own))
    with Gateway(settings(issuer, certificateBound="required"), fetches=False) as gateway:
        middleware = asgi.AssayMiddleware(admitted, gateway)
        for chain, expected in (
            ([own, other], "admitted"),
            ((own,), "admitted"),
            (["subject=client\n" + own], "admitted"),
            ([other, own], "certificate_mismatch"),
            ([], "missing_certificate"),
            (None, "missing_certificate"),
            ([None], "missing_certificate"),
            ([""], "missing_certificate"),
            (["no certificate"], "malformed_certificate"),
            # Of several in one text, readers may take different ones.
            ([own + other], "malformed_certificate"),
            (["-----BEGIN CERTIFICATE-----\nA\n-----END CERTIFICATE-----"], "malformed_certificate"),
            (["\ud800"], "malformed_certificate"),
        ):
            said = await code_of_asgi(middleware, token, extensions={"tls": {"client_cert_chain": chain}})
            assert said == expected, chain
        for extensions in (None, {}, {"tls": None}, {"tls": {}}):
            assert await code_of_asgi(middleware, token, extensions=extensions) == "missing_certificate"
        middleware = asgi.AssayMiddleware(admitted, gateway, certificate=lambda scope: ssl.PEM_cert_to_DER_cert(scope["own"]))
        assert await code_of_asgi(middleware, token, own=own) == "admitted"


def code_of_wsgi(middleware, token, **environ):
    complete = {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": "/a",
        "SERVER_NAME": "a.example",
        "wsgi.url_scheme": "https",
        "HTTP_AUTHORIZATION": f"Bearer {token}",
        **environ,
    }
    return b"".join(middleware(complete, lambda *arguments: None)).decode().strip()


def test_an_environ_tells_a_certificate_where_the_program_says_so(issuer):
    own, other = (SigningKey("ES384").certificate()[0] for _ in range(2))
    token = issuer.token(confirmation(own))

    def application(environ, start_response):
        return [b"admitted"]

    with Gateway(settings(issuer, certificateBound="required"), fetches=False) as gateway:
        silent = wsgi.AssayMiddleware(application, gateway)
        assert code_of_wsgi(silent, token, SSL_CLIENT_CERT=own, HTTP_SSL_CLIENT_CERT=own) == "missing_certificate"
        told = wsgi.AssayMiddleware(application, gateway, certificate="SSL_CLIENT_CERT")
        assert code_of_wsgi(told, token, SSL_CLIENT_CERT=own, HTTP_SSL_CLIENT_CERT=other) == "admitted"
        assert code_of_wsgi(told, token, SSL_CLIENT_CERT=other, HTTP_SSL_CLIENT_CERT=own) == "certificate_mismatch"
        assert code_of_wsgi(told, token, HTTP_SSL_CLIENT_CERT=own) == "missing_certificate"
        assert code_of_wsgi(told, token, SSL_CLIENT_CERT="") == "missing_certificate"
        for name in ("HTTP_X_CLIENT_CERT", "http_ssl_client_cert"):
            with pytest.raises(ValueError, match="client"):
                wsgi.AssayMiddleware(application, gateway, certificate=name)


WELL_KNOWN = "/.well-known/oauth-protected-resource/orders"


@pytest.mark.parametrize("command", SERVERS)
def test_the_metadata_of_a_resource_needs_no_token(issuer, tmp_path, command):
    given = settings(issuer)
    given["resources"] = [{"resource": "https://api.example/orders", "displayName": "Orders"}]
    given["policies"][0]["resource"] = "https://api.example/orders"
    del given["providers"][0]["audiences"]
    write(tmp_path, given)
    with running(command, tmp_path) as port:
        answer = ask(port, WELL_KNOWN + "?a=b", host="API.example:443")
        assert json.loads(answer.text)["resource_name"] == "Orders" and answer.headers["Content-Type"] == "application/json"
        assert (answer.headers["Access-Control-Allow-Origin"], answer.headers["Cache-Control"]) == ("*", "max-age=300")
        for method, status in (("HEAD", 200), ("OPTIONS", 204), ("POST", 405), ("DELETE", 405)):
            other = ask(port, WELL_KNOWN, method=method, host="api.example")
            assert (other.status, other.text) == (status, ""), method
        assert ask(port, WELL_KNOWN, method="HEAD", host="api.example").headers["Content-Length"] == str(len(answer.text))
        for host, path in (
            ("evil.example", WELL_KNOWN),
            ("api.example:8443", WELL_KNOWN),
            ("api.example", WELL_KNOWN + "/"),
            ("api.example", "/.well-known/oauth-protected-resource"),
        ):
            assert ask(port, path, host=host).status == 401, (host, path)
        challenge = ask(port, "/orders", host="api.example").headers["WWW-Authenticate"]
        assert f'resource_metadata="https://api.example{WELL_KNOWN}"' in challenge
    with Gateway(given, fetches=False) as gateway:
        assert json.loads(gateway.resource_metadata("api.example", WELL_KNOWN)) == json.loads(answer.text)
        for authority, target in (("evil.example", WELL_KNOWN), (b"", b""), ("\ud800", "\0"), (b"\xff" * 70_000, WELL_KNOWN)):
            assert gateway.resource_metadata(authority, target) is None
        for strange in (None, 5, []):
            for arguments in ((strange, WELL_KNOWN), ("api.example", strange)):
                with pytest.raises(TypeError):
                    gateway.resource_metadata(*arguments)


def test_a_decision_has_the_nonce_and_takes_the_certificate(issuer):
    with Gateway(settings(issuer, dpop={"tokens": "bound", "nonces": {}}), fetches=False) as gateway:
        client = SigningKey("ES256")
        token = issuer.token({"cnf": {"jkt": client.thumbprint}})

        def decide(**claims):
            proof = client.proof(token, "GET", "https://a.example/a", claims)
            fields = [(b"authorization", b"DPoP " + token.encode()), (b"dpop", proof.encode())]
            return gateway.decide("GET", "a.example", "/a", fields, scheme="https")

        refused = decide()
        assert refused.code == Code.MISSING_PROOF_NONCE and ("DPoP-Nonce", refused.proof_nonce) in refused.fields()
        assert decide(nonce=refused.proof_nonce).is_admitted and decide(nonce=refused.proof_nonce).proof_nonce is None
        for strange in (5, [], object(), {}):
            with pytest.raises(TypeError):
                gateway.decide("GET", "a", "/", [], certificate=strange or [1])
