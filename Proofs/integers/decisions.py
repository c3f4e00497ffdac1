"""Paths: where a condition may be true and false, both are followed, one run for each."""
from integers.congruence import Congruences
from integers.polynomial import add, constant, is_constant, scale, value_of


class Unreachable(Exception):
    """This path's conditions contradict each other."""


class Paths:
    """The decisions of one path: the first ones are given, at the others the path takes zero."""

    def __init__(self, decisions=()):
        super().__init__()
        self.decisions, self.taken = list(decisions), []

    def choose(self):
        at = len(self.taken)
        self.taken.append(self.decisions[at] if at < len(self.decisions) else 0)
        return self.taken[-1]


class Context(Paths, Congruences):
    """What is known on one path. `conditions` are what it supposes: a polynomial equals a number, differs, or is at least it."""

    def __init__(self, decisions=()):
        super().__init__(decisions)
        self.conditions = []
        self.inputs, self.assumptions, self.input_ranges = None, 0, []

    def begin(self):
        """The inputs are made and assumptions told: what follows is derived."""
        self.inputs, self.assumptions = len(self.name), len(self.nonnegative)
        self.input_ranges = list(zip(self.low, self.high))

    def decide(self, p):
        """The truth of p, which is zero or one."""
        p = self.put_fixed(p)
        if is_constant(p):
            return value_of(p) & 1
        can_be_zero, can_be_one = not self.refuted(scale(p, -1)), not self.refuted(add(p, constant(1), -1))
        if not can_be_zero and not can_be_one:
            raise Unreachable()
        truth = self.choose() if can_be_zero and can_be_one else int(can_be_one)
        self.conditions.append((p, 'equal', truth))
        self.assume(p, truth)
        return truth

    def decide_zero(self, p):
        """Whether the integer p is zero."""
        p = self.put_fixed(p)
        low, high = self.range(p)
        if low > 0 or high < 0:
            return 0
        if is_constant(p):
            return int(not p)
        is_zero = self.choose()
        self.conditions.append((p, 'equal' if is_zero else 'unequal', 0))
        if is_zero:
            self.assume(p, 0)
            return 1
        if low >= 0:
            self.nonnegative.append(add(p, constant(1), -1))
        elif high <= 0:
            self.nonnegative.append(add(scale(p, -1), constant(1), -1))
        else:
            self.decide_sign(p)
        return 0

    def decide_sign(self, p):
        """Whether p, which is not zero, is above or below it."""
        p = p if self.choose() else scale(p, -1)
        self.conditions.append((p, 'least', 1))
        self.nonnegative.append(add(p, constant(1), -1))

    def assume(self, p, number):
        """p is the number on this path."""
        q = self.put_fixed(add(p, constant(number), -1))
        if is_constant(q):
            return
        self.zero.append(q)
        self.define_by(self.expand_defined(q))
        self.expanded = {}

    def define_by(self, q):
        """Uses q = 0 as the definition of one of its variables, if it has one that can be."""
        if is_constant(q):
            return
        candidates = [m for m, c in q.items() if len(m) == 1 and abs(c) == 1 and self.definition[m[0]] is None]
        if not candidates:
            return
        chosen = max(candidates)
        rest = {monomial: -c * q[chosen] for monomial, c in q.items() if monomial != chosen}
        if is_constant(rest):
            self.fix(chosen[0], value_of(rest))
        elif not any(chosen[0] in monomial for monomial in rest) and not self.depends(rest, chosen[0]):
            self.definition[chosen[0]] = rest

    def expand_defined(self, p):
        """All definitions put in, those of fixed variables too."""
        while True:
            v = max((v for monomial in p for v in monomial if self.definition[v] is not None), default=None)
            if v is None:
                return self.put_fixed(p)
            p = self.put(p, v, self.definition[v])


def paths(make, run):
    """Runs `run(context)` once for each path, with a context that `make(decisions)` makes, and returns what each run returned."""
    todo, results = [[]], []
    while todo:
        prefix = todo.pop()
        context = make(prefix)
        try:
            results.append(run(context))
        except Unreachable:
            pass
        for at in range(len(prefix), len(context.taken)):
            todo.append(context.taken[:at] + [1 - context.taken[at]])
    return results
