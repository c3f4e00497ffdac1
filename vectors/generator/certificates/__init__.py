"""Vectors for tokens that are bound to the certificate of their client."""
