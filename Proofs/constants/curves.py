"""The curves, as their standards define them: SP 800-186 (P-256: 3.2.1.3, P-384: 3.2.1.4, P-521: 3.2.1.5) and RFC 8032 section 5.1."""
import hashlib


class Curve:
    """y^2 = x^3 - 3 x + b, of prime order n. The hash of the seed fixes b (SP 800-186, section 3.2.1).

    An element of the field has digits of `digit` bits, and stands for a / R, R = `radix`; its digits are below `most`, or, where that is
    None, the element is below p. Scalars have Montgomery's form for `order_radix`.
    """

    def __init__(self, name, bits, hash_bytes, p, n, b, x, y, seed, digit=64, most=None):
        self.name, self.bits, self.p, self.n, self.b, self.generator, self.seed = name, bits, p, n, b, (x, y), bytes.fromhex(seed)
        self.limbs, self.bytes, self.hash_bytes, self.digit, self.most = -(-bits // 64), -(-bits // 8), hash_bytes, digit, most
        self.order_radix = 1 << (64 * self.limbs)
        self.radix = self.order_radix if digit == 64 else 1
        self.kernel = 'p%d' % bits

    def add(self, p, q):
        """None is the neutral element."""
        if p is None or q is None:
            return p or q
        if p[0] == q[0] and (p[1] + q[1]) % self.p == 0:
            return None
        rise, run = (3 * p[0] * p[0] - 3, 2 * p[1]) if p == q else (q[1] - p[1], q[0] - p[0])
        slope = rise * pow(run, -1, self.p)
        x = (slope * slope - p[0] - q[0]) % self.p
        return x, (slope * (p[0] - x) - p[1]) % self.p

    def multiply(self, k, p):
        total = None
        for bit in bin(k)[2:]:
            total = self.add(total, total)
            total = self.add(total, p) if bit == '1' else total
        return total

    def seeded(self):
        """The number c with b^2 c = -27."""
        bits = self.p.bit_length() - 1
        hashes, counter = b'', int.from_bytes(self.seed, 'big')
        for i in range(bits // 160 + 1):
            hashes += hashlib.sha1(((counter + i) % 2**160).to_bytes(20, 'big')).digest()
        first = int.from_bytes(hashes[:20], 'big') % (1 << (bits % 160))
        return int.from_bytes(hashes[20:], 'big') | first << (160 * (bits // 160))


P256 = Curve(
    'P-256', 256, 32, 2**256 - 2**224 + 2**192 + 2**96 - 1, 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551,
    0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b,
    0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296, 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5,
    'c49d360886e704936a6678e1139d26b7819f7e90')

P384 = Curve(
    'P-384', 384, 48, 2**384 - 2**128 - 2**96 + 2**32 - 1,
    0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973,
    0xb3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aef,
    0xaa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7,
    0x3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e5f,
    'a335926aa319a27a1d00896a6773a4827acdac73')

P521 = Curve(
    'P-521', 521, 64, 2**521 - 1,
    2**521 - 2**260 + 0xa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409,
    0x051953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00,
    0xc6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3dbaa14b5e77efe75928fe1dc127a2ffa8de3348b3c1856a429bf97e7e31c2e5bd66,
    0x11839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e662c97ee72995ef42640c550b9013fad0761353c7086a272c24088be94769fd16650,
    'd09e8800291cb85396cc6717393284aaa0da64ba', digit=58, most=2**58 + 2**10)
CURVES = (P256, P384, P521)


class Edwards:
    """-x^2 + y^2 = 1 + d x^2 y^2. The base point has order L."""
    p = 2**255 - 19
    L = 2**252 + 27742317777372353535851937790883648493
    d = -121665 * pow(121666, -1, 2**255 - 19) % (2**255 - 19)

    @classmethod
    def root(cls, square):
        """The even root of a number modulo p, or None."""
        root = pow(square, (cls.p + 3) // 8, cls.p)
        if root * root % cls.p != square % cls.p:
            root = root * pow(2, (cls.p - 1) // 4, cls.p) % cls.p
        if root * root % cls.p != square % cls.p:
            return None
        return root if root % 2 == 0 else cls.p - root

    @classmethod
    def base(cls):
        y = 4 * pow(5, -1, cls.p) % cls.p
        return cls.root((y * y - 1) * pow(cls.d * y * y + 1, -1, cls.p)), y

    @classmethod
    def add(cls, p, q):
        D = cls.d * p[0] * q[0] * p[1] * q[1]
        return ((p[0] * q[1] + p[1] * q[0]) * pow(1 + D, -1, cls.p) % cls.p, (p[1] * q[1] + p[0] * q[0]) * pow(1 - D, -1, cls.p) % cls.p)

    @classmethod
    def multiply(cls, k, p):
        total = (0, 1)
        for bit in bin(k)[2:]:
            total = cls.add(total, total)
            total = cls.add(total, p) if bit == '1' else total
        return total


def is_prime(n):
    """Miller and Rabin's test with the first 64 primes as bases."""
    d, twos = n - 1, 0
    while d % 2 == 0:
        d, twos = d // 2, twos + 1
    for base in (a for a in range(2, 312) if all(a % b for b in range(2, a))):
        x = pow(base, d, n)
        if x not in (1, n - 1) and not any(pow(x, 1 << i, n) == n - 1 for i in range(1, twos)):
            return False
    return True
