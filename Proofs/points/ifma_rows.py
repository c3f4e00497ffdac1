"""P-256 in lanes: where a row is stored, a table from a key's bytes, and the generator's table."""
import z3

from calls.machine import Machine, paths
from machine.values import Pointer
from points.ifma import module
from points.residue import need
from recoding.words import vector
from registry import together

I32, LANES, ROWS, ROW, FULL, SMALL = ('i', 32), ('vec', 8, ('i', 64)), 64, 64, 1, 0


def store(bits, machine):
    """Row d of window `first + lane` gets x and y of the lane, four words each: for every first and every d."""
    table, point, stored = machine.memory.region('table'), machine.memory.region('point'), []

    def vectors(at, count):
        return [machine.memory.load(Pointer(at.region, at.offset + 64 * i), LANES) for i in range(count)]
    machine.memory.store(table, bits, 4)
    for part, name in ((0, 'x'), (320, 'y')):
        for i in range(5):
            machine.memory.store(Pointer(point.region, part + 64 * i), [(name, i, lane) for lane in range(8)], 64)
    first, d = z3.BitVec('first', 32), z3.BitVec('d', 32)
    machine.assume(z3.And(z3.ULE(first, 256 // bits - 8), z3.ULT(d, 1 << (bits - 1))))

    def to_words(machine, arguments):
        digits = vectors(arguments[1], 5)
        name = digits[0][0][0]
        need(digits == [[(name, i, lane) for lane in range(8)] for i in range(5)], 'the digits of one coordinate')
        machine.memory.store(arguments[0], [(name + ' word', j, lane) for j in range(4) for lane in range(8)], 256)

    def transpose(machine, arguments):
        machine.memory.store(arguments[0], [row[i] for i in range(8) for row in vectors(arguments[0], 8)], 512)
    machine.routines.update({'fe8_to_words': to_words, 'transpose': transpose, '_mm512_store_si512': lambda machine, arguments:
                             stored.append((arguments[0], machine.memory.load(arguments[1], LANES)))})
    machine.call('store', [table, first, d, point])
    need(len(stored) == 8 and all(at.region == table.region for at, _ in stored), 'eight rows of the table')
    per_window = 1 << (bits - 1)
    for lane, (at, row) in enumerate(stored):
        need(row == [(name + ' word', j, lane) for name in 'xy' for j in range(4)], 'row %d is x and y of its lane' % lane)
        index = (z3.ZeroExt(32, first) + lane) * per_window + z3.ZeroExt(32, d)
        machine.prove(vector(at.offset) == ROWS + ROW * index, 'row d of window first + %d' % lane)


def build_checked(machine):
    """A table only of a point of the curve with coordinates below p."""
    answers = [z3.BitVec(name, 32) for name in ('x', 'y', 'curve')]
    table, built, points = machine.memory.region('table'), [], []

    def read(machine, arguments):
        place = 'xy'.index(arguments[1].region)
        need(arguments[0].offset == 320 * place, 'x to x, and y to y')
        points.append(arguments[0].region)
        return answers[place]

    def on_curve(machine, arguments):
        need(points == [arguments[0].region] * 2, 'both coordinates of the point are read')
        return answers[2]

    def build(machine, arguments):
        need(arguments[1].region == points[0] and arguments[1].offset == 0, 'the table is of this point')
        built.append(arguments[0].region)
    machine.routines.update({'read_coordinate': read, 'is_on_curve': on_curve, 'build': build})
    answer = machine.call('build_checked', [table, machine.size, Pointer('x'), Pointer('y')])
    every = z3.And(*[one != 0 for one in answers])
    need(answer in (0, 1) and built == [table.region] * answer, 'one with a table')
    machine.prove(every if answer else z3.Not(every), 'a table exactly where all conditions hold')
    if answer:
        bits = 8 if machine.size else 4
        need(machine.memory.load(table, ('arr', 2, ('i', 32))) == [bits, 256 // bits], 'the bits and windows of the size asked for')


def table_build(machine):
    """A key's table only where the machine has the instructions and the generator has its table."""
    names = ('available', 'once failed', 'generator built', 'checked')
    answers, order = {name: z3.BitVec(name, 32) for name in names}, []
    table = machine.memory.region('table')
    machine.memory.cells['@generator_is_built'] = {0: (answers['generator built'], 4)}

    def once(machine, arguments):
        order.append('once')
        need(arguments[1].region == '@build_generator', 'the generator\'s table is built')
        return answers['once failed']

    def build(machine, arguments):
        need(order == ['once'], 'the generator\'s table first')
        need([arguments[0].region, arguments[1], arguments[2].region, arguments[3].region] == [table.region, machine.size, 'x', 'y'],
             'the table of this key, of the size asked for')
        return answers['checked']
    machine.routines.update({'cjwt_ifma_available': lambda machine, arguments: answers['available'], 'pthread_once': once,
                             'build_checked': build})
    answer = vector(machine.call('cjwt_p256_ifma_table_build', [table, machine.size, Pointer('x'), Pointer('y')]), 32)
    ready = z3.And(answers['available'] != 0, answers['once failed'] == 0, answers['generator built'] != 0)
    machine.prove(answer == z3.If(ready, answers['checked'], z3.BitVecVal(0, 32)), 'a table exactly where all conditions hold')


def generator(machine):
    """The full table of the generator, whose bytes `constants` proves, in the memory that the judges read."""
    built = z3.BitVec('built', 32)
    at = machine.call('p256_generator_table', [])

    def build(machine, arguments):
        need([arguments[0].region, arguments[0].offset, arguments[1]] == [at.region, at.offset, FULL], 'the judges\' table, full')
        need([x.region for x in arguments[2:]] == ['@build_generator.x', '@build_generator.y'], 'the generator')
        return built
    machine.routines['build_checked'] = build
    machine.call('build_generator', [])
    machine.prove(vector(machine.memory.load(Pointer('@generator_is_built'), I32), 32) == built, 'whether it exists is kept')


def run(check, **marks):
    def make(decisions):
        machine = Machine(module('table'), {}, decisions)
        for name, value in marks.items():
            setattr(machine, name, value)
        return machine
    return lambda: '' if paths(make, check) else ''


def proofs():
    parts = [('store, %d bits' % bits, run(lambda machine, bits=bits: store(bits, machine))) for bits in (4, 8)]
    parts += [('%s, size %d' % (check.__name__, size), run(check, size=size))
              for check in (build_checked, table_build) for size in (SMALL, FULL)]
    parts.append(('build_generator', run(generator)))
    yield together('tables P-256 in lanes, rows', parts, ['p256ifma/table.c ' + name for name in (
        'store', 'build_checked', 'cjwt_p256_ifma_table_build', 'build_generator', 'p256_generator_table')], quick=True)
