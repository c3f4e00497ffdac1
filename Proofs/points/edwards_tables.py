"""Ed25519: tables, the sums of both lane kernels, the lanes' inverses, and keys. x_m and y_m are the coordinates of m times the base."""
import z3

from calls.machine import Machine, paths
from machine.values import Pointer
from points.edwards import LANES, module, ready
from points.field51 import LOOSE, ROUTINES, TIGHT, Element, Q, element_at, get, put
from points.residue import Residue, need, same, unknowns
from recoding.words import vector
from registry import together

CANONICAL = (1 << 51) - 1


def to_words(machine, arguments):
    """Four words of a number below p; here they keep what it is."""
    element = get(machine, arguments[1])
    need(element.high <= LOOSE, 'fe51_to_words takes loose digits')
    machine.memory.store(arguments[0], Element(element.residue, CANONICAL), 32)


def from_words(machine, arguments):
    put(machine, arguments[0], machine.memory.of(arguments[1].region)[arguments[1].offset][0].residue, CANONICAL)


class Window:
    """`make_window`: rows 1 to `count` of a window, and the base of the next."""

    def __init__(self, count, machine):
        self.machine, self.count, self.certified = machine, count, z3.BitVec('certified', 32)
        machine.routines.update({
            **ROUTINES, 'fe51_to_words': to_words, 'fe51_from_words': from_words, 'point_add': self.add, 'point_double': self.double,
            'cjwt_ed25519_invert': self.invert})
        rows, base = machine.memory.region('rows'), machine.memory.region('base')
        x, y = self.names(1)
        self.write(base, [x, y, x.number(1), x * y])
        for i, value in enumerate(ready(x, y)):
            put(machine, element_at(base, 4 + i), value, TIGHT)
        answer = machine.call('make_window', [rows, count, base])
        if answer == 0:
            machine.prove(self.certified == 0, 'zero only where the inverse is not certified')
            return
        machine.prove(self.certified != 0, 'rows only with a certified inverse')
        self.judge(rows, base)

    @staticmethod
    def names(multiple):
        return unknowns(Q, 'x%d y%d' % (multiple, multiple))

    def write(self, at, values, high=TIGHT):
        for i, value in enumerate(values):
            put(self.machine, element_at(at, i), value, high)

    def coordinates(self, multiple):
        (x, y), (z,) = self.names(multiple), unknowns(Q, 'z%d' % multiple)
        return [x * z, y * z, z, x * y * z] if multiple > 1 else [x, y, z.number(1), x * y]

    def expect(self, at, values, what):
        for i, value in enumerate(values):
            element = get(self.machine, element_at(at, i))
            need(element.high <= TIGHT, 'tight coordinates')
            same(element.residue, value, what)

    def multiple_at(self, at):
        """Which multiple a point is, by its Z."""
        z = get(self.machine, element_at(at, 2)).residue
        return 1 if z == z.number(1) else int([name for monomial in z.terms for name, _ in monomial][0][1:])

    def add(self, machine, arguments):
        multiple = self.multiple_at(arguments[0])
        self.expect(arguments[0], self.coordinates(multiple), 'the sum so far')
        self.expect(arguments[1], ready(*self.names(1)), 'the base, prepared')
        self.write(arguments[0], self.coordinates(multiple + 1))

    def double(self, machine, arguments):
        multiple = self.multiple_at(arguments[0])
        self.expect(arguments[0], self.coordinates(multiple), 'the last multiple')
        self.write(arguments[0], self.coordinates(2 * multiple))

    def invert(self, machine, arguments):
        need(get(machine, arguments[1]).high <= LOOSE, 'an inverse takes loose digits')
        put(machine, arguments[0], get(machine, arguments[1]).residue ** -1, TIGHT)
        return self.certified

    def judge(self, rows, base):
        for multiple in range(1, self.count + 1):
            for part, value in enumerate(ready(*self.names(multiple))):
                element = self.machine.memory.of(rows.region)[96 * (multiple - 1) + 32 * part][0]
                same(element.residue, value, 'row %d' % multiple)
                need(element.high <= CANONICAL, 'a row is below p')
        x, y = self.names(2 * self.count)
        self.expect(base, [x, y, x.number(1), x * y] + ready(x, y), 'the next base is %d times this one' % (2 * self.count))


