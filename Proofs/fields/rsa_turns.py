"""RSA in lanes without IFMA: the comparison of two numbers, one subtraction of the modulus, and one doubling, digit by digit.

`contracts.routine` would follow two paths for each digit, and sum a thousand of them. Here each turn of a loop is one question, from every
state that the turn before can leave.
"""
import functools

import z3

from calls.loops import Loop, get_local, set_local
from calls.machine import Machine, front_end, paths
from fields.rsa import check_text
from fields.rsa_digits import BYTES, EIGHT, FILE, FOUR, FOUR_256, KEY
from machine.values import Pointer, Unproven
from points.residue import need
from recoding.words import vector
from registry import together
from solvers import solver

I64, PTR = ('i', 64), ('ptr',)
LANES = KEY, FOUR, EIGHT, FOUR_256
CONTRACTS = {
    'digits_less': 'digits(a) < W, digits(b) < W => return = [a < b]',
    'double_modulo': "digits(x) < W, digits(n) < W, x < n, 2 n < R => x' = 2 x (mod n), x' < n, digits(x') < W, apart",
    'reduce_once': "digits(x) < W, digits(n) < W, x < 2 n => x' = x (mod n), x' < n, digits(x') < W, apart",
}


@functools.lru_cache
def module(file):
    return front_end('#include "rsa/%s.c"\n' % file)


def compare(held, count):
    """digits_less: the highest digit that differs decides."""
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

    loop = Loop(module(held.file), 'digits_less', 0)
    follow(held, [begins, ends, *(functools.partial(turn, i=i) for i in range(1, count + 1))])
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


def subtract(held, count):
    """reduce_once: x - n with borrows, where x is not less than n; else x stays."""
    step, reached, first = held.stride, [], []

    def begins(machine):
        less = z3.BitVec('less', 32)

        def compared(machine, arguments):
            need([(at.region, at.offset) for at in arguments[:2]] == [('x', 0), ('n', 0)] and arguments[2] == count, 'x is compared with n')
            return less

        def head(machine, registers):
            reached.append(1)
            machine.prove(less == 0, 'x is changed only where it is not less than n')
            need(get_local(machine, registers, 'i', I64) == 0 and get_local(machine, registers, 'borrow', I64) == 0, 'no borrow at first')
            return True
        machine.routines['digits_less'] = compared
        machine.heads['reduce_once', loop.head.lstrip('%')] = head
        before = len(reached)
        machine.call('reduce_once', [Pointer('x'), Pointer('n'), count])
        if len(reached) == before:
            machine.prove(less != 0, 'x is changed where it is not less than n')
        need(not {'x', 'n'} & machine.memory.cells.keys(), 'nothing else is written')

    def turn(machine, i):
        """x' + n + borrow = x + 2^bits borrow', in the digits of one turn."""
        registers, memory, width = loop.locals(machine), machine.memory, held.bits
        x, n, borrow = z3.BitVec('x', 64), z3.BitVec('n', 64), z3.BitVec('borrow', 64)
        machine.assume(z3.And(z3.ULT(x, 1 << width), z3.ULT(n, 1 << width), z3.ULE(borrow, 1)))
        numbers = [memory.region(name) for name in ('x', 'n')]
        for at, digit, name in zip(numbers, (x, n), ('x', 'n')):
            memory.store(Pointer(at.region, 8 * i), digit, 8)
            set_local(machine, registers, name + '.addr', at, PTR)
        for name, value in (('i', i), ('borrow', borrow), ('count.addr', count)):
            set_local(machine, registers, name, value, I64)
        need(loop.turn(machine, registers) and get_local(machine, registers, 'i', I64) == i + step, 'digit after digit')
        need(list(memory.of(numbers[0].region)) == [8 * i], 'a turn writes its own digit only')
        result = vector(memory.load(Pointer(numbers[0].region, 8 * i), I64))
        after = vector(get_local(machine, registers, 'borrow', I64))
        if i > 0:
            need(result.eq(first[0]) and after.eq(first[1]), 'a turn makes of its digits what the first turn makes')
            return
        first.extend((result, after))
        machine.prove(z3.And(z3.ULT(result, 1 << width), z3.ULE(after, 1)), 'a digit and a borrow')
        machine.prove(result + n + borrow == x + (after << width), 'the difference of the digits')

    def ends(machine):
        registers = loop.locals(machine)
        for name, value in (('i', step * count), ('count.addr', count)):
            set_local(machine, registers, name, value, I64)
        need(not loop.turn(machine, registers), 'all digits, and no more')

    loop = Loop(module(held.file), 'reduce_once', 0)
    follow(held, [begins, ends, *(functools.partial(turn, i=step * i) for i in range(count))])
    need(reached, 'the loop is reached')
    reduces(1 << (held.bits * count))
    return ''


