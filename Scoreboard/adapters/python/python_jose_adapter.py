"""python-jose: a JWK Set, an allow-list, issuer, one audience, leeway, required claims, at_hash."""

from frame import BEYOND_JWT, ECDSA, HMAC, Unsupported, serve
from jose import jws, jwt

OPTIONS = ["aud", "iat", "exp", "nbf", "iss", "sub", "jti", "at_hash"]


def accepts(case):
    if not case.checks_claims:
        jws.verify(case.token, case.keys, case.algorithms)
        return True
    if len(case.audiences) > 1:
        raise Unsupported("takes one audience")
    required = {f"require_{name}": True for name in case.required if name in OPTIONS}
    options = required | {"leeway": case.leeway, "verify_aud": bool(case.audiences), "require_at_hash": "access_token" in case.policy}
    jwt.decode(case.token, case.keys, algorithms=case.algorithms, options=options, issuer=case.issuers or None,
               audience=case.audiences[0] if case.audiences else None, access_token=case.policy.get("access_token"))
    return True


serve(accepts, [*HMAC, "RS256", "RS384", "RS512", *ECDSA], [*{*BEYOND_JWT} - {"access_token"}, "required", "b64"])
