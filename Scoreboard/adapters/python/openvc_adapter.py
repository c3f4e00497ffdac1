"""openvc-core: SdJwtVcProofSuite.verify with the issuer's key, audience and nonce."""

from frame import ECDSA, Unsupported
from openvc.proof.sd_jwt import SdJwtVcProofSuite
from presented import serve_presentations


def verify(presentation):
    if presentation.policy.get("types") != ["dc+sd-jwt"]:
        raise Unsupported("takes dc+sd-jwt alone for what is no credential of W3C")
    binding = presentation.binding or {}
    audience = binding.get("audience", presentation.policy.get("audience"))
    found = SdJwtVcProofSuite(leeway_s=presentation.leeway).verify(
        presentation.text, public_key_jwk=presentation.key, audience=audience, nonce=binding.get("nonce"),
        require_key_binding=presentation.binding is not None, kb_max_age_s=binding.get("maximum_age", 300))
    return found.claims


serve_presentations(verify, [*ECDSA[:2], "EdDSA"], ["issuer", "required", "keys"])
