"""Vectors for JWK Sets: whether a document is one, and which of its keys a verifier may use."""
