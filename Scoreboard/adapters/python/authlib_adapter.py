"""Authlib: a KeySet, an allow-list, claims options, and its classes for id_tokens and RFC 9068 access tokens."""

import warnings

warnings.simplefilter("ignore")
from authlib.jose import JsonWebEncryption, JsonWebKey, JsonWebSignature, JsonWebToken, JWTClaims  # noqa: E402
from authlib.oidc.core import CodeIDToken  # noqa: E402
from frame import ECDSA, HMAC, RSA, first_opened, importable, serve, unbound  # noqa: E402


def public(jwk):
    """Reads a key whole: the library would do so at its first use."""
    return JsonWebKey.import_key(jwk).get_public_key() if jwk.get("kty") != "oct" else JsonWebKey.import_key(jwk).get_op_key("verify")


def options(case):
    claims = {name: {"essential": True} for name in case.required}
    for name, values in (("iss", case.issuers), ("aud", case.audiences)):
        if values:
            claims[name] = {"essential": True, "values": values}
    return claims


def decode(case, keys):
    policy = case.policy
    if policy.get("preset") != "id_token":
        return JsonWebToken(case.algorithms).decode(case.token, keys, claims_cls=JWTClaims, claims_options=options(case))
    parameters = {name: policy[name] for name in ("nonce", "access_token", "max_age") if name in policy}
    if len(case.audiences) == 1:
        parameters["client_id"] = case.audiences[0]
    claims = options(case)
    if "acr" in policy:
        claims["acr"] = {"essential": True, "values": policy["acr"]}
    return JsonWebToken(case.algorithms).decode(case.token, keys, claims_cls=CodeIDToken, claims_options=claims, claims_params=parameters)


def accepts(case):
    keys = JsonWebKey.import_key_set(importable(case.keys, public))
    if not case.checks_claims:
        JsonWebSignature(case.algorithms).deserialize_compact(case.token, lambda header, payload: keys.find_by_kid(header.get("kid")))
        return True
    decode(case, keys).validate(now=case.now, leeway=case.leeway)
    return True


def opens(sealed):
    reader = JsonWebEncryption([*sealed.algorithms, *sealed.encryptions, *["DEF"] * sealed.takes_compressed])
    return first_opened(sealed.recipients(),
                        lambda key: reader.deserialize_compact(sealed.token, JsonWebKey.import_key(unbound(key)))["payload"])


serve(accepts, [*HMAC, *RSA, *ECDSA, "ES256K", "EdDSA"], ["code", "maximum_age", "amr", "revoked_jti", "types", "b64"],
      opens=opens, unopened=["keys", "cty"])
