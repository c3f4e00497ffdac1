"""RSA with limbs of 64 bits: signature^65537 mod n of one token, and a key's constants: -1/n, and R B^i mod n."""
import functools

import z3

from calls.machine import Machine, front_end, paths
from contracts.unit import compiled
from fields.rsa_digits import Ring
from fields.rsa_rows import SIZES
from ir.compilation import TARGET as COMPILED_FOR
from judges.rsa_power import S, unknown
from machine.machine import Machine as Optimised
from machine.values import Pointer, Unproven, Word
from points.residue import need, same
from recoding.words import unknown as words
from recoding.words import vector
from registry import Proof, together

KEY, ROWS, NUMBERS, INVERSE, I64 = 'rsa/rsa_scalar_key.c ', 'rsa/rsa_scalar_rows.h ', 72, 8, ('i', 64)
ROW = unknown('B')
TARGET = '__attribute__((target("bmi2,adx")))'


@functools.lru_cache
def module(file):
    return front_end('#include "rsa/%s.c"\n' % file)


class Power:
    """`cjwt_rsa_scalar_power`: numbers are residues below R, or below n; memory keeps (residue, is below n)."""

    def __init__(self, limbs, machine):
        self.machine, self.limbs, self.written = machine, limbs, []
        self.in_range = z3.BitVec('in_range', 32)
        self.key = machine.memory.region('key')
        machine.memory.store(self.key, limbs, 8)
        machine.routines.update({
            'number_read': self.read, 'limbs_less': self.less, 'rsa_scalar_multiply': self.multiply, 'rsa_scalar_square': self.multiply,
            'rsa_scalar_times_row': self.times_row, 'make_canonical': self.reduce, 'bytes_from_limbs': self.write})

    def get(self, at):
        return self.machine.memory.of(at.region)[at.offset][0]

    def put(self, at, residue, below_n):
        self.machine.memory.store(at, (residue, below_n), 8 * self.limbs)

    def is_modulus(self, at, limbs):
        return (at.region, at.offset, limbs) == (self.key.region, NUMBERS, self.limbs)

    def read(self, machine, arguments):
        need(arguments[1].region == 'signature' and arguments[2] == self.limbs, 'the signature is read, all limbs')
        self.put(arguments[0], S, False)

    def less(self, machine, arguments):
        same(self.get(arguments[0])[0], S, 'the signature')
        need(self.is_modulus(*arguments[1:]), 'is compared with n, all limbs')
        return self.in_range

    def multiply(self, machine, arguments):
        need((arguments[0].region, arguments[0].offset) == (self.key.region, 0), 'modulo n')
        (a, _), (b, _) = self.get(arguments[2]), self.get(arguments[-1])
        self.put(arguments[1], a * b * ROW ** -1, False)

    def times_row(self, machine, arguments):
        need((arguments[0].region, arguments[0].offset) == (self.key.region, 0), 'modulo n')
        self.put(arguments[1], self.get(arguments[2])[0] * ROW, False)

    def reduce(self, machine, arguments):
        """A number below R <= 2 n."""
        need(self.is_modulus(*arguments[1:]), 'modulo n, all limbs')
        self.put(arguments[0], self.get(arguments[0])[0], True)

    def write(self, machine, arguments):
        need(arguments[0].region == 'em' and arguments[2] == self.limbs, 'the encoded message is written, all limbs')
        self.written.append(self.get(arguments[1]))


def power(limbs, machine):
    """s^65537 mod n, below n, exactly where s < n."""
    run = Power(limbs, machine)
    answer = vector(machine.call('cjwt_rsa_scalar_power', [run.key, Pointer('em'), Pointer('signature')]), 32)
    machine.prove((answer != 0) == (run.in_range != 0), 'one exactly where the signature is below n')
    if not run.written:
        machine.prove(run.in_range == 0, 'the message is written where it is')
        return
    machine.prove(run.in_range != 0, 'nothing is written where it is not')
    (residue, below), = run.written
    same(residue, unknown('s', 65537), 'the power is s^65537')
    need(below, 'it is below n')


# A key.

