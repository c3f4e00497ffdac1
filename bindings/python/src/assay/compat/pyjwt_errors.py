"""PyJWT's exceptions. Where PyJWT is installed they are subclasses of its own, so `except jwt.ExpiredSignatureError` goes on working."""

from typing import Optional

from ..errors import Code, VerificationError

try:
    import jwt.exceptions as _theirs
except ImportError:
    _theirs = None


class PyJWTError(VerificationError, *([_theirs.PyJWTError] if _theirs else [])):
    """The base of all, which has the code, the status and the challenge of Assay."""


def _error(name: str, parent: type) -> type:
    bases = (parent, getattr(_theirs, name)) if hasattr(_theirs, name) else (parent,)
    return type(name, bases, {"__module__": __name__, "__doc__": f"As `jwt.{name}`."})


InvalidTokenError = _error("InvalidTokenError", PyJWTError)
DecodeError = _error("DecodeError", InvalidTokenError)
InvalidSignatureError = _error("InvalidSignatureError", DecodeError)
ExpiredSignatureError = _error("ExpiredSignatureError", InvalidTokenError)
InvalidAudienceError = _error("InvalidAudienceError", InvalidTokenError)
InvalidIssuerError = _error("InvalidIssuerError", InvalidTokenError)
InvalidIssuedAtError = _error("InvalidIssuedAtError", InvalidTokenError)
ImmatureSignatureError = _error("ImmatureSignatureError", InvalidTokenError)
InvalidAlgorithmError = _error("InvalidAlgorithmError", InvalidTokenError)
MissingRequiredClaimError = _error("MissingRequiredClaimError", InvalidTokenError)
InvalidSubjectError = _error("InvalidSubjectError", InvalidTokenError)
InvalidJTIError = _error("InvalidJTIError", InvalidTokenError)
InvalidKeyError = _error("InvalidKeyError", PyJWTError)

_OF_CODE = {
    Code.SIGNATURE_INVALID: InvalidSignatureError,
    Code.EXPIRED: ExpiredSignatureError,
    Code.NOT_YET_VALID: ImmatureSignatureError,
    Code.ISSUED_IN_FUTURE: ImmatureSignatureError,
    Code.ISSUER_MISMATCH: InvalidIssuerError,
    Code.AUDIENCE_MISMATCH: InvalidAudienceError,
    Code.SUBJECT_MISMATCH: InvalidSubjectError,
    Code.MISSING_CLAIM: MissingRequiredClaimError,
    Code.UNSECURED_TOKEN: InvalidAlgorithmError,
    Code.MISSING_ALGORITHM: InvalidAlgorithmError,
    Code.UNSUPPORTED_ALGORITHM: InvalidAlgorithmError,
    Code.ALGORITHM_NOT_ALLOWED: InvalidAlgorithmError,
    Code.KEY_ALGORITHM_MISMATCH: InvalidAlgorithmError,
    Code.WEAK_KEY: InvalidKeyError,
    Code.INVALID_KEY: InvalidKeyError,
    Code.KEY_USE_MISMATCH: InvalidKeyError,
}
_OF_CLAIM = {
    "sub": InvalidSubjectError,
    "jti": InvalidJTIError,
    "iat": InvalidIssuedAtError,
    "aud": InvalidAudienceError,
    "iss": InvalidIssuerError,
}


def translated(refusal: VerificationError) -> PyJWTError:
    """The exception of PyJWT for a refusal."""
    kind = _OF_CODE.get(refusal.code, DecodeError)
    if refusal.code == Code.INVALID_CLAIM:
        kind = _OF_CLAIM.get(refusal.claim or "", DecodeError)
    return kind(*refusal.args)


def refused(kind: type, code: Code, reason: str, claim: Optional[str] = None) -> PyJWTError:
    return kind(code, reason, None, claim)
