"""The field of P-256 in eight lanes, as calls: what each routine of fe8.h requires and gives (one lane; the lanes are alike).

An element has a residue, which is its value / 2^260, the bounds of its value, and its form: `digits`, `factor`, `sum` with the bounds of
each limb, or `product` with the count of products in it.
"""
from constants.curves import P256
from machine.values import Pointer
from points.residue import need, number

P, R, DIGIT = P256.p, 1 << 260, (1 << 52) - 1
P_DIGITS = [P >> (52 * i) & DIGIT for i in range(4)] + [P >> 208]
SIZE = 320


class Element:
    def __init__(self, residue, low, high, form, limbs=None):
        self.residue, self.low, self.high, self.form, self.limbs = residue, low, high, form, limbs


def digits(residue, high, low=0):
    return Element(residue, low, high, 'digits')


def factor(residue, high, low=0):
    return Element(residue, low, high, 'factor')


def get(machine, at):
    return machine.memory.of(at.region)[at.offset][0]


def put(machine, at, element):
    machine.memory.store(at, element, 2 * SIZE if element.form == 'product' else SIZE)


def in_p(value):
    return '%.3f p' % (value / P)


def factors(*elements):
    for element in elements:
        need(element.form in ('digits', 'factor'), 'a multiplication takes digits or a factor, not a %s' % element.form)
        need(0 <= element.low and element.high < R, 'a factor is below 2^260 and not negative, not %s' % in_p(element.high))


def reduced(high, residue, halves):
    """Montgomery's reduction of a number up to `high`: (t + (R - 1) p) / R, limbs below `halves` times 2^52."""
    value = (high + (R - 1) * P) // R
    limb = (0, (halves << 52) - 1)
    return Element(residue, 0, value, 'sum', [limb] * 4 + [(0, min(limb[1], value >> 208))])


def multiply(machine, arguments):
    a, b = get(machine, arguments[1]), get(machine, arguments[-1])
    factors(a, b)
    put(machine, arguments[0], reduced(a.high * b.high, a.residue * b.residue, 16))


def product_of(machine, arguments):
    a, b = get(machine, arguments[1]), get(machine, arguments[2])
    factors(a, b)
    put(machine, arguments[0], Element(a.residue * b.residue, 0, a.high * b.high, 'product', 1))


def accumulate(machine, arguments):
    w, a, b = [get(machine, at) for at in arguments]
    factors(a, b)
    need(w.form == 'product' and w.limbs == 1, 'fe8_accumulate adds a second product, not a third')
    put(machine, arguments[0], Element(w.residue + a.residue * b.residue, 0, w.high + a.high * b.high, 'product', 2))


def reduce(machine, arguments):
    w = get(machine, arguments[1])
    need(w.form == 'product', 'fe8_reduce takes a product')
    put(machine, arguments[0], reduced(w.high, w.residue, 26))


def as_factor(machine, arguments):
    a = get(machine, arguments[1])
    need(a.form == 'digits', 'fe8_as_factor takes digits')
    put(machine, arguments[0], factor(a.residue, a.high, a.low))


def as_sum(machine, arguments):
    a = get(machine, arguments[1])
    need(a.form == 'digits', 'fe8_as_sum takes digits')
    put(machine, arguments[0], Element(a.residue, a.low, a.high, 'sum', [(0, DIGIT)] * 4 + [(0, min(DIGIT, a.high >> 208))]))


def times_p(machine, arguments):
    result, k, spare = arguments
    need(0 < k <= 16 and 0 < spare <= 256, 'fe8_times_p takes k up to 16, and a spare')
    limbs = [k * P_DIGITS[0] + (spare << 52)] + [k * P_DIGITS[i] + (spare << 52) - spare for i in (1, 2, 3)] + [k * P_DIGITS[4] - spare]
    need(sum(limb << (52 * i) for i, limb in enumerate(limbs)) == k * P, 'fe8_times_p is k p')
    put(machine, result, Element(number(P, 0), k * P, k * P, 'sum', [(limb, limb) for limb in limbs]))


def add(machine, arguments):
    a, b = get(machine, arguments[1]), get(machine, arguments[2])
    need(a.form == b.form == 'sum', 'fe8_add takes sums')
    limbs = [(x[0] + y[0], x[1] + y[1]) for x, y in zip(a.limbs, b.limbs)]
    put(machine, arguments[0], Element(a.residue + b.residue, a.low + b.low, a.high + b.high, 'sum', limbs))


