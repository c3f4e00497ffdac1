"""Signature verification with the `cryptography` package: the generator's check on its own work."""

import hmac

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, mldsa, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from .encoding import unbase64url
from .keys import CRYPTOGRAPHY_HASHES, CURVES, hash_bits, pkcs1_encoded

EDWARDS = {"Ed25519": ed25519.Ed25519PublicKey, "Ed448": ed448.Ed448PublicKey}
MODULE_LATTICE = {
    "ML-DSA-44": mldsa.MLDSA44PublicKey,
    "ML-DSA-65": mldsa.MLDSA65PublicKey,
    "ML-DSA-87": mldsa.MLDSA87PublicKey,
}


def integer(text):
    return int.from_bytes(unbase64url(text), "big")


def verify_rsa(jwk, algorithm, data, signature):
    modulus, exponent, bits = integer(jwk["n"]), integer(jwk["e"]), hash_bits(algorithm)
    size = (modulus.bit_length() + 7) // 8
    if len(signature) != size:  # OpenSSL takes PSS signatures that lack leading zeros
        return False
    try:
        public = rsa.RSAPublicNumbers(exponent, modulus).public_key()
    except (ValueError, UnsupportedAlgorithm):  # too small, too large or degenerate: PKCS #1 by hand
        opened = pow(int.from_bytes(signature, "big"), exponent, modulus)
        return opened == int.from_bytes(pkcs1_encoded(size, bits, data), "big")
    hashing = CRYPTOGRAPHY_HASHES[bits]
    scheme = padding.PKCS1v15()
    if algorithm.startswith("PS"):
        scheme = padding.PSS(padding.MGF1(hashing), hashing.digest_size)
    public.verify(signature, data, scheme, hashing)
    return True


def verify_ec(jwk, algorithm, data, signature):
    curve, size, expected, bits = CURVES[jwk["crv"]]
    if algorithm != expected or len(signature) != 2 * size or len(unbase64url(jwk["x"])) != size:
        return False
    public = ec.EllipticCurvePublicNumbers(integer(jwk["x"]), integer(jwk["y"]), curve).public_key()
    r, s = int.from_bytes(signature[:size], "big"), int.from_bytes(signature[size:], "big")
    public.verify(encode_dss_signature(r, s), data, ec.ECDSA(CRYPTOGRAPHY_HASHES[bits]))
    return True


def verify_edwards(jwk, algorithm, data, signature):
    if algorithm not in ("EdDSA", jwk["crv"]):
        return False
    EDWARDS[jwk["crv"]].from_public_bytes(unbase64url(jwk["x"])).verify(signature, data)
    return True


def verify_hmac(jwk, algorithm, data, signature):
    return hmac.compare_digest(hmac.digest(unbase64url(jwk["k"]), data, "sha" + hash_bits(algorithm)), signature)


def verify_module_lattice(jwk, algorithm, data, signature):
    if algorithm != jwk["alg"]:
        return False
    MODULE_LATTICE[algorithm].from_public_bytes(unbase64url(jwk["pub"])).verify(signature, data)
    return True


FAMILIES = {
    "RSA": (("RS", "PS"), verify_rsa),
    "EC": (("ES",), verify_ec),
    "OKP": (("Ed",), verify_edwards),
    "oct": (("HS",), verify_hmac),
    "AKP": (("ML-DSA",), verify_module_lattice),
}


def verify(jwk, algorithm, data, signature):
    """Whether the signature is good under the JWK; a key that cannot be used verifies nothing."""
    try:
        prefixes, verifier = FAMILIES[jwk["kty"]]
        return algorithm.startswith(prefixes) and verifier(jwk, algorithm, data, signature)
    except (InvalidSignature, ValueError, KeyError, TypeError):
        return False
