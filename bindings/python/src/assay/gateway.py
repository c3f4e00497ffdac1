"""The decision core of Assay's gateways: may this request pass, and what becomes of its header fields?"""

import base64
import binascii
import json
import math
import re
from collections.abc import Mapping
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Tuple, Union

from . import _core
from .errors import Code
from .keys import Client, continued_after_fork, wait_for

SET_FIELD, REMOVE_FIELD, SET_TARGET = 1, 2, 4
MAXIMUM_FIELDS = 1024
# Between two decisions about a request that waits for keys, in seconds.
PAUSE = 0.01
Fields = Iterable[Tuple[bytes, bytes]]
Certificate = Union[str, bytes, None]
Answer = Tuple[int, List[Tuple[str, str]], bytes]

_PEM = re.compile(r"-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----")
_METADATA = b"/.well-known/oauth-protected-resource"


class Question(NamedTuple):
    """What a gateway reads of a request."""

    method: str
    authority: bytes
    target: bytes
    fields: List[Tuple[bytes, bytes]]
    scheme: Optional[str]
    certificate: Certificate


class Decision(NamedTuple):
    """What is decided about one request. Only one that `is_admitted` may pass, and only after all `operations` are done.

    `operations` are (kind, name, value), with SET_FIELD, REMOVE_FIELD or SET_TARGET as the kind. `waived` is the refusal that a dry run
    turned into an admission, or OK. `reason` is a sentence for logs, without a byte of the token. `proof_nonce` is the value of DPoP-Nonce
    for the response, also for that of an admitted request (RFC 9449 section 8); None where the client needs no new nonce.
    """

    code: Code
    waived: Code
    status: int
    retry_after: Optional[int]
    challenge: Optional[str]
    location: Optional[str]
    policy: Optional[str]
    reason: str
    operations: List[Tuple[int, bytes, bytes]]
    providers: List[str]
    metadata: List[Tuple[str, str, str]]
    proof_nonce: Optional[str] = None

    @property
    def is_admitted(self) -> bool:
        return self.code == Code.OK

    @property
    def name(self) -> str:
        return _core.code_name(self.code)

    def claims(self, provider: Optional[str] = None) -> Optional[Dict[str, Any]]:
        """The claims of the token that was accepted, of this provider or of the first one; None without a token. The provider's settings
        have `payloadMetadata: payload`."""
        for of, key, text in self.metadata:
            if key == "payload" and provider in (None, of):
                return json.loads(text)
        return None

    def fields(self) -> List[Tuple[str, str]]:
        """The header fields of the reply to a request that is refused."""
        fields = [("Cache-Control", "no-store")]
        if self.proof_nonce is not None:
            fields.append(("DPoP-Nonce", self.proof_nonce))
        if self.location is not None:
            return [("Location", self.location), ("Vary", "Accept, Sec-Fetch-Mode"), *fields]
        if self.challenge is not None:
            fields.append(("WWW-Authenticate", self.challenge))
        if self.retry_after is not None:
            fields.append(("Retry-After", str(self.retry_after)))
        return fields

    def answer(self) -> Answer:
        """Status, header fields and body of the reply to a request that is refused. The body is the name of the code."""
        body = self.name.encode() + b"\n"
        fields = [("Content-Type", "text/plain"), ("Content-Length", str(len(body))), *self.fields()]
        return 302 if self.location is not None else self.status, fields, body

    def __repr__(self) -> str:
        return f"<assay.Decision: {self.name}>"


def ambiguous() -> Decision:
    """The refusal of a request that has two readings, whatever the settings say."""
    reason = "malformed_request: several hosts, or more than 1,024 fields"
    return Decision(Code.MALFORMED_REQUEST, Code.OK, 400, None, None, None, None, reason, [], [], [])


def decision_about(gateway: "Gateway", asked: Question, policy: Optional[str], may_wait: bool) -> Decision:
    return gateway.decide(
        asked.method,
        asked.authority,
        asked.target,
        asked.fields,
        scheme=asked.scheme,
        policy=policy,
        may_wait=may_wait,
        certificate=asked.certificate,
    )


