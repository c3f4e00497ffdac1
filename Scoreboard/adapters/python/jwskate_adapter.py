"""jwskate: a JwtVerifier with a JWK Set, an allow-list, issuer, audience, leeway."""

from frame import BEYOND_JWT, ECDSA, HMAC, RSA, Unsupported, serve
from jwskate import JwkSet, JwsCompact, JwtVerifier


def accepts(case):
    if not case.checks_claims:
        return JwsCompact(case.token).verify_signature(JwkSet(case.keys), algs=case.algorithms)
    if len(case.issuers) > 1 or len(case.audiences) > 1:
        raise Unsupported("takes one issuer and one audience")
    JwtVerifier(JwkSet(case.keys), issuer=next(iter(case.issuers), None), audience=next(iter(case.audiences), None),
                algs=case.algorithms, leeway=case.leeway).verify(case.token)
    return True


# JwtVerifier takes public keys only.
LACKS = [*BEYOND_JWT, "nbf", "iat", "required", "required-exp", "b64"]
serve(accepts, [*HMAC, *RSA, *ECDSA, "ES256K", "EdDSA"], LACKS)
