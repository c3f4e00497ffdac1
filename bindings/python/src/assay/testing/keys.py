"""Keys that sign."""

import base64
import datetime
import hashlib
import json
import os
import time
from typing import Any, Dict, Mapping, Optional, Tuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, hmac
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from cryptography.x509.oid import NameOID

_HASHES = {"256": hashes.SHA256, "384": hashes.SHA384, "512": hashes.SHA512}
_CURVES = {"ES256": (ec.SECP256R1, "P-256", 32), "ES384": (ec.SECP384R1, "P-384", 48), "ES512": (ec.SECP521R1, "P-521", 66)}
_ALGORITHMS = ("HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", *_CURVES, "EdDSA", "Ed25519", "Ed448")


def encoded(octets: bytes) -> str:
    """base64url without padding (RFC 7515 section 2)."""
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()


def _number(value: int, length: Optional[int] = None) -> str:
    return encoded(value.to_bytes(length or (value.bit_length() + 7) // 8, "big"))


class SigningKey:
    """A private key or a secret, of one algorithm. RSA keys have 2048 bits."""

    def __init__(self, algorithm: str = "ES256", key_id: Optional[str] = None):
        if algorithm not in _ALGORITHMS:
            raise ValueError(f"no keys for {algorithm!r} here")
        self.algorithm = algorithm
        self.key_id = key_id or encoded(os.urandom(9))
        self._key: Any = self._generated()

    def _generated(self) -> Any:
        if self.algorithm.startswith("HS"):
            return os.urandom(int(self.algorithm[2:]) // 8)
        if self.algorithm in _CURVES:
            return ec.generate_private_key(_CURVES[self.algorithm][0]())
        if self.algorithm == "Ed448":
            return ed448.Ed448PrivateKey.generate()
        if self.algorithm.startswith("Ed"):
            return ed25519.Ed25519PrivateKey.generate()
        return rsa.generate_private_key(65537, 2048)

    @property
    def jwk(self) -> Dict[str, str]:
        """The key that verifies, as a JSON Web Key; of an HMAC it is the secret."""
        common = {"kid": self.key_id, "alg": self.algorithm, "use": "sig"}
        if isinstance(self._key, bytes):
            return {"kty": "oct", "k": encoded(self._key), **common}
        public = self._key.public_key()
        if isinstance(public, rsa.RSAPublicKey):
            numbers = public.public_numbers()
            return {"kty": "RSA", "n": _number(numbers.n), "e": _number(numbers.e), **common}
        if isinstance(public, ec.EllipticCurvePublicKey):
            point, (_, curve, length) = public.public_numbers(), _CURVES[self.algorithm]
            return {"kty": "EC", "crv": curve, "x": _number(point.x, length), "y": _number(point.y, length), **common}
        curve = "Ed448" if self.algorithm == "Ed448" else "Ed25519"
        return {"kty": "OKP", "crv": curve, "x": encoded(public.public_bytes(Encoding.Raw, PublicFormat.Raw)), **common}

    @property
    def pem(self) -> str:
        """The public key in PEM."""
        return self._key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()

    @property
    def secret(self) -> bytes:
        """The secret of an HMAC."""
        return bytes(self._key)

    def sign(self, claims: Mapping[str, Any], *, header: Mapping[str, Any] = {}) -> str:
        """A compact JWT of these claims; `header` adds members, and takes away those that are None."""
        members = {"alg": self.algorithm, "kid": self.key_id, "typ": "JWT", **header}
        members = {name: value for name, value in members.items() if value is not None}
        parts = [json.dumps(part, separators=(",", ":")).encode() for part in (members, dict(claims))]
        return self.sign_payload(*parts)

    def sign_payload(self, header: bytes, payload: bytes) -> str:
        """A compact JWS of these bytes, whatever they are."""
        signed = f"{encoded(header)}.{encoded(payload)}"
        return f"{signed}.{encoded(self._signature(signed.encode()))}"

    @property
    def _members(self) -> Dict[str, str]:
        """Of the key alone, in the order of RFC 7638 section 3."""
        return {name: value for name, value in sorted(self.jwk.items()) if name not in ("alg", "kid", "use")}

    @property
    def thumbprint(self) -> str:
        """The thumbprint (RFC 7638), as `cnf` of a token that is bound to this key has it: {"cnf": {"jkt": key.thumbprint}}."""
        return encoded(hashlib.sha256(json.dumps(self._members, separators=(",", ":")).encode()).digest())

    def proof(self, token: str, method: str, url: str, claims: Mapping[str, Any] = {}) -> str:
        """A DPoP proof (RFC 9449 section 4.2) of one request with a token. `claims` adds, such as `nonce`, and replaces; None takes away."""
        members = {
            "jti": encoded(os.urandom(12)),
            "htm": method,
            "htu": url,
            "iat": int(time.time()),
            "ath": encoded(hashlib.sha256(token.encode()).digest()),
            **claims,
        }
        members = {name: value for name, value in members.items() if value is not None}
        return self.sign(members, header={"typ": "dpop+jwt", "kid": None, "jwk": self._members})

    def certificate(self, name: str = "client") -> Tuple[str, str]:
        """A certificate that this key signs itself, for a day, and its private key, in PEM."""
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        now, day = datetime.datetime.now(datetime.timezone.utc), datetime.timedelta(days=1)
        builder = x509.CertificateBuilder(subject, subject, self._key.public_key(), x509.random_serial_number(), now - day, now + day)
        builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        made = builder.sign(self._key, None if self.algorithm.startswith("Ed") else hashes.SHA256())
        key = self._key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        return made.public_bytes(Encoding.PEM).decode(), key.decode()

    def _signature(self, signed: bytes) -> bytes:
        digest = _HASHES.get(self.algorithm[-3:], hashes.SHA256)()
        if isinstance(self._key, bytes):
            mac = hmac.HMAC(self._key, digest)
            mac.update(signed)
            return mac.finalize()
        if isinstance(self._key, ec.EllipticCurvePrivateKey):
            length = _CURVES[self.algorithm][2]
            return b"".join(part.to_bytes(length, "big") for part in decode_dss_signature(self._key.sign(signed, ec.ECDSA(digest))))
        if isinstance(self._key, rsa.RSAPrivateKey):
            pss = padding.PSS(padding.MGF1(digest), digest.digest_size)
            return self._key.sign(signed, pss if self.algorithm.startswith("PS") else padding.PKCS1v15(), digest)
        return self._key.sign(signed)

    def __repr__(self) -> str:
        return f"<assay.testing.SigningKey: {self.algorithm}, kid {self.key_id}>"
