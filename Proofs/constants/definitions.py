"""What each constant must be. `DEFINITIONS` has, by folder and name, a function of the constant that returns the claims that hold of it."""
import math

from constants.curves import CURVES, P256, P384, P521, Edwards

E, Q = Edwards, Edwards.p


def equal(radix, value, first=0, count=None):
    """The digits are the number's, each below 2^radix where the radix is smaller than a word."""
    def check(constant):
        digits = constant.numbers[first:None if count is None else first + count]
        yield 'its digits are below 2^%d' % radix, all(0 <= digit < 1 << radix for digit in digits)
        yield 'it is %#x' % value, constant.value(radix, first, count) == value
    return check


def every(*checks):
    def check(constant):
        for one in checks:
            yield from one(constant)
    return check


def modulus(m, radix, scale):
    """nist_modulus: limbs and R^2 in nine words each, -1/m, then m and the scale in ten limbs of 62 bits each, and 1/m."""
    def inverses(constant):
        yield '-1/m mod 2^64', constant.numbers[18] == -pow(m, -1, 1 << 64) % (1 << 64)
        yield '1/m mod 2^62', constant.numbers[39] == pow(m, -1, 1 << 62)
        yield 'its size', len(constant.numbers) == 40
    return every(equal(64, m, 0, 9), equal(64, radix * radix % m, 9, 9), equal(62, m, 19, 10), equal(62, scale % m, 29, 10), inverses)


def edwards_modulus(constant):
    """Only what inverses read; the lowest limb is negative."""
    limbs = [limb - (1 << 64) if limb >> 63 else limb for limb in constant.numbers[19:29]]
    yield 'p', sum(limb << (62 * i) for i, limb in enumerate(limbs)) == Q
    yield 'the scale is 1', constant.value(62, 29, 10) == 1
    yield '1/p mod 2^62', constant.numbers[39] == pow(Q, -1, 1 << 62)


def root_of_minus_one(constant):
    yield 'its square is -1', constant.value(51) ** 2 % Q == Q - 1
    yield 'its digits are below 2^51', all(digit < 1 << 51 for digit in constant.numbers)


def multiples_of_p(constant):
    yield 'four rows of five digits below 2^52', len(constant.numbers) == 20 and all(digit < 1 << 52 for digit in constant.numbers)
    for k in range(4):
        yield '%d p' % k, constant.value(52, 5 * k, 5) == k * P256.p


def shapes(constant):
    """bytes, digits, vectors, for moduli of 2048, 3072 and 4096 bits."""
    rows = [constant.numbers[i:i + 3] for i in range(0, len(constant.numbers), 3)]
    yield 'the sizes', [row[0] for row in rows] == [256, 384, 512]
    for size, digits, vectors in rows:
        yield '%d: R = 2^(52 digits) > 4 n' % size, 52 * digits >= 8 * size + 2
        yield '%d: an even number of digits, in vectors of eight' % size, 8 * (vectors - 1) < digits <= 8 * vectors and digits % 2 == 0


def lane_shapes(bits):
    """bytes, digits, for moduli of 2048, 3072 and 4096 bits. With IFMA a column has halves of products, as many low as high ones."""
    product = (2**27 - 1)**2 if bits == 27 else 2 * (2**52 - 1)

    def check(constant):
        rows = [constant.numbers[i:i + 2] for i in range(0, len(constant.numbers), 2)]
        yield 'the sizes', [row[0] for row in rows] == [256, 384, 512]
        for size, digits in rows:
            yield '%d: R = 2^(%d digits) > 4 n' % (size, bits), bits * digits >= 8 * size + 2
            yield '%d: tiles of four digits' % size, digits % 4 == 0
            yield '%d: a column of products, and a carry, fit 64 bits' % size, 2 * digits * product + 2**37 < 2**64
    return check


def fraction_of_root(prime, degree, bits):
    """The first bits of the fractional part of a root (FIPS 180-4): exact."""
    scaled = prime << (degree * bits)
    root = math.isqrt(scaled) if degree == 2 else cube_root(scaled)
    return root % (1 << bits)


