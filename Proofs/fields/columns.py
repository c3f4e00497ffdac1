"""The carries of RSA's columns: digits of 52 bits from columns of any 64 bits, with all carries at once.

With s_i the column's low 52 bits and what the column below has above them, a digit receives a carry of one where s_(i-1) > mask, or where
it equals the mask and receives one itself. Where no digit is above the mask, all stay as they are. Else, first the machine's carry through
the masks is shown to be that, for any bits that say "above" and "equal" and never both. Then each digit is shown to be s_i plus what it
receives, cut to 52 bits; and that is the column with its true carry.
"""
import z3

from bits.words import Bits
from contracts.sources import functions
from contracts.unit import compiled
from fields.montgomery import BITS, MASK
from fields.rsa import CARRIED, CARRY
from integers.decisions import paths
from machine.machine import Machine
from machine.values import Pointer, Unproven, Word
from registry import Proof


class Comparisons(Bits):
    """Comparisons of words are bits of their own, with their operands; but not that of a mask with zero."""

    def __init__(self, decisions=()):
        super().__init__(decisions)
        self.compared = []

    def compare(self, predicate, a, b):
        if a.width != 64 or z3.is_bv_value(z3.simplify(b.value)) and z3.simplify(b.value).as_long() == 0:
            return super().compare(predicate, a, b)
        bit = z3.BitVec('%s%d' % (predicate, len(self.compared)), 1)
        self.compared.append((predicate, z3.simplify(a.value), z3.simplify(b.value), bit))
        return Word(bit, 1)


def execute(context, digits, vectors):
    machine = Machine(compiled('#include "rsa/rsa_single_multiply.c"\n', (), ()), context)
    at, columns = machine.memory.region('columns'), [z3.BitVec('column%d' % i, 64) for i in range(8 * vectors)]
    for i, x in enumerate(columns):
        machine.memory.store(Pointer(at.region, 8 * i), Word(x, 64), 8)
    machine.call('@carry_%d' % digits, [at])
    return columns, [machine.memory.load(Pointer(at.region, 8 * i), ('i', 64)).value for i in range(8 * vectors)], machine.instructions


def show(context, claim, what):
    if not context.is_impossible(z3.Not(claim)):
        raise Unproven('not shown: ' + what)


def sums(columns):
    zero = z3.BitVecVal(0, 64)
    return [(x & MASK) + (z3.LShR(columns[i - 1], BITS) if i else zero) for i, x in enumerate(columns)]


def atoms(context, s):
    """The bits `above` and `equal` of each digit, by what was compared."""
    above, equal = {}, {}
    places = {z3.simplify(x).sexpr(): i for i, x in enumerate(s)}
    for predicate, a, b, bit in context.compared:
        kind = above if predicate == 'ugt' else equal if predicate == 'eq' else None
        if kind is None or a.sexpr() not in places or not z3.is_bv_value(b) or b.as_long() != MASK:
            raise Unproven('an unknown comparison: %s' % predicate)
        kind[places[a.sexpr()]] = bit
    if len(above) != len(s) or len(equal) != len(s):
        raise Unproven('%d and %d comparisons for %d digits' % (len(above), len(equal), len(s)))
    return above, equal


def prove(digits, vectors):
    def one(context):
        columns, found, instructions = execute(context, digits, vectors)
        s = sums(columns)
        above, equal = atoms(context, s)
        context.facts += [(above[i] & equal[i]) == 0 for i in above]
        receives = z3.BitVecVal(0, 1)
        for i, x in enumerate(s):
            digit = (x + z3.ZeroExt(63, receives)) & MASK
            is_above = (above[i] == 1) == z3.UGT(x, MASK)
            show(context, z3.Implies(is_above, found[i] == digit), 'digit %d is its column and what it receives' % i)
            receives = above[i] | equal[i] & receives
        return instructions

    def run():
        texts = [contract.text for contract in functions()[CARRY].contracts]
        if texts != [CARRIED]:
            raise Unproven('%s: the contract is not the one that is proved: %s' % (CARRY, CARRIED))
        induction(Bits())
        work = paths(Comparisons, one)
        return '%d paths, %d instructions' % (len(work), sum(work))
    return Proof('rsa carry_columns, %d' % digits, run, [CARRY], quick=digits == 40)


def induction(context):
    """If a digit's carry is what the column below has above 52 bits and what the digit receives, so is the next digit's, and its digit is
    right: column + carry = digit + 2^52 next."""
    below, column, receives = z3.BitVec('below', 64), z3.BitVec('column', 64), z3.BitVec('receives', 1)
    s = (column & MASK) + z3.LShR(below, BITS)
    following = z3.If(z3.UGT(s, MASK), z3.BitVecVal(1, 1), z3.If(s == MASK, receives, z3.BitVecVal(0, 1)))
    digit = (s + z3.ZeroExt(63, receives)) & MASK

    def wide(x):
        return z3.ZeroExt(80 - x.size(), x)
    carry, after = wide(z3.LShR(below, BITS)) + wide(receives), wide(z3.LShR(column, BITS)) + wide(following)
    show(context, wide(column) + carry == wide(digit) + (after << BITS), 'column + carry = digit + 2^52 next carry')


def proofs():
    for digits, vectors in ((40, 5), (60, 8), (80, 10)):
        yield prove(digits, vectors)
