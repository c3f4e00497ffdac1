"""Verifiers: who may have issued a token, for whom, and with which keys."""

import asyncio
import functools
import json
import time
from collections.abc import Mapping
from typing import Any, Callable, Iterable, List, Literal, Optional, Tuple, Union, overload

from . import _core
from .claims import Claims, Payload
from .errors import Code, DocumentError, KeysUnavailable, VerificationError
from .keys import Keys, RemoteKeys

# The numbers of assay.h.
_TEXTS = {
    "issuer": 1,
    "audience": 2,
    "trusted_audiences": 3,
    "authorized_party": 4,
    "algorithms": 5,
    "types": 6,
    "required": 7,
    "context_classes": 8,
    "authentication_methods": 9,
    "revoked_token_ids": 10,
    "nonce": 11,
    "access_token": 12,
    "code": 13,
    "subject": 14,
    "scopes": 15,
}
_NUMBERS = {"leeway": 101, "maximum_age": 102, "maximum_authentication_age": 103, "expiration_required": 104, "trusted_audiences_only": 105}
_RULES = (_TEXTS.keys() | _NUMBERS.keys()) - {"issuer", "audience"}
_ONE_TEXT = {"access_token", "authorized_party", "code", "nonce", "subject"}
# Of these a token has one. An empty list would allow everything, where None says so.
_ALTERNATIVES = {"issuer", "audience", "algorithms", "types", "context_classes"}

Texts = Union[str, Iterable[str]]
Check = Callable[[Claims], Optional[str]]


def _texts(name: str, value: Any) -> List[str]:
    """One text or several as a list; an empty list for None."""
    listed: List[Any] = [] if value is None else [value] if isinstance(value, (str, bytes)) else list(value)
    if name in _ONE_TEXT and value is not None and len(listed) != 1:
        raise ValueError(f"{name} is one text")
    if name in _ALTERNATIVES and value is not None and not listed:
        raise ValueError(f"{name} is an empty list, which allows nothing: None allows everything")
    for text in listed:
        if not isinstance(text, str):
            raise TypeError(f"{name} must be str, not {type(text).__name__}")
    return listed


def _add(policy: Any, name: str, texts: Iterable[str]) -> None:
    for text in texts:
        code = _core.policy_add(policy, _TEXTS[name], text)
        if code == Code.UNSUPPORTED_ALGORITHM:
            raise DocumentError(code, f"{text!r} is no algorithm of signatures")
        if code:
            raise ValueError(f"{name}: {_core.code_name(code)}")


def _set(policy: Any, name: str, value: Any) -> None:
    if isinstance(value, float) and not value.is_integer():
        raise ValueError(f"{name} is a whole number of seconds")
    if _core.policy_set(policy, _NUMBERS[name], int(value)):
        raise ValueError(f"{name} is out of range")


def _policy(profile: str, issuer: Any, audience: Any, rules: Mapping[str, Any]) -> Any:
    issuers, audiences = _texts("issuer", issuer), _texts("audience", audience)
    if profile:
        if profile not in ("id_token", "access_token"):
            raise ValueError('profile is "id_token" or "access_token"')
        if not issuers or not audiences:
            raise ValueError(f"{profile} needs an issuer and an audience")
        policy = _core.policy_new(profile, issuers.pop(0), audiences.pop(0))
    else:
        policy = _core.policy_new("", None, None)
    _add(policy, "issuer", issuers)
    _add(policy, "audience", audiences)
    for name, value in rules.items():
        if name in _TEXTS:
            _add(policy, name, _texts(name, value))
        elif value is not None:
            _set(policy, name, value)
    return policy


class Wait:
    """The wait of one token for its key."""

    PAUSE = 0.005  # seconds between two looks

    def __init__(self, remote: List[RemoteKeys], seconds: float):
        self.remote = remote
        self.deadline = time.monotonic() + seconds
        self.generations = [keys.generation for keys in remote]

    def goes_on(self) -> bool:
        """Whether another try may succeed: a fetch is under way, or other keys have come since the last try."""
        before, self.generations = self.generations, [keys.generation for keys in self.remote]
        return time.monotonic() < self.deadline and (before != self.generations or any(keys.is_expecting for keys in self.remote))


