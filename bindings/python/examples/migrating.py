"""The samples of Docs/FromPyJWT.md and Docs/FromJoserfc.md; tests/test_migrating.py runs them."""

from typing import Any, Dict, Optional

import assay
from assay import RemoteKeys, Verifier
from assay.compat import pyjwt


class Session:
    """What a program made of PyJWKClient and jwt.decode."""

    def __init__(self, jwks_url: str, issuer: str, **options: Any):
        keys = RemoteKeys(url=jwks_url, **options)
        self.verifier = Verifier(issuer, "client-1", keys, algorithms=["RS256", "ES256"], leeway=0)

    def subject(self, token: str) -> Optional[str]:
        try:
            return self.verifier.verify_waiting(token)["sub"]
        except assay.VerificationError as refusal:
            if refusal.code == assay.Code.EXPIRED:
                return None
            raise


def step_by_step(token: str, public_key: str) -> Dict[str, Any]:
    # before: jwt.decode(token, public_key, algorithms=["ES256"], audience="client-1")
    return pyjwt.decode(token, public_key, algorithms=["ES256"], audience="client-1")


class KeySetSession:
    """What a program made of KeySet.import_key_set, jwt.decode and JWTClaimsRegistry."""

    def __init__(self, jwks: Dict[str, Any], issuer: str):
        self.verifier = Verifier(issuer, "client-1", jwks, algorithms=["ES256"], required=["sub"], leeway=0)

    def claims(self, token: str) -> assay.Claims:
        return self.verifier.verify(token)
