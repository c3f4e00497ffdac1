"""cryptojwt: a KeyBundle, an allow-list, and the dates by its class JWT."""

from cryptojwt.jws.jws import factory
from cryptojwt.jwt import JWT
from cryptojwt.key_bundle import KeyBundle
from cryptojwt.key_jar import KeyJar
from frame import BEYOND_JWT, ECDSA, HMAC, RSA, importable, serve


def accepts(case):
    keys = importable(case.keys, lambda key: KeyBundle([key]).keys()[0])
    if not case.checks_claims:
        keys = [key for key in KeyBundle(keys["keys"]).keys() if key.appropriate_for("verify")]
        factory(case.token, alg=case.algorithms).verify_compact(case.token, keys)
        return True
    jar = KeyJar()
    # The jar files keys by issuer. One issuer is trusted here, and a token without iss gets the keys without an owner.
    for owner in {"", *case.issuers, *([] if case.issuers else [named_issuer(case)])}:
        jar.import_jwks(keys, owner)
    JWT(key_jar=jar, allowed_sign_algs=case.algorithms, skew=case.leeway).unpack(case.token, timestamp=case.now)
    return True


def named_issuer(case):
    """Without a rule for the issuer any token's issuer has these keys."""
    payload = factory(case.token).jwt.payload()
    return payload.get("iss", "") if isinstance(payload, dict) else ""


LACKS = [*BEYOND_JWT, "iat", "audience", "required", "required-exp", "b64"]
serve(accepts, [*HMAC, *RSA, *ECDSA, "EdDSA"], LACKS)
