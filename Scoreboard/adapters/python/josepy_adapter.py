"""josepy: the signature of a compact JWS. It takes no list of algorithms: the caller compares the one of the header."""

import josepy
from frame import CLAIM_RULES, ECDSA, HMAC, RSA, serve


def accepts(case):
    token = josepy.JWS.from_compact(case.token.encode())
    return any(token.verify(josepy.JWK.from_json(key)) for key in case.candidates())


serve(accepts, [*HMAC, *RSA, *ECDSA], [*CLAIM_RULES, "keys", "b64"], ["P-256", "P-384", "P-521"])
