"""pyjwkest: keys of a JWK Set that are for signatures, as its caller has to see to, and the expected algorithm; no claims."""

from frame import CLAIM_RULES, ECDSA, HMAC, RSA, serve, usable
from jwkest.jwk import keyrep
from jwkest.jws import JWS


def deserialized(key):
    found = keyrep(key)
    found.deserialize()
    return found


def accepts(case):
    keys = list(usable(case.candidates(), deserialized))
    JWS().verify_compact(case.token, keys, sigalg=case.header["alg"])
    return True


serve(accepts, [*HMAC, *RSA, *ECDSA], [*CLAIM_RULES, "keys", "b64"], ["P-256", "P-384", "P-521"])
