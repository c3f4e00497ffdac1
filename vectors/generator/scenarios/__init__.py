"""Vectors for key caches: what an issuer answers, what tokens ask for, and what a cache must say and fetch."""
