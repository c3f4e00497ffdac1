"""P-256, P-384 and P-521: a scalar as signed digits, each with its row of a table (`terms_of` of nist_table.h).

The loop over the windows is proved turn by turn: from any carry, any count of terms so far and any scalar. The digits' sum then telescopes:
digit i is u_i + c_i - 2^w c_(i+1), where u_i is the window of the scalar and c_i the carry into it, and c_0 and the last carry are zero.
"""
import z3

from calls.loops import Loop, get_local, set_local
from calls.machine import paths
from constants.curves import CURVES, P256
from machine.values import Pointer
from points.nist import module
from points.nist_tables import widths
from points.residue import need
from registry import together

I32, I64, PTR = ('i', 32), ('i', 64), ('ptr',)
ROWS = 64  # the offset of the rows in a table
ZERO, ONE = z3.BitVecVal(0, 32), z3.BitVecVal(1, 32)


def word(name, bits=64):
    return z3.BitVec(name, bits)


def joined(words):
    return z3.Concat(*reversed(words))


class Recoding:
    def __init__(self, curve, width):
        self.curve, self.width, self.half = curve, width, 1 << (width - 1)
        self.bits = 64 * curve.limbs
        self.count = -(-curve.bits // width)
        self.most = -(-curve.bits // 4)  # kMaxTerms: the terms of a small table
        self.loop = Loop(module(curve), 'terms_of', 1)

    def regions(self, machine):
        """The list, and the header of the table."""
        table = machine.memory.region('table')
        machine.memory.store(table, self.width, 4)
        machine.memory.store(Pointer(table.region, 4), self.count, 4)
        return machine.memory.region('list'), table

    def beginning(self, machine):
        """Before the first window: the smaller of k and n - k, and whether it is n - k."""
        words = [word('k%d' % i) for i in range(self.curve.limbs)]
        k, n = joined(words), z3.BitVecVal(self.curve.n, self.bits)
        machine.assume(z3.ULT(k, n))
        source = machine.memory.region('k')
        machine.memory.store(source, words, 8 * len(words))
        registers = self.loop.arrive(machine, [*self.regions(machine), source])
        magnitude = joined([vector(x) for x in machine.memory.load(registers['%magnitude'], ('arr', self.curve.limbs, I64))])
        negated = vector(get_local(machine, registers, 'negated', I64))
        machine.prove(z3.Or(z3.And(negated == 0, magnitude == k), z3.And(negated == 1, magnitude == n - k)), 'the magnitude is k or n - k')
        machine.prove(z3.ULE(magnitude, self.curve.n // 2), 'the magnitude is at most half the order')
        need(get_local(machine, registers, 'carry', I32) == 0 and get_local(machine, registers, self.loop.counter()[1:], I32) == 0,
             'the first window has no carry')
        need(machine.memory.load(machine.memory.load(registers['%list.addr'], PTR), I32) == 0, 'the list begins empty')

    def window(self, i, machine):
        registers = self.loop.locals(machine)
        terms, table = self.regions(machine)
        words = [word('m%d' % j) for j in range(self.curve.limbs)]
        carry, listed, negated = word('carry', 32), word('listed', 32), word('negated')
        if i == self.count - 1:
            machine.assume(z3.ULE(joined(words), self.curve.n // 2))
        machine.assume(z3.And(z3.ULE(carry, 1), z3.ULE(negated, 1), z3.ULE(listed, i)))
        machine.memory.store(registers['%magnitude'], words, 8 * len(words))
        machine.memory.store(terms, listed, 4)
        for name, value, kind in (('list.addr', terms, PTR), ('t.addr', table, PTR), ('negated', negated, I64), ('w', self.width, I32),
                                  ('half', self.half, I32), ('carry', carry, I32), (self.loop.counter()[1:], i, I32)):
            set_local(machine, registers, name, value, kind)
        need(self.loop.turn(machine, registers), 'the loop goes on')
        self.judge(machine, registers, terms, table, i, words, (carry, listed, negated))

    def judge(self, machine, registers, terms, table, i, words, before):
        carry, listed, negated = before
        low, high = i * self.width, min((i + 1) * self.width, self.bits)
        digit = z3.ZeroExt(32 - (high - low), z3.Extract(high - 1, low, joined(words))) + carry
        up = z3.UGT(digit, self.half)
        absolute = z3.If(up, (1 << self.width) - digit, digit)
        after = vector(get_local(machine, registers, 'carry', I32), 32)
        claims = [
            (after == z3.If(up, ONE, ZERO), 'the carry is one where the digit exceeds half'),
            (z3.ULE(absolute, self.half), 'the digit is at most half a window'),
            (vector(machine.memory.load(terms, I32), 32) == listed + z3.If(absolute == 0, ZERO, ONE), 'a digit that is not zero is a term'),
            *self.stored(machine, terms, table, i, listed, absolute, z3.ZeroExt(32, z3.If(up, ONE, ZERO)) ^ negated)]
        if i == self.count - 1:
            claims.append((after == 0, 'no carry leaves the last window'))
        machine.prove_all([(condition, 'window %d: %s' % (i, claim)) for condition, claim in claims])
        need(get_local(machine, registers, self.loop.counter()[1:], I32) == i + 1, 'the next window follows')

    def stored(self, machine, terms, table, i, listed, absolute, minus):
        (row_at, row, _), (mask_at, mask, _) = stores = machine.memory.unplaced
        need(len(stores) == 2 and row_at.region == mask_at.region == terms.region and i < self.most, 'a row and a mask are stored')
        need(row.region == table.region, 'the row is of the table')
        place = z3.ZeroExt(32, listed) * 8
        index = z3.ZeroExt(32, z3.If(absolute == 0, ZERO, absolute - 1) + i * self.half)
        yield z3.And(row_at.offset == 8 + place, mask_at.offset == 8 + 8 * self.most + place), 'both are stored at the end of the list'
        yield row.offset == ROWS + 16 * self.curve.limbs * index, 'the row is of the digit'
        yield z3.And(z3.ULE(i * self.half, index), z3.ULT(index, (i + 1) * self.half)), 'the row is in its window'
        yield z3.Or(absolute == 0, vector(mask) == -minus), 'the mask is the sign'


def vector(x, bits=64):
    return z3.BitVecVal(x, bits) if isinstance(x, int) else x


def recode(curve, width):
    recoding = Recoding(curve, width)
    count = paths(recoding.loop.machine, recoding.beginning)
    for i in range(recoding.count):
        count += paths(recoding.loop.machine, lambda machine, i=i: recoding.window(i, machine))
    return '%d windows, %d paths' % (recoding.count, count)


def no_exception(curve, width):
    """Terms of one list, added from the lowest window on: |s| and |t| as integers, s the sum so far, not zero, t the next term.

    |t| is at least 2^(w i), which is more than the lower digits can sum to: so s is not t or -t. And |s| + |t| is below n: the multiples of
    a point of order n are equal or opposite only where the integers are. So also where s and t are sums of neighbouring terms, as in
    nist_pairs.h: t is not zero, as its lowest digit is no multiple of 2^w, and hence |t| is at least 2^(w i).
    """
    half, below = 1 << (width - 1), 0
    for i in range(-(-curve.bits // width)):
        unit = 1 << (width * i)
        top = min(half, (curve.n // 2 >> (width * i)) + 1)
        need(below < unit, 'window %d: the lower digits sum to less than 2^%d' % (i, width * i))
        need(below + top * unit < curve.n, 'window %d: |s| + |t| is below n' % i)
        below += half * unit
    need((curve.n // 2 >> (width * i)) % (1 << width) + 1 <= half, 'the last digit needs no carry')


def proofs():
    for curve in CURVES:
        for width in widths(curve):
            parts = [('digits, rows and signs', lambda c=curve, w=width: recode(c, w)),
                     ('no exceptional addition', lambda c=curve, w=width: no_exception(c, w))]
            yield together('recoding %s, %d bits' % (curve.name, width), parts, ['nist/nist_table.h terms_of', 'nist/nist_table.h bits_at'],
                           quick=curve is P256 and width == 8)