class Verifier(_core.Verifier):
    """Verifies tokens by one policy. It is immutable; threads share it.

    Parameters, where one text may stand for a list of texts:

    - issuer, audience: what `iss` is and `aud` contains, of several texts one; None for any.
    - keys: Keys, RemoteKeys, or a document for Keys.
    - profile: "id_token" (OpenID Connect Core section 3.1.3.7) or "access_token" (RFC 9068 section 4), which require what these do.
    - algorithms: those allowed; by default every asymmetric algorithm and no HMAC.
    - types: the `typ` values allowed, "" for none.
    - required: names of claims that must be there. `expiration_required` is True by default.
    - scopes: `scope` or `scp` grants all of these.
    - subject, authorized_party, nonce: what `sub`, `azp` and `nonce` are. For one login rather use `expecting`.
    - trusted_audiences: audiences that `aud` may have too; with `trusted_audiences_only` no others, as OpenID Connect says.
    - leeway: seconds that clocks may differ, 60 by default. maximum_age and maximum_authentication_age: seconds since `iat` and
      `auth_time`.
    - context_classes: `acr` is one of these. authentication_methods: `amr` contains all of these.
    - revoked_token_ids: `jti` is none of these.
    - access_token, code: what `at_hash` and `c_hash` are the hashes of.
    - realm: for challenges.
    - checks: functions of one's own, which get the verified claims and return None, or a sentence that says why not: then the token is
      refused with invalid_claim.
    - clock: gives the time in seconds since 1970; None is the system's.
    - token_bytes: the longest token, 16,384 by default. cache_bytes: memory for tokens that come again, 0 by default; cache_seconds and
      cache_digests as in `assay.h`.

    Raises DocumentError for keys that cannot be read and unknown algorithms, TypeError and ValueError for other arguments.
    """

    __slots__ = ("_description", "_parts", "_remote", "_scope", "_checks", "_is_login", "__weakref__")
    _description: str
    _parts: List[Tuple[Any, Union[Keys, RemoteKeys]]]
    _remote: List[RemoteKeys]
    _scope: Tuple[Optional[str], str]
    _checks: Tuple[Check, ...]
    _is_login: bool

    def __init_subclass__(cls) -> None:
        if cls.__module__ != __name__:
            raise TypeError("Verifier has no subclasses: what they changed would be left out. Take checks")

    def __new__(
        cls,
        issuer: Optional[Texts],
        audience: Optional[Texts],
        keys: Union[Keys, RemoteKeys, str, bytes, Mapping[str, Any]],
        *,
        profile: str = "",
        algorithms: Optional[Texts] = None,
        types: Optional[Texts] = None,
        required: Optional[Texts] = None,
        scopes: Optional[Texts] = None,
        subject: Optional[str] = None,
        authorized_party: Optional[str] = None,
        trusted_audiences: Optional[Texts] = None,
        trusted_audiences_only: Optional[bool] = None,
        leeway: Optional[int] = None,
        maximum_age: Optional[int] = None,
        expiration_required: Optional[bool] = None,
        context_classes: Optional[Texts] = None,
        authentication_methods: Optional[Texts] = None,
        maximum_authentication_age: Optional[int] = None,
        revoked_token_ids: Optional[Texts] = None,
        nonce: Optional[str] = None,
        access_token: Optional[str] = None,
        code: Optional[str] = None,
        realm: Optional[str] = None,
        checks: Iterable[Check] = (),
        clock: Optional[Callable[[], float]] = None,
        token_bytes: int = 0,
        cache_bytes: int = 0,
        cache_seconds: int = 0,
        cache_digests: bool = False,
    ) -> "Verifier":
        rules = {name: value for name, value in locals().items() if name in _RULES}
        if not isinstance(keys, (Keys, RemoteKeys)):
            keys = Keys(keys)
        if clock is not None and not callable(clock):
            raise TypeError("clock must be callable")
        policy = _policy(profile, issuer, audience, rules)
        scope = " ".join(_texts("scopes", scopes))
        checks = tuple(checks)
        self = super().__new__(
            CheckedVerifier if checks else Verifier,
            [(policy, keys._keys)],
            Claims,
            clock,
            None if realm is None else realm.encode(),
            scope.encode() or None,
            token_bytes,
            cache_bytes,
            cache_seconds,
            cache_digests,
        )
        self._description = f"issuer={issuer!r}, audience={audience!r}, keys={keys!r}"
        self._parts, self._checks, self._scope, self._is_login = [(policy, keys)], checks, (realm, scope), False
        self._remote = [keys] if isinstance(keys, RemoteKeys) else []
        return self

    @staticmethod
    def any_of(
        *verifiers: "Verifier",
        realm: Optional[str] = None,
        clock: Optional[Callable[[], float]] = None,
        cache_bytes: int = 0,
        cache_seconds: int = 0,
    ) -> "Verifier":
        """A verifier of several issuers. Each of `verifiers` names its issuers, none twice; a token's own `iss` chooses, and one that none
        names is refused with issuer_mismatch. Their caches, clocks and realms do not count here. None of them has checks or is for a login:
        ValueError."""
        if any(verifier._checks or verifier._is_login for verifier in verifiers):
            raise ValueError("a verifier with checks or for a login cannot be one of several")
        parts = [part for verifier in verifiers for part in verifier._parts]
        self = _core.Verifier.__new__(
            Verifier,
            [(policy, keys._keys) for policy, keys in parts],
            Claims,
            clock,
            None if realm is None else realm.encode(),
            None,
            0,
            cache_bytes,
            cache_seconds,
            False,
        )
        self._description = f"any of {len(parts)}"
        self._parts, self._checks, self._scope, self._is_login = parts, (), (realm, ""), False
        self._remote = [keys for _, keys in parts if isinstance(keys, RemoteKeys)]
        return self

    def verify_payload(self, token: Union[str, bytes]) -> Payload:
        """Verifies a JWS with any payload, not only claims. Of the policy only algorithms and types apply; the verifier has one issuer."""
        header, payload = self._verify_payload(token)
        return Payload(json.loads(header), payload)

    def expecting(self, *, nonce: str, access_token: Optional[str] = None, code: Optional[str] = None) -> "Verifier":
        """A verifier for the id_token of one login, which shares the keys. `nonce` is that of the authentication request, and must not be
        empty: a lost session cannot skip the check. With `access_token` and `code`, `at_hash` and `c_hash` must be their hashes."""
        if not isinstance(nonce, str) or not nonce:
            raise ValueError("a login has a nonce")
        login = self._login(nonce.encode(), *(None if text is None else text.encode() for text in (access_token, code)))
        for name in ("_parts", "_remote", "_scope", "_checks"):
            setattr(login, name, getattr(self, name))
        login._description, login._is_login = self._description + ", a login", True
        return login

    def verify_waiting(self, token: Union[str, bytes], *, seconds: float = 5.0) -> Claims:
        """Verifies, and waits where a fetch is under way that may bring the token's key, at most so long. Blocks the thread."""
        wait = Wait(self._remote, seconds)
        while True:
            try:
                return self.verify(token)
            except KeysUnavailable:
                if not wait.goes_on():
                    raise
                time.sleep(Wait.PAUSE)

    async def verify_async(self, token: Union[str, bytes], *, seconds: float = 5.0) -> Claims:
        """Does the same, and blocks no event loop: a verification takes microseconds, and the wait is the loop's own."""
        wait = Wait(self._remote, seconds)
        while True:
            try:
                return self.verify(token)
            except KeysUnavailable:
                if not wait.goes_on():
                    raise
                await asyncio.sleep(Wait.PAUSE)

    @overload
    async def verify_batch_async(
        self, tokens: Iterable[Union[str, bytes]], *, claims: Literal[True] = True
    ) -> List[Union[Claims, VerificationError]]: ...

    @overload
    async def verify_batch_async(self, tokens: Iterable[Union[str, bytes]], *, claims: Literal[False]) -> List[Code]: ...

    async def verify_batch_async(self, tokens: Iterable[Union[str, bytes]], *, claims: bool = True) -> Any:
        """verify_batch in a thread of the loop's executor."""
        work: Any = functools.partial(self.verify_batch, list(tokens), claims=claims)
        return await asyncio.get_running_loop().run_in_executor(None, work)

    def challenge(self) -> str:
        """The `WWW-Authenticate` of the reply to a request without a token."""
        return _core.challenge((self._scope[0] or "").encode(), self._scope[1].encode())

    def __reduce__(self) -> Any:
        raise TypeError("a verifier cannot be pickled")

    def __repr__(self) -> str:
        return f"<assay.Verifier: {self._description}>"


