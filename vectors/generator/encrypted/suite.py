"""Encrypted tokens, the keys of their recipient, and their files."""

import json

from cryptography.hazmat.primitives.asymmetric import x25519
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from ..encoding import base64url, unbase64url, unsigned
from ..keys import EcKey, RsaKey, ec_key, rsa_key, seeded
from ..suite import ABSENT, AFTER_SIGNATURE, CODES, COMMON, GeneratorError, Suite, claims, lines, octets, token
from .ciphers import KEY_SIZES, OAEP, VECTOR_SIZES, WRAPPING, decrypted, derived, exchanged, oaep_encoded, rsa_encrypted, sealed, wrapped

JWE, JWA, NESTED = "RFC 7516 section", "RFC 7518 section", "RFC 7519 section"
ENCRYPTION_CODES = """
decryption_failed unsupported_encryption encryption_not_allowed compressed_token invalid_ephemeral_key unknown_decryption_key
ambiguous_decryption_key not_nested unencrypted_token
""".split()
SIGNER = ec_key("p256-1")
ALGORITHMS = ["RSA-OAEP", "RSA-OAEP-256", "ECDH-ES", "ECDH-ES+A128KW", "ECDH-ES+A256KW", "dir"]
ENCRYPTIONS = ["A128GCM", "A256GCM", "A128CBC-HS256", "A256CBC-HS512"]
POLICY = {"issuer": "https://idp.example", "audience": "client-1", "key_management": ALGORITHMS, "encryptions": ENCRYPTIONS}


class X25519Key:
    def __init__(self, name):
        self.name, self.crv = name, "X25519"
        self.private = x25519.X25519PrivateKey.from_private_bytes(seeded(name, 32))

    def jwk(self, **members):
        public = self.private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        return {"kty": "OKP", "kid": self.name, **members, "crv": "X25519", "x": base64url(public)}


class SecretKey:
    """A shared secret for `dir` with one encryption."""

    def __init__(self, encryption):
        self.name, self.encryption = f"secret-{encryption.lower()}", encryption
        self.secret = seeded(self.name, KEY_SIZES[encryption])

    def jwk(self, **members):
        return {"kty": "oct", "kid": self.name, "alg": self.encryption, **members, "k": base64url(self.secret)}


RSA = rsa_key("jwe-rsa")
CURVE_KEYS = {"P-256": ec_key("jwe-p256"), "P-384": ec_key("jwe-p384", "P-384"), "P-521": ec_key("jwe-p521", "P-521"),
              "X25519": X25519Key("jwe-x25519")}
SECRETS = {encryption: SecretKey(encryption) for encryption in ENCRYPTIONS}
RECIPIENTS = [RSA, *CURVE_KEYS.values(), *SECRETS.values()]


def private_jwk(key, **members):
    """The JWK with its private members."""
    jwk = key.jwk(**members)
    if isinstance(key, RsaKey):
        numbers = key.private.private_numbers()
        names = {"d": numbers.d, "p": numbers.p, "q": numbers.q, "dp": numbers.dmp1, "dq": numbers.dmq1, "qi": numbers.iqmp}
        return jwk | {name: base64url(unsigned(value)) for name, value in names.items()}
    if isinstance(key, EcKey):
        return jwk | {"d": base64url(unsigned(key.private.private_numbers().private_value, key.size))}
    if isinstance(key, X25519Key):
        return jwk | {"d": base64url(key.private.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption()))}
    return jwk


def ephemeral(key):
    """The sender's key for a recipient: the same for each token."""
    name = f"ephemeral {key.crv}"
    return X25519Key(name) if key.crv == "X25519" else ec_key(name, key.crv)


def public_members(key):
    return {name: value for name, value in key.jwk().items() if name != "kid"}


INNER = token(SIGNER, claims(sub="user-1"))
# Claims in another length, so that a mix of two tokens shows.
OTHER_INNER = token(SIGNER, claims(sub="administrator"))


