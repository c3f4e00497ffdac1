"""Ranges, by exact rational linear arithmetic (z3's QF_LRA). A product of variables is a variable of its own, with the bounds that its
factors give it, and with the product lemmas of `assume_product`."""
import z3

from integers.floors import Floors
from integers.polynomial import add, constant, multiply, scale
from solvers import solver

NEARBY_STEPS = 40_000_000


def linear_term(p, term):
    return z3.Sum([z3.RealVal(c) * term(monomial) if monomial else z3.RealVal(c) for monomial, c in p.items()] + [z3.RealVal(0)])


class Linear(Floors):
    def __init__(self):
        super().__init__()
        self.zero, self.nonnegative = [], []  # polynomials that are so
        self.solver, self.terms, self.told = None, {}, [0, 0, 0, 0]
        self.queries = 0

    def assume_product(self, a, b, most_a, most_b):
        """What linear arithmetic is to know of a b, where 0 <= a <= most_a and 0 <= b <= most_b."""
        rest_a, rest_b = add(constant(most_a), a, -1), add(constant(most_b), b, -1)
        for product in (multiply(rest_a, b), multiply(a, rest_b), multiply(rest_a, rest_b)):
            self.nonnegative.append(product)

    def term(self, monomial):
        if monomial not in self.terms:
            self.terms[monomial] = x = z3.Real('_'.join('%s#%d' % (self.name[v], v) for v in monomial))
            low, high = self.range({monomial: 1})
            self.solver.add(x >= low, x <= high)
        return self.terms[monomial]

    def linear(self, p):
        return linear_term(p, self.term)

    def tell(self):
        """Gives the solver what is new."""
        if self.solver is None:
            self.solver = solver('QF_LRA')
        s = self.solver
        for v in range(self.told[0], len(self.name)):
            self.term((v,))
            if self.definition[v] is not None:
                s.add(self.term((v,)) == self.linear(self.definition[v]))
        for p, k, f in self.floors[self.told[1]:]:
            rest = self.linear(add(p, scale(f, 1 << k), -1))
            s.add(rest >= 0, rest <= (1 << k) - 1)
        for p in self.zero[self.told[2]:]:
            s.add(self.linear(p) == 0)
        for p in self.nonnegative[self.told[3]:]:
            s.add(self.linear(p) >= 0)
        self.told = [len(self.name), len(self.floors), len(self.zero), len(self.nonnegative)]

    def refuted(self, p):
        """Whether p >= 0 is impossible."""
        if self.range(p)[1] < 0:
            return True
        self.tell()
        self.queries += 1
        claim = self.linear(p)  # may add the bounds of new products, which stay
        self.solver.push()
        self.solver.add(claim >= 0)
        answer = self.solver.check()
        self.solver.pop()
        return answer == z3.unsat

    def at_most(self, p, most):
        return self.refuted(add(p, constant(most + 1), -1))

    def at_least(self, p, least):
        return self.refuted(add(constant(least - 1), p, -1))

    def refuted_nearby(self, p, depth=3, integers=False):
        """As `refuted`, by the definitions of p's variables and of those below them alone; small variables may be integers."""
        question, names = solver(None if integers else 'QF_LRA', NEARBY_STEPS), {}

        def term(monomial):
            if monomial not in names:
                low, high = self.range({monomial: 1})
                small = integers and high - low <= 2 and len(monomial) == 1
                names[monomial] = x = z3.ToReal(z3.Int('x%d' % len(names))) if small else z3.Real('x%d' % len(names))
                question.add(x >= low, x <= high)
            return names[monomial]

        floors = {next(iter(f))[0]: (rest, k) for rest, k, f in self.floors}
        for v in self.below(p, depth, floors):
            if self.definition[v] is not None:
                question.add(term((v,)) == linear_term(self.definition[v], term))
            if v in floors:
                rest, k = floors[v]
                part = linear_term(add(rest, {(v,): 1 << k}, -1), term)
                question.add(part >= 0, part <= (1 << k) - 1)
        question.add(linear_term(p, term) >= 0)
        return question.check() == z3.unsat

    def below(self, p, depth, floors):
        seen, todo = set(), [(v, 0) for monomial in p for v in monomial]
        while todo:
            v, d = todo.pop()
            if v in seen or d > depth:
                continue
            seen.add(v)
            for q in (self.definition[v], floors.get(v, (None,))[0]):
                todo += [(x, d + 1) for monomial in q or () for x in monomial]
        return seen
