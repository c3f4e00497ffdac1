"""RSA signatures of encodings that a careless verifier accepts: PKCS #1 v1.5 and PSS, each fault for each hash."""

from ..encoding import unsigned
from ..keys import DIGEST_INFO, HASHES, digest, mask_generation, pss_encoded, rsa_key, seeded, xor
from ..suite import Suite, signing_input, token, with_signature

PKCS1, PSS = "RFC 8017 section 8.2.2; CVE-2006-4339", "RFC 8017 section 9.1.2; RFC 7518 section 3.5"
OBJECT_IDENTIFIERS = {  # the last octets of identifiers of other hashes, as DER
    "md5": bytes.fromhex("300c06082a864886f70d02050500"), "sha1": bytes.fromhex("300906052b0e03021a0500"),
    "sha224": bytes.fromhex("300d06096086480165030402040500"), "sha512-256": bytes.fromhex("300d06096086480165030402060500"),
    "sha3-256": bytes.fromhex("300d06096086480165030402080500"), "rsa": bytes.fromhex("300d06092a864886f70d0101010500"),
    "sha256-rsa": bytes.fromhex("300d06092a864886f70d01010b0500"),
}


def tlv(tag, content, long_form=False):
    """A value of DER; or its length in a form that DER forbids."""
    return bytes([tag]) + (b"\x81" if long_form or len(content) > 127 else b"") + bytes([len(content)]) + content


def padded(size, tail, *, block=b"\x00\x01", fill=0xFF, separator=b"\x00"):
    return block + bytes([fill]) * (size - len(block) - len(separator) - len(tail)) + separator + tail


def digest_infos(bits, hashed):
    """DigestInfo with faults: identifier, octets, what is wrong."""
    good = DIGEST_INFO[bits]
    identifier, null = good[6:6 + good[5]], b"\x05\x00"
    algorithm, value = tlv(0x30, tlv(6, identifier) + null), tlv(4, hashed)
    for place in range(len(good)):
        changed = good[:place] + bytes([good[place] ^ 1]) + good[place + 1:]
        yield f"prefix-{place}", changed + hashed, f"octet {place} of DigestInfo changed"
    yield "no-null", tlv(0x30, tlv(0x30, tlv(6, identifier)) + value), "no parameters"
    yield "null-with-content", tlv(0x30, tlv(0x30, tlv(6, identifier) + b"\x05\x01\x00") + value), "a NULL with an octet"
    yield "two-nulls", tlv(0x30, tlv(0x30, tlv(6, identifier) + null * 2) + value), "two NULLs"
    yield "parameters-sequence", tlv(0x30, tlv(0x30, tlv(6, identifier) + b"\x30\x00") + value), "an empty sequence as parameters"
    yield "long-outer", tlv(0x30, algorithm + value, True), "the outer length in a long form"
    yield "long-algorithm", tlv(0x30, tlv(0x30, tlv(6, identifier) + null, True) + value), "the length of the algorithm in a long form"
    yield "long-identifier", tlv(0x30, tlv(0x30, tlv(6, identifier, True) + null) + value), "the identifier's length in a long form"
    yield "long-value", tlv(0x30, algorithm + tlv(4, hashed, True)), "the length of the hash in a long form"
    yield "long-null", tlv(0x30, tlv(0x30, tlv(6, identifier) + b"\x05\x81\x00") + value), "the length of NULL in a long form"
    yield "indefinite", b"\x30\x80" + algorithm + value + b"\0\0", "an indefinite length"
    yield "garbage-in-algorithm", tlv(0x30, tlv(0x30, tlv(6, identifier) + null + b"\x04\x01x") + value), "more in the algorithm"
    yield "garbage-in-sequence", tlv(0x30, algorithm + value + b"\x04\x01x"), "more in the sequence"
    yield "garbage-octet", tlv(0x30, algorithm + value) + b"\0", "an octet behind it"
    yield "garbage-long", tlv(0x30, algorithm + value) + b"\xa5" * 64, "64 octets behind it"
    yield "bit-string", tlv(0x30, algorithm + tlv(3, b"\0" + hashed)), "the hash as a bit string"
    yield "constructed", tlv(0x30, algorithm + tlv(0x24, tlv(4, hashed))), "the hash in a constructed string"
    yield "set", tlv(0x31, algorithm + value), "a set for the sequence"
    yield "short-hash", tlv(0x30, algorithm + tlv(4, hashed[:-1])), "a hash an octet short"
    yield "long-hash", tlv(0x30, algorithm + tlv(4, hashed + b"\0")), "a hash an octet too long"
    yield "empty-hash", tlv(0x30, algorithm + tlv(4, b"")), "an empty hash"
    yield "hash-alone", hashed, "only the hash"
    yield "value-alone", value, "only the hash as an octet string"
    for name, other in OBJECT_IDENTIFIERS.items():
        yield f"named-{name}", tlv(0x30, other + value), f"the identifier of {name}"
    for other in sorted(HASHES.keys() - {bits}):
        yield f"named-{other}", DIGEST_INFO[other] + hashed, f"the prefix of SHA-{other}"


