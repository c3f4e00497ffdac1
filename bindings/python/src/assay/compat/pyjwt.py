"""`decode` with PyJWT's signature, judged by Assay: `from assay.compat import pyjwt as jwt`.

It takes no option that switches a check off, and is stricter where Docs/Python.md says so. `Verifier` is faster and says more.
"""

import base64
import json
import math
from datetime import timedelta
from functools import lru_cache
from typing import Any, Container, Dict, Iterable, Mapping, Optional, Sequence, Tuple, Union

from ..claims import Claims
from ..errors import Code, DocumentError, VerificationError
from ..keys import Keys
from ..verifier import Verifier
from .pyjwt_errors import (
    DecodeError,
    ExpiredSignatureError,
    ImmatureSignatureError,
    InvalidAlgorithmError,
    InvalidAudienceError,
    InvalidIssuedAtError,
    InvalidIssuerError,
    InvalidJTIError,
    InvalidKeyError,
    InvalidSignatureError,
    InvalidSubjectError,
    InvalidTokenError,
    MissingRequiredClaimError,
    PyJWTError,
    refused,
    translated,
)

__all__ = [
    "DecodeError",
    "ExpiredSignatureError",
    "ImmatureSignatureError",
    "InvalidAlgorithmError",
    "InvalidAudienceError",
    "InvalidIssuedAtError",
    "InvalidIssuerError",
    "InvalidJTIError",
    "InvalidKeyError",
    "InvalidSignatureError",
    "InvalidSubjectError",
    "InvalidTokenError",
    "MissingRequiredClaimError",
    "PyJWTError",
    "decode",
    "decode_complete",
]

_ALWAYS = ("verify_signature", "verify_exp", "verify_nbf", "verify_iat", "verify_sub", "verify_jti", "enforce_minimum_key_length")
_OPTIONS = {*_ALWAYS, "verify_aud", "verify_iss", "strict_aud", "require"}
# What keys begin with that OpenSSH and its kin write. They are public, and no secret of an HMAC.
_SSH = (b"ssh-", b"ecdsa-", b"sk-ssh-", b"sk-ecdsa-", b"---- BEGIN ")


def decode(
    jwt: Union[str, bytes],
    key: Any = "",
    algorithms: Optional[Sequence[str]] = None,
    options: Optional[Mapping[str, Any]] = None,
    verify: Optional[bool] = None,
    detached_payload: Optional[bytes] = None,
    audience: Union[str, Iterable[str], None] = None,
    subject: Optional[str] = None,
    issuer: Union[str, Container[str], None] = None,
    leeway: Union[float, timedelta] = 0,
) -> Dict[str, Any]:
    """The claims of a valid token as a dict.

    `key` is a public key in PEM, a secret, a JWK as a dict, a `jwt.PyJWK` or a public key of `cryptography`. Raises what `jwt.decode`
    raises, and ValueError for an option that switches a check off and for a negative leeway.
    """
    return _verified(jwt, key, algorithms, options, verify, detached_payload, audience, subject, issuer, leeway).copy()


def decode_complete(
    jwt: Union[str, bytes],
    key: Any = "",
    algorithms: Optional[Sequence[str]] = None,
    options: Optional[Mapping[str, Any]] = None,
    verify: Optional[bool] = None,
    detached_payload: Optional[bytes] = None,
    audience: Union[str, Iterable[str], None] = None,
    issuer: Union[str, Container[str], None] = None,
    subject: Optional[str] = None,
    leeway: Union[float, timedelta] = 0,
) -> Dict[str, Any]:
    """A dict with `header`, `payload` and `signature` of a valid token."""
    claims = _verified(jwt, key, algorithms, options, verify, detached_payload, audience, subject, issuer, leeway)
    signature = (jwt if isinstance(jwt, str) else jwt.decode()).rpartition(".")[2]
    return {
        "header": claims.header,
        "payload": claims.copy(),
        "signature": base64.urlsafe_b64decode(signature + "=" * (-len(signature) % 4)),
    }


