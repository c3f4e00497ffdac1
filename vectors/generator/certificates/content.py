"""What tokens say of certificates, and what connections have."""

import base64
import hashlib

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from ..encoding import Members, base64url, raw, unused_bits_set
from ..keys import ec_key, ed_key, rsa_key
from ..suite import ABSENT, NOW, flipped, signature_of, with_signature
from .suite import BOUND, CERTIFICATE, CLIENT, DAY, TIME, CertificateSuite, bound_token, certificate, thumbprint

GOOD = thumbprint(CERTIFICATE)


def bindings():
    suite = CertificateSuite("bindings", "Tokens that are bound to a certificate, and the certificates of connections.", f"{BOUND} 3")

    def ask(identifier, text, expect, why, *rest, **options):
        suite.ask(identifier, text, expect, why, *rest, **options)
    ask("good", bound_token(), "valid", "The connection has the certificate that the token names.")
    for name, key in (("p384", ec_key("certificate-p384", "P-384")), ("ed25519", ed_key("certificate-ed25519")), ("rsa", rsa_key("rsa-1"))):
        der = certificate(key)
        ask(f"good-{name}", bound_token(der), "valid", f"The certificate has a key of another kind ({name}).", der=der)
    for name, begin, end in (("past", TIME - 2 * DAY, TIME - DAY), ("future", TIME + DAY, TIME + 2 * DAY)):
        der = certificate(CLIENT, begin=begin, end=end)
        ask(f"dates-{name}", bound_token(der), "valid", f"The dates of the certificate are not now ({name}): TLS has judged them.",
            f"{BOUND} 6.2", "hardening", der=der)
    others = {"renewed": certificate(CLIENT, serial=2), "other-key": certificate(ec_key("certificate-stranger")),
              "other-name": certificate(CLIENT, name="client-2"), "longer-dates": certificate(CLIENT, end=TIME + 2 * DAY),
              "bit": flipped(CERTIFICATE, -1)}
    for name, der in others.items():
        ask(f"other-{name}", bound_token(), "certificate_mismatch", f"The connection has another certificate ({name}).", der=der)
    ask("absent", bound_token(), "missing_certificate", "The connection has no certificate.", der=None)
    ask("stolen", bound_token(), "certificate_mismatch", "The thief of a token has a certificate of the same authority.",
        f"{BOUND} 7.1", der=certificate(ec_key("certificate-thief"), name="client-3"))
    add_tokens(ask)
    return suite


def add_tokens(ask):
    ask("unbound", bound_token(cnf=ABSENT), "not_certificate_bound", "The token is bound to nothing.")
    ask("unbound-absent", bound_token(cnf=ABSENT), "not_certificate_bound", "The token is bound to nothing, and there is no certificate.",
        der=None)
    ask("key-bound", bound_token(cnf={"jkt": GOOD}), "unsupported_confirmation", "The token is bound to a key, and there is no proof.",
        "RFC 9449 section 7.1")
    ask("both", bound_token(cnf={"x5t#S256": GOOD, "jkt": thumbprint(b"")}), "unsupported_confirmation",
        "The token is also bound to a key, and there is no proof.", "RFC 9449 section 7.1")
    for identifier, method in (("jwk", {"jwk": {"kty": "EC"}}), ("kid", {"kid": "x"}), ("x5t", {"x5t": base64url(bytes(20))}),
                               ("capitals", {"X5T#S256": GOOD}), ("unknown", {"x": GOOD})):
        ask(f"method-{identifier}", bound_token(cnf=method), "unsupported_confirmation",
            f"The token is bound in another way ({identifier}).", "RFC 7800 section 3.1")
        ask(f"method-and-{identifier}", bound_token(cnf={"x5t#S256": GOOD, **method}), "unsupported_confirmation",
            f"The token is also bound in another way ({identifier}).", "RFC 7800 section 3.1", "hardening")
    for identifier, changes, expect in (("expired", {"exp": NOW - 3600}, "expired"), ("audience", {"aud": "https://other.example"},
                                                                                     "audience_mismatch")):
        ask(f"token-{identifier}", bound_token(**changes), expect, f"The certificate is right, and the token is not good ({identifier}).",
            "RFC 7519 section 7.2")
    good = bound_token()
    ask("token-forged", with_signature(good, flipped(signature_of(good))), "signature_invalid",
        "The certificate is right, and the signature of the token is not.", "RFC 7515 section 5.2")
    ask("token-self-made", bound_token(signer=CLIENT), "unknown_key", "The key of the certificate signed the token.", f"{BOUND} 3")


