"""Keys from fixed seeds, and signatures without randomness.

Every key is derived from its name alone, so the vectors are the same bytes on every run. The keys are for tests only:
whoever has this file can derive the private parts, which is why none of them is ever written to a vector file.
"""

import base64
import datetime
import hashlib
import hmac
import math
from functools import cache

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from . import mldsa
from .encoding import base64url, unsigned

HASHES = {"256": hashlib.sha256, "384": hashlib.sha384, "512": hashlib.sha512, "1": hashlib.sha1}
DIGEST_INFO = {
    "1": bytes.fromhex("3021300906052b0e03021a05000414"),
    "256": bytes.fromhex("3031300d060960864801650304020105000420"),
    "384": bytes.fromhex("3041300d060960864801650304020205000430"),
    "512": bytes.fromhex("3051300d060960864801650304020305000440"),
}
CURVES = {  # crv: (curve, coordinate size, algorithm, hash)
    "P-256": (ec.SECP256R1(), 32, "ES256", "256"),
    "P-384": (ec.SECP384R1(), 48, "ES384", "384"),
    "P-521": (ec.SECP521R1(), 66, "ES512", "512"),
    "secp256k1": (ec.SECP256K1(), 32, "ES256K", "256"),
}
CRYPTOGRAPHY_HASHES = {"256": hashes.SHA256(), "384": hashes.SHA384(), "512": hashes.SHA512()}
SMALL_PRIMES = [p for p in range(3, 4000, 2) if all(p % q for q in range(3, math.isqrt(p) + 1, 2))]


def seeded(label, size):
    """The first octets of a stream that depends on the label only."""
    return hashlib.shake_256(b"assay vectors 1: " + label.encode()).digest(size)


def digest(bits, data):
    return HASHES[bits](data).digest()


def hash_bits(algorithm):
    """The part of an algorithm name that names its hash: "256" of "ES256K"."""
    return algorithm[2:5]


# RSA

def is_prime(number):
    """Miller-Rabin with the first 24 odd primes, enough for numbers that nobody chose with care."""
    if pow(2, number - 1, number) != 1:
        return False
    twos = ((number - 1) & (1 - number)).bit_length() - 1
    for base in SMALL_PRIMES[:24]:
        value = pow(base, (number - 1) >> twos, number)
        if value in (1, number - 1):
            continue
        for _ in range(twos - 1):
            value = value * value % number
            if value == number - 1:
                break
        else:
            return False
    return True