def _verified(token, key, algorithms, options, verify, detached_payload, audience, subject, issuer, leeway) -> Claims:
    chosen = _options(options, verify, detached_payload)
    document, allowed = _document(key, algorithms)
    audiences = _listed(audience) if chosen.get("verify_aud", True) else None
    issuers = _listed(issuer) if chosen.get("verify_iss", True) else None
    seconds = leeway.total_seconds() if isinstance(leeway, timedelta) else leeway
    if seconds < 0:
        raise ValueError("the leeway is negative")
    verifier = _verifier(document, allowed, audiences, issuers, subject, tuple(chosen.get("require", ())), math.floor(seconds))
    try:
        claims = verifier.verify(token)
    except VerificationError as refusal:
        raise translated(refusal) from None
    _check_audience(claims, audience, chosen)
    return claims


def _options(options: Optional[Mapping[str, Any]], verify: Optional[bool], detached_payload: Optional[bytes]) -> Mapping[str, Any]:
    chosen = options or {}
    unknown = set(chosen) - _OPTIONS
    if unknown:
        raise ValueError(f"unknown options: {', '.join(sorted(map(str, unknown)))}")
    for name in _ALWAYS:
        if not chosen.get(name, True):
            raise ValueError(f"{name} cannot be switched off")
    if verify is False:
        raise ValueError("verify cannot be switched off")
    if detached_payload is not None:
        raise ValueError("a detached payload is not supported")
    return chosen


def _listed(value: Any) -> Optional[Tuple[str, ...]]:
    if value is None:
        return None
    listed = (value,) if isinstance(value, str) else tuple(value)
    if not listed:
        raise ValueError("an empty list would allow everything")
    return listed


def _check_audience(claims: Claims, audience: Any, options: Mapping[str, Any]) -> None:
    """What PyJWT asks beside the audience itself."""
    if not options.get("verify_aud", True):
        return
    if audience is None and claims.get("aud"):
        raise refused(InvalidAudienceError, Code.AUDIENCE_MISMATCH, "the token has an audience, and none was given", "aud")
    if options.get("strict_aud") and not (isinstance(audience, str) and claims.get("aud") == audience):
        raise refused(InvalidAudienceError, Code.AUDIENCE_MISMATCH, "the audience is not one text", "aud")


@lru_cache(maxsize=256)
def _verifier(document: str, algorithms, audiences, issuers, subject, required, leeway) -> Verifier:
    try:
        keys = Keys(document)
    except DocumentError as error:
        raise refused(InvalidKeyError, error.code, error.reason) from None
    return Verifier(
        issuers, audiences, keys, algorithms=algorithms, subject=subject, required=required, leeway=leeway, expiration_required=False
    )


def _document(key: Any, algorithms: Optional[Sequence[str]]) -> Tuple[str, Tuple[str, ...]]:
    """The keys as a document, and the algorithms that are allowed."""
    if hasattr(key, "_jwk_data"):  # jwt.PyJWK
        # PyJWT may have been told another algorithm than the JWK names, or have chosen one. It is the only one.
        algorithms = [key.algorithm_name] if algorithms is None else algorithms
        key = {**key._jwk_data, "alg": key.algorithm_name}
        if not algorithms:
            raise refused(InvalidAlgorithmError, Code.ALGORITHM_NOT_ALLOWED, "no algorithm is allowed")
    if not algorithms or isinstance(algorithms, str):
        raise refused(DecodeError, Code.ALGORITHM_NOT_ALLOWED, "a list of algorithms is needed")
    secret = [name.startswith("HS") for name in algorithms]
    if any(secret) and not all(secret):
        raise refused(InvalidAlgorithmError, Code.ALGORITHM_NOT_ALLOWED, "a secret and a public key are never the same key")
    return _text(key, all(secret)), tuple(algorithms)


def _text(key: Any, is_secret: bool) -> str:
    if isinstance(key, Mapping):
        # As with PyJWT the key is chosen by the caller, and not by the token's `kid`.
        return json.dumps({name: value for name, value in key.items() if name != "kid"})
    if hasattr(key, "public_bytes"):
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        key = key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    octets = key.encode() if isinstance(key, str) else key
    if not isinstance(octets, bytes):
        raise TypeError("a key is str, bytes, a JWK or a public key")
    is_pem = b"-----BEGIN " in octets
    if is_secret and (is_pem or octets.lstrip().startswith(_SSH)):
        raise refused(InvalidKeyError, Code.INVALID_KEY, "a public key is no secret")
    if is_secret:
        return json.dumps({"kty": "oct", "k": base64.urlsafe_b64encode(octets).rstrip(b"=").decode()})
    if not is_pem:
        raise refused(InvalidKeyError, Code.INVALID_KEY, "the key is not PEM")
    return octets.decode("latin-1")
