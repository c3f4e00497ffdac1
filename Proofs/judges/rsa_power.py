"""RSA: signature^65537 mod n of one token, with the multiplications as calls."""
import functools

import z3

from calls.machine import Machine, front_end, paths
from machine.values import Pointer
from points.residue import Residue, need, same
from recoding.words import vector
from registry import together

N = 2**521 - 1  # stands for any odd modulus: exponents alone matter here
SHAPES = ((256, 40, 5), (384, 60, 8), (512, 80, 10))  # bytes, digits, vectors


@functools.lru_cache
def module(file):
    return front_end('#include "rsa/%s.c"\n' % file)


def unknown(name, exponent=1):
    return Residue(N, {frozenset([(name, exponent)]): 1})


S, RADIX = unknown('s'), unknown('R')


class Run:
    """Numbers are residues, each below 2n or below n; memory keeps (residue, is below n)."""

    def __init__(self, shape, machine):
        self.machine, self.shape = machine, shape
        size, digits, vectors = shape
        self.in_range, self.written = z3.BitVec('in_range', 32), []
        at, self.key = machine.memory.region('shape'), machine.memory.region('key')
        for i, value in enumerate((size, digits, vectors)):
            machine.memory.store(Pointer(at.region, 4 * i), value, 4)
        machine.memory.store(self.key, at, 8)
        self.modulus, self.r_squared = Pointer(self.key.region, 64), Pointer(self.key.region, 64 + 64 * vectors)
        machine.memory.store(self.r_squared, (RADIX ** 2, True), 8)
        machine.routines.update({
            'digits_from_bytes': self.read, 'digits_less': self.less, 'rsa_ifma_multiply': self.multiply, 'rsa_ifma_square': self.multiply,
            'reduce_once': self.reduce, 'bytes_from_digits': self.write})

    def get(self, at):
        return self.machine.memory.of(at.region)[at.offset][0]

    def put(self, at, residue, below_n):
        self.machine.memory.store(at, (residue, below_n), 8)

    def read(self, machine, arguments):
        need(arguments[1].region == 'signature' and arguments[2].region.startswith('shape'), 'the signature is read')
        zeros = machine.memory.load(arguments[0], ('arr', 8 * self.shape[2], ('i', 64)))
        need(not any(zeros), 'zeros stay above the digits: the multiplication reads whole vectors')
        self.put(arguments[0], S, False)

    def less(self, machine, arguments):
        residue, _ = self.get(arguments[0])
        same(residue, S, 'the signature')
        need(self.is_modulus(arguments[1]) and arguments[2] == self.shape[1], 'is compared with n, all digits')
        return self.in_range

    def is_modulus(self, at):
        return (at.region, at.offset) == (self.modulus.region, self.modulus.offset)

    def multiply(self, machine, arguments):
        need(arguments[0].region == self.key.region, 'modulo n')
        (a, _), (b, _) = self.get(arguments[2]), self.get(arguments[-1])
        self.put(arguments[1], a * b * RADIX ** -1, False)

    def reduce(self, machine, arguments):
        need(self.is_modulus(arguments[1]) and arguments[2] == self.shape[1], 'modulo n, all digits')
        self.put(arguments[0], self.get(arguments[0])[0], True)

    def write(self, machine, arguments):
        need(arguments[0].region == 'em', 'the encoded message is written')
        self.written.append(self.get(arguments[1]))


def power(shape, machine):
    """s^65537 mod n, below n, exactly where s < n."""
    run = Run(shape, machine)
    answer = vector(machine.call('cjwt_rsa_ifma_power', [run.key, Pointer('em'), Pointer('signature')]), 32)
    machine.prove((answer != 0) == (run.in_range != 0), 'one exactly where the signature is below n')
    if not run.written:
        machine.prove(run.in_range == 0, 'the message is written where it is')
        return
    machine.prove(run.in_range != 0, 'nothing is written where it is not')
    (residue, below), = run.written
    same(residue, unknown('s', 65537), 'the power is s^65537')
    need(below, 'it is below n')


def proofs():
    parts = [('cjwt_rsa_ifma_power, %d bytes' % shape[0], lambda shape=shape: '' if paths(
        lambda decisions: Machine(module('rsa_single'), {}, decisions), lambda machine: power(shape, machine)) else '') for shape in SHAPES]
    yield together('judge RSA, power', parts, [
        'rsa/rsa_single.c cjwt_rsa_ifma_power', 'rsa/rsa_ifma.h key_modulus', 'rsa/rsa_ifma.h key_r_squared'], quick=True)
