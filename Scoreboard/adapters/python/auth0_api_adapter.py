"""auth0-api-python: verify_dpop_proof. Its verify_request takes access tokens with RS256 alone, so the caller compares the thumbprint with
that of the access token."""

import asyncio

from auth0_api_python import ApiClient, ApiClientOptions
from auth0_api_python.utils import calculate_jwk_thumbprint, get_unverified_header
from frame import Unsupported, serve_requests

client = ApiClient(ApiClientOptions(domain="idp.example", audience="https://api.example", dpop_iat_offset=70, dpop_iat_leeway=10))


def takes(request, proof):
    if not request.token:
        raise Unsupported("verifies proofs for access tokens")
    asyncio.run(client.verify_dpop_proof(request.token, proof, request.method, request.url))
    return calculate_jwk_thumbprint(get_unverified_header(proof)["jwk"])


LACKS = ["ES384", "ES512", "EdDSA", "Ed25519", "PS256", "RS256", "token", "scheme", "fields", "replay", "nonce", "endpoint"]
serve_requests(takes, LACKS)
