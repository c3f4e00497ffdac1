"""An issuer whose tokens have places in status lists (draft-ietf-oauth-status-list). The openssl command makes keys and signatures."""
import base64
import json
import subprocess
import time
import zlib

from documents import Documents

METADATA = "/.well-known/openid-configuration"


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def openssl(*arguments, data=None):
    return subprocess.run(["openssl", *map(str, arguments)], input=data, capture_output=True, check=True).stdout


class Key:
    def __init__(self, folder, name, kid):
        self.kid, self.path = kid, folder / f"{name}.pem"
        if not self.path.exists():
            openssl("genrsa", "-out", self.path, "2048")
        modulus = openssl("rsa", "-in", self.path, "-noout", "-modulus").decode().split("=")[1].strip()
        self.jwk = {"kty": "RSA", "kid": kid, "n": encoded(bytes.fromhex(modulus)), "e": "AQAB"}

    def sign(self, claims, kind="JWT"):
        parts = ({"alg": "RS256", "kid": self.kid, "typ": kind}, claims)
        message = ".".join(encoded(json.dumps(part).encode()) for part in parts)
        return message + "." + encoded(openssl("dgst", "-sha256", "-sign", self.path, data=message.encode()))


class ListIssuer(Documents):
    """It has the list `/lists/1` as soon as ``publish`` was called."""

    def __init__(self, folder):
        super().__init__()
        self.key, self.other, self.made = Key(folder, "list-key", "list-1"), Key(folder, "other-key", "list-1"), 0
        self.jwks = json.dumps({"keys": [self.key.jwk]})
        self.documents.update({METADATA: json.dumps({"issuer": self.url, "jwks_uri": self.url + "/jwks"}), "/jwks": self.jwks})

    def token(self, index=None, path="/lists/1", url=None):
        """A token with a place in a list; without an index it has none."""
        now = int(time.time())
        claims = {"iss": self.url, "sub": "jane", "aud": "client-1", "iat": now, "exp": now + 3600}
        if index is not None:
            claims["status"] = {"status_list": {"idx": index, "uri": url or self.url + path}}
        return self.key.sign(claims)

    def publish(self, statuses, path="/lists/1", key=None, seconds=300):
        """Makes a list of statuses of two bits, to be fetched again after `seconds`. It is newer than the one before."""
        packed = bytearray((len(statuses) + 3) // 4)
        for index, status in enumerate(statuses):
            packed[index // 4] |= status << 2 * (index % 4)
        self.made += 1
        claims = {"sub": self.url + path, "iat": int(time.time()) - 1000 + self.made, "ttl": seconds}
        claims["status_list"] = {"bits": 2, "lst": encoded(zlib.compress(bytes(packed), 1))}
        self.documents[path] = (key or self.key).sign(claims, "statuslist+jwt")

    def fetches(self, path="/lists/1"):
        """The Accept fields of the requests for a path."""
        return [fields.get("Accept") or fields.get("accept") for asked, fields in self.asked if asked == path]
