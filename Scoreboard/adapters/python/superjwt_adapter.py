"""superjwt: one key, its algorithm, leeway, required claims, the dates."""

import warnings
from typing import Any

from frame import BEYOND_JWT, ECDSA, HMAC, RSA, Unsupported, pem, secret, serve, usable
from pydantic import create_model
from superjwt import ECKey, JWTClaims, JWTDatetimeInt, OctKey, OKPKey, RSAKey, ValidationConfig, decode

warnings.simplefilter("ignore")
KINDS = {"RSA": RSAKey, "EC": ECKey, "OKP": OKPKey, "oct": OctKey}
TYPES = dict.fromkeys(("iss", "sub", "jti"), str) | dict.fromkeys(("exp", "nbf", "iat"), JWTDatetimeInt) | {"aud": str | list[str]}


def imported(key):
    return KINDS[key["kty"]].import_verifying_key(secret(key) if key["kty"] == "oct" else pem(key))


def model(names):
    """A model of claims with required members, as the library's documentation shows."""
    return create_model("Claims", __base__=JWTClaims, **{name: (TYPES.get(name, Any), ...) for name in names})


def accepts(case):
    if not case.checks_claims:
        raise Unsupported("verifies claims only")
    rules = ValidationConfig(model=model(case.required), leeway=case.leeway)
    refusal = ValueError("no key has this kid")
    for key in usable(case.candidates(), imported):
        try:
            decode(case.token, key, case.header["alg"], validation=rules)
            return True
        except Exception as error:  # not this key
            refusal = error
    raise refusal


LACKS = [*BEYOND_JWT, "keys", "issuer", "audience", "payload", "b64"]
serve(accepts, [*HMAC, *RSA, *ECDSA, "ES256K", "Ed25519", "Ed448"], LACKS)
