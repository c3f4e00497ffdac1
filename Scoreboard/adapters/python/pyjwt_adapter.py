"""PyJWT: a key of a PyJWKSet, an allow-list, issuer, audience, leeway, required claims, the minimum length of keys.

A PyJWK without `alg` stands for RS256 or the like alone. Then the key itself is handed over, with the allow-list.
"""

import warnings

import jwt
from frame import BEYOND_JWT, ECDSA, HMAC, RSA, importable, serve

warnings.simplefilter("ignore")
UNFIT = (jwt.InvalidSignatureError, jwt.InvalidAlgorithmError, jwt.InvalidKeyError)
LENGTH = {"enforce_minimum_key_length": True}


def decode(case, key):
    if not case.checks_claims:
        return jwt.PyJWS().decode(case.token, key, algorithms=case.algorithms, options=LENGTH)
    return jwt.decode(case.token, key, algorithms=case.algorithms, issuer=case.issuers or None, audience=case.audiences or None,
                      leeway=case.leeway, options={"require": case.required, "verify_aud": bool(case.audiences)} | LENGTH)


def accepts(case):
    kid = jwt.get_unverified_header(case.token).get("kid")
    refusal = jwt.InvalidKeyError("no key has this kid")
    for key in jwt.PyJWKSet.from_dict(importable(case.keys, jwt.PyJWK)).keys:
        # As PyJWKClient chooses.
        if key.public_key_use not in ("sig", None) or kid not in (None, key.key_id):
            continue
        try:
            decode(case, key if "alg" in key._jwk_data else key.key)
            return True
        except UNFIT as error:
            refusal = error
    raise refusal


serve(accepts, [*HMAC, *RSA, *ECDSA, "ES256K", "EdDSA"], [*BEYOND_JWT, "b64"])
