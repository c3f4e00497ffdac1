"""The intrinsic functions that clang emits for the kernels: LLVM's, and Intel's instructions."""
import re

from machine import lanes
from machine.values import Pointer, Unproven

WITHOUT_EFFECT = ('lifetime.', 'dbg.', 'experimental.noalias', 'prefetch', 'assume')


def intrinsic(machine, name, arguments):
    if name.startswith(WITHOUT_EFFECT):
        return None
    for pattern, f in TABLE:
        match = re.match(pattern, name)
        if match:
            return f(machine, match, *arguments)
    raise NotImplementedError('the intrinsic llvm.' + name)


def copy(machine, match, to, source, size, volatile):
    machine.memory.copy(to, source, machine.number(size))


def fill(machine, match, to, byte, size, volatile):
    number, count = machine.number(byte), machine.number(size)
    at = 0
    while at < count:
        step = 8 if count - at >= 8 else 1
        machine.memory.store(Pointer(to.region, to.offset + at), machine.domain.constant(number * (2**(8 * step) // 255), 8 * step), step)
        at += step


def overflow(machine, match, a, b):
    return [lanes.tagged(x, lanes.of((a, b))) for x in machine.domain.with_overflow(match.group(1), a, b)]


def funnel(machine, match, high, low, count):
    return machine.lanes(lambda a, b, k: machine.domain.funnel(match.group(1), a, b, k), high, low, count)


def multiply_add_52(machine, match, sum, a, b):
    return machine.lanes(lambda s, x, y: machine.domain.madd52(s, x, y, match.group(1) == 'h'), sum, a, b)


def shift_all(machine, match, a, count):
    op = {'srli': 'lshr', 'slli': 'shl', 'srai': 'ashr'}[match.group(1)]
    d = machine.domain
    return machine.lanes(lambda x, k: d.binary(op, x, d.cast('zext', k, x.width), ()), a, [count] * len(a))


def ternary_logic(machine, match, a, b, c, table):
    if machine.number(table) != 0xa8:
        raise NotImplementedError('a ternary logic other than (a | b) & c')
    d = machine.domain
    return machine.lanes(lambda x, y, z: d.binary('and', d.binary('or', x, y, ()), z, ()), a, b, c)


def least_or_most(machine, match, a, b):
    predicate = match.group(1)[0] + ('lt' if match.group(1)[1:] == 'min' else 'gt')
    return machine.lanes(lambda x, y: machine.domain.select(machine.domain.compare(predicate, x, y), x, y), a, b)


def reduced(machine, match, a):
    total = a[0]
    for x in a[1:]:
        total = machine.lanes(lambda p, q: machine.domain.binary(match.group(1), p, q, ()), total, x)
    return total


def permuted(machine, match, a, places):
    return [a[machine.number(place) % len(a)] for place in places]


def byte_swapped(machine, match, a):
    d = machine.domain
    return lanes.join(d, [lanes.part(d, a, at, 8) for at in range(a.width - 8, -8, -8)])


def trailing_zeros(machine, match, a, poison):
    raise Unproven('counts trailing zeros')


TABLE = [
    (r'mem(?:cpy|move)\.', copy),
    (r'memset\.', fill),
    (r'(uadd|usub)\.with\.overflow', overflow),
    (r'(fshl|fshr)\.', funnel),
    (r'x86\.avx512\.vpmadd52([lh])\.uq\.(?:256|512)', multiply_add_52),
    (r'x86\.avx512\.p(srli|slli|srai)\.q', shift_all),
    (r'x86\.avx512\.pternlog\.q\.512', ternary_logic),
    (r'x86\.avx512\.permvar\.di\.512', permuted),
    (r'([us](?:min|max))\.', least_or_most),
    (r'vector\.reduce\.(and|or|xor|add)', reduced),
    (r'bswap\.', byte_swapped),
    (r'cttz\.', trailing_zeros),
]
