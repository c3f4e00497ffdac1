"""Base64url, and a JSON writer that can also write what a JSON writer must never write."""

import base64
import json

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


class Raw(bytes):
    """Octets that stand for a JSON value (or member name) as they are, well-formed or not."""


class Members(list):
    """An object given as (name, value) pairs, so that names may repeat."""


def raw(text):
    return Raw(text.encode("utf-8"))


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def unbase64url(text):
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def unused_bits_set(part):
    """The same octets in base64url, with the lowest unused bit of the last character set."""
    assert len(part) % 4 in (2, 3)
    return part[:-1] + ALPHABET[ALPHABET.index(part[-1]) | 1]


def unsigned(number, size=None):
    """A non-negative integer as big-endian octets, without leading zeros if no size is given."""
    return number.to_bytes((number.bit_length() + 7) // 8 if size is None else size, "big")


def dump(value):
    """JSON text without white space, in UTF-8; Raw and Members are written as given."""
    if isinstance(value, Raw):
        return bytes(value)
    if isinstance(value, Members):
        return b"{" + b",".join(dump(name) + b":" + dump(member) for name, member in value) + b"}"
    if isinstance(value, dict):
        return dump(Members(value.items()))
    if isinstance(value, (list, tuple)):
        return b"[" + b",".join(map(dump, value)) + b"]"
    return json.dumps(value, ensure_ascii=False).encode("utf-8")
