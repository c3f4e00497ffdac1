"""Vectors for status lists: what a Status List Token says of an index, and where a token's claim says that its status is."""