def metadata_answer(gateway: "Gateway", asked: Question) -> Optional[Answer]:
    """The answer to a request for the metadata of a protected resource, which needs no token; None for every other request."""
    if not asked.target.startswith(_METADATA):
        return None
    document = gateway.resource_metadata(asked.authority, asked.target)
    if document is None:
        return None
    fields = [("Access-Control-Allow-Origin", "*"), ("Cache-Control", "max-age=300")]
    if asked.method in ("GET", "HEAD"):
        body = document.encode()
        return 200, [*fields, ("Content-Type", "application/json"), ("Content-Length", str(len(body)))], body
    if asked.method == "OPTIONS":
        # A page asks first, if it sends a field of its own.
        return 204, [*fields, ("Access-Control-Allow-Methods", "GET, HEAD"), ("Access-Control-Allow-Headers", "*")], b""
    return 405, [*fields, ("Allow", "GET, HEAD, OPTIONS"), ("Content-Length", "0")], b""


def _der(certificate: Certificate) -> Optional[bytes]:
    """The one certificate of PEM in DER. What is none stays what it is, and is malformed for every token that is bound to one."""
    if not isinstance(certificate, str):
        return certificate or None
    found = _PEM.search(certificate) if certificate.count("-----BEGIN ") == 1 else None
    try:
        return base64.b64decode(found[1]) if found else certificate.encode("utf-8", "surrogatepass") or None
    except binascii.Error:
        return certificate.encode("utf-8", "surrogatepass")