class Sealer:
    """Encrypts for a recipient, step by step, with each step open to change."""

    def __init__(self, key, algorithm, encryption, label="", agreed=None, **header):
        """`agreed` replaces the shared secret of a key agreement."""
        self.key, self.algorithm, self.encryption, self.agreed = key, algorithm, encryption, agreed
        base = {"alg": algorithm, "enc": encryption, "cty": "JWT", "kid": key.name}
        if algorithm.startswith("ECDH-ES"):
            base["epk"] = public_members(ephemeral(key))
        self.header = {name: value for name, value in {**base, **header}.items() if value is not ABSENT}
        place = f"{label}/{algorithm}/{encryption}"
        self.content_key = seeded(f"cek {place}", KEY_SIZES[encryption])
        self.vector = seeded(f"vector {place}", VECTOR_SIZES[encryption])
        self.encrypted_key = self.transported(seeded(f"seed {place}", 32))

    def transported(self, seed):
        """The encrypted key. It also sets the content key where the algorithm makes it."""
        if self.algorithm == "dir":
            self.content_key = self.key.secret
            return b""
        if self.algorithm in OAEP:
            return rsa_encrypted(self.key, oaep_encoded(self.key.size, OAEP[self.algorithm], self.content_key, seed))
        header = {"alg": self.algorithm, "enc": self.encryption, **self.parties()}
        secret = self.agreed
        if secret is None:
            secret = exchanged(ephemeral(self.key).private, public_members(self.key))
        key = derived(secret, header)
        if self.algorithm in WRAPPING:
            return wrapped(key, self.content_key)
        self.content_key = key
        return b""

    def parties(self):
        return {name: self.header[name] for name in ("apu", "apv") if name in self.header}

    def seal(self, content=INNER, header=None):
        """The compact token. `header` replaces the header's octets."""
        head = base64url(octets(self.header if header is None else header))
        content = content.encode() if isinstance(content, str) else content
        ciphertext, tag = sealed(self.encryption, self.content_key, self.vector, content, head.encode())
        return self.joined(head, ciphertext, tag)

    def joined(self, head, ciphertext, tag, encrypted_key=None):
        key = self.encrypted_key if encrypted_key is None else encrypted_key
        return ".".join([head, *map(base64url, (key, self.vector, ciphertext, tag))])


def sealer(algorithm="ECDH-ES", encryption="A256GCM", key=None, label="", agreed=None, **header):
    """A sealer for the ordinary recipient of an algorithm."""
    if key is None:
        key = SECRETS[encryption] if algorithm == "dir" else RSA if algorithm in OAEP else CURVE_KEYS["P-256"]
    return Sealer(key, algorithm, encryption, label, agreed, **header)


def jwe(algorithm="ECDH-ES", encryption="A256GCM", content=INNER, **header):
    return sealer(algorithm, encryption, **header).seal(content)


class EncryptedSuite(Suite):
    """A file of encrypted tokens. A valid case has the content. A text in the token may be said to repeat."""

    kind, member, folder, codes = "encrypted", "encrypted", "encrypted/", [*CODES, *ENCRYPTION_CODES]
    after_signature, bad_signature = ["not_nested", "signature_invalid", *AFTER_SIGNATURE], "decryption_failed"

    def __init__(self, name, description, reference, severity="must", recipients=None, keys=None, **policy):
        keys = [SIGNER.jwk()] if keys is None else keys
        super().__init__(name, description, keys, {**POLICY, **policy}, reference=reference, severity=severity)
        self.recipients = [private_jwk(key) for key in RECIPIENTS] if recipients is None else recipients

    def ask(self, identifier, text, expect, why, reference=None, severity=None, *, content=INNER, repeat=None):
        """A case. `repeat` is a pair: a text that the token has once, and how often it is there."""
        self.add(f"jwe-{identifier}", text, expect, why, reference, severity)
        if repeat:
            place = text.index(repeat[0])
            self.cases[-1]["repeat"] = {"at": place, "length": len(repeat[0]), "count": repeat[1]}
        if expect == "valid":
            self.cases[-1]["content"] = content if isinstance(content, str) else content.decode()

    def text(self):
        whole = super().text()
        return whole.replace('"cases": [', f'"decryption_keys": {{"keys": {lines(self.recipients)}}},\n"cases": [', 1)

    def _with_needs(self, case):
        if case["expect"] != "valid":
            return case
        return {**{name: case[name] for name in COMMON}, "needs": needed(case["encrypted"]), **case}

    def _is_signed(self, text):
        """Whether the token opens with one of the recipient's keys."""
        return decrypted(text, self.recipients) is not None

    def check(self):
        super().check()
        for case in self.cases:
            if case["expect"] == "valid" and decrypted(case["encrypted"], self.recipients).decode() != case["content"]:
                raise GeneratorError(f"{case['id']}: another content")


def needed(text):
    """What a reader must support: the algorithms, a curve, and compression."""
    header = json.loads(unbase64url(text.partition(".")[0]))
    extras = [header.get("epk", {}).get("crv"), header.get("zip") and f"zip {header['zip']}"]
    return [header["alg"], header["enc"], *filter(None, extras)]
