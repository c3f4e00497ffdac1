"""joserfc: a KeySet, an allow-list, and a registry of claims."""

from frame import BEYOND_JWT, ECDSA, HMAC, RSA, first_opened, importable, serve, unbound
from joserfc import jwe, jws, jwt
from joserfc.jwk import KeySet, import_key


def registry(case):
    claims = {name: {"essential": True} for name in case.required}
    for name, values in (("iss", case.issuers), ("aud", case.audiences)):
        if values:
            claims[name] = {"essential": True, "values": values}
    for name, rule in (("nonce", "nonce"), ("acr", "acr")):
        if rule in case.policy:
            value = case.policy[rule]
            claims[name] = {"essential": True} | ({"values": value} if isinstance(value, list) else {"value": value})
    return jwt.JWTClaimsRegistry(now=case.now, leeway=case.leeway, **claims)


def lenient(case):
    """Members of the header that are not understood are ignored, as RFC 7515 section 4 says."""
    return jws.JWSRegistry(algorithms=case.algorithms, strict_check_header=False)


def accepts(case):
    keys = KeySet.import_key_set(importable(case.keys, import_key))
    if not case.checks_claims:
        jws.deserialize_compact(case.token, keys, registry=lenient(case))
        return True
    token = jwt.decode(case.token, keys, registry=lenient(case))
    registry(case).validate(token.claims)
    return True


def opens(sealed):
    registry = jwe.JWERegistry(algorithms=[*sealed.algorithms, *sealed.encryptions, *["DEF"] * sealed.takes_compressed],
                               strict_check_header=False)
    return first_opened(sealed.recipients(), lambda key: jwe.decrypt_compact(sealed.token, import_key(unbound(key)),
                                                                             registry=registry).plaintext)


serve(accepts, [*HMAC, *RSA, *ECDSA, "ES256K", "EdDSA", "Ed25519", "Ed448"], {*BEYOND_JWT} - {"nonce", "acr"} | {"no-kid", "b64"},
      opens=opens, unopened=["keys", "cty"])
