"""Encryption without randomness, and decryption with the `cryptography` package as a check on it."""

import hashlib
import hmac
import json
import zlib

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes, keywrap
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, x25519
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.padding import PKCS7

from ..encoding import unbase64url, unsigned
from ..keys import CURVES, mask_generation, xor

KEY_SIZES = {"A128GCM": 16, "A192GCM": 24, "A256GCM": 32, "A128CBC-HS256": 32, "A192CBC-HS384": 48, "A256CBC-HS512": 64}
WRAPPING = {"ECDH-ES+A128KW": 16, "ECDH-ES+A192KW": 24, "ECDH-ES+A256KW": 32}
OAEP = {"RSA-OAEP": "1", "RSA-OAEP-256": "256"}
VECTOR_SIZES = {name: 12 if name.endswith("GCM") else 16 for name in KEY_SIZES}


# Content

def sealed(encryption, key, vector, content, context):
    """Ciphertext and tag (RFC 7518 section 5)."""
    if encryption.endswith("GCM"):
        both = AESGCM(key).encrypt(vector, content, context)
        return both[:-16], both[-16:]
    padder = PKCS7(128).padder()
    return sealed_padded(encryption, key, vector, padder.update(content) + padder.finalize(), context)


def sealed_padded(encryption, key, vector, padded, context):
    """CBC of octets that have their padding already, be it good or not."""
    half = len(key) // 2
    encryptor = Cipher(algorithms.AES(key[half:]), modes.CBC(vector)).encryptor()
    ciphertext = encryptor.update(padded) + encryptor.finalize()
    return ciphertext, cbc_tag(encryption, key, vector, ciphertext, context)


def cbc_tag(encryption, key, vector, ciphertext, context):
    message = context + vector + ciphertext + (8 * len(context)).to_bytes(8, "big")
    return hmac.digest(key[:len(key) // 2], message, "sha" + encryption[-3:])[:len(key) // 2]


def opened(encryption, key, vector, ciphertext, tag, context):
    """The content; None if the tag or the padding is wrong."""
    if len(key) != KEY_SIZES[encryption] or len(vector) != VECTOR_SIZES[encryption]:
        return None
    try:
        if encryption.endswith("GCM"):
            return AESGCM(key).decrypt(vector, ciphertext + tag, context) if len(tag) == 16 else None
        if tag != cbc_tag(encryption, key, vector, ciphertext, context):
            return None
        decryptor, unpadder = Cipher(algorithms.AES(key[len(key) // 2:]), modes.CBC(vector)).decryptor(), PKCS7(128).unpadder()
        return unpadder.update(decryptor.update(ciphertext) + decryptor.finalize()) + unpadder.finalize()
    except (InvalidTag, ValueError):
        return None


# Keys

def oaep_encoded(size, bits, message, seed):
    """EME-OAEP (RFC 8017 section 7.1.1) with a seed of our choice; the label is empty."""
    digest = hashlib.sha1 if bits == "1" else hashlib.sha256
    length = digest().digest_size
    block = digest(b"").digest() + bytes(size - len(message) - 2 * length - 2) + b"\x01" + message
    masked = xor(block, mask_generation(seed[:length], len(block), bits))
    return b"\0" + xor(seed[:length], mask_generation(masked, length, bits)) + masked


def rsa_encrypted(key, encoded):
    return unsigned(pow(int.from_bytes(encoded, "big"), key.e, key.n), key.size)


def exchanged(private, epk):
    """The shared secret with an ephemeral key that is a JWK."""
    if epk["crv"] == "X25519":
        return private.exchange(x25519.X25519PublicKey.from_public_bytes(unbase64url(epk["x"])))
    numbers = ec.EllipticCurvePublicNumbers(*(int.from_bytes(unbase64url(epk[name]), "big") for name in "xy"), CURVES[epk["crv"]][0])
    return private.exchange(ec.ECDH(), numbers.public_key())


def derived(secret, header, name=None):
    """Concat KDF (RFC 7518 section 4.6.2)."""
    size = WRAPPING.get(header["alg"]) or KEY_SIZES[header["enc"]]
    name = name or (header["alg"] if header["alg"] in WRAPPING else header["enc"])
    parts = [name.encode(), *(unbase64url(header.get(party, "")) for party in ("apu", "apv"))]
    information = b"".join(len(part).to_bytes(4, "big") + part for part in parts) + (8 * size).to_bytes(4, "big")
    rounds = range(1, (size + 31) // 32 + 1)
    return b"".join(hashlib.sha256(count.to_bytes(4, "big") + secret + information).digest() for count in rounds)[:size]


def wrapped(wrapping_key, key):
    return keywrap.aes_key_wrap(wrapping_key, key)


# The check

def private_key(jwk):
    """The private key of a JWK, for the cryptography package."""
    number = {name: int.from_bytes(unbase64url(jwk[name]), "big") for name in ("n", "e", "d", "p", "q", "dp", "dq", "qi") if name in jwk}
    if jwk["kty"] == "RSA":
        public = rsa.RSAPublicNumbers(number["e"], number["n"])
        return rsa.RSAPrivateNumbers(*(number[name] for name in ("p", "q", "d", "dp", "dq", "qi")), public).private_key()
    if jwk["crv"] == "X25519":
        return x25519.X25519PrivateKey.from_private_bytes(unbase64url(jwk["d"]))
    return ec.derive_private_key(number["d"], CURVES[jwk["crv"]][0])


def content_key(jwk, header, encrypted_key):
    """The CEK; None if the key does not recover one."""
    algorithm = header["alg"]
    try:
        if algorithm == "dir":
            return unbase64url(jwk["k"]) if not encrypted_key else None
        if algorithm in OAEP:
            kind = hashes.SHA1() if OAEP[algorithm] == "1" else hashes.SHA256()
            return private_key(jwk).decrypt(encrypted_key, padding.OAEP(padding.MGF1(kind), kind, None))
        key = derived(exchanged(private_key(jwk), header["epk"]), header)
        if algorithm not in WRAPPING:
            return key if not encrypted_key else None
        return keywrap.aes_key_unwrap(key, encrypted_key)
    except (ValueError, KeyError, AttributeError, keywrap.InvalidUnwrap):
        return None


def decrypted(token, keys):
    """The content of a token, by one of the keys; None if none opens it."""
    header, encrypted_key, vector, ciphertext, tag = token.split(".")
    members = json.loads(unbase64url(header))
    for jwk in keys:
        if "kid" in members and "kid" in jwk and members["kid"] != jwk["kid"]:
            continue
        key = content_key(jwk, members, unbase64url(encrypted_key))
        if key is None:
            continue
        content = opened(members["enc"], key, *map(unbase64url, (vector, ciphertext, tag)), header.encode())
        if content is not None:
            return zlib.decompressobj(-15).decompress(content) if members.get("zip") == "DEF" else content
    return None
