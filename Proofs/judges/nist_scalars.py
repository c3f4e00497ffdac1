"""P-256, P-384 and P-521: the scalars' multiplication is modulo the order; the functions that other kernels call are the curve's own."""
from calls.machine import Machine
from constants.curves import CURVES, P256
from judges.nist import scalar_unit
from machine.values import Pointer
from points.residue import need
from registry import together

WRAPPED = {'scalar_read': 2, 'scalar_multiply': 3, 'scalar_inverse': 2, 'scalars': 5}  # the count of parameters


def same_arguments(found, wanted, what):
    need(len(found) == len(wanted) and all(
        (a.region, a.offset) == (b.region, b.offset) if isinstance(a, Pointer) else a == b for a, b in zip(found, wanted)), what)


def multiply(curve):
    """One Montgomery multiplication, modulo the order, of all limbs."""
    machine, calls = Machine(scalar_unit(curve), {}), []
    machine.routines['montgomery_multiply'] = lambda machine, arguments: calls.append(arguments)
    operands = [Pointer(name) for name in 'rab']
    machine.call('scalar_multiply', operands)
    need(len(calls) == 1, 'one multiplication')
    same_arguments(calls[0], [*operands, Pointer('@kOrder'), curve.limbs], 'of a and b to r, modulo the order')


def wrapped(name, count):
    """A function of p256_scalar.h: one call with the same arguments, whose answer is returned."""
    machine, calls = Machine(scalar_unit(P256), {}), []
    machine.routines[name] = lambda machine, arguments: calls.append(arguments) or 'answer'
    arguments = [Pointer('argument%d' % i) for i in range(count)]
    answer = machine.call('p256_' + name, arguments)
    need(len(calls) == 1 and answer == (None if name == 'scalar_multiply' else 'answer'), 'one call, and its answer')
    same_arguments(calls[0], arguments, 'the same arguments')


def proofs():
    parts = [('%s scalar_multiply' % curve.name, lambda curve=curve: multiply(curve)) for curve in CURVES]
    parts += [('p256_' + name, lambda name=name, count=count: wrapped(name, count)) for name, count in WRAPPED.items()]
    yield together('judge scalars', parts, ['nist/nist_scalar.h scalar_multiply'] + ['nist/p256_scalar.c p256_' + name for name in WRAPPED],
                   quick=True)
