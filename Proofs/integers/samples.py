"""Checks the prover itself: numbers that follow a path must satisfy everything that the path concluded.

The inputs are random digits and digits at the ends of their ranges. A floor, a definition and a logical operation have one value for each
input. A conclusion that a sample contradicts is a fault of the prover, not of the kernel.
"""
import random

from machine.values import Unproven

COUNT = 24
# Of random digits, few may satisfy an assumption on the whole number.
TRIES = 4_000
HOLDS = {'equal': lambda x, y: x == y, 'unequal': lambda x, y: x != y, 'least': lambda x, y: x >= y}


class Sample:
    def __init__(self, context, inputs):
        self.context, self.value = context, list(inputs)
        floors = {next(iter(f))[0]: (p, k) for p, k, f in context.floors}
        for v in range(len(inputs), len(context.name)):
            if v in floors:
                self.value.append(self.of(floors[v][0]) >> floors[v][1])
            elif v in context.rules:
                self.value.append(context.rules[v](self.of))
            else:
                self.value.append(self.of(context.definition[v]))

    def of(self, p):
        total = 0
        for monomial, c in p.items():
            for v in monomial:
                c *= self.value[v]
            total += c
        return total

    def follows(self):
        return all(HOLDS[kind](self.of(p), number) for p, kind, number in self.context.conditions)

    def contradicts(self):
        c = self.context
        for v, x in enumerate(self.value):
            if not c.low[v] <= x <= c.high[v]:
                return '%s is %d, not in [%d, %d] (from %s)' % (c.name[v], x, c.low[v], c.high[v], c.origin[v])
        if any(self.of(p) for p in c.zero):
            return 'an equation'
        return 'a bound' if any(self.of(p) < 0 for p in c.nonnegative) else None


def check(context):
    """How many samples followed the path. Raises if one contradicts it. A path with calls has none: the results of calls are unknown."""
    inputs = context.inputs
    known = {next(iter(f))[0] for _, _, f in context.floors} | set(context.rules)
    if inputs is None or any(context.definition[v] is None and v not in known for v in range(inputs, len(context.name))):
        return None
    generator, followed, drawn = random.Random(len(context.name)), 0, 0
    for _ in range(TRIES):
        chosen = [choose(generator, low, high) for low, high in context.input_ranges]
        if any(evaluate(p, chosen) < 0 for p in context.nonnegative[:context.assumptions]):
            continue
        drawn += 1
        if drawn > COUNT:
            break
        sample = Sample(context, chosen)
        if sample.follows():
            followed += 1
            fault = sample.contradicts()
            if fault:
                raise Unproven('THE PROVER IS WRONG: a sample contradicts %s' % fault)
    return followed


def choose(generator, low, high):
    ends = [low, high, min(low + 1, high), max(high - 1, low)]
    return generator.choice(ends) if generator.random() < 0.5 else generator.randint(low, high)


def evaluate(p, values):
    total = 0
    for monomial, c in p.items():
        for v in monomial:
            c *= values[v]
        total += c
    return total
