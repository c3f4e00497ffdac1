"""The loops of the division steps end, and take as many steps as Bernstein and Yang's theorem 11.2 asks for."""
import z3

from calls.loops import Loop, get_local, set_local
from calls.machine import Machine, front_end, paths
from constants.curves import CURVES, P256, P521
from points import nist
from points.residue import need
from recoding.words import vector
from registry import together

I32, I64, PTR = ('i', 32), ('i', 64), ('ptr',)


def enough(bits):
    """(49 b + 57) / 17 steps make g zero, for numbers of b >= 46 bits."""
    return (49 * bits + 57) // 17


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
            'to_radix_62': fill, 'division_steps_62': steps, 'division_steps_by_choice': steps,
            'divide_pair': divide_pair, 'is_zero_62': lambda machine, arguments: 0,
            'divide_coefficients': lambda machine, arguments: None, 'signed_add_62': lambda machine, arguments: None,
            'from_radix_62': lambda machine, arguments: None})
        modulus, a, r = [machine.memory.region(region) for region in ('modulus', 'a', 'r')]
        machine.memory.store(modulus, [top] * 40, 320)
        machine.call('inverse', [r, a, modulus, limbs])
        need(len(rounds) * 62 >= enough(bits), '%s: %d rounds of 62 steps are fewer than %d steps' % (name, len(rounds), enough(bits)))
        need(used <= set(range(2, count + 1)), '%s: two limbs or more are used, and at most %d' % (name, count))


def inner_loop():
    """Whatever f and g are: f is odd at the loop's beginning and stays so.

    A turn leaves an even g, so every later turn takes a step at least, of 62. |eta| grows by at most the steps taken: it stays small.
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
            machine.prove(get_local(machine, registers, 'left', I32) == 0, 'the loop ends after 62 steps')
            return
        after, steps = get_local(machine, registers, 'g.addr', I64), get_local(machine, registers, 'steps', I32)
        machine.prove(z3.And(steps >= 1, steps <= 62), 'the mask is of one to 62 bits')
        machine.prove(get_local(machine, registers, 'f.addr', I64) & 1 == 1, 'f stays odd')
        rest = get_local(machine, registers, 'left', I32)
        machine.prove(z3.And(rest >= 1, rest <= left), 'steps are left, and no more than before')
        machine.prove(after & 1 == 0, 'g is even after a turn')
        machine.prove(z3.Implies(g & 1 == 0, rest < left), 'a turn that begins with an even g takes a step at least')
        grown = get_local(machine, registers, 'eta.addr', I64)
        size = z3.If(eta < 0, -eta, eta) + z3.SignExt(32, left - rest)
        machine.prove(z3.And(grown <= size, -grown <= size), '|eta| grows by at most the steps taken')
    return paths(loop.machine, beginning) + paths(loop.machine, prove)


def choices():
    """The same for division_steps_by_choice: where steps are left, g is odd at a turn's beginning, so it takes one at least."""
    name = 'division_steps_by_choice'
    loop = Loop(nist.module(P521), name, 0)

    def invariant(f, g, zeros, left):
        return z3.And(f & 1 == 1, left >= 1, left <= 62, zeros >= 0, zeros <= left, z3.Implies(zeros < left, g & 1 == 1))

    def beginning(machine):
        registers = loop.arrive(machine, [z3.BitVec('eta', 64), z3.BitVec('f', 64), z3.BitVec('g', 64), machine.memory.region('matrix')])
        f, g = [get_local(machine, registers, variable + '.addr', I64) for variable in 'fg']
        zeros, left = [vector(get_local(machine, registers, variable, I32), 32) for variable in ('zeros', 'left')]
        machine.prove(z3.And(invariant(f, g, zeros, left), left == 62), 'f is odd, and g where steps are left; 62 steps')

    def prove(machine):
        registers = loop.locals(machine)
        f, g, eta, left, zeros = [z3.BitVec(*x) for x in (('f', 64), ('g', 64), ('eta', 64), ('left', 32), ('zeros', 32))]
        machine.assume(z3.And(invariant(f, g, zeros, left), eta > -(1 << 20), eta < 1 << 20))
        for variable, value, kind in (('f.addr', f, I64), ('g.addr', g, I64), ('eta.addr', eta, I64), ('left', left, I32),
                                      ('zeros', zeros, I32), ('matrix.addr', machine.memory.region('matrix'), PTR),
                                      *[(x, z3.BitVec(x, 64), I64) for x in 'uvqr']):
            set_local(machine, registers, variable, value, kind)
        if not loop.turn(machine, registers):
            machine.prove(get_local(machine, registers, 'left', I32) == 0, 'the loop ends after 62 steps')
            return
        after, rest = get_local(machine, registers, 'zeros', I32), get_local(machine, registers, 'left', I32)
        machine.prove(rest == left - zeros, 'a turn takes the steps that were counted')
        machine.prove(after >= 1, 'the next turn takes a step at least')
        machine.prove(invariant(get_local(machine, registers, 'f.addr', I64), get_local(machine, registers, 'g.addr', I64), after, rest),
                      'f stays odd, and g where steps are left')
        grown = get_local(machine, registers, 'eta.addr', I64)
        size = z3.If(eta < 0, -eta, eta) + z3.SignExt(32, zeros)
        machine.prove(z3.And(grown <= size, -grown <= size), '|eta| grows by at most the steps taken')
    return paths(loop.machine, beginning) + paths(loop.machine, prove)


def proofs():
    parts = [(curve.name, lambda curve=curve: bounded(nist.module(curve), curve.name, curve.limbs, curve.bits))
             for curve in CURVES]
    parts += [('Ed25519', lambda: bounded(front_end('#include "ed25519/invert.c"\n'), 'Ed25519', 4, 256)),
              ('division_steps_62', lambda: '' if inner_loop() else ''),
              ('division_steps_by_choice', lambda: '' if choices() else '')]
    yield together('inverses end', parts, quick=True)