def seeded_prime(label, bits, exponent):
    """The first prime at or after a seeded start whose top eight bits are set, fit for the public exponent."""
    candidate = int.from_bytes(seeded(label, bits // 8 + 1), "big") % (1 << (bits - 8)) | 1 | 255 << (bits - 8)
    residues = {prime: candidate % prime for prime in SMALL_PRIMES}
    step = 0
    while True:
        if all((residue + step) % prime for prime, residue in residues.items()):
            number = candidate + step
            if math.gcd(number - 1, exponent) == 1 and is_prime(number):
                return number
        step += 2


def mask_generation(seed, size, bits):
    blocks = (digest(bits, seed + counter.to_bytes(4, "big")) for counter in range(size // 20 + 1))
    return b"".join(blocks)[:size]


def xor(left, right):
    return bytes(a ^ b for a, b in zip(left, right))


def pkcs1_encoded(size, bits, data):
    """EMSA-PKCS1-v1_5 (RFC 8017 section 9.2)."""
    tail = DIGEST_INFO[bits] + digest(bits, data)
    return b"\x00\x01" + b"\xff" * (size - len(tail) - 3) + b"\x00" + tail


def pss_encoded(modulus_bits, bits, data, *, salt_size=None, mask_bits=None, trailer=0xBC, separator=1, padding=0,
                top_bit=0):
    """EMSA-PSS (RFC 8017 section 9.1.1) with a fixed salt; the other parameters make wrong encodings."""
    size, hash_size = (modulus_bits + 6) // 8, HASHES[bits]().digest_size
    salt = seeded("pss salt", hash_size if salt_size is None else salt_size)
    hashed = digest(bits, bytes(8) + digest(bits, data) + salt)
    block = bytes([padding]) * (size - len(salt) - hash_size - 2) + bytes([separator]) + salt
    masked = xor(block, mask_generation(hashed, len(block), mask_bits or bits))
    unused = 8 * size - (modulus_bits - 1)
    first = masked[0] & 0xFF >> unused | top_bit << (8 - unused)
    return bytes([first]) + masked[1:] + hashed + bytes([trailer])


class RsaKey:
    """An RSA key, of more than two primes where that saves time: who verifies sees only the modulus."""

    default_algorithm = "RS256"

    def __init__(self, name, sizes, exponent):
        self.name, self.e = name, exponent
        self.primes = [seeded_prime(f"{name}/{index}", bits, exponent) for index, bits in enumerate(sizes)]
        self.n = math.prod(self.primes)
        self.size = (self.n.bit_length() + 7) // 8

    def power(self, encoded):
        """The private-key operation, prime by prime, on an encoded message."""
        message, result, product = int.from_bytes(encoded, "big"), 0, 1
        for prime in self.primes:
            residue = pow(message, pow(self.e, -1, prime - 1), prime)
            result += product * ((residue - result) * pow(product, -1, prime) % prime)
            product *= prime
        return unsigned(result, self.size)

    def sign(self, algorithm, data):
        bits = hash_bits(algorithm)
        if algorithm.startswith("PS"):
            return self.power(pss_encoded(self.n.bit_length(), bits, data))
        return self.power(pkcs1_encoded(self.size, bits, data))

    def jwk(self, **members):
        return {"kty": "RSA", "kid": self.name, **members, "n": base64url(unsigned(self.n)),
                "e": base64url(unsigned(self.e))}

    @property
    def private(self):
        p, q = self.primes
        d = pow(self.e, -1, math.lcm(p - 1, q - 1))
        numbers = rsa.RSAPrivateNumbers(p, q, d, d % (p - 1), d % (q - 1), pow(q, -1, p),
                                        rsa.RSAPublicNumbers(self.e, self.n))
        return numbers.private_key()


# Elliptic curves

class EcKey:
    def __init__(self, name, curve, scalar):
        self.name, self.crv = name, curve
        curve_object, self.size, self.default_algorithm, self.bits = CURVES[curve]
        self.order = curve_object.group_order
        self.private = ec.derive_private_key(scalar, curve_object)
        point = self.private.public_key().public_numbers()
        self.x, self.y = point.x, point.y

    def scalars(self, data, bits=None):
        """r and s, with the nonce of RFC 6979."""
        scheme = ec.ECDSA(CRYPTOGRAPHY_HASHES[bits or self.bits], deterministic_signing=True)
        return decode_dss_signature(self.private.sign(data, scheme))

    def joined(self, r, s):
        return unsigned(r, self.size) + unsigned(s, self.size)

    def sign(self, algorithm, data):
        return self.joined(*self.scalars(data))

    def jwk(self, **members):
        return {"kty": "EC", "kid": self.name, **members, "crv": self.crv,
                "x": base64url(unsigned(self.x, self.size)), "y": base64url(unsigned(self.y, self.size))}


class EdKey:
    def __init__(self, name, curve):
        self.name, self.crv, self.default_algorithm = name, curve, "EdDSA"
        kind, size = {"Ed25519": (ed25519.Ed25519PrivateKey, 32), "Ed448": (ed448.Ed448PrivateKey, 57)}[curve]
        self.private = kind.from_private_bytes(seeded(name, size))
        self.public = self.private.public_key().public_bytes_raw()

    def sign(self, algorithm, data):
        return self.private.sign(data)

    def jwk(self, **members):
        return {"kty": "OKP", "kid": self.name, **members, "crv": self.crv, "x": base64url(self.public)}


# Other keys

class HmacKey:
    def __init__(self, name, secret):
        self.name, self.secret, self.default_algorithm = name, secret, "HS256"

    def sign(self, algorithm, data):
        return hmac.digest(self.secret, data, "sha" + hash_bits(algorithm))

    def jwk(self, **members):
        return {"kty": "oct", "kid": self.name, **members, "k": base64url(self.secret)}


class MldsaKey:
    def __init__(self, name, parameters):
        self.name, self.default_algorithm = name, parameters
        self.private = mldsa.PrivateKey(parameters, seeded(name, 32))

    def sign(self, algorithm, data, context=b""):
        return self.private.sign(data, context)

    def jwk(self, **members):
        return {"kty": "AKP", "kid": self.name, "alg": self.default_algorithm, **members,
                "pub": base64url(self.private.public)}


@cache
def rsa_key(name, sizes=(1024, 1024), exponent=65537):
    return RsaKey(name, sizes, exponent)


@cache
def ec_key(name, curve="P-256"):
    return EcKey(name, curve, int.from_bytes(seeded(name, 80), "big") % (CURVES[curve][0].group_order - 1) + 1)


@cache
def ec_key_with_short_x(name):
    """A P-256 key whose x coordinate begins with a zero octet."""
    return next(key for key in (EcKey(name, "P-256", int.from_bytes(seeded(f"{name}/{index}", 31), "big"))
                                for index in range(1 << 16)) if key.x < 1 << 248)


@cache
def ed_key(name, curve="Ed25519"):
    return EdKey(name, curve)


@cache
def hmac_key(name, size=32):
    return HmacKey(name, seeded(name, size))


@cache
def mldsa_key(name, parameters):
    return MldsaKey(name, parameters)


def public_forms(key):
    """The spellings of an RSA public key that verifiers were made to take for an HMAC secret."""
    public = key.private.public_key()
    formats = serialization.PublicFormat

    def written(encoding, form):
        return public.public_bytes(encoding, form)
    return {
        "spki-pem": written(serialization.Encoding.PEM, formats.SubjectPublicKeyInfo),
        "pkcs1-pem": written(serialization.Encoding.PEM, formats.PKCS1),
        "spki-der": written(serialization.Encoding.DER, formats.SubjectPublicKeyInfo),
        "ssh-rsa": written(serialization.Encoding.OpenSSH, formats.OpenSSH),
        "modulus": unsigned(key.n),
    }


def certificate(key):
    """A self-signed certificate, the same each time, as the member x5c has it: standard base64 of DER."""
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "idp.example")])
    begin = datetime.datetime(2023, 1, 1, tzinfo=datetime.timezone.utc)
    builder = x509.CertificateBuilder(name, name, key.private.public_key(), 1, begin,
                                      begin + datetime.timedelta(days=3650))
    der = builder.sign(key.private, hashes.SHA256()).public_bytes(serialization.Encoding.DER)
    return base64.b64encode(der).decode("ascii")
