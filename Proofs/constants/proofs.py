"""Every constant of the kernels against its definition, and the definitions against what is known of the curves."""
import math

from constants.curves import CURVES, Edwards, is_prime
from constants.definitions import definition
from constants.units import constants
from machine.values import Unproven
from registry import together


def need(holds, claim):
    if not holds:
        raise Unproven(claim)


def curve_facts(curve):
    """The order is the group's: a prime n with n G neutral, and n + (p + 1 - n)^2 >= 4 p is excluded by Hasse's bound for n > p / 2."""
    p, n, (x, y) = curve.p, curve.n, curve.generator
    need(is_prime(p) and is_prime(n), 'p and n are prime')
    need(curve.seeded() * curve.b * curve.b % p == -27 % p, 'b is what its seed gives')
    need((y * y - x ** 3 + 3 * x - curve.b) % p == 0, 'the generator is on the curve')
    need(curve.multiply(n, curve.generator) is None, 'n G is neutral')
    need(2 * n > p + 1 + 2 * (math.isqrt(p) + 1) or 4 * n > 3 * p, 'no other multiple of n is in Hasse\'s range')
    need(n < p < 2 * n and p < curve.order_radix, 'n < p < 2 n and p < R')
    need(n % 2 == 1 and n.bit_length() == curve.bits, 'n is odd and has all its bits')


def edwards_facts():
    E = Edwards
    p, (x, y) = E.p, E.base()
    need(is_prime(p) and is_prime(E.L) and p % 8 == 5, 'p and L are prime, and p = 5 mod 8')
    need(pow(E.d, (p - 1) // 2, p) == p - 1 and pow(p - 1, (p - 1) // 2, p) == 1, 'd is not a square, and -1 is')
    need(pow(2, (p - 1) // 2, p) == p - 1, '2 is not a square')
    need((-x * x + y * y - 1 - E.d * x * x * y * y) % p == 0 and x % 2 == 0 and y * 5 % p == 4, 'the base point is on the curve')
    need(E.multiply(E.L, (x, y)) == (0, 1), 'L B is neutral')


def all_constants():
    count = 0
    for (file, name), constant in constants().items():
        check = definition(file, name)
        need(check is not None, '%s in %s: a constant without a definition' % (name, constant.line()))
        for claim, holds in check(constant):
            need(holds, '%s, %s: %s' % (name, constant.line(), claim))
            count += 1
    return '%d constants, %d claims' % (len(constants()), count)


def proofs():
    parts = [*((curve.name, lambda curve=curve: curve_facts(curve)) for curve in CURVES), ('edwards25519', edwards_facts)]
    yield together('constants', parts + [('the kernels', all_constants)], quick=True)
