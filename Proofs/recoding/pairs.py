"""P-521: lists of rows, made half as long (nist_pairs.h): each sum is of two rows of one list with their signs, and no row is lost."""
from calls.machine import Machine
from constants.curves import P521
from machine.values import Pointer
from points.nist import Field, Formula, module
from points.nist_tables import GENERATORS, Denominators
from points.residue import need, same, unknowns
from registry import together

ONES = 2**64 - 1
SMALL = -(-P521.bits // 4)  # kMaxTerms
GENERATOR = -(-P521.bits // GENERATORS[P521])
AFFINE = 16 * P521.limbs


class Halving:
    """Rows are (x, y) = (x.name, y.name); what a sum of two rows is called says which, and with which signs."""

    def __init__(self):
        self.machine, self.field = Machine(module(P521), {}), Field(P521)
        self.denominators, self.certified = Denominators(P521.p), 1
        self.machine.routines.update({**self.field.routines(), 'slope_denominator': self.slope, 'add_signed': self.add,
                                      'field_invert': self.invert})

    def put(self, at, name):
        x, y = unknowns(P521.p, 'x.%s y.%s' % (name, name))
        self.field.put(self.machine, at, x)
        self.field.put(self.machine, Pointer(at.region, at.offset + self.field.size), y)

    def row(self, name):
        at = self.machine.memory.region(name, AFFINE)
        self.put(at, name)
        return at

    def list_of(self, names):
        """Two rows have their signs, then two have others: every pair of signs is there."""
        terms = self.machine.memory.region('terms', 8 + 16 * SMALL)
        self.machine.memory.store(terms, len(names), 4)
        for i, name in enumerate(names):
            self.machine.memory.store(Pointer(terms.region, 8 + 8 * i), self.row(name), 8)
            self.machine.memory.store(Pointer(terms.region, 8 + 8 * SMALL + 8 * i), ONES * (i // 3 % 2), 8)
        return terms

    def name(self, at):
        """The name of the affine point there."""
        x = self.field.get(self.machine, at)
        y = self.field.get(self.machine, Pointer(at.region, at.offset + self.field.size))
        ((variable, _),), = x.terms
        wanted, = unknowns(P521.p, 'y' + variable[1:])
        need(y == wanted, 'x and y of one row')
        return variable[2:]

    def slope(self, machine, arguments):
        self.field.put(machine, arguments[0], self.denominators.add(tuple(self.name(at) for at in arguments[1:])))

    def invert(self, machine, arguments):
        self.field.put(machine, arguments[0], self.field.get(machine, arguments[1]) ** -1)
        return self.certified

    def add(self, machine, arguments):
        a, b = [self.name(at) for at in arguments[1:3]]
        need(arguments[3] in (0, ONES), 'a mask')
        wanted = self.denominators.of[a, b] ** -1
        same(self.field.get(machine, arguments[4]), wanted, 'the inverse of this pair\'s denominator')
        self.put(arguments[0], '(%s,%s%s)' % (a, '-' if arguments[3] else '+', b))

    def listed(self, terms):
        """The rows of a list by their names, with the signs of the masks."""
        count, names = self.machine.memory.load(terms, ('i', 32)), []
        for i in range(count):
            name = self.name(self.machine.memory.load(Pointer(terms.region, 8 + 8 * i), ('ptr',)))
            mask = self.machine.memory.load(Pointer(terms.region, 8 + 8 * SMALL + 8 * i), ('i', 64))
            need(mask in (0, ONES), 'a mask')
            names.append(('-' if mask else '+') + name)
        return names


def paired(names):
    """What the list is afterwards: a sum has the sign of its first row, and the second one's is relative to that."""
    sums = ['%s(%s,%s%s)' % (a[0], a[1:], '+' if a[0] == b[0] else '-', b[1:]) for a, b in zip(names[::2], names[1::2])]
    return sums + names[len(names) // 2 * 2:]


def halve(counts):
    """Two rounds, in memory for as many sums as the judge has."""
    run = Halving()
    size = AFFINE * sums_of_judge()
    sums = run.machine.memory.region('sums', size)
    lists = [run.list_of(['%s%d' % (letter, i) for i in range(count)]) for letter, count in zip('ab', counts)]
    wanted, place = [run.listed(terms) for terms in lists], 0
    for _ in range(2):
        rest = run.machine.call('halve', [Pointer(sums.region, place), *lists])
        place += AFFINE * sum(len(names) // 2 for names in wanted)
        wanted = [paired(names) for names in wanted]
        need((rest.region, rest.offset) == (sums.region, place), 'it returns what follows the sums')
        need([run.listed(terms) for terms in lists] == wanted, 'neighbours are added, a last row stays')


def addition(mask):
    """a + b or a - b: the slope is s, with x2 = x1 + d and ±y2 = y1 + s d."""
    run = Formula(P521)
    d, s = unknowns(P521.p, 'd s')
    x1, y1, x2, y2 = run.x1, run.y1, run.x1 + d, run.y1 + s * d
    a, b = run.region('a', [x1, y1]), run.region('b', [x2, -y2 if mask else y2])
    inverted, result = run.region('inverted', [d ** -1]), run.machine.memory.region('sum')
    run.machine.call('add_signed', [result, a, b, mask, inverted])
    x3 = s * s - x1 - x2
    same(run.field.get(run.machine, result), x3, 'x of the sum')
    same(run.field.get(run.machine, Pointer(result.region, run.field.size)), s * (x1 - x3) - y1, 'y of the sum')


def sums_of_judge():
    """The affine points in the judge's memory for sums."""
    for instructions in module(P521).body(module(P521).functions['@judge']).values():
        for instruction in instructions:
            if instruction.op == 'alloca' and instruction.target == '%sums':
                return instruction.detail[1]


def refused():
    """Without a certified inverse there are no sums, and the lists stay."""
    run = Halving()
    run.certified = 0
    lists = [run.list_of(['a0', 'a1', 'a2']), run.list_of(['b0', 'b1'])]
    before = [run.listed(terms) for terms in lists]
    rest = run.machine.call('halve', [run.machine.memory.region('sums', 2 * AFFINE), *lists])
    need((rest.region, rest.offset) == ('null', 0), 'NULL')
    need([run.listed(terms) for terms in lists] == before, 'the lists are the same')


def halves():
    """Every count of one list, beside some of the other."""
    for count in range(SMALL + 1):
        halve((count, 7 * count % (GENERATOR + 1)))
    for count in range(GENERATOR + 1):
        halve((1 + 5 * count % 75, count))
    halve((SMALL, GENERATOR))


def proofs():
    parts = [('halve', halves), ('without an inverse', refused), ('add_signed, plus', lambda: addition(0) or ''),
             ('add_signed, minus', lambda: addition(ONES) or '')]
    yield together('sums of pairs', parts, [
        'nist/nist_pairs.h ' + name for name in ('halve', 'defer_pairs', 'add_pairs', 'add_signed', 'list_pairs')])
