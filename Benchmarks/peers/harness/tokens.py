"""Makes the folder of tokens that every peer reads. Keys are made anew, and kept nowhere else.

    python3 tokens.py FOLDER [COUNT]
"""

import base64
import json
import secrets
import sys
import time
from pathlib import Path

from cryptography.hazmat.primitives import hashes, hmac, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

ISSUER, AUDIENCE, KEY_ID = "https://idp.example", "client-1", "bench-key-1"


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def number(value, length=None):
    return base64url(value.to_bytes(length or (value.bit_length() + 7) // 8, "big"))


class Signer:
    """A private key made by the subclass, its JWK, and sign(bytes)."""

    def files(self):
        """What of the key the verifiers get, as file name and bytes."""
        pem = self.private.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
        return {"key.pem": pem}


class RS256(Signer):
    def __init__(self):
        self.private = rsa.generate_private_key(65537, 2048)
        numbers = self.private.public_key().public_numbers()
        self.jwk = {"kty": "RSA", "n": number(numbers.n), "e": number(numbers.e)}

    def sign(self, data):
        return self.private.sign(data, padding.PKCS1v15(), hashes.SHA256())


class ES256(Signer):
    def __init__(self):
        self.private = ec.generate_private_key(ec.SECP256R1())
        numbers = self.private.public_key().public_numbers()
        self.jwk = {"kty": "EC", "crv": "P-256", "x": number(numbers.x, 32), "y": number(numbers.y, 32)}

    def sign(self, data):
        r, s = decode_dss_signature(self.private.sign(data, ec.ECDSA(hashes.SHA256())))
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")


class EdDSA(Signer):
    def __init__(self):
        self.private = ed25519.Ed25519PrivateKey.generate()
        raw = self.private.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
        self.jwk = {"kty": "OKP", "crv": "Ed25519", "x": base64url(raw)}

    def sign(self, data):
        return self.private.sign(data)


class HS256(Signer):
    def __init__(self):
        # Text, so that no library stumbles over a zero byte; still 32 random bytes.
        self.secret = base64url(secrets.token_bytes(32)).encode()
        self.jwk = {"kty": "oct", "k": base64url(self.secret)}

    def files(self):
        return {"secret": self.secret}

    def sign(self, data):
        code = hmac.HMAC(self.secret, hashes.SHA256())
        code.update(data)
        return code.finalize()


def claims(ordinal, now, **changed):
    """Eight claims as in `bench`: an RS256 token has about 640 bytes."""
    return {"iss": ISSUER, "sub": f"24828976{1000 + ordinal}", "aud": AUDIENCE, "exp": now + 86400, "iat": now - 60,
            "auth_time": now - 70, "nonce": f"n-0S6_WzA2Mj{1000 + ordinal}", "name": "Jane Doe"} | changed


def signed(signer, payload):
    header = {"alg": type(signer).__name__, "typ": "JWT", "kid": KEY_ID}
    parts = [base64url(json.dumps(part, separators=(",", ":")).encode()) for part in (header, payload)]
    text = ".".join(parts)
    return f"{text}.{base64url(signer.sign(text.encode()))}"


def tampered(one, other):
    """A good token with one bit of its signature turned, with another's payload, with another's signature."""
    header, payload, signature = one.split(".")
    _, other_payload, other_signature = other.split(".")
    raw = bytearray(base64.urlsafe_b64decode(signature + "=" * (-len(signature) % 4)))
    raw[len(raw) // 2] ^= 1
    yield f"{header}.{payload}.{base64url(raw)}"
    yield f"{header}.{other_payload}.{signature}"
    yield f"{header}.{payload}.{other_signature}"


def write(folder, signer, count):
    now = int(time.time())
    tokens = [signed(signer, claims(ordinal, now)) for ordinal in range(count)]
    lists = {
        "tokens": tokens,
        "tampered": tampered(tokens[0], tokens[1]),
        "expired": [signed(signer, claims(0, now, exp=now - 3600))],
        "other-issuer": [signed(signer, claims(0, now, iss="https://other.example"))],
        "other-audience": [signed(signer, claims(0, now, aud="client-2"))],
    }
    folder.mkdir(parents=True)
    for name, lines in lists.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines))
    for name, data in signer.files().items():
        (folder / name).write_bytes(data)
    # Without `alg` and `use`: some libraries refuse a key that says more than they know.
    (folder / "key.jwk").write_text(json.dumps(signer.jwk | {"kid": KEY_ID}))


def make(folder, count):
    for kind in (RS256, ES256, EdDSA, HS256):
        write(folder / kind.__name__, kind(), count)
    (folder / "issuer").write_text(f"{ISSUER}\n")
    (folder / "audience").write_text(f"{AUDIENCE}\n")


if __name__ == "__main__":
    make(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1000)
