"""A middleware for ASGI: FastAPI, Starlette, Django and others.

    app.add_middleware(AssayMiddleware, gateway=Gateway.of_issuer("https://idp.example", "https://api.example"))

An admitted request has its Decision in `scope["assay"]`. A refused one is answered here.
"""

import asyncio
import time
from typing import Any, Callable, Dict, Optional, Union
from urllib.parse import quote, unquote, unquote_to_bytes

from .errors import Code
from .gateway import (
    MAXIMUM_FIELDS,
    PAUSE,
    REMOVE_FIELD,
    SET_FIELD,
    SET_TARGET,
    Answer,
    Certificate,
    Decision,
    Gateway,
    Question,
    ambiguous,
    decision_about,
    metadata_answer,
)

Scope = Dict[str, Any]
Policy = Union[str, Callable[[Scope], Optional[str]], None]


# Messages with the header fields of a response.
_STARTS = ("http.response.start", "websocket.accept", "websocket.http.response.start")


def certificate_of(scope: Scope) -> Certificate:
    """The client's certificate in PEM, where the server says it by the TLS extension of ASGI."""
    tls = (scope.get("extensions") or {}).get("tls") or {}
    return next(iter(tls.get("client_cert_chain") or ()), None)


class AssayMiddleware:
    """Decides about each request and each WebSocket before the application sees it.

    `policy` names the policy, or is a function of the scope that names it; None leaves it to the settings. `wait` is how long a request
    waits for keys that are being fetched, in seconds. The wait blocks no loop. `certificate` is a function of the scope that gives the
    client's certificate in PEM or DER, or None; by default it reads the TLS extension. A field of the client must not be its source.

    `answer` is a function of the Decision about a refused request that gives the reply, for a log or a body of one's own: its status, its
    header fields and its body.
    """

    def __init__(
        self,
        app: Callable[..., Any],
        gateway: Gateway,
        *,
        policy: Policy = None,
        wait: float = 3.0,
        certificate: Callable[[Scope], Certificate] = certificate_of,
        answer: Callable[[Decision], Answer] = Decision.answer,
    ):
        self.app = app
        self.gateway = gateway
        self.policy = policy
        self.wait = wait
        self.certificate = certificate
        self.answer = answer

    async def __call__(self, scope: Scope, receive: Callable[..., Any], send: Callable[..., Any]) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] not in ("http", "websocket"):
            raise RuntimeError("a type of scope that this middleware does not know")
        asked = self._question(scope)
        metadata = metadata_answer(self.gateway, asked) if asked is not None and scope["type"] == "http" else None
        if metadata is not None:
            await respond(metadata, send, "http.response", asked)
            return
        decision = ambiguous() if asked is None else await self._decided(scope, asked)
        if decision.is_admitted and asked is not None:
            await self.app(changed(scope, asked, decision), receive, sending(send, decision))
        elif scope["type"] == "http":
            await respond(self.answer(decision), send, "http.response", asked)
        elif "websocket.http.response" in (scope.get("extensions") or {}):
            await respond(self.answer(decision), send, "websocket.http.response", asked)
        else:
            await send({"type": "websocket.close", "code": 1008})

    def _question(self, scope: Scope) -> Optional[Question]:
        """None for a request that has two readings."""
        fields = [(bytes(name), bytes(value)) for name, value in scope["headers"]]
        hosts = [value for name, value in fields if name.lower() == b"host"]
        if len(hosts) > 1 or len(fields) > MAXIMUM_FIELDS:
            return None
        scheme = {"ws": "http", "wss": "https"}.get(scope.get("scheme", ""), scope.get("scheme"))
        method, authority = scope.get("method", "GET"), hosts[0] if hosts else b""
        return Question(method, authority, target_of(scope), fields, scheme, self.certificate(scope))

    async def _decided(self, scope: Scope, asked: Question) -> Decision:
        policy = self.policy(scope) if callable(self.policy) else self.policy
        deadline = time.monotonic() + self.wait
        while True:
            decision = decision_about(self.gateway, asked, policy, time.monotonic() < deadline)
            if decision.code != Code.AWAITING_KEYS:
                return decision
            await asyncio.sleep(PAUSE)


def target_of(scope: Scope) -> bytes:
    """Path and query as the client sent them. Where a server has changed the path, the application's one counts, encoded."""
    raw, path = scope.get("raw_path"), scope["path"]
    # Servers put a sign in place of what is no UTF-8.
    if raw is None or path not in (unquote(raw.decode("latin-1")), unquote_to_bytes(raw).decode("utf-8", "surrogateescape")):
        raw = quote(path.encode("utf-8", "surrogateescape"), safe="/:@!$&'()*+,;=-._~").encode()
    query = scope.get("query_string", b"")
    return bytes(raw) + (b"?" + query if query else b"")


def changed(scope: Scope, asked: Question, decision: Decision) -> Scope:
    """The scope after all operations of an admitted request. Its path is the one that was judged."""
    fields = [(bytes(name), bytes(value)) for name, value in scope["headers"]]
    changed = dict(scope, assay=decision)
    if "raw_path" in scope:
        changed["raw_path"] = asked.target.partition(b"?")[0]
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


def sending(send: Callable[..., Any], decision: Decision) -> Callable[..., Any]:
    """The same, with the nonce for the client's next proof in the application's response."""
    if decision.proof_nonce is None:
        return send
    nonce = decision.proof_nonce.encode("latin-1")

    async def with_nonce(message: Dict[str, Any]) -> None:
        if message["type"] in _STARTS:
            fields = [field for field in message.get("headers") or () if bytes(field[0]).lower() != b"dpop-nonce"]
            message = {**message, "headers": [*fields, (b"dpop-nonce", nonce)]}
        await send(message)

    return with_nonce


async def respond(answer: Answer, send: Callable[..., Any], kind: str, asked: Optional[Question]) -> None:
    status, fields, body = answer
    headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in fields]
    await send({"type": f"{kind}.start", "status": status, "headers": headers})
    await send({"type": f"{kind}.body", "body": b"" if asked is not None and asked.method == "HEAD" else body})