def subtract(machine, arguments):
    a, b = get(machine, arguments[1]), get(machine, arguments[2])
    need(a.form == b.form == 'sum', 'fe8_sub takes sums')
    limbs = [(x[0] - y[1], x[1] - y[0]) for x, y in zip(a.limbs, b.limbs)]
    put(machine, arguments[0], Element(a.residue - b.residue, a.low - b.high, a.high - b.low, 'sum', limbs))


def carried(machine, at):
    """A sum that may be carried: limbs below 2^60 and not negative, value below 2^260. The last limb is what the value leaves it."""
    a = get(machine, at)
    need(a.form == 'sum', 'a carry takes a sum')
    for i in range(4):
        need(0 <= a.limbs[i][0] and a.limbs[i][1] < 1 << 60, 'limb %d is in [0, 2^60), not in [%d, %d]' % (i, *a.limbs[i]))
    least = a.low - sum(a.limbs[i][1] << (52 * i) for i in range(4))
    most = (a.high - sum(a.limbs[i][0] << (52 * i) for i in range(4))) >> 208
    need(least >= 0 or a.limbs[4][0] >= 0, 'the last limb is not negative: the value is at least %s' % in_p(a.low))
    need(min(most, a.limbs[4][1]) < 1 << 60, 'the last limb is below 2^60')
    need(a.low >= 0 and a.high < R, 'the value is in [0, 2^260), not in [%s, %s]' % (in_p(a.low), in_p(a.high)))
    return a


def carry(machine, arguments):
    a = carried(machine, arguments[1])
    put(machine, arguments[0], factor(a.residue, a.high, a.low))


def to_digits(machine, arguments):
    a = carried(machine, arguments[1])
    put(machine, arguments[0], digits(a.residue, a.high, a.low))


def fold(machine, arguments):
    a = carried(machine, arguments[1])
    need(a.limbs[1][0] >= 1 << 48 and a.limbs[3][0] >= 1 << 48, 'limbs 1 and 3 are at least 2^48')
    need(a.high < 16 * P, 'fe8_fold takes less than 16 p, not %s' % in_p(a.high))
    put(machine, arguments[0], digits(a.residue, (1 << 256) + (1 << 230) - 1))


def factor_digits(machine, arguments):
    a = get(machine, arguments[1])
    need(a.form in ('digits', 'factor'), 'fe8_factor_digits takes a factor')
    put(machine, arguments[0], digits(a.residue, a.high, a.low))


def constant(machine, arguments):
    """fe8_set: the same digits in all lanes."""
    limbs = machine.memory.load(arguments[1], ('arr', 5, ('i', 64)))
    need(max(limbs) <= DIGIT, 'digits below 2^52')
    value = sum(limb << (52 * i) for i, limb in enumerate(limbs))
    put(machine, arguments[0], digits(number(P, value * pow(R, -1, P)), value, value))


def is_nonzero(residue):
    """y of a point (the order is odd), Z and H of a regular addition are not zero; nor are their products."""
    return len(residue.terms) == 1 and all(name[0] in 'yzh' for monomial in residue.terms for name, _ in monomial)


def canonical(machine, arguments):
    a = get(machine, arguments[1])
    most = a.high - 1 if a.high == 2 * P and is_nonzero(a.residue) else a.high  # 2 p is zero
    need(a.form == 'digits' and 0 <= a.low and most < 2 * P, 'canonical takes digits below 2 p, not %s' % in_p(a.high))
    put(machine, arguments[0], digits(a.residue, P - 1))


ROUTINES = {
    'fe8_mul': multiply, 'fe8_sqr': multiply, 'fe8_product_of': product_of, 'fe8_accumulate': accumulate, 'fe8_reduce': reduce,
    'fe8_as_factor': as_factor, 'fe8_as_sum': as_sum, 'fe8_times_p': times_p, 'fe8_add': add, 'fe8_sub': subtract, 'fe8_carry': carry,
    'fe8_digits': to_digits, 'fe8_fold': fold, 'fe8_factor_digits': factor_digits, 'fe8_set': constant, 'canonical': canonical,
}


def element_at(at, i):
    return Pointer(at.region, at.offset + SIZE * i)