class CheckedVerifier(Verifier):
    """A verifier with checks of one's own, which judge a token that all else accepts."""

    __slots__ = ()

    def verify(self, token: Union[str, bytes], *, now: Optional[float] = None) -> Claims:
        claims = super().verify(token, now=now)
        refusal = self._refusal(claims)
        if refusal is not None:
            raise refusal
        return claims

    def verify_batch(self, tokens: Iterable[Union[str, bytes]], *, now: Optional[float] = None, claims: bool = True) -> Any:
        verdicts = super().verify_batch(tokens, now=now)
        judged = [self._refusal(verdict) or verdict if isinstance(verdict, Claims) else verdict for verdict in verdicts]
        return judged if claims else [Code.OK if isinstance(verdict, Claims) else verdict.code for verdict in judged]

    def _refusal(self, claims: Claims) -> Optional[VerificationError]:
        for check in self._checks:
            reason = check(claims)
            if reason is not None and not isinstance(reason, str):
                raise TypeError(f"a check returns None or a sentence, not {type(reason).__name__}")
            if reason is not None:
                return VerificationError(Code.INVALID_CLAIM, reason, _challenge(self._scope[0]))
        return None


def _challenge(realm: Optional[str]) -> str:
    """RFC 6750 section 3.1."""
    said = _core.challenge((realm or "").encode(), b"")
    return said + (", " if realm else " ") + 'error="invalid_token"'
