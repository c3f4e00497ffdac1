"""A middleware for WSGI: Flask, Django and others.

    app.wsgi_app = AssayMiddleware(app.wsgi_app, Gateway.of_issuer("https://idp.example", "https://api.example"))

An admitted request has its Decision in `environ["assay"]`. A refused one is answered here.
"""

import time
from http.client import responses
from typing import Any, Callable, Dict, List, Optional, Tuple, Union
from urllib.parse import quote, unquote_to_bytes

from .errors import Code
from .gateway import MAXIMUM_FIELDS, REMOVE_FIELD, SET_FIELD, SET_TARGET, Decision, Gateway, malformed

Policy = Union[str, Callable[[Dict[str, Any]], Optional[str]], None]

# Between two decisions about a request that waits for keys, in seconds.
PAUSE = 0.01
_BESIDE = {"CONTENT_TYPE": b"content-type", "CONTENT_LENGTH": b"content-length"}


class AssayMiddleware:
    """Decides about each request before the application sees it.

    `policy` names the policy, or is a function of the environ that names it; None leaves it to the settings. `wait` is how long a request
    waits for keys that are being fetched, in seconds. The wait blocks the thread of the request.
    """

    def __init__(self, app: Callable[..., Any], gateway: Gateway, *, policy: Policy = None, wait: float = 3.0):
        self.app = app
        self.gateway = gateway
        self.policy = policy
        self.wait = wait

    def __call__(self, environ: Dict[str, Any], start_response: Callable[..., Any]) -> Any:
        decision = self._decided(environ)
        if decision.is_admitted:
            change(environ, decision)
            return self.app(environ, start_response)
        status = 302 if decision.location is not None else decision.status
        body = decision.name.encode() + b"\n"
        fields = [("Content-Type", "text/plain"), ("Content-Length", str(len(body))), *decision.fields()]
        start_response(f"{status} {responses.get(status, 'Refused')}", fields)
        return [b"" if environ["REQUEST_METHOD"] == "HEAD" else body]

    def _decided(self, environ: Dict[str, Any]) -> Decision:
        policy = self.policy(environ) if callable(self.policy) else self.policy
        fields, target, deadline = fields_of(environ), target_of(environ), time.monotonic() + self.wait
        if len(fields) > MAXIMUM_FIELDS:
            return malformed("more than 1,024 fields")
        authority = environ.get("HTTP_HOST", environ["SERVER_NAME"]).encode("latin-1")
        while True:
            may_wait = time.monotonic() < deadline
            decision = self.gateway.decide(
                environ["REQUEST_METHOD"], authority, target, fields, scheme=environ["wsgi.url_scheme"], policy=policy, may_wait=may_wait
            )
            if decision.code != Code.AWAITING_KEYS:
                return decision
            time.sleep(PAUSE)


def fields_of(environ: Dict[str, Any]) -> List[Tuple[bytes, bytes]]:
    """The header fields, as far as WSGI keeps them: servers join fields of one name by a comma."""
    fields = [
        (key[5:].replace("_", "-").lower().encode("latin-1"), value.encode("latin-1"))
        for key, value in environ.items()
        if key.startswith("HTTP_") and isinstance(value, str)
    ]
    return fields + [(name, environ[key].encode("latin-1")) for key, name in _BESIDE.items() if environ.get(key)]


def target_of(environ: Dict[str, Any]) -> bytes:
    """Path and query as the client sent them, where the server tells; else the application's path, encoded."""
    path = (environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")).encode("latin-1") or b"/"
    query = environ.get("QUERY_STRING", "").encode("latin-1")
    told = environ.get("RAW_URI") or environ.get("REQUEST_URI") or ""
    raw = told.partition("?")[0].encode("latin-1", "replace")
    if not raw.startswith(b"/") or unquote_to_bytes(raw) != path:
        raw = quote(path, safe="/:@!$&'()*+,;=-._~").encode()
    return raw + (b"?" + query if query else b"")


def change(environ: Dict[str, Any], decision: Decision) -> None:
    """All operations of an admitted request."""
    environ["assay"] = decision
    for kind, name, value in decision.operations:
        if kind == SET_TARGET:
            _change_target(environ, value)
        elif kind in (SET_FIELD, REMOVE_FIELD):
            key = next((key for key, field in _BESIDE.items() if field == name), "HTTP_" + name.decode("latin-1").upper().replace("-", "_"))
            environ.pop(key, None)
            if kind == SET_FIELD:
                environ[key] = value.decode("latin-1")
        else:
            raise RuntimeError("an operation that this middleware does not know")


def _change_target(environ: Dict[str, Any], target: bytes) -> None:
    raw, _, query = target.partition(b"?")
    path, script = unquote_to_bytes(raw).decode("latin-1"), environ.get("SCRIPT_NAME", "")
    if not path.startswith(script):
        raise RuntimeError("the target left the application")
    environ["PATH_INFO"] = path[len(script) :]
    environ["QUERY_STRING"] = query.decode("latin-1")
    for key in ("RAW_URI", "REQUEST_URI"):
        if key in environ:
            environ[key] = target.decode("latin-1")
