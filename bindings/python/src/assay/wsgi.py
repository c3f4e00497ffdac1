"""A middleware for WSGI: Flask, Django and others.

    app.wsgi_app = AssayMiddleware(app.wsgi_app, Gateway.of_issuer("https://idp.example", "https://api.example"))

An admitted request has its Decision in `environ["assay"]`. A refused one is answered here.
"""

import time
from http.client import responses
from typing import Any, Callable, Dict, List, Optional, Tuple, Union
from urllib.parse import quote, unquote_to_bytes

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

Environ = Dict[str, Any]
Policy = Union[str, Callable[[Environ], Optional[str]], None]

_BESIDE = {"CONTENT_TYPE": b"content-type", "CONTENT_LENGTH": b"content-length"}


class AssayMiddleware:
    """Decides about each request before the application sees it.

    `policy` names the policy, or is a function of the environ that names it; None leaves it to the settings. `wait` is how long a request
    waits for keys that are being fetched, in seconds. The wait blocks the thread of the request.

    `certificate` says where the server has the client's certificate, in PEM or DER: the name of its variable in the environ, such as
    "SSL_CLIENT_CERT", or a function of the environ. Name none that a client can set; a name that begins with HTTP_ is a field of the client
    and a ValueError. By default there is no certificate, and tokens that are bound to one are refused.

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
        certificate: Union[str, Callable[[Environ], Certificate], None] = None,
        answer: Callable[[Decision], Answer] = Decision.answer,
    ):
        if isinstance(certificate, str) and certificate.upper().startswith("HTTP_"):
            raise ValueError("a client can send this field: a certificate is a variable of the server")
        self.app = app
        self.gateway = gateway
        self.policy = policy
        self.wait = wait
        self.certificate = certificate
        self.answer = answer

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Any:
        asked = self._question(environ)
        answer = None if asked is None else metadata_answer(self.gateway, asked)
        if answer is None:
            decision = ambiguous() if asked is None else self._decided(environ, asked)
            if decision.is_admitted and asked is not None:
                tell(environ, asked.target)
                change(environ, decision)
                return self.app(environ, starting(start_response, decision))
            answer = self.answer(decision)
        status, fields, body = answer
        start_response(f"{status} {responses.get(status, 'Refused')}", fields)
        return [b"" if environ["REQUEST_METHOD"] == "HEAD" else body]

    def _question(self, environ: Environ) -> Optional[Question]:
        """None for a request that has two readings."""
        fields, authority = fields_of(environ), environ.get("HTTP_HOST", environ["SERVER_NAME"]).encode("latin-1")
        if len(fields) > MAXIMUM_FIELDS or names_another_host(environ, authority):
            return None
        method, scheme = environ["REQUEST_METHOD"], environ["wsgi.url_scheme"]
        return Question(method, authority, target_of(environ), fields, scheme, self._certificate(environ))

    def _certificate(self, environ: Environ) -> Certificate:
        if self.certificate is None:
            return None
        return environ.get(self.certificate) if isinstance(self.certificate, str) else self.certificate(environ)

    def _decided(self, environ: Environ, asked: Question) -> Decision:
        policy = self.policy(environ) if callable(self.policy) else self.policy
        deadline = time.monotonic() + self.wait
        while True:
            decision = decision_about(self.gateway, asked, policy, time.monotonic() < deadline)
            if decision.code != Code.AWAITING_KEYS:
                return decision
            time.sleep(PAUSE)


def starting(start_response: Callable[..., Any], decision: Decision) -> Callable[..., Any]:
    """The same, with the nonce for the client's next proof in the application's response."""
    if decision.proof_nonce is None:
        return start_response
    nonce = ("DPoP-Nonce", decision.proof_nonce)

    def with_nonce(status: str, fields: List[Tuple[str, str]], *failure: Any) -> Any:
        return start_response(status, [*(field for field in fields if field[0].lower() != "dpop-nonce"), nonce], *failure)

    return with_nonce


def fields_of(environ: Environ) -> List[Tuple[bytes, bytes]]:
    """The header fields, as far as WSGI keeps them: servers join fields of one name by a comma."""
    fields = [
        (key[5:].replace("_", "-").lower().encode("latin-1"), value.encode("latin-1"))
        for key, value in environ.items()
        if key.startswith("HTTP_") and isinstance(value, str)
    ]
    return fields + [(name, environ[key].encode("latin-1")) for key, name in _BESIDE.items() if environ.get(key)]


def names_another_host(environ: Environ, authority: bytes) -> bool:
    """Whether the target is a whole URL of another host than the field says. The target's host counts (RFC 9112 section 3.2.2), but servers
    give the application the field's."""
    scheme, separator, rest = (environ.get("RAW_URI") or environ.get("REQUEST_URI") or "").partition("://")
    if not separator or "/" in scheme or "?" in scheme:
        return False
    named = rest.partition("/")[0].partition("?")[0].partition("#")[0]
    return named.encode("latin-1", "replace").lower() != authority.lower()


def target_of(environ: Environ) -> bytes:
    """Path and query as the client sent them, where the server tells; else the application's path, encoded."""
    path = (environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")).encode("latin-1") or b"/"
    query = environ.get("QUERY_STRING", "").encode("latin-1")
    told = environ.get("RAW_URI") or environ.get("REQUEST_URI") or ""
    raw = told.partition("?")[0].encode("latin-1", "replace")
    if not raw.startswith(b"/") or unquote_to_bytes(raw) != path:
        raw = quote(path, safe="/:@!$&'()*+,;=-._~").encode()
    return raw + (b"?" + query if query else b"")


def change(environ: Environ, decision: Decision) -> None:
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


def tell(environ: Environ, target: bytes) -> None:
    """The target that was judged, where the server tells one."""
    for key in ("RAW_URI", "REQUEST_URI"):
        if key in environ:
            environ[key] = target.decode("latin-1")


def _change_target(environ: Environ, target: bytes) -> None:
    raw, _, query = target.partition(b"?")
    path, script = unquote_to_bytes(raw).decode("latin-1"), environ.get("SCRIPT_NAME", "")
    if not path.startswith(script):
        raise RuntimeError("the target left the application")
    environ["PATH_INFO"] = path[len(script) :]
    environ["QUERY_STRING"] = query.decode("latin-1")
    tell(environ, target)