def claims():
    suite = CertificateSuite("claims", "The member x5t#S256 of the claim cnf.", f"{BOUND} 3.1")

    def ask(identifier, value, expect, why, *rest):
        suite.ask(f"claim-{identifier}", bound_token(cnf={"x5t#S256": value}), expect, why, *rest)
    for identifier, value in (("null", None), ("number", 1), ("array", [GOOD]), ("object", {}), ("true", True), ("empty", ""),
                              ("padded", f"{GOOD}="), ("cut", GOOD[:-1]), ("longer", f"{GOOD}A"), ("space", f"{GOOD} "),
                              ("plus", "+" + GOOD[1:]), ("hexadecimal", hashlib.sha256(CERTIFICATE).hexdigest()), ("nul", f"{GOOD}\0")):
        ask(identifier, value, "invalid_confirmation", f"The member is no base64url text of 32 octets ({identifier}).")
    ask("unused-bits", unused_bits_set(GOOD), "invalid_confirmation", "Unused bits of the last character are set.", "RFC 4648 section 3.5",
        "hardening")
    ask("sha1", base64url(hashlib.sha1(CERTIFICATE).digest()), "invalid_confirmation", "The hash is SHA-1.")
    ask("sha512", base64url(hashlib.sha512(CERTIFICATE).digest()), "invalid_confirmation", "The hash is SHA-512.")
    text = base64.b64encode(CERTIFICATE)
    pem = b"-----BEGIN CERTIFICATE-----\n" + text + b"\n-----END CERTIFICATE-----\n"
    public = CLIENT.private.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    for identifier, octets in (("of-base64", text), ("of-pem", pem), ("of-key", public), ("of-nothing", b""), ("of-hash", hashlib.sha256(
            CERTIFICATE).digest())):
        ask(identifier, thumbprint(octets), "certificate_mismatch", f"The hash is one of something else ({identifier}).")
    for identifier, value in (("zero", base64url(bytes(32))), ("reversed", GOOD[-2::-1] + "A")):
        ask(identifier, value, "certificate_mismatch", f"The hash is another one ({identifier}).")
    ask("capitals", GOOD.swapcase(), "invalid", "The hash has other capitals.")
    for identifier, value in (("null", None), ("string", GOOD), ("array", [{"x5t#S256": GOOD}]), ("empty", {}), ("number", 1)):
        suite.ask(f"cnf-{identifier}", bound_token(cnf=value), "invalid_confirmation",
                  f"The claim cnf is no object with a method ({identifier}).", "RFC 7800 section 3.1")
    twice = Members([("x5t#S256", thumbprint(b"")), ("x5t#S256", GOOD)])
    suite.ask("claim-twice", bound_token(cnf=twice), "duplicate_member", "The claim names two certificates.", "RFC 7519 section 4",
              "should")
    suite.ask("claim-escaped-name", bound_token(cnf=Members([(raw('"x5t\\u0023S256"'), GOOD)])), "valid",
              "The name of the member has an escape.", "RFC 8259 section 8.3", "should")
    return suite


def forms():
    suite = CertificateSuite("forms", "What a connection has in place of a certificate in DER.", f"{BOUND} 3")
    text = base64.b64encode(CERTIFICATE)
    public = CLIENT.private.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    shapes = {
        "cut": CERTIFICATE[:-1],
        "half": CERTIFICATE[:100],
        "longer": CERTIFICATE + b"\0",
        "two": CERTIFICATE + certificate(CLIENT, 2),
        "base64": text,
        "pem": b"-----BEGIN CERTIFICATE-----\n" + text + b"\n-----END CERTIFICATE-----\n",
        "key": public,
        "word": b"x",
        "zero": bytes(64),
        "sequence": b"\x30\x00",
        "endless": b"\x30\x80" + CERTIFICATE[4:] + b"\0\0"
    }
    for identifier, der in shapes.items():
        suite.ask(f"form-{identifier}", bound_token(der), "malformed_certificate",
                  f"It is not one certificate in DER, and the token has its hash ({identifier}).", None,
                  "hardening" if identifier == "endless" else "must", der=der)
    large = certificate(CLIENT, extension=bytes(16_384))
    suite.ask("form-large", bound_token(large), "certificate_too_large", "The certificate has more than 16 KiB.", f"{BOUND} 7.3", "hardening",
              der=large)
    suite.ask("form-large-zero", bound_token(bytes(16_385)), "certificate_too_large", "It has more than 16 KiB, and is no certificate.",
              f"{BOUND} 7.3", der=bytes(16_385))
    return suite


def optional():
    suite = CertificateSuite("optional", "A resource that takes tokens without a certificate too.", f"{BOUND} 3", binding="optional")
    suite.ask("optional-unbound", bound_token(cnf=ABSENT), "valid", "The token is bound to nothing.", "RFC 6750 section 2.1")
    suite.ask("optional-unbound-absent", bound_token(cnf=ABSENT), "valid", "The token is bound to nothing, and there is no certificate.",
              "RFC 6750 section 2.1", der=None)
    suite.ask("optional-bound", bound_token(), "valid", "The connection has the certificate that the token names.")
    suite.ask("optional-bound-absent", bound_token(), "missing_certificate", "The token is bound, and the connection has no certificate.",
              der=None)
    suite.ask("optional-other", bound_token(), "certificate_mismatch", "The connection has another certificate.",
              der=certificate(ec_key("certificate-stranger")))
    suite.ask("optional-key-bound", bound_token(cnf={"jkt": GOOD}), "unsupported_confirmation",
              "The token is bound to a key, and there is no proof.", "RFC 9449 section 7.2")
    return suite


SUITES = [bindings, claims, forms, optional]
