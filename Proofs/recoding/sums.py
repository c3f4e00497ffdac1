"""The sums of rows: each row of a list is added once, with its sign."""
import z3

from calls.loops import Loop, get_local, set_local
from calls.machine import Machine, paths
from constants.curves import CURVES
from ir.compilation import TARGET
from machine.values import Pointer
from points import edwards, ifma, nist
from points.residue import need
from recoding.words import vector
from registry import together

I32, I64, PTR = ('i', 32), ('i', 64), ('ptr',)
# Where MULX does not exist, the second name is a macro for the first.
SUMS_OF_TERMS = ('sum_of_terms', 'sum_of_terms_mulx') if TARGET == 'x86_64' else ('sum_of_terms',)
ADDITIONS = ('point_from_affine', 'point_add_affine')


class Lists:
    """Two lists of terms; a load tells which list, whether a row or a mask, and its index."""

    def __init__(self, machine, curve):
        self.machine, self.added = machine, []
        most = -(-curve.bits // 4)
        self.counts = {name: z3.BitVec('count_' + name, 32) for name in 'ab'}
        for name in 'ab':
            machine.memory.readers['list_' + name] = lambda offset, kind, name=name: self.read(name, offset, kind, most)
            machine.assume(z3.And(self.counts[name] >= 1, self.counts[name] <= most))
        for routine in ADDITIONS:
            machine.routines[routine] = lambda machine, arguments, routine=routine: self.added.append((routine, *arguments))

    def read(self, name, offset, kind, most):
        if isinstance(offset, int) and offset == 0:
            return self.counts[name]
        start = 8 if kind == PTR else 8 + 8 * most
        index = (vector(offset) - start) / 8 if not isinstance(offset, int) else z3.BitVecVal((offset - start) // 8, 64)
        return ('row' if kind == PTR else 'mask', name, z3.simplify(index))

    def expect(self, wanted):
        """Pairs of a sum's name and an index: what was added, in this order."""
        need(len(self.added) == len(wanted), '%d additions, not %d' % (len(wanted), len(self.added)))
        for (routine, total, row, mask), (name, index) in zip(self.added, wanted):
            need(total.region == 'sum_' + name and row[:2] == ('row', name) and mask[:2] == ('mask', name), 'a row of the sum\'s own list')
            need(routine == ADDITIONS[not (isinstance(index, int) and index == 0)], 'the first row begins the sum, the others are added')
            place = z3.SignExt(32, vector(index, 32))
            self.machine.prove(z3.And(row[2] == place, mask[2] == place), 'row and mask of the same place')


def sum_both(curve):
    """The rows 0; then, turn by turn, row i of both, and the rest of the longer list."""
    def beginning(machine):
        lists, loop = Lists(machine, curve), Loop(nist.module(curve), 'sum_both', 0)
        registers = loop.arrive(machine, [Pointer('sum_a'), Pointer('list_a'), Pointer('sum_b'), Pointer('list_b')])
        lists.expect([('a', 0), ('b', 0)])
        common, (a, b) = vector(get_local(machine, registers, 'common', I32), 32), lists.counts.values()
        machine.prove(common == z3.If(a < b, a, b), 'as many as both lists have')
        need(get_local(machine, registers, loop.counter()[1:], I32) == 1, 'the loop begins with row 1')
    made = lambda decisions: Machine(nist.module(curve), {}, decisions)  # noqa: E731
    count = paths(made, beginning)
    for index, names in enumerate(('ab', 'a', 'b')):
        count += paths(made, lambda machine, index=index, names=names: turn(curve, machine, 'sum_both', index, names))
    count += paths(made, lambda machine: sum_one(curve, machine))
    return count + paths(made, lambda machine: turn(curve, machine, 'sum_one', 0, 'a'))


def turn(curve, machine, function, index, names):
    """Where the counter is below the loop's end, row i is added and i + 1 follows; else the next loop begins at the common count."""
    lists, loop = Lists(machine, curve), Loop(nist.module(curve), function, index)
    registers = loop.locals(machine)
    i, (a, b) = z3.BitVec('i', 32), lists.counts.values()
    common = z3.If(a < b, a, b)
    end = {'ab': common, 'a': a, 'b': b}[names]
    machine.assume(z3.And(i >= 1, i <= end))
    for name, value, kind in (('a.addr', Pointer('sum_a'), PTR), ('b.addr', Pointer('sum_b'), PTR), ('sum.addr', Pointer('sum_a'), PTR),
                              ('a_list.addr', Pointer('list_a'), PTR), ('b_list.addr', Pointer('list_b'), PTR),
                              ('list.addr', Pointer('list_a'), PTR), ('common', common, I32), ('a_count', a, I32), ('b_count', b, I32),
                              (loop.counter()[1:], i, I32)):
        if '%' + name in registers:
            set_local(machine, registers, name, value, kind)
    following = Loop(nist.module(curve), function, index + 1) if function == 'sum_both' and index < 2 else None
    begun = []
    if following:
        machine.heads[function, following.head.lstrip('%')] = lambda machine, registers: begun.append(
            get_local(machine, registers, following.counter()[1:], I32)) or True
    if loop.turn(machine, registers):
        machine.prove(i < end, 'no row after the end')
        lists.expect([(name, i) for name in names])
        machine.prove(vector(get_local(machine, registers, loop.counter()[1:], I32), 32) == i + 1, 'the next row follows')
        return
    machine.prove(i >= end, 'the loop takes every row')
    lists.expect([])
    need(bool(begun) == bool(following), 'the next loop begins')
    if begun:
        machine.prove(vector(begun[0], 32) == common, 'where the common rows end')


def sum_one(curve, machine):
    lists, loop = Lists(machine, curve), Loop(nist.module(curve), 'sum_one', 0)
    registers = loop.arrive(machine, [Pointer('sum_a'), Pointer('list_a')])
    lists.expect([('a', 0)])
    need(get_local(machine, registers, loop.counter()[1:], I32) == 1, 'the loop begins with row 1')


class Sum:
    """A point of a lane: the steps that it sums, each with the lanes that negate it, and the sign of its zzz (points/ifma.py)."""

    def __init__(self, steps, sign):
        self.steps, self.sign = steps, sign


POINT, AFFINE = 1280, 640


def lanes(machine, stride):
    """The point routines of the lanes, on sums. Rows are loaded from `steps`, `stride` bytes each."""
    def held(at):
        return machine.memory.of(at.region)[at.offset][0]

    def load(machine, arguments):
        machine.memory.store(arguments[0], (arguments[1].offset // stride, vector(arguments[2], 8)), AFFINE)

    def begin(machine, arguments):
        machine.memory.store(arguments[0], Sum([held(arguments[1])], -1), POINT)

    def add_affine(machine, arguments):
        total, (step, negative) = held(arguments[1]), held(arguments[2])
        effective = negative if total.sign == -1 else ~negative
        machine.memory.store(arguments[1], Sum(total.steps + [(step, effective)], -total.sign), POINT)

    def add(machine, arguments):
        a, b = held(arguments[0]), held(arguments[1])
        need(a.sign == b.sign, 'point8_add takes points with the same sign of zzz')
        machine.memory.store(arguments[0], Sum(a.steps + b.steps, 0), POINT)
    machine.routines.update({'rows8_load': load, 'point8_set': begin, 'point8_add_affine': add_affine, 'point8_add': add})
    return held


def expect_steps(machine, total, signs):
    """Each step once, negated in the lanes of its sign."""
    need(sorted(step for step, _ in total.steps) == list(range(len(signs))), 'the steps are 0 to %d, each once' % (len(signs) - 1))
    machine.prove_all([(negative == signs[step], 'step %d is negated in its lanes' % step) for step, negative in total.steps])


def sum_steps():
    for count in (8, 12):
        machine = Machine(ifma.module('verify'), {})
        held = lanes(machine, 64)
        total, steps, negative = [machine.memory.region(name) for name in ('sum', 'steps', 'negative')]
        signs = [z3.BitVec('sign%d' % i, 8) for i in range(count)]
        machine.memory.store(negative, signs, count)
        machine.call('sum_steps', [total, steps, negative, count])
        expect_steps(machine, held(total), signs)


def sum_plan():
    """One lane, with a full or a small table, where the other lanes have a full or a small one."""
    for end, longest in ((64, 64), (64, 96), (96, 96)):
        machine = Machine(ifma.module('verify8'), {})
        held = lanes(machine, 64)
        total, plan = machine.memory.region('sum'), machine.memory.region('plan')
        signs = [z3.BitVec('sign%d' % i, 8) for i in range(end)]
        machine.memory.store(Pointer(plan.region, 96 * 64 + 192), longest, 8)

        def keep(machine, arguments):
            if arguments[2]:
                machine.memory.copy(arguments[0], arguments[1], POINT)
        machine.routines.update({
            'negated': lambda machine, arguments: signs[arguments[1]] if arguments[1] < end else 0, 'keep_lanes': keep,
            'fe8_all': lambda machine, arguments: [arguments[0]] * 8, '_mm512_load_si512': lambda machine, arguments: [end] * 8})
        machine.call('sum_plan', [total, plan])
        expect_steps(machine, held(total), signs)


def add_terms():
    """Ed25519, portable: every count of terms."""
    for count in range(97):
        machine, added = Machine(edwards.module('verify'), {}), []
        total, terms = machine.memory.region('sum'), machine.memory.region('terms')
        machine.memory.store(terms, [Pointer('row', i) for i in range(count)] or [0], 8 * max(count, 1))

        def read(machine, arguments):
            machine.memory.store(arguments[0], arguments[1].offset, 120)
        machine.routines.update({
            'point_set_identity': lambda machine, arguments: added.append('identity'), 'read_term': read,
            'point_add': lambda machine, arguments: added.append(machine.memory.of(arguments[1].region)[arguments[1].offset][0])})
        machine.call('add_terms', [total, terms, count])
        need(added == ['identity', *range(count)], '%d terms: each once' % count)


def sum_of_terms():
    """Each copy of the portable sum adds all terms to the sum that is asked for."""
    for name in SUMS_OF_TERMS:
        machine, calls, wanted = Machine(edwards.module('verify'), {}), [], [('sum', 0), ('terms', 0), 64]
        machine.routines['add_terms'] = lambda machine, arguments: calls.append(
            [(x.region, x.offset) if isinstance(x, Pointer) else x for x in arguments])
        machine.call(name, [Pointer('sum'), Pointer('terms'), 64])
        need(calls == [wanted], '%s: all terms' % name)


def proofs():
    parts = [('%s sum_both, sum_one' % curve.name, lambda curve=curve: '' if sum_both(curve) else '') for curve in CURVES]
    parts += [('add_terms', add_terms), ('sum_of_terms', sum_of_terms)]
    yield together('sums of rows', parts, [
        'nist/nist_verify.h sum_both', 'nist/nist_verify.h sum_one', 'ed25519/verify.c add_terms',
        *['ed25519/verify.c ' + name for name in SUMS_OF_TERMS]], quick=True)
    yield together('sums of rows, P-256 in lanes', [('sum_steps', sum_steps), ('sum_plan', sum_plan)], [
        'p256ifma/verify.c sum_steps', 'p256ifma/verify8.c sum_plan', 'p256ifma/verify8.c add_step'], quick=True)
