"""P-256 in lanes: a key's table. Row d of window i is (2 d + 1) 2^(w i) Q, affine.

x_d and y_d are the coordinates of (2 d + 1) B for B = 2^(w i) Q. No addition is exceptional: (2 d - 1) B = ±2 B has no solution modulo
the order.
"""
from calls.machine import Machine
from constants.curves import P256
from machine.values import Pointer
from points.ifma import BOUNDS, FORMS, module
from points.lanes256 import P, R, ROUTINES, digits, element_at, factor, get, put
from points.residue import Residue, need, number, same, unknowns
from registry import together

LANES = ('vec', 8, ('i', 64))


def machine_of():
    return Machine(module('table'), dict(ROUTINES))


def unknown_power(exponent):
    return Residue(P, {frozenset([('a', exponent)]): 1})


def inverse():
    """a^(p - 2), which is 1 / a (Fermat), and zero for zero."""
    machine = machine_of()
    a, out = machine.memory.region('a'), machine.memory.region('out')
    put(machine, a, factor(unknown_power(1), BOUNDS[3]))
    machine.call('inverse', [out, a])
    found = get(machine, out)
    same(found.residue, unknown_power(P - 2), 'the exponent is p - 2')
    need(found.form == 'factor' and 0 <= found.low and found.high <= BOUNDS[3], 'a factor within the bounds')


def inverted(machine, arguments):
    put(machine, arguments[0], factor(get(machine, arguments[1]).residue ** -1, BOUNDS[3]))


def point(machine, values):
    at = machine.memory.region('point')
    for i, (value, bound, form) in enumerate(zip(values, BOUNDS, FORMS)):
        put(machine, element_at(at, i), (digits if form == 'digits' else factor)(value, bound))
    return at


def is_affine(machine, at, x, y):
    for i, (wanted, name) in enumerate(((x, 'x'), (y, 'y'))):
        element = get(machine, element_at(at, i))
        need(element.form == 'digits' and 0 <= element.low and element.high < P, '%s has digits and is below p' % name)
        same(element.residue, wanted, name)


def own_affine():
    """Of a point that was only set and doubled: zzz is -ZZZ."""
    machine = machine_of()
    machine.routines['inverse'] = inverted
    x, y, z = unknowns(P, 'x y z')
    result = machine.memory.region('affine')
    machine.call('own_affine', [result, point(machine, [x * z ** 2, y * z ** 3, -z ** 2, -z ** 3])])
    is_affine(machine, result, x, y)


class Multiples:
    """`store_multiples` with additions as calls: H of each addition is an unknown that is not zero."""

    def __init__(self, bits):
        self.machine, self.count, self.stored, self.done = machine_of(), 1 << (bits - 1), [], 0
        self.sign = -1  # of zzz
        self.twice = unknowns(P, 'x.twice y.twice')
        self.machine.routines.update({'inverse': inverted, 'point8_add_affine': self.add, 'store': self.store})
        table, base, twice = [self.machine.memory.region(name) for name in ('table', 'base', 'twice')]
        self.machine.memory.store(table, bits, 4)
        for at, values in ((base, self.row(0)), (twice, self.twice)):
            for i, value in enumerate(values):
                put(self.machine, element_at(at, i), digits(value, P - 1))
        self.machine.call('store_multiples', [table, 8, base, twice])
        need(sorted(self.stored) == list(range(self.count)), 'each row is stored once')
        need(2 * self.count + 1 < P256.n, 'no multiple is neutral')

    @staticmethod
    def row(d):
        return unknowns(P, 'x%d y%d' % (d, d))

    def add(self, machine, arguments):
        result, at, operand = arguments
        x, y, zz, zzz = [get(machine, element_at(at, i)) for i in range(4)]
        here, following = self.row(self.done), self.row(self.done + 1)
        for element, bound in zip((x, y, zz, zzz), BOUNDS):
            need(0 <= element.low and element.high <= bound, 'a point within its bounds')
        same(x.residue, here[0] * -zz.residue, 'X of row %d' % self.done)
        same(y.residue, here[1] * self.sign * zzz.residue, 'Y of row %d' % self.done)
        is_affine(machine, operand, self.twice[0], -self.sign * self.twice[1])
        h = unknowns(P, 'h%d' % self.done)[0]
        self.sign, self.done = -self.sign, self.done + 1
        zz, zzz = zz.residue * h ** 2, zzz.residue * h ** 3
        for i, (value, bound, form) in enumerate(zip((following[0] * -zz, following[1] * self.sign * zzz, zz, zzz), BOUNDS, FORMS)):
            put(machine, element_at(at, i), (digits if form == 'digits' else factor)(value, bound))
        put(machine, result, factor(h, 3 * P))

    def store(self, machine, arguments):
        window, d, at = arguments[1:]
        need(window == 8, 'the windows that were asked for')
        is_affine(machine, at, *self.row(d))
        self.stored.append(d)