class Gateway:
    """Decides by the settings of `assay serve` as JSON: providers, policies, and `routes` or one `policy`.

    A thread of its own fetches the keys of all issuers by the rules of `client`, unless `fetches` is False. `folder` is where paths in the
    settings count from. `cache_bytes` is memory for tokens that come again. Raises SettingsError, whose reason has a line for each fault.
    """

    __slots__ = ("_gateway", "_http", "__weakref__")

    def __init__(
        self,
        settings: Union[str, bytes, Mapping[str, Any]],
        *,
        folder: Optional[str] = None,
        cache_bytes: int = 16 << 20,
        client: Client = Client(),
        fetches: bool = True,
    ):
        self._gateway = _core.gateway_new(_text(settings), folder, cache_bytes)
        self._http = None
        if fetches:
            from . import _http

            self._http = _http.http_new_gateway(self._gateway, client.options())
            continued_after_fork.add(self)

    @classmethod
    def of_issuer(
        cls,
        issuer: str,
        audience: Union[str, Iterable[str]],
        *,
        keys: Union[str, Mapping[str, Any], None] = None,
        scopes: Union[str, Iterable[str]] = (),
        claims: Iterable[Mapping[str, Any]] = (),
        is_optional: bool = False,
        **options: Any,
    ) -> "Gateway":
        """A gateway that asks every request for a token of one issuer.

        `keys` is the URL of a JWK Set or a set itself; without it the issuer's metadata names the URL. `claims` are rules as in the
        settings, such as {"claim": "email_verified", "equals": "true"}. With `is_optional` a request without a token passes too.
        """
        audiences = [audience] if isinstance(audience, str) else list(audience)
        scopes = [scopes] if isinstance(scopes, str) else scopes
        provider: Dict[str, Any] = {
            "name": "issuer",
            "issuer": issuer,
            "audiences": audiences,
            "payloadMetadata": "payload",
            "required": True,
        }
        if isinstance(keys, str):
            provider["keys"] = {"url": keys}
        elif keys is not None:
            provider["keys"] = {"inline": json.dumps(dict(keys))}
        rules = {name: list(value) for name, value in (("scopes", scopes), ("claims", claims)) if value}
        requires: Any = {"any": ["issuer", "allow-missing"]} if is_optional else "issuer"
        settings = {"providers": [provider], "policies": [{"name": "all", "requires": requires, **rules}], "policy": "all"}
        return cls(settings, **options)

    @staticmethod
    def check(settings: Union[str, bytes, Mapping[str, Any]]) -> List[str]:
        """What is wrong with settings and what may do something else than it seems to: "error: …" or "warning: …"."""
        return _core.gateway_check(_text(settings)).splitlines()

    def decide(
        self,
        method: Union[str, bytes],
        authority: Union[str, bytes],
        target: Union[str, bytes],
        fields: Fields,
        *,
        scheme: Optional[str] = None,
        policy: Optional[str] = None,
        may_wait: bool = False,
        now: Optional[float] = None,
        certificate: Certificate = None,
    ) -> Decision:
        """Decides about a request: its method with its case, its authority, its path and query as the client sent them, and all of its
        header fields in their order. `policy` names the policy, for a host with routes of its own. With `may_wait` the code of a decision
        that lacks keys is AWAITING_KEYS: decide again after a moment. `now` is the time in seconds since 1970; None is the system's.
        `certificate` is the client's, as the host itself knows it from the TLS connection (RFC 8705): bytes in DER, or a text in PEM. Takes
        microseconds and waits for nothing."""
        if now is not None and not (math.isfinite(now) and now >= 0):
            raise ValueError("the time must be seconds since 1970")
        texts, moment = (method, authority, target, scheme, policy, _der(certificate)), -1.0 if now is None else now
        code, waived, status, retry_after, *rest = _core.gateway_decide(self._gateway, *texts, tuple(fields), may_wait, moment)
        return Decision(Code(code), Code(waived), status, None if retry_after < 0 else retry_after, *rest)

    def resource_metadata(self, authority: Union[str, bytes], target: Union[str, bytes]) -> Optional[str]:
        """The metadata (RFC 9728) of the protected resource in `resources` of the settings that has it at this authority and target, as a
        JSON text; None where none has. The middlewares serve it."""
        return _core.gateway_resource_metadata(self._gateway, authority, target) or None

    def replace(self, settings: Union[str, bytes, Mapping[str, Any]]) -> None:
        """Other settings from the next decision on. With SettingsError those before stay."""
        _core.gateway_replace(self._gateway, _text(settings))

    def revoke(self, revocations: Iterable[Mapping[str, Any]]) -> None:
        """Replaces the list of revocations: [{"issuer": …, "sub": …}, …]. With SettingsError the list before stays."""
        _core.gateway_revoke(self._gateway, json.dumps({"revocations": [dict(each) for each in revocations]}))

    def wait(self, seconds: float = 5.0) -> bool:
        """Waits until every required issuer has keys, at most so long. Returns whether it is so. Blocks the thread."""
        return self.is_ready if self._http is None else wait_for(self._http, seconds)

    @property
    def is_ready(self) -> bool:
        """Whether every required issuer has keys."""
        return _core.gateway_is_ready(self._gateway)

    @property
    def status(self) -> Dict[str, Any]:
        """Keys and decisions."""
        return json.loads(_core.gateway_status(self._gateway))

    @property
    def metrics(self) -> str:
        """Samples for Prometheus (text format 0.0.4)."""
        return _core.gateway_metrics(self._gateway)

    def close(self) -> None:
        """Ends the fetches and frees the gateway. A second call does nothing."""
        from . import _http

        if self._http is not None:
            _http.http_close(self._http, None)
            self._http = None
            continued_after_fork.discard(self)
        try:
            _core.gateway_close(self._gateway)
        except ValueError:
            pass  # it is closed

    def after_fork(self) -> None:
        """Begins to fetch again in a child; called by itself after os.fork."""
        wait_for(self._http, 0)

    def __enter__(self) -> "Gateway":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise TypeError("a gateway cannot be pickled")

    def __repr__(self) -> str:
        return "<assay.Gateway>"


def _text(settings: Union[str, bytes, Mapping[str, Any]]) -> Union[str, bytes]:
    return json.dumps(dict(settings)) if isinstance(settings, Mapping) else settings
