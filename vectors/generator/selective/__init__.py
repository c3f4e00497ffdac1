"""Vectors for SD-JWT (RFC 9901): which claims a presentation discloses, and whether its holder has proven the key."""