class Lanes:
    """`build` with points as calls: each lane of each vector of a point tells the multiple of Q that it belongs to."""

    def __init__(self, bits):
        self.machine, self.bits, self.windows = Machine(module('table'), {}), bits, []
        self.machine.routines.update({
            'point8_set': self.set, 'double_often': self.double, 'own_affine': self.affine, 'store_multiples': self.multiples,
            '_mm512_mask_mov_epi64': self.choose})
        table, q = self.machine.memory.region('table'), self.machine.memory.region('q')
        for at, value in ((0, bits), (4, 256 // bits)):
            self.machine.memory.store(Pointer(table.region, at), value, 4)
        self.machine.call('build', [table, q])
        need(self.windows == list(range(0, 256 // bits, 8)), 'all windows, eight at a time')

    def write(self, at, multiples, vectors):
        for i in range(vectors):
            self.machine.memory.store(Pointer(at.region, at.offset + 64 * i), [(multiple, i) for multiple in multiples], 64)

    def read(self, at, vectors):
        rows = [self.machine.memory.load(Pointer(at.region, at.offset + 64 * i), LANES) for i in range(vectors)]
        multiples = [multiple for multiple, _ in rows[0]]
        need(all(row == [(multiple, i) for multiple in multiples] for i, row in enumerate(rows)), 'a lane has the parts of one point')
        return multiples

    def set(self, machine, arguments):
        self.write(arguments[0], [1] * 8, 20)

    def double(self, machine, arguments):
        self.write(arguments[0], [multiple << arguments[1] for multiple in self.read(arguments[0], 20)], 20)

    def affine(self, machine, arguments):
        self.write(arguments[0], self.read(arguments[1], 20), 10)

    def choose(self, machine, arguments):
        kept, mask, taken = arguments
        pairs = zip(self.machine.memory.load(kept, LANES), self.machine.memory.load(taken, LANES))
        return [b if mask >> i & 1 else a for i, (a, b) in enumerate(pairs)]

    def multiples(self, machine, arguments):
        window = arguments[1]
        wanted = [1 << (self.bits * (window + lane)) for lane in range(8)]
        need(self.read(arguments[2], 10) == wanted, 'window %d and those after it: 2^(w i) Q' % window)
        need(self.read(arguments[3], 10) == [2 * multiple for multiple in wanted], 'window %d: twice that' % window)
        self.windows.append(window)


def double_often():
    for count in (1, 4, 8):
        machine, doublings = Machine(module('table'), {}), []
        machine.routines['point8_double'] = lambda machine, arguments: doublings.append(arguments[0].region)
        machine.call('double_often', [Pointer('p'), count])
        need(doublings == ['p'] * count, '%d doublings' % count)


def coordinate():
    """The number times 2^520 / 2^260: its Montgomery form."""
    machine = machine_of()
    out, v = machine.memory.region('out'), unknowns(P, 'v')[0]
    inverse_of_radix = number(P, pow(R, -1, P))

    def from_words(machine, arguments):
        put(machine, arguments[0], digits(v * inverse_of_radix, (1 << 256) - 1))
    machine.routines.update({
        'fe8_all': lambda machine, arguments: [arguments[0]] * 8,
        'number_read': lambda machine, arguments: machine.memory.store(arguments[0], [0] * 4, 32), 'fe8_from_words': from_words,
        'number_is_below': lambda machine, arguments: int(arguments[1].region == '@p256_prime')})
    need(machine.call('read_coordinate', [out, Pointer('bytes')]) == 1, 'one below p')
    same(get(machine, out).residue, v, 'the number itself, in Montgomery form')
    need(get(machine, out).high < P, 'it is below p')


def proofs():
    parts = [('inverse', inverse), ('own_affine', own_affine), ('double_often', double_often), ('read_coordinate', coordinate)]
    parts += [('store_multiples, %d bits' % bits, lambda bits=bits: Multiples(bits) and '') for bits in (4, 8)]
    parts += [('build, %d bits' % bits, lambda bits=bits: Lanes(bits) and '') for bits in (4, 8)]
    yield together('tables P-256 in lanes', parts, ['p256ifma/table.c ' + name for name in (
        'inverse', 'times', 'squared', 'minus_inverse_z', 'affine', 'own_affine', 'store_run', 'store_multiples', 'take_lane',
        'double_often', 'build', 'read_coordinate')], quick=True)
