"""Vectors for DPoP: whether a request with an access token and a proof of possession may pass."""
