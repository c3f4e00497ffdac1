"""Makes the folder of tokens that every peer reads. Keys are generated for each run and stored nowhere else.

    python3 tokens.py FOLDER [COUNT]
"""

import base64
import json
import secrets
import sys
import time
from pathlib import Path

from joserfc import jwk, jwt

ISSUER, AUDIENCE, KEY_ID = "https://idp.example", "client-1", "bench-key-1"
# The members of a JWK without `alg` and `use`: some libraries refuse keys with members that they do not know.
MEMBERS = ("kty", "crv", "n", "e", "x", "y", "k")
# A new key of each algorithm. The secret is the base64url text of 32 random bytes, because a zero byte would break some libraries.
KEYS = {
    "RS256": lambda: jwk.RSAKey.generate_key(2048),
    "ES256": lambda: jwk.ECKey.generate_key("P-256"),
    "EdDSA": lambda: jwk.OKPKey.generate_key("Ed25519"),
    "HS256": lambda: jwk.OctKey.import_key(base64url(secrets.token_bytes(32))),
}


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def claims(ordinal, now, **changed):
    """Eight claims as in `bench`: an RS256 token has about 640 bytes."""
    return {"iss": ISSUER, "sub": f"24828976{1000 + ordinal}", "aud": AUDIENCE, "exp": now + 86400, "iat": now - 60,
            "auth_time": now - 70, "nonce": f"n-0S6_WzA2Mj{1000 + ordinal}", "name": "Jane Doe"} | changed


def tampered(one, other):
    """A good token with one changed bit in its signature, with another token's payload, and with another token's signature."""
    header, payload, signature = one.split(".")
    _, other_payload, other_signature = other.split(".")
    raw = bytearray(base64.urlsafe_b64decode(signature + "=" * (-len(signature) % 4)))
    raw[len(raw) // 2] ^= 1
    yield f"{header}.{payload}.{base64url(raw)}"
    yield f"{header}.{other_payload}.{signature}"
    yield f"{header}.{payload}.{other_signature}"


def write(folder, algorithm, count):
    key, now = KEYS[algorithm](), int(time.time())

    def token(ordinal=0, **changed):
        header = {"alg": algorithm, "typ": "JWT", "kid": KEY_ID}
        return jwt.encode(header, claims(ordinal, now, **changed), key, algorithms=[algorithm])

    tokens = [token(ordinal) for ordinal in range(count)]
    lists = {
        "tokens": tokens,
        "tampered": tampered(tokens[0], tokens[1]),
        "expired": [token(exp=now - 3600)],
        "other-issuer": [token(iss="https://other.example")],
        "other-audience": [token(aud="client-2")],
    }
    folder.mkdir(parents=True)
    for name, lines in lists.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines))
    if algorithm == "HS256":
        (folder / "secret").write_bytes(key.raw_value)
    else:
        (folder / "key.pem").write_bytes(key.as_pem(private=False))
    members = {name: value for name, value in key.as_dict(private=algorithm == "HS256").items() if name in MEMBERS}
    (folder / "key.jwk").write_text(json.dumps(members | {"kid": KEY_ID}))


def make(folder, count):
    for algorithm in KEYS:
        write(folder / algorithm, algorithm, count)
    (folder / "issuer").write_text(f"{ISSUER}\n")
    (folder / "audience").write_text(f"{AUDIENCE}\n")


if __name__ == "__main__":
    make(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1000)
