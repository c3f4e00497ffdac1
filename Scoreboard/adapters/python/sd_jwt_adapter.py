"""sd-jwt, of the authors of RFC 9901: SDJWTVerifier with the issuer's key, audience and nonce. It leaves the claims to its callers."""

import json

from frame import ECDSA, HMAC, RSA, Unsupported, octets
from jwcrypto.jwk import JWK
from presented import serve_presentations
from sd_jwt.verifier import SDJWTVerifier


def verify(presentation):
    if presentation.binding and algorithm(presentation.text.rpartition("~")[2]) in ("ES384", "EdDSA", "PS256"):
        raise Unsupported("takes proofs of ES256 alone")
    binding = presentation.binding or {}
    verifier = SDJWTVerifier(presentation.text, lambda issuer, header: JWK.from_json(json.dumps(presentation.key)),
                             expected_aud=binding.get("audience"), expected_nonce=binding.get("nonce"))
    return verifier.get_verified_payload()


def algorithm(token):
    try:
        return json.loads(octets(token.partition(".")[0])).get("alg")
    except (ValueError, AttributeError):
        return None


LACKS = ["exp", "nbf", "iat", "issuer", "audience", "claims", "required", "types", "keys", "binding-age", "binding-claims"]
serve_presentations(verify, [*HMAC, *RSA, *ECDSA, "ES256K", "EdDSA"], LACKS)
