"""Machine words as z3 bit vectors, for routines of masks, comparisons and shifts. A select is an if-then-else."""
import z3

from integers.decisions import Paths, Unreachable
from machine.values import Unproven, Word
from solvers import solver


class Bits(Paths):
    def __init__(self, decisions=()):
        super().__init__(decisions)
        self.facts, self.queries, self.at = [], 0, None

    def is_impossible(self, *claims):
        question = solver()
        question.add(*self.facts, *claims)
        self.queries += 1
        return question.check() == z3.unsat

    # What proofs make and read.

    def fresh(self, name, bits, width=64):
        x = z3.BitVec(name, bits)
        return z3.ZeroExt(width - bits, x) if width > bits else x

    def above(self, low, high, bits):
        return low | high << bits

    def unsigned(self, x):
        return x.value

    def remainder(self, value, bits):
        return z3.ZeroExt(value.size() - bits, z3.Extract(bits - 1, 0, value)) if bits < value.size() else value

    def begin(self):
        """The assumptions must not contradict each other."""
        if self.is_impossible():
            raise Unreachable()

    def check_samples(self):
        return None

    def is_same(self, a, b):
        return self.is_impossible(a.value != b.value)

    # The domain of machine.Machine.

    def constant(self, number, width):
        return Word(z3.BitVecVal(number, width), width)

    def number(self, x):
        value = z3.simplify(x.value)
        if not z3.is_bv_value(value):
            raise Unproven('an index, a count or a size depends on the input')
        return value.as_long()

    def decide_word(self, x):
        value = z3.simplify(x.value)
        if z3.is_bv_value(value):
            return value.as_long()
        can_be_one, can_be_zero = not self.is_impossible(value == 1), not self.is_impossible(value == 0)
        if not can_be_one and not can_be_zero:
            raise Unreachable()
        truth = self.choose() if can_be_one and can_be_zero else int(can_be_one)
        self.facts.append(value == truth)
        return truth

    def select(self, condition, a, b):
        return Word(z3.If(condition.value == 1, a.value, b.value), a.width)

    def part(self, x, low, width):
        return x if low == 0 and width == x.width else Word(z3.Extract(low + width - 1, low, x.value), width)

    def join(self, words):
        return Word(z3.Concat(*[x.value for x in reversed(words)]), sum(x.width for x in words))

    def cast(self, op, x, width):
        if width == x.width:
            return x
        if op == 'trunc':
            return Word(z3.Extract(width - 1, 0, x.value), width)
        return Word((z3.ZeroExt if op == 'zext' else z3.SignExt)(width - x.width, x.value), width)

    def with_overflow(self, op, a, b):
        x, y = z3.ZeroExt(1, a.value), z3.ZeroExt(1, b.value)
        total = x + y if op == 'uadd' else x - y
        return Word(z3.Extract(a.width - 1, 0, total), a.width), Word(z3.Extract(a.width, a.width, total), 1)

    def funnel(self, op, high, low, count):
        k = self.number(count) % high.width
        both = z3.Concat(high.value, low.value)
        first = high.width - k if op == 'fshl' else k
        return Word(z3.Extract(first + high.width - 1, first, both), high.width)

    def madd52(self, total, a, b, high):
        x, y = (z3.ZeroExt(52, z3.Extract(51, 0, word.value)) for word in (a, b))
        product = x * y
        return Word(total.value + z3.ZeroExt(12, z3.Extract(103, 52, product) if high else z3.Extract(51, 0, product)), 64)

    def binary(self, op, a, b, flags):
        return Word(BINARY[op](a.value, b.value), a.width)

    def compare(self, predicate, a, b):
        return Word(z3.If(PREDICATES[predicate](a.value, b.value), z3.BitVecVal(1, 1), z3.BitVecVal(0, 1)), 1)


BINARY = {
    'add': lambda a, b: a + b, 'sub': lambda a, b: a - b, 'mul': lambda a, b: a * b, 'and': lambda a, b: a & b, 'or': lambda a, b: a | b,
    'xor': lambda a, b: a ^ b, 'shl': lambda a, b: a << b, 'lshr': z3.LShR, 'ashr': lambda a, b: a >> b, 'udiv': z3.UDiv, 'urem': z3.URem,
    'sdiv': lambda a, b: a / b, 'srem': z3.SRem,
}
PREDICATES = {
    'eq': lambda a, b: a == b, 'ne': lambda a, b: a != b, 'ult': z3.ULT, 'ule': z3.ULE, 'ugt': z3.UGT, 'uge': z3.UGE,
    'slt': lambda a, b: a < b, 'sle': lambda a, b: a <= b, 'sgt': lambda a, b: a > b, 'sge': lambda a, b: a >= b,
}
