"""Vectors for encrypted tokens: what is in one, and whether a recipient may read it."""
