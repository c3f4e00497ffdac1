"""P-256, P-384 and P-521: a key from its bytes: coordinates below p, a point of the curve, and only then a table."""
import z3

from calls.machine import Machine, paths
from constants.curves import CURVES
from points.nist import module
from points.nist_tables import WINDOWS
from points.residue import need
from recoding.words import joined, unknown, vector
from registry import together


def coordinate(curve, machine):
    """One, with the element, exactly where the number is below p."""
    octets, source, result = unknown('byte', curve.bytes, 8), machine.memory.region('bytes'), machine.memory.region('element')
    machine.memory.store(source, octets, len(octets))
    converted = []
    machine.routines['field_from'] = lambda machine, arguments: converted.append(
        (arguments[0].region, joined(machine.memory.load(arguments[1], ('arr', curve.limbs, ('i', 64))))))
    answer = vector(machine.call('read_coordinate', [result, source]), 32)
    plain = z3.ZeroExt(64 * curve.limbs - 8 * curve.bytes, z3.Concat(*octets))
    machine.prove((answer == 1) == z3.ULT(plain, curve.p), 'one exactly below p')
    machine.prove(z3.ULE(answer, 1), 'one or zero')
    if converted:
        need(converted[0][0] == result.region, 'the element is the result')
        machine.prove(converted[0][1] == plain, 'it is of the bytes')
    else:
        machine.prove(answer == 0, 'without an element, zero')


def build(curve, size, machine):
    """A table only of a point of the curve with coordinates below p, and only where the generator has its table."""
    names = ('x below p', 'y below p', 'on the curve', 'once failed', 'generator built', 'filled')
    answers = dict(zip(names, unknown('answer', 6, 32)))
    memory, x, y = [machine.memory.region(name) for name in ('memory', 'x', 'y')]
    read, order = [], []

    def coordinate_of(machine, arguments):
        place = [x.region, y.region].index(arguments[1].region)
        need(arguments[0].offset == 8 * curve.limbs * place and arguments[1].offset == 0, 'x to x, and y to y')
        read.append(arguments[0].region)
        return answers[names[place]]

    def on_curve(machine, arguments):
        need(read == [arguments[0].region] * 2 and arguments[0].offset == 0, 'both coordinates of the point are read')
        return answers['on the curve']

    def once(machine, arguments):
        need(arguments[1].region == '@build_generator', 'the generator\'s table is built')
        order.append('once')
        return answers['once failed']

    def fill(machine, arguments):
        need(order == ['once'], 'the generator\'s table first')
        wanted = [memory.region, WINDOWS[curve][0 if size else 1], read[0], 0]
        need([arguments[0].region, arguments[1], arguments[2].region, arguments[2].offset] == wanted, 'the table asked for, of this point')
        return answers['filled']
    machine.memory.cells['@generator_is_built'] = {0: (answers['generator built'], 4)}
    machine.routines.update({'read_coordinate': coordinate_of, 'affine_is_on_curve': on_curve, 'pthread_once': once, 'table_fill': fill})
    result = vector(machine.call('build_table', [memory, size, x, y]), 32)
    ready = z3.And(*[answers[name] != 0 for name in names if name not in ('once failed', 'filled')], answers['once failed'] == 0)
    machine.prove(result == z3.If(ready, answers['filled'], z3.BitVecVal(0, 32)), 'filled only where all conditions hold')


def run(curve, check):
    return lambda: '' if paths(lambda decisions: Machine(module(curve), {}, decisions), lambda machine: check(curve, machine)) else ''


def proofs():
    parts = [('%s, coordinate' % curve.name, run(curve, coordinate)) for curve in CURVES]
    parts += [('%s, build, size %d' % (curve.name, size), run(curve, lambda curve, machine, size=size: build(curve, size, machine)))
              for curve in CURVES for size in (0, 1)]
    yield together('tables of keys', parts, ['nist/nist_generator.h read_coordinate', 'nist/nist_generator.h build_table'], quick=True)
