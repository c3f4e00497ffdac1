"""A user's client: the MCP SDK's client, and the browser that it opens. The browser fills the login page and answers what it asks."""
import asyncio
import http.client
import json
import urllib.parse

import httpx2
from facts import fact
from mcp.client.auth import OAuthClientProvider
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

CALLBACK = "http://127.0.0.1:49152/callback"
METADATA = {"client_name": "Walking client", "redirect_uris": [CALLBACK], "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"], "token_endpoint_auth_method": "none"}


class Browser:
    """The user's browser: keeps the server's cookies, fills the page, answers its question."""

    def __init__(self, base, password, consent=True):
        self.base, self.password = base, password
        self.cookies, self.consent, self.pages, self.end = {}, consent, [], {}

    def request(self, method, address, body=None, fields=None):
        url = urllib.parse.urlsplit(address)
        connection = http.client.HTTPConnection(url.hostname, url.port, timeout=30)
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        connection.request(method, url._replace(scheme="", netloc="").geturl(), None if body is None else json.dumps(body),
                           {"Accept": "text/html", **({"Cookie": cookies} if cookies else {}), **(fields or {})})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = cookie.partition(";")[0].strip().partition("=")
            self.cookies[name] = value
        return answer, text

    def call(self, client, path, body, status=200, **fields):
        """What the page's script sends."""
        answer, text = self.request("POST", self.base + path, body, {
            "X-client-id": client, "X-agent": "browser", "X-operating-sys-version": "Browser", "Content-Type": "application/json",
            "Sec-Fetch-Site": "same-origin", **fields})
        fact(f"{path}: {answer.status} {text}", answer.status == status)
        return json.loads(text)

    async def open(self, address):
        await asyncio.to_thread(self.walk, address)

    def walk(self, address):
        answer, text = self.request("GET", address)
        location = answer.headers.get("Location", "")
        fact(f"the server sends the browser to its page: {answer.status} {location} {text}", answer.status == 303 and location.startswith("/login?"))
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(location).query))
        client, request = query["client_id"], query["request"]
        page, text = self.request("GET", self.base + location)
        fact(f"the page is there: {page.status}", page.status == 200)
        self.pages.append(text)
        session = self.call(client, "/api/v2/sdk/login", {"user_name": "jane", "password": self.password})["session_token"]
        path, fields = "/api/v1/oauth2/authorize/complete", {"session-token": session}
        refused = self.call(client, path, {"request": request}, status=400, **fields)
        fact(f"without an answer nothing is granted: {refused}", refused["error_code"] == "IDAAS.SDK.COMMON.1001")
        end = self.call(client, path, {"request": request, "consent": self.consent}, **fields)["redirect_uri"]
        fact(f"the redirect goes to the client: {end}", end.startswith(CALLBACK + "?"))
        self.end = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(end).query))

    async def returned(self):
        return AuthorizationCodeResult(code=self.end.get("code", ""), state=self.end.get("state"), iss=self.end.get("iss"))


class Storage:
    def __init__(self):
        self.tokens, self.client, self.history = None, None, []

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens
        self.history.append(tokens)

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


def provider(resource, browser, storage, url=None):
    return OAuthClientProvider(
        server_url=resource, client_metadata=OAuthClientMetadata(**METADATA), storage=storage, redirect_handler=browser.open,
        callback_handler=browser.returned, client_metadata_url=url)


async def tell(resource, auth, tool):
    """What a tool of a server tells a client with this provider."""
    async with httpx2.AsyncClient(auth=auth, timeout=30) as transport:
        async with Client(streamable_http_client(resource, http_client=transport)) as client:
            result = await client.call_tool(tool, {})
            return json.loads(result.content[0].text)
