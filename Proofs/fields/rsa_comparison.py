"""RSA in lanes without IFMA: the comparison of two numbers, digit by digit from the top.

`contracts.routine` would follow two paths for each digit. Here each turn of the loop is one question, from every state in which the digits
above are equal.
"""
import functools

import z3

from calls.loops import Loop, get_local, set_local
from calls.machine import Machine, front_end, paths
from fields.rsa import check_text
from fields.rsa_digits import BYTES, EIGHT, FILE, FOUR, KEY
from machine.values import Pointer, Unproven
from points.residue import need
from recoding.words import vector
from registry import together
from solvers import solver

I64, PTR, ID = ('i', 64), ('ptr',), FILE + 'digits_less'
CONTRACT = 'digits(a) < W, digits(b) < W => return = [a < b]'


@functools.lru_cache
def module(file):
    return front_end('#include "rsa/%s.c"\n' % file)


def compare(held, count):
    def make(decisions):
        return Machine(module(held.file), {}, decisions)

    def begins(machine):
        registers = loop.arrive(machine, [Pointer('a'), Pointer('b'), count])
        need(get_local(machine, registers, 'i', I64) == count, 'the comparison begins above the highest digit')

    def turn(machine, i):
        """The digits from i on are equal: digit i - 1 decides, or is equal too."""
        registers, digits = loop.locals(machine), []
        for name in 'ab':
            number = machine.memory.region(name)
            digits.append(z3.BitVec(name, 64))
            machine.memory.store(Pointer(number.region, 8 * held.stride * (i - 1)), digits[-1], 8)
            set_local(machine, registers, name + '.addr', number, PTR)
        set_local(machine, registers, 'i', i, I64)
        a, b = digits
        if loop.turn(machine, registers):
            machine.prove(a == b, 'digit %d is equal where the comparison goes on' % (i - 1))
            need(get_local(machine, registers, 'i', I64) == i - 1, 'with the digit below')
        else:
            machine.prove(a != b, 'digit %d differs where it decides' % (i - 1))
            machine.prove((vector(loop.returned, 32) == 1) == z3.ULT(a, b), 'one exactly where the digit of a is less')
            machine.prove(z3.ULE(vector(loop.returned, 32), 1), 'else zero')

    def ends(machine):
        registers = loop.locals(machine)
        set_local(machine, registers, 'i', 0, I64)
        need(not loop.turn(machine, registers) and loop.returned == 0, 'zero where all digits are equal')

    check_text(ID, CONTRACT)
    loop = Loop(module(held.file), 'digits_less', 0)
    for check in (begins, ends, *(functools.partial(turn, i=i) for i in range(1, count + 1))):
        paths(make, check)
    for i in range(count):
        decides(held.bits * i)
    return ''


def decides(below):
    """The highest digit that differs decides: the digits below it are less than its unit."""
    a, b, low_a, low_b = z3.Ints('a b low_a low_b')
    unit, s = 1 << below, solver()
    s.add(0 <= low_a, low_a < unit, 0 <= low_b, low_b < unit, a < b, unit * a + low_a >= unit * b + low_b)
    if s.check() != z3.unsat:
        raise Unproven('not shown: the highest digit that differs decides')


def proofs():
    for held in (KEY, FOUR, EIGHT):
        parts = [('%d bytes' % size, lambda held=held, count=held.counts[place]: compare(held, count))
                 for place, size in enumerate(BYTES)]
        yield together('rsa digits_less, lanes: %d' % held.stride, parts, [ID], quick=True)
