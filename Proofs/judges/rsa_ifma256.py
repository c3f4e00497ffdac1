"""RSA in four lanes with 256-bit IFMA: a key's constants, and that either encoding is given what the caller gives.

R^2 comes from `rsa_power_of_two`, of which rsa_muludq_key.py proves these exponents.
"""
import functools

import z3

from calls.machine import Machine, front_end, paths
from judges.rsa_muludq import NUMBERS, WIDE_SHAPES
from judges.rsa_muludq_key import SHAPE, WIDE
from machine.values import Pointer
from points.residue import need
from recoding.words import unknown, vector
from registry import together

I64, PTR = ('i', 64), ('ptr',)
FILE = 'rsa/rsa_ifma256.c '


@functools.lru_cache
def module():
    return front_end('#include "rsa/rsa_ifma256.c"\n')


def build(place, machine):
    """A key exactly for an odd modulus with its top bit set, where the machine has the instructions."""
    size, digits = WIDE_SHAPES[place]
    memory, source = machine.memory.region('memory'), machine.memory.region('modulus')
    first, last, available, inverse = z3.BitVec('first', 8), z3.BitVec('last', 8), z3.BitVec('available', 32), z3.BitVec('inverse', 64)
    machine.memory.store(source, first, 1)
    machine.memory.store(Pointer(source.region, size - 1), last, 1)
    shape, powers = ('@kShapes', SHAPE * place), []

    def power(machine, arguments):
        out, modulus, length, exponent = arguments
        need((modulus.region, modulus.offset, length, exponent) == (source.region, 0, size, WIDE[size]), 'R^2 modulo n')
        need(exponent == 2 * 52 * digits and out.offset == 0 and machine.memory.sizes[out.region] >= size, 'all its bytes')
        powers.append(out.region)

    def read(machine, arguments):
        at, octets, given = arguments
        need((given.region, given.offset, octets.offset, at.region) == (*shape, 0, memory.region), 'all digits of a number in the key')
        name = {source.region: 'n', **{region: 'squared' for region in powers}}[octets.region]
        need(at.offset == NUMBERS + (0 if name == 'n' else 8 * digits), 'R^2 follows n')
        machine.memory.store(at, unknown(name, digits), 8 * digits)
        if name == 'n':
            machine.assume(unknown('n', 1)[0] & 1 == z3.ZeroExt(56, last) & 1)  # the contract of digits_from_bytes

    def invert(machine, arguments):
        machine.prove(z3.And(arguments[0] == unknown('n', 1)[0], arguments[0] & 1 == 1), 'the inverse is of the odd lowest digit')
        return inverse
    machine.routines.update({'rsa_power_of_two': power, 'digits_from_bytes': read, 'negative_inverse': invert,
                             'cjwt_ifma256_available': lambda machine, arguments: available})
    answer = machine.call('cjwt_rsa_ifma256_key_build', [memory, source, size])
    fits = z3.And(z3.UGE(first, 0x80), last & 1 == 1, available != 0)
    need(answer in (0, 1) and len(powers) == answer, 'one with a key')
    machine.prove(fits if answer else z3.Not(fits), 'a key exactly for an odd modulus of the full length')
    if answer:
        held = machine.memory.load(memory, PTR)
        need((held.region, held.offset) == shape, 'the shape of the size')
        machine.prove(vector(machine.memory.load(Pointer(memory.region, 8), I64)) == inverse, '-1/n')
        numbers = machine.memory.load(Pointer(memory.region, NUMBERS), ('arr', 2 * digits, I64))
        machine.prove_all([(vector(a) == b, 'digit %d of the numbers' % i) for i, (a, b) in enumerate(zip(
            numbers, [*unknown('n', digits), *unknown('squared', digits)]))])


def sizes(machine):
    """Every length: three have a shape, and memory for the two numbers; the others have none, and so no key."""
    length = z3.BitVec('length', 64)
    found, count = machine.call('shape_for', [length]), vector(machine.call('cjwt_rsa_ifma256_key_bytes', [length]))
    wanted = z3.BitVecVal(0, 64)
    for place, (size, digits) in enumerate(WIDE_SHAPES):
        wanted = z3.If(length == size, z3.BitVecVal(NUMBERS + 2 * 8 * digits, 64), wanted)
        if (found.region, found.offset) == ('@kShapes', SHAPE * place):
            machine.prove(length == size, 'the shape of %d bytes' % size)
    if found.region == 'null':
        machine.prove(z3.And(*[length != size for size, _ in WIDE_SHAPES]), 'each of the three sizes has a shape')
        need(machine.call('cjwt_rsa_ifma256_key_build', [Pointer('memory'), Pointer('modulus'), length]) == 0, 'no key without a shape')
    machine.prove(count == wanted, 'bytes of a shape and two numbers')


def encoding(machine):
    """One of the two kernels runs, once: EVEX where the machine has it."""
    has, given, ran = z3.BitVec('has', 32), [Pointer(name, 0) for name in ('results', 'keys', 'ems', 'signatures')], []

    def kernel(name):
        def run(machine, arguments):
            need([(at.region, at.offset) for at in arguments] == [(at.region, at.offset) for at in given], 'what the caller gives')
            machine.prove((has != 0) == z3.BoolVal(name == 'rsa_avx512vl_power4'), 'EVEX exactly where the machine has it')
            ran.append(name)
        return run
    machine.routines.update({name: kernel(name) for name in ('rsa_avx512vl_power4', 'rsa_avxifma_power4')})
    machine.routines['cjwt_avx512vl_available'] = lambda machine, arguments: has
    machine.call('cjwt_rsa_ifma256_power4', given)
    need(len(ran) == 1, 'one kernel runs')


def run(check):
    return lambda: '' if paths(lambda decisions: Machine(module(), {}, decisions), check) else ''


def proofs():
    parts = [('sizes', run(sizes)), ('the choice of the encoding', run(encoding))] + [
        ('key_build, %d bytes' % size, run(lambda machine, place=place: build(place, machine)))
        for place, (size, _) in enumerate(WIDE_SHAPES)]
    yield together('judge RSA, 256-bit IFMA', parts, [FILE + name for name in (
        'shape_for', 'cjwt_rsa_ifma256_key_bytes', 'cjwt_rsa_ifma256_key_build', 'cjwt_rsa_ifma256_power4')], quick=True)
