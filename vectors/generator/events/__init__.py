"""Vectors for security event tokens: whether a receiver may act on one, and which events are in it."""
