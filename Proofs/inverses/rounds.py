"""The loops of the division steps end, and take as many steps as make g zero."""
import z3

from calls.loops import Loop, get_local, set_local
from calls.machine import Machine, front_end, paths
from constants.curves import CURVES, P256
from points import nist
from points.residue import need
from registry import together

I32, I64, PTR = ('i', 32), ('i', 64), ('ptr',)


def enough(bits):
    """4 b + 1 steps make g zero, for numbers of b bits: nist_inverse.h counts them."""
    return 4 * bits + 1


def bounded(unit, name, limbs, bits):
    """Runs `inverse` with a g that never becomes zero: the calls of division_steps_62 are its rounds. `top` is in the upper limbs."""
    for top in (0, 5):
        machine, rounds, used = Machine(unit, {}), [], set()
        count = limbs * 64 // 62 + 1

        def fill(machine, arguments):
            machine.memory.store(arguments[0], [top] * count, 8 * count)

        def steps(machine, arguments):
            rounds.append(1)
            return 0

        def divide_pair(machine, arguments):
            used.add(arguments[3])
        machine.routines.update({
            'to_radix_62': fill, 'division_steps_62': steps, 'divide_pair': divide_pair, 'is_zero_62': lambda machine, arguments: 0,
            'divide_coefficients': lambda machine, arguments: None, 'signed_add_62': lambda machine, arguments: None,
            'from_radix_62': lambda machine, arguments: None})
        modulus, a, r = [machine.memory.region(region) for region in ('modulus', 'a', 'r')]
        machine.memory.store(modulus, [top] * 40, 320)
        machine.call('inverse', [r, a, modulus, limbs])
        need(len(rounds) * 62 >= enough(bits), '%s: %d rounds of 62 steps are fewer than %d steps' % (name, len(rounds), enough(bits)))
        need(used <= set(range(2, count + 1)), '%s: two limbs or more are used, and at most %d' % (name, count))


def inner_loop():
    """Whatever f and g are: f is odd at the loop's beginning and stays so, four divides the g that a turn leaves, and the loop ends.

    So every turn but the first takes two steps at least, of 62. eta follows the two bounds, and the number with the smaller one becomes f.
    """
    loop = Loop(nist.module(P256), 'division_steps_62', 0)

    def beginning(machine):
        registers = loop.arrive(machine, [z3.BitVec('eta', 64), z3.BitVec('f', 64), z3.BitVec('g', 64), machine.memory.region('matrix')])
        machine.prove(get_local(machine, registers, 'f.addr', I64) & 1 == 1, 'f is odd')
        need(get_local(machine, registers, 'left', I32) == 62, '62 steps')

    def prove(machine):
        registers = loop.locals(machine)
        f, g, eta, left = z3.BitVec('f', 64), z3.BitVec('g', 64), z3.BitVec('eta', 64), z3.BitVec('left', 32)
        machine.assume(z3.And(f & 1 == 1, left >= 1, left <= 62, eta > -(1 << 20), eta < 1 << 20))
        for variable, value, kind in (('f.addr', f, I64), ('g.addr', g, I64), ('eta.addr', eta, I64), ('left', left, I32),
                                      ('matrix.addr', machine.memory.region('matrix'), PTR),
                                      *[(x, z3.BitVec(x, 64), I64) for x in 'uvqr']):
            set_local(machine, registers, variable, value, kind)
        if not loop.turn(machine, registers):
            machine.prove(g << (64 - z3.SignExt(32, left)) == 0, 'the loop ends where all steps that are left halve an even g')
            return
        after, f_after = get_local(machine, registers, 'g.addr', I64), get_local(machine, registers, 'f.addr', I64)
        rest = get_local(machine, registers, 'left', I32)
        taken = z3.SignExt(32, left - rest)
        machine.prove(f_after & 1 == 1, 'f stays odd')
        machine.prove(z3.And(rest >= 1, rest <= left), 'steps are left, and no more than before')
        machine.prove(after & 3 == 0, 'four divides g after a turn')
        machine.prove(z3.Implies(g & 3 == 0, rest <= left - 2), 'a turn that begins with such a g takes two steps at least')
        halved, grown = z3.LShR(g, taken), get_local(machine, registers, 'eta.addr', I64)
        before = eta - (taken - 1)
        machine.prove(z3.Or(after == halved + f, after == halved - f), 'g becomes the sum or the difference')
        machine.prove(f_after == z3.If(before < 0, halved, f), 'the one with the smaller bound becomes f')
        machine.prove(grown == z3.If(before < 0, -before, before), 'eta compares the bounds')
    return paths(loop.machine, beginning) + paths(loop.machine, prove)


def proofs():
    parts = [(curve.name, lambda curve=curve: bounded(nist.module(curve), curve.name, curve.limbs, curve.bits))
             for curve in CURVES]
    parts += [('Ed25519', lambda: bounded(front_end('#include "ed25519/invert.c"\n'), 'Ed25519', 4, 256)),
              ('division_steps_62', lambda: '' if inner_loop() else '')]
    yield together('inverses end', parts, quick=True)