def cube_root(n):
    low, high = 0, 1 << (n.bit_length() // 3 + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle ** 3 <= n else (low, middle - 1)
    return low


PRIMES = [n for n in range(2, 410) if all(n % m for m in range(2, n))]


def roots(degree, bits, first, count):
    def check(constant):
        yield 'its size', len(constant.numbers) == count
        for i, prime in enumerate(PRIMES[first:first + count]):
            yield 'word %d is of the root of %d' % (i, prime), constant.numbers[i] == fraction_of_root(prime, degree, bits)
    return check


def digest_info(constant):
    """DER: SEQUENCE { SEQUENCE { OID, NULL }, OCTET STRING } up to the hash, with the OIDs of SHA-2 (RFC 8017 section 9.2 note 1)."""
    rows = [bytes(constant.numbers[i:i + 19]) for i in range(0, len(constant.numbers), 19)]
    yield 'a row for each digest', len(rows) == 4 and rows[0] == bytes(19)
    for index, (row, length) in enumerate(zip(rows[1:], (32, 48, 64)), 1):
        oid = bytes([2 * 40 + 16]) + b''.join(base128(arc) for arc in (840, 1, 101, 3, 4, 2, index))
        algorithm = der(0x30, der(0x06, oid) + der(0x05, b''))
        yield 'SHA-%d' % (8 * length), row == der(0x30, algorithm + der(0x04, bytes(length)))[:-length]


def der(tag, content):
    return bytes([tag, len(content)]) + content


def base128(arc):
    return (bytes([0x80 | arc >> 7]) if arc >= 128 else b'') + bytes([arc % 128])


def nist(curve):
    p, n, radix = curve.p, curve.n, curve.radix
    one = equal(curve.digit, radix % p)
    return {
        'kPrime': modulus(p, radix, radix * radix), 'kOrder': modulus(n, curve.order_radix, curve.order_radix),
        'kHalfOrder': equal(64, n // 2), 'kPrimeLessOrder': equal(64, p - n), 'kOne': one,
        'kCurveB': equal(curve.digit, curve.b * radix % p), 'field_to_words.one': equal(64, 1),
        'kGeneratorX': equal(64, curve.generator[0]), 'kGeneratorY': equal(64, curve.generator[1]), 'p256_order': equal(64, n),
        '__const.build_first_rows.product': one, '__const.build_round.product': one,
    }


def lanes(curve, digits):
    """Of nistifma: c is the lanes' Montgomery radix over that of the rows; each in the lanes' form."""
    radix, p = 1 << (52 * digits), curve.p
    over = pow(curve.radix, -1, p)
    return {
        **nist(curve), 'kMask52': equal(64, (1 << 52) - 1), 'kP': equal(52, p), 'kScale': equal(52, radix * radix * over % p),
        'kUnscale': equal(52, curve.radix % p), 'equals_x.one': equal(52, 1), 'read_batch.nothing': equal(8, 0),
    }


def octets(value):
    return lambda constant: [('it is %#x' % value, int.from_bytes(bytes(constant.numbers), 'big') == value)]


RADIX = 1 << 260  # of the lanes' Montgomery form
IFMA = {
    'kP256MinusOne': equal(52, -RADIX % P256.p), 'kRSquared': equal(52, RADIX * RADIX % P256.p), 'kB': equal(52, P256.b * RADIX % P256.p),
    'p256_prime': equal(64, P256.p), 'fe8_is_zero.multiples': multiples_of_p, 'rows8_load.p': equal(52, P256.p),
    'canonical.p': equal(52, P256.p), '__const.canonical.p': equal(52, P256.p), 'p256_judge.one': equal(52, 1),
    'read_lane.one': equal(64, 1),
    'read_batch.nothing': equal(8, 0), 'build_generator.x': octets(P256.generator[0]), 'build_generator.y': octets(P256.generator[1]),
}
ED25519 = {
    'kFe51Zero': equal(51, 0), 'kFe51One': equal(51, 1), 'kPrime': edwards_modulus, 'kCurveD': equal(51, E.d),
    'kCurveTwiceD': equal(51, 2 * E.d % Q), 'kRootOfMinusOne': root_of_minus_one, 'kOrder': equal(64, E.L), 'kMu': equal(64, 2**512 // E.L),
    'kBaseX': equal(51, E.base()[0]), 'kBaseY': equal(51, E.base()[1]), 'cjwt_ed25519_identity_row': equal(64, 1 | 1 << 256),
}
DEFINITIONS = {
    **{('nist/%s' % file, name): check for file, curve in (('p256_scalar.c', P256), *((curve.kernel + '.c', curve) for curve in CURVES))
       for name, check in nist(curve).items()},
    **{('nistifma/%s_ifma.c' % curve.kernel, name): check for curve, digits in ((P384, 8), (P521, 11))
       for name, check in lanes(curve, digits).items()},
    **{('p256ifma', name): check for name, check in IFMA.items()}, **{('ed25519', name): check for name, check in ED25519.items()},
    ('rsa/rsa_key.c', 'kShapes'): shapes, ('rsa/rsa_muludq_key.c', 'kShapes'): lane_shapes(27),
    ('rsa/rsa_ifma256.c', 'kShapes'): lane_shapes(52),
    ('COpenSSL', 'digest_info'): digest_info,
    ('sha', 'sha256_initial'): roots(2, 32, 0, 8), ('sha', 'sha384_initial'): roots(2, 64, 8, 8),
    ('sha', 'sha512_initial'): roots(2, 64, 0, 8),
    ('sha', 'sha256_constants'): roots(3, 32, 0, 64), ('sha', 'sha512_constants'): roots(3, 64, 0, 80),
}


def definition(file, name):
    return DEFINITIONS.get((file, name)) or DEFINITIONS.get((file.split('/')[0], name))