def make_table(bits, machine):
    """A window after the other; zero as soon as one fails."""
    windows, answers, begun = [], [z3.BitVec('window%d' % i, 32) for i in range(256 // bits)], []
    table = machine.memory.region('table')

    def window(machine, arguments):
        windows.append((arguments[0].offset, arguments[1], arguments[2].region))
        return answers[len(windows) - 1]
    machine.routines.update({'make_window': window, 'set_affine': lambda machine, arguments: begun.append([at.region for at in arguments])})
    answer = machine.call('make_table', [table, bits, Pointer('x'), Pointer('y')])
    half = 1 << (bits - 1)
    bases = {base for _, _, base in windows}
    need([window[:2] for window in windows] == [(64 + 96 * half * i, half) for i in range(len(windows))], 'window after window')
    need([[base, 'x', 'y'] for base in bases] == begun, 'from the point itself')
    if answer == 0:
        machine.prove(answers[len(windows) - 1] == 0, 'zero only where a window fails')
        return
    need(len(windows) == 256 // bits, 'all windows')
    header = machine.memory.load(table, ('arr', 3, ('i', 32)))
    need(header == [bits, 256 // bits, half], 'the table\'s header')


def table_build(machine):
    """Multiples of -A; no table of a key that does not decode, or where the base point has none."""
    decoded, once, made, filled = [z3.BitVec(name, 32) for name in ('decoded', 'once', 'made', 'filled')]
    x, y = unknowns(Q, 'x y')
    machine.memory.cells['@base_table_is_made'] = {0: (made, 4)}

    def decode(machine, arguments):
        for i, value in enumerate((x, y)):
            put(machine, element_at(arguments[0], i), value, TIGHT)
        return decoded

    def fill(machine, arguments):
        same(get(machine, arguments[2]).residue, -x, 'the table is of -A')
        same(get(machine, arguments[3]).residue, y, 'the table is of -A')
        need(get(machine, arguments[2]).high <= TIGHT and arguments[1] == (4, 8)[machine.size], 'a tight number, and the size asked for')
        return filled

    def run_once(machine, arguments):
        need(arguments[1].region == '@make_base_table', 'the base point\'s table is made')
        return once
    machine.routines.update({**ROUTINES, 'cjwt_ed25519_point_decode': decode, 'make_table': fill, 'pthread_once': run_once})
    answer = vector(machine.call('cjwt_ed25519_table_build', [Pointer('table'), machine.size, Pointer('key')]), 32)
    ready_ = z3.And(decoded != 0, once == 0, made != 0)
    machine.prove(answer == z3.If(ready_, filled, z3.BitVecVal(0, 32)), 'a table only where all conditions hold')


def sum_of_terms():
    """One token in lanes: 2 X, 2 Y and 2 Z of the sum, within what the encoding takes."""
    machine, added = Machine(module('verify_ifma'), dict(ROUTINES)), []
    s, d, z = unknowns(Q, 's d z')  # Y + X, Y - X, Z

    def identity(machine, arguments):
        for i, (value, bound) in enumerate(zip((s, d, s, z), LANES)):
            put(machine, element_at(arguments[0], i, 'fe8'), value, bound, 'fe8')

    def lane_zero(machine, arguments):
        element = get(machine, arguments[1])
        put(machine, arguments[0], element.residue, element.high)
    machine.routines.update({
        'point8_set_identity': identity, 'addend8_read': lambda machine, arguments: added.append(arguments[1].offset // 8),
        'point8_add': lambda machine, arguments: None,
        'add_lanes_apart': lambda machine, arguments: added.append('apart %d' % arguments[1]),
        'lane_zero': lane_zero})
    x, y, result_z, terms = [machine.memory.region(name) for name in ('x', 'y', 'z', 'terms')]
    machine.call('sum_of_terms', [x, y, result_z, terms, 64])
    need(added == [*range(0, 64, 8), 'apart 4', 'apart 2', 'apart 1'], 'eight terms at a time, then lanes 4, 2 and 1 apart')
    for at, wanted in ((x, s - d), (y, s + d), (result_z, 2 * z)):
        element = get(machine, at)
        same(element.residue, wanted, '2 X, 2 Y and 2 Z')
        need(element.high <= LOOSE, 'loose digits')


def invert_all(excluded):
    """1 / Z of each lane from one inverse; a lane with Z = 0 is left out and has no effect on the others."""
    def prove(machine):
        zs, certified = unknowns(Q, ' '.join('z%d' % i for i in range(8))), z3.BitVec('certified', 32)
        region = machine.memory.region('z')
        for i, z in enumerate(zs):
            put(machine, element_at(region, i), z if i != excluded else z.number(0), LOOSE)

        def invert(machine, arguments):
            put(machine, arguments[0], get(machine, arguments[1]).residue ** -1, TIGHT)
            return certified
        machine.routines.update({**ROUTINES, 'cjwt_ed25519_invert': invert,
                                 'fe51_is_zero': lambda machine, arguments: int(not get(machine, arguments[0]).residue.terms)})
        lanes = machine.call('invert_all', [region, 0xff])
        if lanes == 0:
            machine.prove(certified == 0, 'no lane only where the inverse is not certified')
            return
        machine.prove(certified != 0, 'lanes only with a certified inverse')
        need(lanes == (0xff if excluded is None else 0xff & ~(1 << excluded)), 'all lanes but the excluded one')
        for i, z in enumerate(zs):
            if i != excluded:
                same(get(machine, element_at(region, i)).residue, z ** -1, '1 / Z of lane %d' % i)
    return prove


def power_p58():
    machine = Machine(module('point'), dict(ROUTINES))
    a, out = machine.memory.region('a'), machine.memory.region('out')
    put(machine, a, unknowns(Q, 'a')[0], TIGHT)
    machine.call('power_p58', [out, a])
    same(get(machine, out).residue, Residue(Q, {frozenset([('a', (Q - 5) // 8)]): 1}), 'the exponent is (p - 5) / 8')


def run(file, check, size=1):
    def make(decisions):
        machine = Machine(module(file), {}, decisions)
        machine.size = size
        return machine
    return lambda: '' if paths(make, check) else ''


def proofs():
    parts = [('make_window, %d rows' % count, run('table', lambda machine, count=count: Window(count, machine))) for count in (8, 128)]
    parts += [('make_table, %d bits' % bits, run('table', lambda machine, bits=bits: make_table(bits, machine))) for bits in (4, 8)]
    parts += [('table_build, size %d' % size, run('table', table_build, size)) for size in (0, 1)]
    parts.append(('power_p58', power_p58))
    yield together('tables Ed25519', parts, ['ed25519/' + name for name in (
        'table.c make_window', 'table.c make_table', 'table.c make_row', 'table.c set_affine', 'table.c set_affine_from',
        'table.c keep_projective', 'table.c cjwt_ed25519_table_build', 'point.c power_p58', 'point.c square_times')], quick=True)
    parts = [('sum_of_terms', sum_of_terms)]
    parts += [('invert_all, %s' % ('all lanes' if lane is None else 'without lane %d' % lane), run('verify8_ifma', invert_all(lane)))
              for lane in (None, *range(8))]
    yield together('tables Ed25519 in lanes', parts, [
        'ed25519/verify_ifma.c sum_of_terms', 'ed25519/verify8_ifma.c invert_all'], quick=True)
