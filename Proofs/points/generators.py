"""The generators' tables, and the memory of every table: from the constants, into the memory that the judges read."""
import z3

from calls.machine import Machine, paths
from constants.curves import CURVES
from ir.types import size_of
from machine.values import Pointer
from points import edwards, ifma, nist
from points.nist_tables import GENERATORS, WINDOWS
from points.residue import need
from recoding.words import vector
from registry import together

I32, FULL, SMALL = ('i', 32), 1, 0


def holds(machine, region, wanted):
    """A variable has at least so many bytes."""
    size = size_of(machine.module.globals[region][0])
    need(size >= wanted, '%s has %d bytes, and its table %d' % (region, size, wanted))


def rows(windows_bits, total_bits):
    """Rows of a table: half a window's digits, for every window."""
    return -(-total_bits // windows_bits) << (windows_bits - 1)


def generator(curve, machine):
    """P-256, P-384 and P-521: the table of the generator, whose coordinates `constants` proves."""
    built, read = z3.BitVec('built', 32), []
    at = machine.call('generator_table', [])

    def convert(machine, arguments):
        read.append((arguments[0].region, arguments[0].offset, arguments[1].region))

    def fill(machine, arguments):
        point, size = arguments[2].region, 8 * curve.limbs
        need(sorted(read) == [(point, 0, '@kGeneratorX'), (point, size, '@kGeneratorY')], 'the generator')
        need([arguments[0].region, arguments[0].offset, arguments[1]] == [at.region, at.offset, GENERATORS[curve]], 'the judges\' table')
        return built
    machine.routines.update({'field_from': convert, 'table_fill': fill})
    machine.call('build_generator', [])
    machine.prove(vector(machine.memory.load(Pointer('@generator_is_built'), I32), 32) == built, 'whether it exists is kept')


def kernel(curve, machine):
    """The public functions: a table of the key, and its bytes, which hold the header and every row."""
    name, built = 'cjwt_%s_' % curve.kernel, z3.BitVec('built', 32)
    for size, bits in zip((FULL, SMALL), WINDOWS[curve]):
        def build(machine, arguments):
            need([at.region for at in (arguments[0], *arguments[2:])] == ['table', 'x', 'y'], 'the table and the key')
            need(arguments[1] == size, 'the size asked for')
            return built
        machine.routines['build_table'] = build
        for_lanes, judged = machine.call(name + 'generator', []), machine.call('generator_table', [])
        need((for_lanes.region, for_lanes.offset) == (judged.region, judged.offset), 'the lanes have the judges\' table')
        answer = vector(machine.call(name + 'table_build', [Pointer('table'), size, Pointer('x'), Pointer('y')]), 32)
        machine.prove(answer == built, 'what the build says')
        count, wanted = machine.call(name + 'table_bytes', [size]), 64 + 16 * curve.limbs * rows(bits, curve.bits)
        need(wanted <= count < wanted + 64 and count % 64 == 0, 'the header and every row')
    holds(machine, machine.call('generator_table', []).region, 64 + 16 * curve.limbs * rows(GENERATORS[curve], curve.bits))


def base(machine):
    """Ed25519: the full table of the base point."""
    made, made_at = z3.BitVec('made', 32), []
    at = machine.call('cjwt_ed25519_base_table', [])

    def make(machine, arguments):
        made_at.append((arguments[0].region, arguments[0].offset))
        need(arguments[1] == 8 and [x.region for x in arguments[2:]] == ['@kBaseX', '@kBaseY'], 'the base point, in windows of 8 bits')
        return made
    machine.routines['make_table'] = make
    machine.call('make_base_table', [])
    need(made_at == [(at.region, at.offset)], 'in the memory that the judges read')
    machine.prove(vector(machine.memory.load(Pointer('@base_table_is_made'), I32), 32) == made, 'whether it exists is kept')
    for size, bits in ((FULL, 8), (SMALL, 4)):
        need(machine.call('cjwt_ed25519_table_bytes', [size]) == 64 + 96 * rows(bits, 256), 'the header and every row')
    holds(machine, at.region, 64 + 96 * rows(8, 256))


def lanes(machine):
    for size, bits in ((FULL, 8), (SMALL, 4)):
        need(machine.call('cjwt_p256_ifma_table_bytes', [size]) == 64 + 64 * rows(bits, 256), 'the header and every row')
    holds(machine, machine.call('p256_generator_table', []).region, 64 + 64 * rows(8, 256))


def run(unit, check):
    return lambda: '' if paths(lambda decisions: Machine(unit(), {}, decisions), check) else ''


def proofs():
    parts = []
    for curve in CURVES:
        unit = lambda curve=curve: nist.module(curve)  # noqa: E731
        parts += [('%s, %s' % (curve.name, check.__name__), run(unit, lambda machine, check=check, curve=curve: check(curve, machine)))
                  for check in (generator, kernel)]
    parts.append(('Ed25519', run(lambda: edwards.module('table'), base)))
    yield together('tables of generators', parts, [
        'nist/nist_generator.h build_generator', 'nist/nist_generator.h generator_table', 'nist/nist_table.h table_bytes',
        'ed25519/table.c make_base_table', 'ed25519/table.c cjwt_ed25519_base_table', 'ed25519/table.c cjwt_ed25519_table_bytes',
        'ed25519/table.c bytes_of_table'], quick=True)
    yield together('tables of generators in lanes', [('P-256', run(lambda: ifma.module('table'), lanes))], [
        'p256ifma/table.c cjwt_p256_ifma_table_bytes'], quick=True)
