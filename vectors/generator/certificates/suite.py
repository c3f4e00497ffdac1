"""Certificates of clients, the access tokens that are bound to them, and their files."""

import base64
import datetime
import hashlib

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from ..encoding import base64url
from ..keys import ec_key, ed_key
from ..suite import ABSENT, AFTER_SIGNATURE, CODES, NOW, Suite, sign_parts

BOUND = "RFC 8705 section"
CERTIFICATE_CODES = """
missing_certificate malformed_certificate certificate_too_large certificate_mismatch not_certificate_bound unsupported_confirmation
invalid_confirmation
""".split()
SIGNER, AUTHORITY = ec_key("p256-1"), ed_key("certificate-authority")
POLICY = {"preset": "access_token", "issuer": "https://idp.example", "audience": "https://api.example", "binding": "required"}
DAY = datetime.timedelta(days=1)
TIME = datetime.datetime.fromtimestamp(NOW, datetime.timezone.utc)


def certificate(key, serial=1, begin=TIME - DAY, end=TIME + DAY, extension=b"", name="client-1"):
    """The DER of a certificate, the same each time: Ed25519 signs it."""
    subject, issuer = (x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)]) for text in (name, "authority.example"))
    builder = x509.CertificateBuilder(issuer, subject, key.private.public_key(), serial, begin, end)
    if extension:
        builder = builder.add_extension(x509.UnrecognizedExtension(x509.ObjectIdentifier("1.3.6.1.4.1.55555.1"), extension), False)
    return builder.sign(AUTHORITY.private, None).public_bytes(Encoding.DER)


CLIENT = ec_key("certificate-client")
CERTIFICATE = certificate(CLIENT)


def thumbprint(der):
    """The value of x5t#S256."""
    return base64url(hashlib.sha256(der).digest())


def bound_token(der=CERTIFICATE, signer=SIGNER, **changes):
    """An access token (RFC 9068) that is bound to a certificate, with some claims set, or left out with ABSENT."""
    claims = {"iss": POLICY["issuer"], "sub": "user-1", "aud": POLICY["audience"], "client_id": "client-1", "iat": NOW - 60,
              "exp": NOW + 3600, "jti": "token-1", "cnf": {"x5t#S256": thumbprint(der)}, **changes}
    members = {name: value for name, value in claims.items() if value is not ABSENT}
    return sign_parts(signer, {"alg": signer.default_algorithm, "typ": "at+jwt", "kid": signer.name}, members)


class CertificateSuite(Suite):
    """A file of access tokens, each with the certificate of the connection that it came on."""

    kind, member, folder, codes = "certificates", "access_token", "certificates/", [*CODES, *CERTIFICATE_CODES]
    after_signature = [*AFTER_SIGNATURE, *CERTIFICATE_CODES]

    def __init__(self, name, description, reference, severity="must", **policy):
        super().__init__(name, description, [SIGNER.jwk()], {**POLICY, **policy}, reference=reference, severity=severity)

    def ask(self, identifier, text, expect, why, reference=None, severity=None, *, der=CERTIFICATE):
        """A case. `der` is None for a connection without a certificate."""
        self.add(f"certificate-{identifier}", text, expect, why, reference, severity)
        if der is not None:
            self.cases[-1]["certificate"] = base64.b64encode(der).decode("ascii")
