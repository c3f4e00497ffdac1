"""vouchkit: verify_sd_jwt_vc with the issuer's key, audience and nonce. It checks exp and nbf, and
leaves the other claims to its callers."""

from presented import serve_presentations
from vouchkit.sdjwt import verify_sd_jwt_vc


def verify(presentation):
    binding = presentation.binding or {}
    verify_sd_jwt_vc(presentation.text, presentation.key, expected_aud=binding.get("audience"), expected_nonce=binding.get("nonce"),
                     require_key_binding=presentation.binding is not None, now=int(presentation.now))


LACKS = ["iat", "issuer", "audience", "required", "types", "keys", "binding-age", "binding-claims", "leeway"]
serve_presentations(verify, ["ES256"], LACKS)
