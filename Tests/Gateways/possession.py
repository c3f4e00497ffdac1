"""A client of DPoP (RFC 9449), and the recipient of encrypted tokens (RFC 7516)."""
import base64
import hashlib
import json
import secrets
import time

from joserfc import jwe, jws
from joserfc.jwk import ECKey


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Client:
    """A key, and proofs that are made with it."""

    def __init__(self):
        self.key = ECKey.generate_key("P-256")
        self.public = self.key.as_dict(private=False)

    @staticmethod
    def now():
        return int(time.time())

    def token(self, lab, **claims):
        """A token of the lab's provider that is bound to the key."""
        return lab.provider.token(cnf={"jkt": self.key.thumbprint()}, exp=self.now() + 3_600, **claims)

    def proof(self, token, url, method="GET", **changes):
        """None takes a claim away."""
        claims = {"jti": secrets.token_urlsafe(12), "htm": method, "htu": url, "iat": self.now(),
                  "ath": encoded(hashlib.sha256(token.encode()).digest()), **changes}
        header = {"typ": "dpop+jwt", "alg": "ES256", "jwk": {name: self.public[name] for name in ("kty", "crv", "x", "y")}}
        payload = json.dumps({name: value for name, value in claims.items() if value is not None})
        return jws.serialize_compact(header, payload, self.key, algorithms=["ES256"])


class Recipient:
    """A key that tokens are encrypted to, in a file that its owner alone may read."""

    def __init__(self, folder):
        self.key = ECKey.generate_key("P-256", {"use": "enc", "alg": "ECDH-ES", "kid": "enc-1"})
        self.file = folder / "decryption.json"
        self.file.write_text(json.dumps(self.key.as_dict(private=True)))
        self.file.chmod(0o600)

    def encrypted(self, token):
        header = {"alg": "ECDH-ES", "enc": "A256GCM", "cty": "JWT", "kid": "enc-1"}
        return jwe.encrypt_compact(header, token, self.key)
