"""A client of the MCP SDK discovers the reference IDaaS, registers, authorises by PKCE and calls a server of the same SDK.

Usage: walk.py ASSAY DATABASE IDAAS_URL ISSUER PASSWORD RESOURCE_PORT DOCUMENT_URL CERTIFICATE [UPSTREAM_PORT RESOURCE…]

The SDK's server verifies access tokens with PyJWT, which shares no code with this project. The client's document is at DOCUMENT_URL, below a
certificate that the identity server trusts. RESOURCE are URLs of a gateway that protects a server without authorization at UPSTREAM_PORT.
"""
import asyncio
import json
import logging
import pathlib
import re
import ssl
import subprocess
import sys
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx2
import jwt
from mcp.client.auth import OAuthFlowError
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.mcpserver import MCPServer

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent.parent / "Browser"))
import behind  # noqa: E402
import facts  # noqa: E402
from client import METADATA, Browser, Storage, provider, tell  # noqa: E402
from facts import fact  # noqa: E402

assay, database, base, issuer, password, port, document_url, certificate, *upstream = sys.argv[1:]
RESOURCE = f"http://127.0.0.1:{port}/mcp"


class Verifier:
    """Verifies access tokens by the issuer's published keys."""

    def __init__(self):
        self.keys = jwt.PyJWKClient(f"{issuer}/keys")

    async def verify_token(self, token):
        try:
            key = self.keys.get_signing_key_from_jwt(token)
            claims = jwt.decode(token, key, algorithms=["RS256"], audience=RESOURCE, issuer=issuer,
                                options={"require": ["exp", "iat", "jti", "sub", "client_id"]})
        except jwt.PyJWTError:
            return None
        if jwt.get_unverified_header(token)["typ"] != "at+jwt":
            return None
        return AccessToken(token=token, client_id=claims["client_id"], scopes=claims.get("scope", "").split(),
                           expires_at=claims["exp"], resource=claims["aud"], subject=claims["sub"], claims=claims)


def serve_resource():
    """A server of the SDK with one tool, which tells its caller's claims."""
    server = MCPServer("Walked", token_verifier=Verifier(), log_level="ERROR", auth=AuthSettings(
        issuer_url=issuer, resource_server_url=RESOURCE, required_scopes=["walk.read"], validate_token_resource=True))

    @server.tool()
    def claims() -> str:
        return json.dumps(get_access_token().claims)

    behind.serve(server, int(port))


def serve_document():
    """The client's metadata document, over TLS. Gives the list of its requests."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            body = json.dumps({**METADATA, "client_id": document_url}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", urllib.parse.urlsplit(document_url).port), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return asked


def someone(consent=True):
    return Browser(base, password, consent)


async def claims(auth):
    return await tell(RESOURCE, auth, "claims")


def shown(page, what):
    match = re.search(rf'id="{what}">([^<]*)<', page)
    return match and match[1]


async def registered():
    """Registers by a request, authorises, calls, and refreshes."""
    browser, storage = someone(), Storage()
    auth = provider(RESOURCE, browser, storage)
    told = await claims(auth)
    page = browser.pages[0]
    fact("the page names the client", shown(page, "consent-client") == "Walking client" and "Nobody has checked this name." in page)
    fact("and the resource and the scope", shown(page, "consent-resource") == "Walked" and "<bdi>walk.read</bdi>" in page)
    fact("and that the answer stays on this device", shown(page, "consent-recipient") == "an application on this device")
    fact(f"the client is public: {storage.client}", storage.client.token_endpoint_auth_method == "none" and not storage.client.client_secret)
    fact(f"the token is the client's: {told}", told["client_id"] == storage.client.client_id and told["aud"] == RESOURCE)
    fact("and has no number", "mobile" not in told and told["scope"] == "walk.read" and "status" in told)
    first = storage.tokens
    auth.context.token_expiry_time = 1
    again = await claims(auth)
    fact("an expired token is refreshed without the user", len(browser.pages) == 1 and len(storage.history) == 2)
    fact("by another refresh token", storage.tokens.refresh_token not in (None, first.refresh_token))
    fact("the grant is the same", again["sid"] == told["sid"] and again["jti"] != told["jti"])
    return auth, browser, storage, told


async def documented(asked):
    """A client that is named by its document."""
    browser, storage = someone(), Storage()
    told = await claims(provider(RESOURCE, browser, storage, document_url))
    fact(f"the client is its URL: {told}", told["client_id"] == document_url == storage.client.client_id)
    fact(f"the page names its host: {browser.pages}", shown(browser.pages[0], "consent-host") == urllib.parse.urlsplit(document_url).hostname)
    again = await claims(provider(RESOURCE, someone(), Storage(), document_url))
    fact(f"the document was fetched once: {asked}", again["client_id"] == document_url and len(asked) == 1)


async def refused():
    browser, storage = someone(consent=False), Storage()
    try:
        await claims(provider(RESOURCE, browser, storage))
    except BaseException as failure:
        fact(f"a refusal reaches the client: {failure!r}", caused(failure, OAuthFlowError) and browser.end["error"] == "access_denied")
    else:
        raise AssertionError("a client was granted what the user refused")
    fact("and gives no token", storage.tokens is None)


def caused(failure, kind):
    """Whether a failure is of this kind, or a group with one."""
    return isinstance(failure, kind) or any(caused(part, kind) for part in getattr(failure, "exceptions", ()))


async def locked(auth, storage, told):
    """A locked user, and with it every grant."""
    subprocess.run([assay, "idaas", "user", "lock", "--dev", "--db", database, told["sub"]], check=True, capture_output=True)
    auth.context.token_expiry_time = 1
    known = len(storage.history)
    try:
        await claims(auth)
    except BaseException as failure:
        fact(f"after a lock nothing is refreshed: {failure!r}", len(storage.history) == known)
    else:
        raise AssertionError("a locked user's grant was refreshed")


async def walk():
    # The SDK logs each failure that this script expects.
    logging.getLogger("mcp").setLevel(logging.CRITICAL + 1)
    serve_resource()
    asked = serve_document()
    bare = httpx2.post(RESOURCE, json={})
    fact(f"the resource is protected: {bare.status_code}", bare.status_code == 401)
    auth, _, storage, told = await registered()
    await documented(asked)
    await refused()
    if upstream:
        await behind.walk(int(upstream[0]), upstream[1:], someone, issuer)
    await locked(auth, storage, told)


facts.closing(lambda: asyncio.run(walk()))
