"""The operations of LLVM's integers on numbers and bit vectors."""
import operator

import z3

from machine.values import Pointer, Unproven

NUMBERS = {
    'add': lambda a, b: a + b, 'sub': lambda a, b: a - b, 'mul': lambda a, b: a * b, 'and': lambda a, b: a & b, 'or': lambda a, b: a | b,
    'xor': lambda a, b: a ^ b, 'udiv': lambda a, b: a // b, 'urem': lambda a, b: a % b,
}
VECTORS = {
    **{name: NUMBERS[name] for name in ('add', 'sub', 'mul', 'and', 'or', 'xor')}, 'udiv': z3.UDiv, 'urem': z3.URem,
    'shl': lambda a, b: a << b, 'lshr': z3.LShR, 'ashr': lambda a, b: a >> b, 'sdiv': lambda a, b: a / b, 'srem': z3.SRem,
}
ORDERS = {
    'eq': lambda a, b: a == b, 'ne': lambda a, b: a != b, 'ult': z3.ULT, 'ule': z3.ULE, 'ugt': z3.UGT, 'uge': z3.UGE,
    'slt': lambda a, b: a < b, 'sle': lambda a, b: a <= b, 'sgt': lambda a, b: a > b, 'sge': lambda a, b: a >= b,
}
PLAIN = {'eq': operator.eq, 'ne': operator.ne, 'lt': operator.lt, 'le': operator.le, 'gt': operator.gt, 'ge': operator.ge}


def vector(x, bits):
    return z3.BitVecVal(x, bits) if isinstance(x, int) else x


def signed(x, bits):
    return x - (1 << bits) if x >> (bits - 1) else x


def binary(op, a, b, bits):
    if isinstance(a, int) and isinstance(b, int):
        return of_numbers(op, a, b, bits)
    if isinstance(a, Pointer) or isinstance(b, Pointer):
        return of_addresses(op, a, b)
    if not all(isinstance(x, int) or z3.is_bv(x) for x in (a, b)):
        raise Unproven('%s of what is no word' % op)
    return z3.simplify(VECTORS[op](vector(a, bits), vector(b, bits)))


def of_numbers(op, a, b, bits):
    mask = (1 << bits) - 1
    if op in ('sdiv', 'srem'):
        a, b = signed(a, bits), signed(b, bits)
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return (quotient if op == 'sdiv' else a - quotient * b) & mask
    if op in ('shl', 'lshr', 'ashr'):
        if b >= bits:
            raise Unproven('shifts %d bits by %d' % (bits, b))
        return (a << b if op == 'shl' else (signed(a, bits) if op == 'ashr' else a) >> b) & mask
    return NUMBERS[op](a, b) & mask


def of_addresses(op, a, b):
    """Addresses keep small marks in their lowest bits, and are subtracted within a region."""
    if op == 'sub' and isinstance(b, Pointer) and a.region == b.region:
        return a.offset - b.offset
    if op in ('or', 'add') and isinstance(a, Pointer) and not isinstance(b, Pointer):
        return Pointer(a.region, a.offset + b)
    if op == 'and' and isinstance(b, int) and isinstance(a.offset, int):  # rows are at even addresses
        return a.offset & 1 if b == 1 else Pointer(a.region, a.offset & b - (1 << 64))
    raise Unproven('%s of addresses' % op)


def compare(order, a, b, bits):
    """One or zero."""
    if isinstance(a, Pointer) or isinstance(b, Pointer):
        same = isinstance(a, Pointer) and isinstance(b, Pointer) and a.region == b.region and a.offset == b.offset
        return int(same == (order == 'eq'))
    if isinstance(a, int) and isinstance(b, int):
        if order[0] == 's':
            a, b = signed(a, bits), signed(b, bits)
        return int(PLAIN[order[-2:]](a, b))
    return z3.simplify(z3.If(ORDERS[order](vector(a, bits), vector(b, bits)), z3.BitVecVal(1, 1), z3.BitVecVal(0, 1)))


def cast(op, x, bits, to):
    if isinstance(x, Pointer):
        return x
    if op == 'trunc':
        return x & ((1 << to) - 1) if isinstance(x, int) else z3.simplify(z3.Extract(to - 1, 0, x))
    if isinstance(x, int):
        return signed(x, bits) & ((1 << to) - 1) if op == 'sext' else x
    if not z3.is_bv(x):
        raise Unproven('%s of what is no word' % op)
    return z3.simplify((z3.SignExt if op == 'sext' else z3.ZeroExt)(to - bits, x))
