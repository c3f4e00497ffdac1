"""pydpop: verify_proof, with its memory of identifiers. The caller compares the thumbprint with that of the access token."""

import json

from frame import octets, serve_requests
from pydpop import MemoryJtiStore, verify_proof


def takes(request, proof):
    if not hasattr(request, "memory"):
        request.memory = MemoryJtiStore()
    found = verify_proof(proof=proof, htm=request.method, htu=request.url, access_token=request.token or None,
                         expected_nonce=expected(request, proof), clock_skew=60, jti_store=request.memory, now=int(request.now))
    return found["jwk_thumbprint"]


def expected(request, proof):
    """The library takes one nonce. A caller with two good ones names the one that the proof has."""
    nonces = request.policy.get("nonces", [None])
    if len(nonces) == 1:
        return nonces[0]
    named = json.loads(octets(proof.split(".")[1])).get("nonce")
    return named if named in nonces else nonces[0]


serve_requests(takes, ["ES384", "ES512", "EdDSA", "Ed25519", "PS256", "RS256", "token", "scheme", "fields"])