def paddings(size, bits, hashed):
    """Whole encodings with faults around a good DigestInfo."""
    tail = DIGEST_INFO[bits] + hashed
    good, end = bytearray(padded(size, tail)), size - len(tail) - 2
    for name, place in (("first", 2), ("second", 3), ("middle", size // 4), ("last", end)):
        for octet in (0x00, 0x01, 0xFE, 0x7F):
            changed = bytearray(good)
            changed[place] = octet
            yield f"pad-{name}-{octet:02x}", bytes(changed), f"the {name} octet of the padding is {octet:02X}"
    for name, place in (("first", size - len(hashed)), ("middle", size - len(hashed) // 2), ("last", size - 1)):
        for mask in (0x01, 0x80):
            changed = bytearray(good)
            changed[place] ^= mask
            yield f"hash-{name}-{mask:02x}", bytes(changed), f"a bit of the {name} octet of the hash is flipped"
    for block in (b"\x00\x00", b"\x00\x02", b"\x00\xff", b"\x01\x01", b"\x00\x81"):
        yield f"block-{block.hex()}", padded(size, tail, block=block), f"it begins with {block.hex(' ').upper()}"
    for separator in (b"\x01", b"\xff", b""):
        yield f"separator-{separator.hex() or 'none'}", padded(size, tail, separator=separator), "the separator is not a zero octet"
    for count in (0, 1, 7, 8, 9):
        text = b"\x00\x01" + b"\xff" * count + b"\x00" + tail
        yield f"pad-{count}-octets", text + b"\0" * (size - len(text)), f"the padding has {count} octets, with zeros at the end"
    yield "two-separators", padded(size, b"\x00" + tail), "there are two separators"
    yield "shifted", b"\x00" + padded(size - 1, tail), "a zero octet is in front"
    yield "fill-zero", padded(size, tail, fill=0), "the padding is of zeros"
    yield "hash-of-hash", padded(size, DIGEST_INFO[bits] + digest(bits, hashed)), "the hash is of the hash"
    yield "hash-reversed", padded(size, DIGEST_INFO[bits] + hashed[::-1]), "the hash is reversed"


# No forgery follows from taking these for the encoding that RFC 8017 section 9.2 gives.
HARMLESS = {"no-null", "long-outer", "long-algorithm", "long-identifier", "long-value", "long-null"}


def signed(suite, key, algorithm, identifier, encoded, why, code="signature_invalid"):
    """Adds a token whose signature opens to the encoding."""
    text = token(key, None, algorithm)
    assert int.from_bytes(encoded, "big") < key.n, identifier
    severity = "should" if identifier.partition("-")[2] in HARMLESS else None
    suite.add(identifier, with_signature(text, key.power(encoded)), code, why, severity=severity)


def pkcs1_encodings():
    key = rsa_key("rsa-four-primes", (512,) * 4)
    suite = Suite("rsa-pkcs1-encodings", "RSA signatures of wrong PKCS #1 v1.5 encodings, for each hash.", [key.jwk()], reference=PKCS1)
    for bits in ("256", "384", "512"):
        algorithm = f"RS{bits}"
        hashed = digest(bits, signing_input(token(key, None, algorithm)).encode())
        suite.valid(f"rs{bits}-encoded", token(key, None, algorithm), f"A good {algorithm} encoding.")
        for identifier, tail, what in digest_infos(bits, hashed):
            signed(suite, key, algorithm, f"rs{bits}-{identifier}", padded(key.size, tail), f"An {algorithm} encoding with {what}.")
        for identifier, encoded, what in paddings(key.size, bits, hashed):
            signed(suite, key, algorithm, f"rs{bits}-{identifier}", encoded, f"An {algorithm} encoding: {what}.")
    return suite


def salted(key, bits, data, *, salt=None, zeros=8, order=False, hashed=None):
    """A PSS encoding with another M' (RFC 8017 section 9.1.1 step 5)."""
    size_of_hash = HASHES[bits]().digest_size
    salt = seeded("pss salt", size_of_hash) if salt is None else salt
    hashed = digest(bits, data) if hashed is None else hashed
    inner = digest(bits, bytes(zeros) + (salt + hashed if order else hashed + salt))
    size = (key.n.bit_length() + 6) // 8
    block = bytes(size - len(salt) - size_of_hash - 2) + b"\x01" + salt
    masked = xor(block, mask_generation(inner, len(block), bits))
    return bytes([masked[0] & 0xFF >> 8 * size - (key.n.bit_length() - 1)]) + masked[1:] + inner + b"\xbc"


def pss_faults(key, bits, data):
    """Identifier, encoding, what is wrong."""
    modulus, size_of_hash = key.n.bit_length(), HASHES[bits]().digest_size
    good = pss_encoded(modulus, bits, data)
    most = key.size - size_of_hash - 2
    for size in sorted({0, 1, 8, 16, 20, 28, 31, 32, 33, 47, 48, 49, 63, 64, 65, most - 1, most} - {size_of_hash}):
        yield f"salt-{size}", pss_encoded(modulus, bits, data, salt_size=size), f"a salt of {size} octets"
    for trailer in (0x00, 0x01, 0xBB, 0xBD, 0xCC, 0xFF, 0x3C):
        yield f"trailer-{trailer:02x}", pss_encoded(modulus, bits, data, trailer=trailer), f"the trailer {trailer:02X}"
    for separator in (0x00, 0x02, 0x03, 0x80, 0x81, 0xFF):
        yield f"separator-{separator:02x}", pss_encoded(modulus, bits, data, separator=separator), f"{separator:02X} before the salt"
    for padding in (0x01, 0x40):
        yield f"padding-{padding:02x}", pss_encoded(modulus, bits, data, padding=padding), f"the padding of octets {padding:02X}"
    for mask in sorted(HASHES.keys() - {bits}):
        yield f"mask-{mask}", pss_encoded(modulus, bits, data, mask_bits=mask), f"a mask made by SHA-{mask}"
    for name, place in (("second", 1), ("middle", len(good) // 3), ("salt", -size_of_hash - 2), ("hash-first", -size_of_hash - 1),
                        ("hash-last", -2)):
        changed = bytearray(good)
        changed[place] ^= 1
        yield f"bit-{name}", bytes(changed), f"a bit flipped ({name.replace('-', ' ')})"
    for zeros in (0, 7, 9):
        yield f"zeros-{zeros}", salted(key, bits, data, zeros=zeros), f"{zeros} zero octets before the hash"
    yield "salt-before-hash", salted(key, bits, data, order=True), "the salt before the hash"
    yield "hash-of-hash", salted(key, bits, data, hashed=digest(bits, digest(bits, data))), "the hash of the hash"
    for other in sorted(HASHES.keys() - {bits, "1"}):
        yield f"hash-{other}", salted(key, bits, data, hashed=digest(other, data)), f"SHA-{other} for the message"
    yield "zero-salt-wrong-inner", salted(key, bits, data, salt=bytes(size_of_hash), hashed=bytes(size_of_hash)), "a hash of zeros"


def pss_encodings():
    key, odd = rsa_key("rsa-four-primes", (512,) * 4), rsa_key("rsa-2049", (520, 512, 512, 505))
    suite = Suite("rsa-pss-encodings", "RSA signatures of wrong PSS encodings, for each hash.", [key.jwk(), odd.jwk()], reference=PSS)
    for bits in ("256", "384", "512"):
        algorithm = f"PS{bits}"
        data = signing_input(token(key, None, algorithm)).encode()
        suite.valid(f"ps{bits}-encoded", token(key, None, algorithm), f"A good {algorithm} encoding.")
        for salt in (bytes(HASHES[bits]().digest_size), b"\xff" * HASHES[bits]().digest_size):
            signed(suite, key, algorithm, f"ps{bits}-salt-of-{salt[:1].hex()}", salted(key, bits, data, salt=salt),
                   f"A {algorithm} encoding with a salt of octets {salt[:1].hex().upper()}.", "valid")
        for identifier, encoded, what in pss_faults(key, bits, data):
            signed(suite, key, algorithm, f"ps{bits}-{identifier}", encoded, f"A {algorithm} encoding with {what}.")
        modulus_of_whole_octets(suite, odd, bits, algorithm)
    return suite


def modulus_of_whole_octets(suite, key, bits, algorithm):
    """A modulus of 8k + 1 bits: the encoding is an octet shorter than the modulus, and the octet in front of it is zero."""
    assert key.n.bit_length() % 8 == 1
    data = signing_input(token(key, None, algorithm)).encode()
    good = pss_encoded(key.n.bit_length(), bits, data)
    suite.valid(f"ps{bits}-2049", token(key, None, algorithm), f"A good {algorithm} encoding for a modulus of 2049 bits.")
    over = unsigned(1 << 2048 | int.from_bytes(good, "big"))
    if int.from_bytes(over, "big") < key.n:
        signed(suite, key, algorithm, f"ps{bits}-2049-first-octet", over, "The octet in front of the encoding is one.")


SUITES = [pkcs1_encodings, pss_encodings]
