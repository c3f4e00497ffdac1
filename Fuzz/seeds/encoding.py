"""base64url, and tokens with the HMAC key of all fuzzers."""

import base64
import hashlib
import hmac

SECRET = b"Z" * 32


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")


def decode(text):
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return None


def signed(header, payload):
    """A token with the HMAC of Keys.hs256."""
    message = encode(header) + b"." + encode(payload)
    return message + b"." + encode(hmac.new(SECRET, message, hashlib.sha256).digest())
