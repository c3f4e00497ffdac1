"""python-jose: one JWK, because a set may have one type of key alone; an allow-list, issuer, one audience, leeway, required claims,
at_hash."""

from frame import BEYOND_JWT, ECDSA, HMAC, Unsupported, first_opened, octets, serve, unbound
from jose import jwe, jws, jwt
from jose.exceptions import JOSEError, JWTClaimsError

OPTIONS = ["aud", "iat", "exp", "nbf", "iss", "sub", "jti", "at_hash"]


def accepts(case):
    if not case.checks_claims:
        return any(is_signed(case, key) for key in case.candidates())
    if len(case.audiences) > 1:
        raise Unsupported("takes one audience")
    required = {f"require_{name}": True for name in case.required if name in OPTIONS}
    hashed = "access_token" in case.policy
    options = required | {"leeway": case.leeway, "verify_aud": bool(case.audiences), "verify_at_hash": hashed, "require_at_hash": hashed}
    return any(decodes(case, key, options) for key in case.candidates())


def decodes(case, key, options):
    try:
        jwt.decode(case.token, key, algorithms=case.algorithms, options=options, issuer=case.issuers or None,
                   audience=case.audiences[0] if case.audiences else None, access_token=case.policy.get("access_token"))
        return True
    except JWTClaimsError:
        raise
    except JOSEError:  # not this key
        return False


def is_signed(case, key):
    try:
        jws.verify(case.token, key, case.algorithms)
        return True
    except JOSEError:  # not this key
        return False


def opens(sealed):
    """The library takes a secret as its octets, and an RSA key as a JWK. It takes no list of algorithms: the caller checks the header."""
    return first_opened(sealed.recipients(), lambda key: jwe.decrypt(sealed.token, octets(key["k"]) if "k" in key else unbound(key)))


serve(accepts, [*HMAC, "RS256", "RS384", "RS512", *ECDSA], [*{*BEYOND_JWT} - {"access_token"}, "keys", "required", "b64"], opens=opens,
      unopened=["ECDH-ES", "ECDH-ES+A128KW", "ECDH-ES+A256KW", "cty", "no-zip"])
