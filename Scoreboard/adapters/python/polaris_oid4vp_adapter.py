"""polaris-oid4vp: verify_presentation with the issuer's JWK Set, audience and nonce."""

from frame import Unsupported
from polaris_oid4vp.sdjwt import verify_presentation
from presented import serve_presentations


def verify(presentation):
    binding = presentation.binding
    if binding is None or presentation.policy.get("types") != ["dc+sd-jwt"]:
        raise Unsupported("always wants key binding, and the type dc+sd-jwt")
    verdict = verify_presentation(presentation.text, expected_nonce=binding["nonce"], expected_audience=binding["audience"],
                                  issuer_jwks=presentation.keys["keys"], now=presentation.now)
    if not verdict.authentic:
        raise ValueError(f"{verdict.code}: {verdict.reason}")


serve_presentations(verify, ["ES256"], ["issuer", "audience", "required", "no-kid"])
