"""webtoken: one key of a JWK Set, an allow-list, issuer, audience, leeway, required claims."""

import warnings

import webtoken
from frame import BEYOND_JWT, ECDSA, HMAC, RSA, serve, usable

warnings.simplefilter("ignore")


def decode(case, key):
    if not case.checks_claims:
        return webtoken.PyJWS().decode(case.token, key, algorithms=case.algorithms)
    return webtoken.decode(case.token, key, algorithms=case.algorithms, issuer=case.issuers or None, audience=case.audiences or None,
                           leeway=case.leeway, options={"require": case.required, "verify_aud": bool(case.audiences)})


def accepts(case):
    refusal = ValueError("no key has this kid")
    # Without an algorithm a PyJWK stands for HS256 or the like alone.
    for key in usable(case.candidates(), lambda key: webtoken.PyJWK(key, case.header["alg"])):
        try:
            decode(case, key)
            return True
        except Exception as error:  # not this key
            refusal = error
    raise refusal


serve(accepts, [*HMAC, *RSA, *ECDSA, "ES256K", "EdDSA"], [*BEYOND_JWT, "keys", "b64"])
