"""jwcrypto: a JWKSet, an allow-list, and check_claims."""

import json

from frame import BEYOND_JWT, ECDSA, HMAC, RSA, Unsupported, first_opened, importable, serve, unbound
from jwcrypto.jwe import JWE
from jwcrypto.jwk import JWK, JWKSet
from jwcrypto.jws import JWS
from jwcrypto.jwt import JWT


def accepts(case):
    keys = JWKSet.from_json(json.dumps(importable(case.keys, lambda key: JWK(**key))))
    if not case.checks_claims:
        token = JWS()
        token.allowed_algs = case.algorithms
        token.deserialize(case.token)
        return any(is_signed_by(token, key, case) for key in keys["keys"])
    if len(case.issuers) > 1:
        raise Unsupported("takes one issuer")
    checked = {name: None for name in case.required}
    if case.issuers:
        checked["iss"] = case.issuers[0]
    if case.audiences:
        checked["aud"] = case.audiences
    if "nonce" in case.policy:
        checked["nonce"] = case.policy["nonce"]
    # Without check_claims the library checks exp and nbf if they are there; with it, the claims that it names.
    for claims in (None, checked):
        token = JWT(algs=case.algorithms, check_claims=claims, expected_type="JWS")
        token.leeway = case.leeway
        token.deserialize(case.token, keys)
    return True


def is_signed_by(token, key, case):
    if case.header.get("kid") not in (None, key.get("kid")):
        return False
    try:
        token.verify(key)
        return True
    except Exception:  # not this key
        return False


def opens(sealed):
    def by(key):
        token = JWE(algs=[*sealed.algorithms, *sealed.encryptions])
        token.deserialize(sealed.token)
        token.decrypt(JWK(**unbound(key)), max_plaintext=sealed.policy.get("inflated_bytes", 0))
        return token.payload
    return first_opened(sealed.recipients(), by)


serve(accepts, [*HMAC, *RSA, *ECDSA, "ES256K", "EdDSA"], {*BEYOND_JWT} - {"nonce"} | {"b64"}, opens=opens,
      unopened=["keys", "cty", "no-zip"])
