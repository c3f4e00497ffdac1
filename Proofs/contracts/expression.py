"""The meaning of contracts over the integers: names are polynomials."""
from contracts.grammar import names
from integers.polynomial import add, constant, is_constant, multiply, scale, value, value_of
from machine.values import Unproven


class Polynomials:
    def __init__(self, context, unit, numbers, before, after):
        self.context, self.unit, self.numbers, self.before, self.after = context, unit, numbers, before, after

    # Values.

    def digits(self, name):
        if name.endswith("'"):
            return self.after[name[:-1]]
        known = self.after[name] if name in self.after and name not in self.before else self.before.get(name)
        if known is None:
            raise Unproven('the contract names %s, which has no value' % name)
        return known

    def name(self, name):
        if name in self.unit.constants:
            return constant(self.unit.constants[name])
        known = self.digits(name)
        return value(known, self.numbers[name.rstrip("'")].bits) if isinstance(known, list) else known

    def sum(self, tree):
        kind = tree[0]
        if kind == 'number':
            return constant(tree[1])
        if kind == 'name':
            return self.name(tree[1])
        if kind == 'digit':
            return self.digits(tree[1])[tree[2]]
        a, b = self.sum(tree[1]), self.sum(tree[2])
        if kind == '*':
            return multiply(a, b)
        if kind == '^':
            return self.power(a, value_of(b))
        return add(a, b, 1 if kind == '+' else -1)

    def power(self, a, exponent):
        if is_constant(a):
            return constant(value_of(a) ** exponent)
        r = constant(1)
        for _ in range(exponent):
            r = multiply(r, a)
        return r

    def sides(self, condition):
        """The two sides as pairs of polynomials: one pair, or one for each digit."""
        left, right = condition.left, condition.right
        counted = [side for side in (left, right) if side.kind == 'digits']
        if not counted:
            return [(self.sum(left.tree), self.sum(right.tree))]
        count = len(self.digits(counted[0].name))
        return [(self.side(left, i), self.side(right, i)) for i in range(count)]

    def side(self, side, i):
        more = self.sum(side.tree)
        if side.kind == 'digits' and side.second:
            sign, name = side.second
            more = add(more, self.digits(name)[i], sign)
        return add(self.digits(side.name)[i], more) if side.kind == 'digits' else more

    # Assumptions.

    def assume(self, condition):
        for a, b in self.sides(condition):
            if condition.relation == '=':
                self.context.assume(add(a, b, -1), 0)
                continue
            strict = condition.relation == '<'
            if not self.narrow(a, b, strict):
                self.context.nonnegative.append(add(add(b, a, -1), constant(int(strict)), -1))
                self.clear_top(condition.left.tree, b)

    def clear_top(self, tree, bound):
        """The digits of a name that its bound leaves no place for are zero."""
        digits = self.before.get(tree[1]) if tree[0] == 'name' else None
        if isinstance(digits, list) and is_constant(bound):
            for i, digit in enumerate(digits):
                if value_of(bound) <= 1 << (self.numbers[tree[1]].bits * i):
                    self.context.assume(digit, 0)

    def narrow(self, a, b, strict):
        """Puts a bound on one variable into its range."""
        if is_constant(b) and len(a) == 1 and list(a.values()) == [1] and len(list(a)[0]) == 1:
            v = list(a)[0][0]
            self.context.high[v] = min(self.context.high[v], value_of(b) - strict)
            return True
        if is_constant(a) and len(b) == 1 and list(b.values()) == [1] and len(list(b)[0]) == 1:
            v = list(b)[0][0]
            self.context.low[v] = max(self.context.low[v], value_of(a) + strict)
            return True
        return False

    def assume_products(self, contract):
        """The product lemmas of all pairs of operands that the claims multiply."""
        done = set()
        for condition in contract.claims:
            for side in (condition.left, condition.right):
                for pair in products(side.tree) if side.kind == 'sum' else ():
                    if pair not in done and all(name in self.before and isinstance(self.before[name], list) for name in pair):
                        done.add(pair)
                        a, b = pair
                        self.context.assume_product(self.name(a), self.name(b), self.most(a, contract), self.most(b, contract))

    def most(self, name, contract):
        """The largest value that the assumptions leave."""
        most = self.context.range(self.name(name))[1]
        for condition in contract.assumptions:
            if condition.left.kind == 'sum' and condition.left.tree == ('name', name) and condition.relation != '=':
                bound = self.sum(condition.right.tree)
                if is_constant(bound):
                    most = min(most, value_of(bound) - (condition.relation == '<'))
        return most

    # Claims.

    def show(self, condition):
        if condition.right.kind == 'truth':
            return self.show_truth(condition)
        modulus = self.sum(condition.modulus) if condition.modulus else {}
        for i, (a, b) in enumerate(self.sides(condition)):
            difference = add(a, b, -1)
            if condition.relation == '=':
                shown = self.is_multiple(difference, modulus)
            else:
                shown = self.is_at_most(difference, -1 if condition.relation == '<' else 0)
            if not shown:
                which = ' (digit %d)' % i if 'digits' in (condition.left.kind, condition.right.kind) else ''
                raise Unproven('not shown: %s%s%s' % (condition.text, which, self.remaining() if condition.relation == '=' else ''))

    def is_multiple(self, p, modulus):
        """Of a modulus that is a parameter: p is zero, or the modulus once, up or down."""
        if is_constant(modulus):
            return self.context.is_multiple(p, value_of(modulus))
        return any(self.context.is_zero(add(p, modulus, times), 0) for times in (0, 1, -1))

    def is_at_most(self, p, most):
        """If ranges alone do not show it, with the floors fixed that can be."""
        if self.context.at_most(p, most):
            return True
        return self.context.fix_floors(p) and self.context.at_most(p, most)

    def remaining(self):
        """The floors that do not cancel, each with the line whose carry or wrap it is."""
        found = []
        for monomial, c in list(self.context.left.items())[:6]:
            lines = {self.context.origin[v] for v in monomial if self.context.is_derived(v)} - {None}
            found.append('%s from %s' % (hex(c), ', '.join(sorted(lines))) if lines else '%s %s' % (hex(c), self.text(monomial)))
        return '; what does not cancel: ' + '; '.join(found)

    def text(self, monomial):
        return ' '.join(self.context.name[v] for v in monomial) or '1'

    def show_truth(self, condition):
        """x = [a < b], [a = b] or [a = b (mod m)]."""
        truth = self.context.decide(self.sum(condition.left.tree))
        left, relation, right, modulus = condition.right.tree
        difference = add(self.sum(left), self.sum(right), -1)
        if relation == '<':
            shown = self.context.at_most(difference, -1) if truth else self.context.at_least(difference, 0)
        elif truth:
            shown = self.context.is_multiple(difference, value_of(self.sum(modulus)) if modulus else 0)
        else:
            shown = modulus is None and (self.context.at_least(difference, 1) or self.context.at_most(difference, -1))
        if not shown:
            raise Unproven('not shown where it returns %d: %s' % (truth, condition.text))


def products(tree):
    """The pairs of names that an expression multiplies."""
    if tree[0] == '*':
        factors = flat(tree)
        found = [name for factor in factors for name in sorted(names(factor))]
        for i, a in enumerate(found):
            for b in found[i + 1:]:
                yield a, b
        for factor in factors:
            if factor[0] in '+-':
                yield from products(factor)
    elif tree[0] == '^' and tree[1][0] == 'name':
        yield tree[1][1], tree[1][1]
    elif tree[0] in '+-':
        yield from products(tree[1])
        yield from products(tree[2])


def flat(tree):
    return flat(tree[1]) + flat(tree[2]) if tree[0] == '*' else [tree]