def reduces(unit):
    """The turns give x' + n = x + unit borrow. With n <= x < 2 n that is x - n, which is below n."""
    x, n, result, borrow = z3.Ints("x n x' borrow")
    s = solver()
    s.add(n <= x, x < 2 * n, n < unit, 0 <= result, result < unit, 0 <= borrow, borrow <= 1, result + n == x + unit * borrow)
    s.add(z3.Or(result != x - n, result >= n))
    if s.check() != z3.unsat:
        raise Unproven('not shown: x - n, below n')


def double(held, count):
    """double_modulo: 2 x with carries, and reduce_once. As 2 x < 2 n < R, nothing is carried out of the digits, and one subtraction does."""
    reduced, first = [], []

    def begins(machine):
        registers = loop.arrive(machine, [Pointer('x'), Pointer('n'), count])
        need(get_local(machine, registers, 'i', I64) == 0 and get_local(machine, registers, 'carry', I64) == 0, 'no carry at first')
        need(not {'x', 'n'} & machine.memory.cells.keys(), 'nothing else is written')

    def turn(machine, i):
        """x' + 2^bits carry' = 2 x + carry, in the digits of one turn."""
        registers, memory, width = loop.locals(machine), machine.memory, held.bits
        x, carry, number = z3.BitVec('x', 64), z3.BitVec('carry', 64), memory.region('x')
        machine.assume(z3.And(z3.ULT(x, 1 << width), z3.ULE(carry, 1)))
        memory.store(Pointer(number.region, 8 * i), x, 8)
        set_local(machine, registers, 'x.addr', number, PTR)
        for name, value in (('i', i), ('carry', carry), ('digits.addr', count)):
            set_local(machine, registers, name, value, I64)
        need(loop.turn(machine, registers) and get_local(machine, registers, 'i', I64) == i + 1, 'digit after digit')
        need(list(memory.of(number.region)) == [8 * i], 'a turn writes its own digit only')
        result = vector(memory.load(Pointer(number.region, 8 * i), I64))
        after = vector(get_local(machine, registers, 'carry', I64))
        if i > 0:
            need(result.eq(first[0]) and after.eq(first[1]), 'a turn makes of its digits what the first turn makes')
            return
        first.extend((result, after))
        machine.prove(z3.And(z3.ULT(result, 1 << width), z3.ULE(after, 1)), 'a digit and a carry')
        machine.prove(result + (after << width) == 2 * x + carry, 'the double of the digits')

    def ends(machine):
        registers = loop.locals(machine)
        machine.routines['reduce_once'] = lambda machine, arguments: reduced.append(
            [(at.region, at.offset) for at in arguments[:2]] + [arguments[2]])
        for name in ('x', 'n'):
            set_local(machine, registers, name + '.addr', Pointer(name), PTR)
        for name, value in (('i', count), ('digits.addr', count)):
            set_local(machine, registers, name, value, I64)
        need(not loop.turn(machine, registers), 'all digits, and no more')
        need(reduced == [[('x', 0), ('n', 0), count]], 'the double is reduced once, modulo n')

    loop = Loop(module(held.file), 'double_modulo', 0)
    follow(held, [begins, ends, *(functools.partial(turn, i=i) for i in range(count))])
    doubles(1 << (held.bits * count))
    return ''


def doubles(radix):
    """The turns give 2 x = x' + R carry. The bounds leave no carry, and x' < 2 n, as reduce_once asks."""
    x, n, result, carry = z3.Ints("x n x' carry")
    s = solver()
    s.add(0 <= x, x < n, 2 * n < radix, 0 <= result, result < radix, 0 <= carry, carry <= 1, 2 * x == result + radix * carry)
    s.add(z3.Or(carry != 0, result != 2 * x, result >= 2 * n))
    if s.check() != z3.unsat:
        raise Unproven('not shown: 2 x, below 2 n')


def follow(held, checks):
    for check in checks:
        paths(lambda decisions: Machine(module(held.file), {}, decisions), check)


def proofs():
    for name, prove, all_held in (('digits_less', compare, LANES), ('reduce_once', subtract, LANES),
                                  ('double_modulo', double, (KEY,))):
        id = (FILE if name != 'double_modulo' else 'rsa/rsa_doublings.h ') + name
        for held in all_held:
            parts = [('the contract', functools.partial(same_text, id, CONTRACTS[name]))] + [
                ('%d bytes' % size, functools.partial(prove, held, count)) for size, count in zip(BYTES, held.counts)]
            yield together('rsa %s, lanes: %d of %d bits' % (name, held.stride, held.bits), parts, [id], quick=True)


def same_text(id, text):
    check_text(id, text)
    return ''
