"""The meaning of contracts over bit vectors: sums are as wide as no value needs, so that none wraps."""
import z3

from machine.values import Unproven

# A congruence names a multiple of the modulus of at most so many.
MULTIPLES = 16


class Vectors:
    def __init__(self, context, unit, numbers, before, after):
        self.context, self.unit, self.numbers, self.before, self.after = context, unit, numbers, before, after
        self.width = 128 + max([64 * (number.digits + 1) for number in numbers.values()] + [256])

    def digits(self, name):
        known = self.after[name[:-1]] if name.endswith("'") else self.after.get(name) if name not in self.before else self.before[name]
        if known is None:
            raise Unproven('the contract names %s, which has no value' % name)
        return known

    def wide(self, x):
        return z3.BitVecVal(x, self.width) if isinstance(x, int) else z3.ZeroExt(self.width - x.size(), x)

    def name(self, name):
        if name in self.unit.constants:
            return self.wide(self.unit.constants[name])
        known = self.digits(name)
        if not isinstance(known, list):
            return self.wide(known)
        bits = self.numbers[name.rstrip("'")].bits
        return z3.simplify(sum((self.wide(x) << (bits * i) for i, x in enumerate(known)), self.wide(0)))

    def sum(self, tree):
        kind = tree[0]
        if kind == 'number':
            return self.wide(tree[1])
        if kind == 'name':
            return self.name(tree[1])
        if kind == 'digit':
            return self.wide(self.digits(tree[1])[tree[2]])
        a, b = self.sum(tree[1]), self.sum(tree[2])
        if kind == '^':
            return self.wide(z3.simplify(a).as_long() ** z3.simplify(b).as_long())
        return a * b if kind == '*' else a + b if kind == '+' else a - b

    def meaning(self, condition):
        """The condition as a formula."""
        left, right = condition.left, condition.right
        counted = [side for side in (left, right) if side.kind == 'digits']
        if not counted:
            return self.relation(self.side(left, 0), condition.relation, self.side(right, 0), condition.modulus)
        count = len(self.digits(counted[0].name))
        return z3.And([self.relation(self.side(left, i), condition.relation, self.side(right, i), condition.modulus) for i in range(count)])

    def side(self, side, i):
        if side.kind == 'digits':
            return self.wide(self.digits(side.name)[i]) + self.sum(side.tree)
        if side.kind == 'truth':
            left, relation, right, modulus = side.tree
            return z3.If(self.relation(self.sum(left), relation, self.sum(right), modulus), self.wide(1), self.wide(0))
        return self.sum(side.tree)

    def relation(self, a, relation, b, modulus):
        if relation != '=':
            return a < b if relation == '<' else a <= b
        if modulus is None:
            return a == b
        m = self.sum(modulus)
        return z3.Or([a - b == k * m for k in range(-MULTIPLES, MULTIPLES + 1)])

    def assume(self, condition):
        self.context.facts.append(self.meaning(condition))

    def assume_products(self, contract):
        """Bit vectors know products."""

    def show(self, condition):
        if not self.context.is_impossible(z3.Not(self.meaning(condition))):
            raise Unproven('not shown: %s' % condition.text)
