"""P-521: elements have several forms, so they are compared by their least residues."""
import z3

from calls.machine import Machine, paths
from constants.curves import P521
from points.nist import module
from points.residue import need
from recoding.words import joined, unknown, vector
from registry import together


def compared(routine, names, machine):
    """One exactly where the least residues are the same, or zero."""
    elements = [machine.memory.region(name) for name in names]

    def to_words(machine, arguments):
        need(arguments[1].region in [at.region for at in elements], 'the words of an operand')
        machine.memory.store(arguments[0], unknown('word.' + arguments[1].region, 9), 72)
    machine.routines['field_to_words'] = to_words
    answer = vector(machine.call(routine, elements), 32)
    words = [joined(unknown('word.' + at.region, 9)) for at in elements]
    same = words[0] == (words[1] if len(words) == 2 else 0)
    machine.prove(answer == z3.If(same, z3.BitVecVal(1, 32), z3.BitVecVal(0, 32)), 'one exactly for the same residue')


def proofs():
    parts = [(routine, lambda routine=routine, names=names: '' if paths(
        lambda decisions: Machine(module(P521), {}, decisions), lambda machine: compared(routine, names, machine)) else '')
        for routine, names in (('field_is_zero', 'a'), ('field_is_equal', 'ab'))]
    yield together('points P-521, comparisons', parts, ['nist/p521_field.h ' + routine for routine, _ in parts], quick=True)
