"""Barrett's reduction of 512 bits modulo L, the order of Ed25519, with its products and differences as calls.

The products drop what is above 2^320, and so does the difference. That both drop the same is shown when the difference is made, because it
is less than 2 L: only then is its highest word known to be zero.
"""
from contracts.calls import Call
from contracts.routine import prove
from contracts.unit import Number, Unit
from integers.polynomial import add, scale, value
from machine.values import Unproven

ORDER = 2**252 + 27742317777372353535851937790883648493
FILE = 'ed25519/scalar.c '
TEXT, LOAD, SUBTRACT = '#include "ed25519/scalar.c"\n', 'ed25519/field51.h load_le_words', 'nist/nist_word.h number_sub'


class Words(Call):
    """Keeps the words of x."""

    def fresh(self, name):
        self.context.words = super().fresh(name)
        return self.context.words


class Product(Call):
    """out = a b less what is above 2^(64 len), which is a variable of its own."""

    def bind(self, arguments):
        self.unit.counts['out'] = self.length = self.machine.domain.number(arguments[1])
        super().bind(arguments)

    def use(self, algebra, condition, after):
        product = self.context.expand(algebra.sum(condition.right.tree))
        most, bits = self.context.range(product)[1], 64 * self.length
        above = self.context.variable('%above', 0, most >> bits)
        self.context.above = above
        whole = add(product, scale(above, 1 << bits), -1)
        pivot = next(iter(after['out'][0]))[0]
        relation = add(value(after['out'], 64), whole, -1)
        self.context.zero.append(relation)
        self.context.congruent.append((relation, 0, pivot))


class Difference(Call):
    """r = a - b + 2^320 borrow. The first one is x - q L, from which both sides dropped the same: so its highest word is zero."""

    def variable(self, name, bits):
        return self.context.variable('%' + name, 0, (1 << bits) - 1)

    def use(self, algebra, condition, after):
        super().use(algebra, condition, after)
        if condition.relation != '=' or self.context.above is None:
            return
        above, self.context.above = self.context.above, None
        dropped = add(add(above, after['return']), value(self.context.words[5:], 64), -1)
        if not self.context.at_most(dropped, 0) or not self.context.at_least(dropped, 0):
            raise Unproven('not shown: x and q L have the same words above 2^320, but for the borrow')
        self.context.assume(dropped, 0)
        if not self.context.tighten(next(iter(after['r'][4]))[0]):
            raise Unproven('not shown: x - q L is below 2^256')


def proofs():
    unit = Unit('ed25519', TEXT, {'scalar': Number(4, 64)}, {'L': ORDER}, bound={'count': '8', 'limbs': '5'}, values={'limbs': 5},
                counts={'words': 8, 'in': 64, 'a': 5, 'b': 5, 'r': 5}, outside=[LOAD, FILE + 'product', SUBTRACT])
    hooks = {'load_le_words': Words(unit, unit.function(LOAD)), 'product': Product(unit, unit.function(FILE + 'product')),
             'number_sub': Difference(unit, unit.function(SUBTRACT))}
    yield prove(unit, FILE + 'cjwt_ed25519_scalar_reduce', hooks=hooks, quick=True)
    for length in (5, 10):
        sized = Unit('ed25519', TEXT, bound={'len': str(length)}, values={'len': length}, counts={'out': length})
        yield prove(sized, FILE + 'product', quick=True, name='ed25519 product, %d' % length)
    five = Unit('words', TEXT, bound={'limbs': '5'}, values={'limbs': 5}, words=5)
    yield prove(five, SUBTRACT, quick=True, name='words number_sub, 5')
