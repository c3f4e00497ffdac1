"""cryptojwt: a KeyBundle, an allow-list, and the dates by its class JWT."""

from cryptojwt.jwe.jwe import factory as encrypted
from cryptojwt.jwk.jwk import key_from_jwk_dict
from cryptojwt.jws.jws import factory
from cryptojwt.jwt import JWT
from cryptojwt.key_bundle import KeyBundle
from cryptojwt.key_jar import KeyJar
from frame import BEYOND_JWT, ECDSA, HMAC, RSA, first_opened, importable, serve, unbound


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


def opens(sealed):
    def by(key):
        header = sealed.header
        token = encrypted(sealed.token, alg=header["alg"], enc=header["enc"])
        return token.decrypt(keys=[key_from_jwk_dict(unbound(key))])
    return first_opened(sealed.recipients(), by)


LACKS = [*BEYOND_JWT, "iat", "audience", "required", "required-exp", "b64"]
serve(accepts, [*HMAC, *RSA, *ECDSA, "EdDSA"], LACKS, opens=opens,
      unopened=["dir", "X25519", "zip DEF", "keys", "cty", "no-zip"])
