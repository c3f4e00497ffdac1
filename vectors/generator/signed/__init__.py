"""Vectors for documents in JWS JSON serialization (RFC 7515 section 7.2): which signatures hold, and what is signed."""
