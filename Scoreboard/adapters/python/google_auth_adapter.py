"""google-auth: certificates or public keys by kid, the audience and the clock skew."""

from frame import BEYOND_JWT, Unsupported, pem, serve, usable
from google.auth import jwt


def accepts(case):
    if not case.checks_claims:
        raise Unsupported("verifies claims only")
    certificates = dict(usable(case.candidates(), lambda key: (key.get("kid", ""), pem(key))))
    chosen = certificates if "kid" in case.header else list(certificates.values())
    jwt.decode(case.token, chosen, audience=case.audiences or None, clock_skew_in_seconds=case.leeway)
    return True


LACKS = [*BEYOND_JWT, "keys", "nbf", "issuer", "required", "payload", "b64", "no-iat", "no-exp"]
serve(accepts, ["RS256", "ES256", "ES384"], LACKS, ["P-256", "P-384"])
