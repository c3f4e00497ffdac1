"""oxyjwt (jsonwebtoken 10 of Rust for Python): a key of a PyJWKSet, an allow-list, issuer, audience, leeway, required claims, typ."""

import warnings

import oxyjwt
from frame import BEYOND_JWT, HMAC, RSA, Unsupported, importable, serve

warnings.simplefilter("ignore")


def accepts(case):
    if not case.checks_claims:
        raise Unsupported("verifies claims only")
    kid = oxyjwt.get_unverified_header(case.token).get("kid")
    refusal = oxyjwt.InvalidKeyError("no key has this kid")
    for key in oxyjwt.PyJWKSet.from_dict(importable(case.keys, oxyjwt.PyJWK.from_dict)).keys:
        if kid is not None and key.key_id != kid:
            continue
        try:
            oxyjwt.decode(case.token, key.key, algorithms=of_type(key.key_type, case.algorithms), issuer=case.issuers or None,
                          audience=case.audiences or None, leeway=case.leeway,
                          options={"require": case.required, "verify_aud": bool(case.audiences)})
            return True
        except (oxyjwt.InvalidSignatureError, oxyjwt.InvalidAlgorithmError, oxyjwt.InvalidKeyError) as error:
            refusal = error
    raise refusal


def of_type(kind, algorithms):
    """The library takes algorithms of one type of key alone."""
    beginnings = {"RSA": ("RS", "PS"), "EC": "ES", "OKP": "Ed", "oct": "HS"}[kind]
    return [name for name in algorithms if name.startswith(beginnings)]


serve(accepts, [*HMAC, *RSA, "ES256", "ES384", "EdDSA"], [*BEYOND_JWT, "payload", "b64"], ["P-256", "P-384", "Ed25519"])
