"""A middleware for ASGI: FastAPI, Starlette, Django and others.

    app.add_middleware(AssayMiddleware, gateway=Gateway.of_issuer("https://idp.example", "https://api.example"))

An admitted request has its Decision in `scope["assay"]`. A refused one is answered here.
"""

import asyncio
import time
from typing import Any, Callable, Dict, Optional, Union
from urllib.parse import quote, unquote_to_bytes

from .errors import Code
from .gateway import MAXIMUM_FIELDS, REMOVE_FIELD, SET_FIELD, SET_TARGET, Decision, Gateway, malformed

Policy = Union[str, Callable[[Dict[str, Any]], Optional[str]], None]

# Between two decisions about a request that waits for keys, in seconds.
PAUSE = 0.01


class AssayMiddleware:
    """Decides about each request and each WebSocket before the application sees it.

    `policy` names the policy, or is a function of the scope that names it; None leaves it to the settings. `wait` is how long a request
    waits for keys that are being fetched, in seconds. The wait blocks no loop.
    """

    def __init__(self, app: Callable[..., Any], gateway: Gateway, *, policy: Policy = None, wait: float = 3.0):
        self.app = app
        self.gateway = gateway
        self.policy = policy
        self.wait = wait

    async def __call__(self, scope: Dict[str, Any], receive: Callable[..., Any], send: Callable[..., Any]) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] not in ("http", "websocket"):
            raise RuntimeError("a type of scope that this middleware does not know")
        decision = await self._decided(scope)
        if decision.is_admitted:
            await self.app(changed(scope, decision), receive, send)
        elif scope["type"] == "http":
            await answer(decision, send, "http.response")
        elif "websocket.http.response" in scope.get("extensions", {}):
            await answer(decision, send, "websocket.http.response")
        else:
            await send({"type": "websocket.close", "code": 1008})

    async def _decided(self, scope: Dict[str, Any]) -> Decision:
        policy = self.policy(scope) if callable(self.policy) else self.policy
        fields = [(bytes(name), bytes(value)) for name, value in scope["headers"]]
        hosts = [value for name, value in fields if name.lower() == b"host"]
        if len(hosts) > 1 or len(fields) > MAXIMUM_FIELDS:
            return malformed("several hosts, or more than 1,024 fields")
        authority = hosts[0] if hosts else b""
        scheme = {"ws": "http", "wss": "https"}.get(scope.get("scheme", ""), scope.get("scheme"))
        method, target, deadline = scope.get("method", "GET"), target_of(scope), time.monotonic() + self.wait
        while True:
            may_wait = time.monotonic() < deadline
            decision = self.gateway.decide(method, authority, target, fields, scheme=scheme, policy=policy, may_wait=may_wait)
            if decision.code != Code.AWAITING_KEYS:
                return decision
            await asyncio.sleep(PAUSE)


def target_of(scope: Dict[str, Any]) -> bytes:
    """Path and query as the client sent them. Where a server has changed the path, the application's one counts, encoded."""
    raw, path = scope.get("raw_path"), scope["path"].encode("utf-8", "surrogateescape")
    if raw is None or unquote_to_bytes(raw) != path:
        raw = quote(path, safe="/:@!$&'()*+,;=-._~").encode()
    query = scope.get("query_string", b"")
    return bytes(raw) + (b"?" + query if query else b"")


def changed(scope: Dict[str, Any], decision: Decision) -> Dict[str, Any]:
    """The scope after all operations of an admitted request."""
    fields = [(bytes(name), bytes(value)) for name, value in scope["headers"]]
    changed = dict(scope, assay=decision)
    for kind, name, value in decision.operations:
        if kind == SET_TARGET:
            path, _, query = value.partition(b"?")
            changed.update(path=unquote_to_bytes(path).decode("utf-8", "surrogateescape"), raw_path=path, query_string=query)
        elif kind in (SET_FIELD, REMOVE_FIELD):
            fields = [field for field in fields if field[0].lower() != name]
            if kind == SET_FIELD:
                fields.append((name, value))
        else:
            raise RuntimeError("an operation that this middleware does not know")
    changed["headers"] = fields
    return changed


async def answer(decision: Decision, send: Callable[..., Any], kind: str) -> None:
    body = decision.name.encode() + b"\n"
    fields = [("Content-Type", "text/plain"), ("Content-Length", str(len(body))), *decision.fields()]
    headers: Any = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in fields]
    await send({"type": f"{kind}.start", "status": 302 if decision.location is not None else decision.status, "headers": headers})
    await send({"type": f"{kind}.body", "body": body})