class Folds:
    """`make_folds`: every number on the way is a power of two modulo n, and its exponent tells it. `below` says that it is below n."""

    def __init__(self, limbs):
        self.limbs, self.machine = limbs, Machine(module('rsa_scalar_key'), {})
        memory = self.machine.memory
        self.key = memory.region('key')
        memory.store(self.key, limbs, 8)
        self.machine.routines.update({
            'double_modulo': self.double, 'rsa_scalar_times_row': self.times_row, 'llvm.memset.p0.i64': self.clear})

    def clear(self, machine, arguments):
        need(self.row(arguments[0]) == 1 and arguments[2] == 8 * self.limbs, 'the fold of row 1')
        machine.memory.store(arguments[0], [arguments[1]] * self.limbs, arguments[2])

    def row(self, at):
        """Which number of the key it is: zero is n."""
        row, rest = divmod(at.offset - NUMBERS, 8 * self.limbs)
        need(at.region == self.key.region and rest == 0 and 0 <= row < self.limbs // 8, 'a number of the key')
        return row

    def get(self, at):
        """A power that a call gave; or limbs, which must be those of a power of two below n: n is odd and has its top bit set."""
        need(self.row(at) > 0, 'a fold')
        cell = self.machine.memory.of(at.region)[at.offset][0]
        if isinstance(cell, tuple):
            return cell
        found = self.machine.memory.load(at, ('arr', self.limbs, I64))
        number = sum(word << (64 * i) for i, word in enumerate(found))
        exponent = number.bit_length() - 1
        need(number == 1 << exponent and exponent < 64 * self.limbs, 'limbs of a power of two below n')
        return exponent, True

    def double(self, machine, arguments):
        need(self.row(arguments[1]) == 0 and arguments[2] == self.limbs, 'modulo n, all limbs')
        exponent, below = self.get(arguments[0])
        need(below, 'double_modulo takes a number below n')
        machine.memory.store(arguments[0], (exponent + 1, True), 8 * self.limbs)

    def times_row(self, machine, arguments):
        """A number times B, where the fold of row 1 is made: the routine reads no other."""
        need((arguments[0].region, arguments[0].offset) == (self.key.region, 0) and self.row(arguments[1]) > 1, 'modulo n')
        self.is_first()
        machine.memory.store(arguments[1], (self.get(arguments[2])[0] + 512, False), 8 * self.limbs)

    def is_first(self):
        need(self.get(Pointer(self.key.region, NUMBERS + 8 * self.limbs)) == (64 * self.limbs + 512, True), 'R B mod n, below n')

    def prove(self):
        self.machine.call('make_folds', [self.key])
        self.is_first()
        for row in range(1, self.limbs // 8):
            at = Pointer(self.key.region, NUMBERS + 8 * self.limbs * row)
            need(self.get(at)[0] == 64 * self.limbs + 512 * row, 'R B^i')


class Limbs(Ring):
    def part(self, x, low, width):
        need(low == 0 and width == x.width, 'a whole word')
        return x

    def number(self, x):
        need(set(x.value) <= {0}, 'a number')
        return x.value.get(0, 0)


def negative_inverse():
    """The lowest limb is Newton's polynomial in the odd limb; three rounds of rows take it from 64 bits to 512."""
    calls = []

    def low_product(machine, arguments):
        calls.append(('low_product', *[(at.region, at.offset) for at in arguments]))

    def add_top(machine, arguments):
        two = [machine.memory.load(Pointer(arguments[1].region, 8 * i), I64).value for i in range(8)]
        need(two == [{0: 2}] + [{}] * 7 and arguments[2].value == {}, 'two is added')
        calls.append(('add_top', (arguments[0].region, arguments[0].offset)))
        return Word({}, 64)
    text = '#include "rsa/rsa_scalar_key.c"\n'
    entry = TARGET + ' void entry(uint64_t *x, const uint64_t *n) { negative_inverse(x, n); }'
    machine = Optimised(compiled(text, (entry,), (ROWS + 'low_product', ROWS + 'add_top')), Limbs(64), {
        'low_product': low_product, 'add_top': add_top})
    x, n = machine.memory.region('x'), machine.memory.region('n')
    machine.memory.store(n, Word({1: 1}, 64), 8)
    machine.call('@entry', [x, n])
    found = [machine.memory.load(Pointer(x.region, 8 * i), I64).value for i in range(8)]
    limb, bits = {1: -1}, 3
    ring = Ring(64)
    while bits < 64:  # o l = -1 + e gives o l (2 + o l) = -1 + e^2; o o = 1 modulo 8
        limb, bits = ring.mul(limb, ring.add({0: 2}, ring.mul({1: 1}, limb))), 2 * bits
    need(all(c % 2**64 == 0 for c in ring.sub(found[0], limb).values()) and not any(found[1:]), 'the lowest limb is -1/n modulo 2^64')
    y = calls[0][1] if calls else None
    at, odd = (x.region, 0), (n.region, 0)
    need(calls == [('low_product', y, odd, at), ('add_top', y), ('low_product', at, at, y)] * 3 and y not in (at, odd),
         'three rounds x (n x + 2), from 64 bits to 512')
    newton()
    return '%d instructions' % machine.instructions


def newton():
    o, l, e = z3.Ints('o l e')
    s = z3.Solver()
    s.add(o * l == -1 + e, (o * l) * (2 + o * l) != -1 + e * e)
    odd = z3.BitVec('odd', 3)
    t = z3.Solver()
    t.add(odd & 1 == 1, odd * odd != 1)
    if s.check() != z3.unsat or t.check() != z3.unsat:
        raise Unproven('not shown: the identity of Newton\'s rounds')


def build(limbs, machine):
    """A key exactly for an odd modulus with its top bit set, where the machine has the instructions."""
    size, memory, source = 8 * limbs, machine.memory.region('memory'), machine.memory.region('modulus')
    first, last, available = z3.BitVec('first', 8), z3.BitVec('last', 8), z3.BitVec('available', 32)
    machine.memory.store(source, first, 1)
    machine.memory.store(Pointer(source.region, size - 1), last, 1)
    n, made = words('n', 1)[0], []
    modulus = Pointer(memory.region, NUMBERS)

    def places(arguments):
        return [(x.region, x.offset) if isinstance(x, Pointer) else x for x in arguments]

    def expect(name, wanted):
        def routine(machine, arguments):
            need(places(arguments) == places(wanted), '%s is of the key' % name)
            made.append(name)
            if name == 'number_read':
                machine.memory.store(modulus, n, 8)
                machine.assume(n & 1 == z3.ZeroExt(56, last) & 1)  # the contract of number_read
            if name == 'negative_inverse':
                machine.prove(machine.memory.load(modulus, I64) & 1 == 1, 'the inverse is of an odd number')
            if name == 'make_folds':
                need(machine.memory.load(memory, I64) == limbs, 'the key has its size')
        return routine
    inverse = Pointer(memory.region, INVERSE)
    steps = {'number_read': [modulus, source, limbs], 'negative_inverse': [inverse, modulus], 'make_folds': [memory]}
    machine.routines.update({name: expect(name, wanted) for name, wanted in steps.items()})
    machine.routines['cjwt_adx_available'] = lambda machine, arguments: available
    answer = machine.call('cjwt_rsa_scalar_key_build', [memory, source, size])
    need(answer in (0, 1) and made == list(steps) * answer, 'one with a key, made in this order')
    # The portable rows need no instructions of their own.
    fits = z3.And(z3.UGE(first, 0x80), last & 1 == 1, available != 0 if COMPILED_FOR == 'x86_64' else True)
    machine.prove(fits if answer else z3.Not(fits), 'a key exactly for an odd modulus of the full length')


def sizes(machine):
    """Every length: three have a key of so many bytes, the others none."""
    length, wanted = z3.BitVec('length', 64), z3.BitVecVal(0, 64)
    count = vector(machine.call('cjwt_rsa_scalar_key_bytes', [length]))
    for limbs in SIZES:
        wanted = z3.If(length == 8 * limbs, z3.BitVecVal(NUMBERS + 8 * limbs * (limbs // 8), 64), wanted)
    machine.prove(count == wanted, 'bytes of n, the folds and a row')
    if not machine.refutes(z3.And(*[length != 8 * limbs for limbs in SIZES])):
        machine.assume(z3.And(*[length != 8 * limbs for limbs in SIZES]))
        need(machine.call('cjwt_rsa_scalar_key_build', [Pointer('memory'), Pointer('modulus'), length]) == 0, 'no key of another length')


def pays(machine):
    """Every length: it pays for the three with the instructions, and on AArch64 for 2048 bits."""
    length, available = z3.BitVec('length', 64), z3.BitVec('available', 32)
    machine.routines['cjwt_adx_available'] = lambda machine, arguments: available
    answer = vector(machine.call('cjwt_rsa_scalar_pays', [length]), 32)
    three = z3.And(z3.Or(*[length == 8 * limbs for limbs in SIZES]), available != 0)
    machine.prove((answer != 0) == (three if COMPILED_FOR == 'x86_64' else length == 256), 'it pays where a key has been compared')


def run(file, check):
    return lambda: '' if paths(lambda decisions: Machine(module(file), {}, decisions), check) else ''


def proofs():
    powers = [('%d limbs' % limbs, run('rsa_scalar', lambda machine, limbs=limbs: power(limbs, machine))) for limbs in SIZES]
    yield together('judge RSA, scalar power', powers, [
        'rsa/rsa_scalar.c cjwt_rsa_scalar_power', 'rsa/rsa_scalar.h scalar_modulus'], quick=True)
    parts = [('sizes', run('rsa_scalar_key', sizes)), ('pays', run('rsa_scalar_key', pays))]
    for limbs in SIZES:
        parts += [('make_folds, %d limbs' % limbs, lambda limbs=limbs: Folds(limbs).prove() or ''),
                  ('key_build, %d limbs' % limbs, run('rsa_scalar_key', lambda machine, limbs=limbs: build(limbs, machine)))]
    yield together('judge RSA, scalar key', parts, [KEY + name for name in (
        'make_folds', 'limbs_for', 'can_run', 'cjwt_rsa_scalar_key_bytes',
        'cjwt_rsa_scalar_key_build', 'cjwt_rsa_scalar_pays')], quick=True)
    yield Proof('judge RSA, scalar inverse', negative_inverse, [KEY + 'negative_inverse'], quick=True)
