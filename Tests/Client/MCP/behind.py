"""A server of the MCP SDK behind a gateway: the server asks for no token, and the gateway says who calls."""
import json
import socket
import threading

import httpx2
import uvicorn
from client import Storage, provider, tell
from facts import fact
from mcp.server.mcpserver import Context, MCPServer

WELL_KNOWN = "/.well-known/oauth-protected-resource"


def serve(server, port, path="/mcp"):
    """Serves on loopback, and waits until the port is open."""
    app = server.streamable_http_app(stateless_http=True, json_response=True, streamable_http_path=path)
    config = uvicorn.Config(app, host="127.0.0.1", port=port, log_level="error", lifespan="on")
    threading.Thread(target=uvicorn.Server(config).run, daemon=True).start()
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        threading.Event().wait(0.1)
    raise AssertionError(f"nothing listens at {port}")


def unprotected():
    server = MCPServer("Behind", log_level="ERROR")

    @server.tool()
    def caller(context: Context) -> str:
        """Who calls, as the gateway says."""
        fields = context.request_context.request.headers
        return json.dumps({"user": fields.get("x-user"), "scope": fields.get("x-scope")})

    return server


def refused_without_token(resource):
    """The challenge names the metadata, which is there for this host alone."""
    answer = httpx2.post(resource, json={})
    challenge = answer.headers.get("www-authenticate", "")
    origin = resource.removesuffix("/mcp")
    fact(f"{resource} is protected: {answer.status_code} {challenge}", answer.status_code == 401)
    fact("the challenge names the metadata", f'resource_metadata="{origin}{WELL_KNOWN}/mcp"' in challenge and 'scope="walk.read"' in challenge)
    metadata = httpx2.get(f"{origin}{WELL_KNOWN}/mcp")
    fact(f"the metadata is JSON: {metadata.text}", metadata.headers["content-type"] == "application/json")
    fact("and that of the resource", metadata.json()["resource"] == resource)
    for path, fields in [("/mcp", {"Host": "evil.example"}), ("", {}), ("/mcp/", {}), ("/%6dcp", {})]:
        answer = httpx2.get(f"{origin}{WELL_KNOWN}{path}", headers=fields)
        fact(f"another host or path has none: {fields} {path} {answer.status_code}",
             answer.status_code in (400, 401, 403, 404) and "resource" not in answer.text)
    return metadata.json()


async def through(resource, someone, issuer):
    """Discovers by the challenge, authorises, calls; then a place that needs more asks for another scope."""
    metadata = refused_without_token(resource)
    fact(f"the metadata names the server and the scopes: {metadata}",
         metadata["authorization_servers"] == [issuer] and metadata["scopes_supported"] == ["walk.read", "walk.write"])
    browser, storage = someone(), Storage()
    first = await tell(resource, provider(resource, browser, storage), "caller")
    fact(f"the gateway names the caller: {first}", bool(first["user"]) and first["scope"] == "walk.read" and len(browser.pages) == 1)
    place = f"{resource}/write"
    answer = httpx2.post(place, json={}, headers={"Authorization": f"Bearer {storage.tokens.access_token}"})
    challenge = answer.headers.get("www-authenticate", "")
    fact(f"another place needs more: {answer.status_code} {challenge}",
         answer.status_code == 403 and 'error="insufficient_scope"' in challenge and 'scope="walk.read walk.write"' in challenge)
    fact("its challenge names the same metadata", f'{WELL_KNOWN}/mcp"' in challenge)
    second = await tell(place, provider(place, browser, storage), "caller")
    fact(f"the client asked the user for the other scope: {second}",
         len(browser.pages) == 2 and second["user"] == first["user"] and second["scope"].split() == ["walk.read", "walk.write"])
    return storage.tokens.access_token


async def walk(port, resources, someone, issuer):
    """The resources: each protects the same server. Its token is none for the others."""
    serve(unprotected(), port)
    tokens = [await through(resource, someone, issuer) for resource in resources]
    for resource, token in zip(resources, tokens[1:] + tokens[:1]):
        answer = httpx2.post(resource, json={}, headers={"Authorization": f"Bearer {token}"})
        fact(f"a token for another resource is none here: {answer.status_code}",
             answer.status_code == 401 and "invalid_token" in answer.headers["www-authenticate"])
