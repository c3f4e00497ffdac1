"""ML-DSA (FIPS 204) key generation and deterministic signing, in plain Python.

The `cryptography` package signs hedged (with fresh randomness) only, and the vectors must be the same bytes each
time, so the deterministic variant (rnd = 32 zero octets) is written out here. Nothing in it is constant-time.
"""

from dataclasses import dataclass
from hashlib import shake_128, shake_256

Q = 8380417
DROPPED_BITS = 13
DEGREE = 256


@dataclass(frozen=True)
class Parameters:
    tau: int
    strength: int
    gamma1: int
    gamma2: int
    rows: int
    columns: int
    eta: int
    omega: int

    @property
    def beta(self):
        return self.tau * self.eta


PARAMETERS = {
    "ML-DSA-44": Parameters(39, 128, 1 << 17, (Q - 1) // 88, 4, 4, 2, 80),
    "ML-DSA-65": Parameters(49, 192, 1 << 19, (Q - 1) // 32, 6, 5, 4, 55),
    "ML-DSA-87": Parameters(60, 256, 1 << 19, (Q - 1) // 32, 8, 7, 2, 75),
}

ZETAS = [pow(1753, int(f"{index:08b}"[::-1], 2), Q) for index in range(DEGREE)]


def ntt(polynomial):
    values, index, length = list(polynomial), 0, 128
    while length >= 1:
        for start in range(0, DEGREE, 2 * length):
            index += 1
            zeta = ZETAS[index]
            for j in range(start, start + length):
                product = zeta * values[j + length] % Q
                values[j + length] = (values[j] - product) % Q
                values[j] = (values[j] + product) % Q
        length //= 2
    return values


def inverse_ntt(polynomial):
    values, index, length = list(polynomial), DEGREE, 1
    while length < DEGREE:
        for start in range(0, DEGREE, 2 * length):
            index -= 1
            zeta = Q - ZETAS[index]
            for j in range(start, start + length):
                other = values[j]
                values[j] = (other + values[j + length]) % Q
                values[j + length] = zeta * (other - values[j + length]) % Q
        length *= 2
    scale = pow(DEGREE, -1, Q)
    return [value * scale % Q for value in values]


def add(left, right):
    return [(a + b) % Q for a, b in zip(left, right)]


def subtract(left, right):
    return [(a - b) % Q for a, b in zip(left, right)]


def multiply(left, right):
    return [a * b % Q for a, b in zip(left, right)]


def matrix_times(matrix, vector):
    """The product, in the ordinary domain, of a matrix and a vector that are both in the NTT domain."""
    product = []
    for row in matrix:
        total = [0] * DEGREE
        for left, right in zip(row, vector):
            total = [(t + a * b) % Q for t, a, b in zip(total, left, right)]
        product.append(inverse_ntt(total))
    return product


def centered(value, modulus=Q):
    value %= modulus
    return value - modulus if value > modulus // 2 else value


def norm(vector):
    return max(abs(centered(value)) for polynomial in vector for value in polynomial)


def pack(values, bits):
    number = 0
    for index, value in enumerate(values):
        number |= value << (index * bits)
    return number.to_bytes(len(values) * bits // 8, "little")


def unpack(data, bits):
    number, mask = int.from_bytes(data, "little"), (1 << bits) - 1
    return [number >> (index * bits) & mask for index in range(DEGREE)]


def decompose(value, gamma2):
    value %= Q
    low = centered(value, 2 * gamma2)
    if value - low == Q - 1:
        return 0, low - 1
    return (value - low) // (2 * gamma2), low


def expand_matrix(rho, parameters):
    def entry(row, column):
        stream = shake_128(rho + bytes([column, row])).digest(1200)
        triples = (int.from_bytes(stream[i:i + 3], "little") & 0x7FFFFF for i in range(0, len(stream), 3))
        values = [value for value in triples if value < Q][:DEGREE]
        assert len(values) == DEGREE
        return values
    return [[entry(row, column) for column in range(parameters.columns)] for row in range(parameters.rows)]


def expand_secret(seed, index, eta):
    values = []
    for octet in shake_256(seed + index.to_bytes(2, "little")).digest(600):
        for half in (octet & 15, octet >> 4):
            if eta == 2 and half < 15:
                values.append(2 - half % 5)
            elif eta == 4 and half < 9:
                values.append(4 - half)
    assert len(values) >= DEGREE
    return values[:DEGREE]


def expand_mask(seed, counter, gamma1):
    bits = gamma1.bit_length()
    stream = shake_256(seed + counter.to_bytes(2, "little")).digest(32 * bits)
    return [gamma1 - value for value in unpack(stream, bits)]


def sample_in_ball(challenge, tau):
    stream = iter(shake_256(challenge).digest(2048))
    signs = int.from_bytes(bytes(next(stream) for _ in range(8)), "little")
    values = [0] * DEGREE
    for index in range(DEGREE - tau, DEGREE):
        position = next(octet for octet in stream if octet <= index)
        values[index] = values[position]
        values[position] = -1 if signs & 1 else 1
        signs >>= 1
    return values


def pack_hints(hints, parameters):
    positions, ends = [], []
    for polynomial in hints:
        positions += [index for index, hint in enumerate(polynomial) if hint]
        ends.append(len(positions))
    return bytes(positions) + bytes(parameters.omega - len(positions)) + bytes(ends)


class PrivateKey:
    def __init__(self, name, seed):
        self.parameters = parameters = PARAMETERS[name]
        stream = shake_256(seed + bytes([parameters.rows, parameters.columns])).digest(128)
        rho, secret_seed, self.key = stream[:32], stream[32:96], stream[96:]
        self.matrix = expand_matrix(rho, parameters)
        secrets = [expand_secret(secret_seed, index, parameters.eta)
                   for index in range(parameters.rows + parameters.columns)]
        first, second = secrets[:parameters.columns], secrets[parameters.columns:]
        self.first, self.second = [ntt(p) for p in first], [ntt(p) for p in second]
        product = matrix_times(self.matrix, self.first)
        public = [add(left, right) for left, right in zip(product, second)]
        low = [[centered(value, 1 << DROPPED_BITS) for value in polynomial] for polynomial in public]
        high = [[(value - cut) >> DROPPED_BITS for value, cut in zip(*pair)] for pair in zip(public, low)]
        self.low = [ntt(polynomial) for polynomial in low]
        self.public = rho + b"".join(pack(polynomial, 10) for polynomial in high)

    def sign(self, message, context=b""):
        digest = shake_256(self.public).digest(64)
        framed = b"\x00" + bytes([len(context)]) + context + message
        representative = shake_256(digest + framed).digest(64)
        seed = shake_256(self.key + bytes(32) + representative).digest(64)
        counter = 0
        while True:
            signature = self._attempt(representative, seed, counter)
            if signature is not None:
                return signature
            counter += self.parameters.columns

    def _attempt(self, representative, seed, counter):
        """One round of the rejection loop (FIPS 204, algorithm 7, lines 11 to 31)."""
        parameters = self.parameters
        gamma1, gamma2, beta = parameters.gamma1, parameters.gamma2, parameters.beta
        mask = [expand_mask(seed, counter + column, gamma1) for column in range(parameters.columns)]
        commitment = matrix_times(self.matrix, [ntt(polynomial) for polynomial in mask])
        high = [[decompose(value, gamma2)[0] for value in polynomial] for polynomial in commitment]
        bits = ((Q - 1) // (2 * gamma2) - 1).bit_length()
        encoded = b"".join(pack(polynomial, bits) for polynomial in high)
        challenge = shake_256(representative + encoded).digest(parameters.strength // 4)
        ball = ntt(sample_in_ball(challenge, parameters.tau))
        response = [add(y, inverse_ntt(multiply(ball, s))) for y, s in zip(mask, self.first)]
        remainder = [subtract(w, inverse_ntt(multiply(ball, s))) for w, s in zip(commitment, self.second)]
        low = [[decompose(value, gamma2)[1] for value in polynomial] for polynomial in remainder]
        if norm(response) >= gamma1 - beta or max(abs(v) for p in low for v in p) >= gamma2 - beta:
            return None
        correction = [inverse_ntt(multiply(ball, polynomial)) for polynomial in self.low]
        hints = [[decompose(r, gamma2)[0] != decompose(r + c, gamma2)[0] for r, c in zip(*pair)]
                 for pair in zip(remainder, correction)]
        if norm(correction) >= gamma2 or sum(map(sum, hints)) > parameters.omega:
            return None
        width = gamma1.bit_length()
        packed = [pack([gamma1 - centered(value) for value in polynomial], width) for polynomial in response]
        return challenge + b"".join(packed) + pack_hints(hints, parameters)
