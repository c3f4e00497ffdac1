"""P-256, P-384 and P-521: from a signature's bytes to the verdict (FIPS 186-5, 6.4.2), with all arithmetic as calls."""
import z3

from calls.machine import Machine, front_end, paths
from constants.curves import CURVES, P256, P521
from machine.values import Pointer
from points.nist import Formula, module
from points.residue import need, same, unknowns
from recoding.words import joined, unknown, vector
from registry import together

REFUSED, ACCEPTED, UNDECIDED = 0, 1, 2
I64 = ('i', 64)


def big_endian(machine, at, count, width):
    """Bytes that are not known, in memory, and the number that they are, as a word of `width` bits."""
    octets = unknown('byte%s' % at.region, count, 8)
    machine.memory.store(at, octets, count)
    return z3.ZeroExt(width - 8 * count, z3.Concat(*octets))


def scalar_unit(curve):
    return front_end('#include "nist/p256_scalar.c"\n') if curve is P256 else module(curve)


def scalar_read(curve, machine):
    """One exactly where the number is in [1, n - 1]."""
    source, result = machine.memory.region('bytes'), machine.memory.region('number')
    number = big_endian(machine, source, curve.bytes, 64 * curve.limbs)
    answer = machine.call('scalar_read', [result, source])
    wanted = z3.And(number != 0, z3.ULT(number, curve.n))
    machine.prove_all([((vector(answer, 32) == 1) == wanted, 'one where 0 < r < n'),
                       (z3.Or(vector(answer, 32) == 1, vector(answer, 32) == 0), 'one or zero'),
                       (joined(machine.memory.load(result, ('arr', curve.limbs, I64))) == number, 'the number is that of the bytes')])


def scalars(curve, machine):
    """u1 = hash / s and u2 = r / s; zero where the inverse of s is not certified."""
    regions = {name: machine.memory.region(name) for name in ('u1', 'u2', 'hash', 'r', 's')}
    e = big_endian(machine, regions['hash'], curve.hash_bytes, 64 * curve.limbs)
    certified, products = z3.BitVec('certified', 32), []

    def inverse(machine, arguments):
        need(arguments[1].region == regions['s'].region, 's is inverted')
        machine.memory.store(arguments[0], unknown('inverse', curve.limbs), 8 * curve.limbs)
        return certified

    def multiply(machine, arguments):
        products.append((arguments[0], joined_or_name(machine, arguments[1]), joined_or_name(machine, arguments[2])))

    def joined_or_name(machine, at):
        return at.region if at.region == regions['r'].region else joined(machine.memory.load(at, ('arr', curve.limbs, I64)))
    machine.assume(z3.ULE(certified, 1))
    machine.routines.update({'scalar_inverse': inverse, 'scalar_multiply': multiply})
    answer = machine.call('scalars', list(regions.values()))
    if answer == 0:
        machine.prove(certified == 0, 'zero only where the inverse is not certified')
        need(not products, 'no scalar without an inverse')
        return
    machine.prove(certified == 1, 'one only with a certified inverse')
    (to1, a1, b1), (to2, a2, b2) = products
    need(to1.region == regions['u1'].region and to2.region == regions['u2'].region and a2 == regions['r'].region,
         'u1 first, and u2 is r / s')
    inverted = joined(unknown('inverse', curve.limbs))
    machine.prove_all([(a1 == e, 'u1 is of the hash'), (b1 == inverted, 'u1 is over s'), (b2 == inverted, 'u2 is over s')])


def verify(curve, machine):
    """r and s are read and in range, else the verdict is refused; without scalars it is undecided; else `judge` decides."""
    prefix = 'p256_' if curve is P256 else ''
    table, digest, signature = [machine.memory.region(name) for name in ('table', 'hash', 'signature')]
    in_range, computed, judged = unknown('in_range', 2, 32), z3.BitVec('computed', 32), []

    def read(machine, arguments):
        number = arguments[1].offset // curve.bytes
        need(arguments[1].region == signature.region and arguments[1].offset in (0, curve.bytes),
             'r and s are the halves of the signature')
        machine.memory.store(arguments[0], unknown('rs'[number], curve.limbs), 8 * curve.limbs)
        return in_range[number]

    def compute(machine, arguments):
        need(arguments[2].region == digest.region, 'u1 is of the hash')
        for at, name in zip(arguments[3:], 'rs'):
            need(machine.memory.load(at, I64).eq(z3.BitVec(name + '0', 64)), '%s is the number that was read' % name)
        for at, name in zip(arguments[:2], ('u', 'v')):
            machine.memory.store(at, unknown(name, curve.limbs), 8 * curve.limbs)
        return computed

    def judge(machine, arguments):
        need(arguments[0].region.startswith('@generator_memory') and arguments[1].region == table.region, 'the tables of generator and key')
        for at, name in zip(arguments[2:], ('u', 'v', 'r')):
            need(machine.memory.load(at, I64).eq(z3.BitVec(name + '0', 64)), 'u1, u2 and r go to the judge')
        judged.append(1)
        return z3.BitVec('judged', 32)
    machine.routines.update({prefix + 'scalar_read': read, prefix + 'scalars': compute, 'judge': judge})
    verdict = vector(machine.call('cjwt_%s_verify' % curve.kernel, [table, digest, signature]), 32)
    both = z3.And(in_range[0] != 0, in_range[1] != 0)
    wanted = z3.If(z3.Not(both), z3.BitVecVal(REFUSED, 32), z3.If(computed == 0, z3.BitVecVal(UNDECIDED, 32), z3.BitVec('judged', 32)))
    machine.prove(verdict == wanted, 'refused where r or s is out of range, undecided without scalars, else the judge\'s verdict')


def judge(curve, machine):
    """u1 G + u2 Q, by the sums of rows; undecided exactly where ZZ of the sum is zero."""
    generator, key, u1, u2, r = regions = [machine.memory.region(name) for name in ('generator', 'key', 'u1', 'u2', 'r')]
    count, zero, right, calls = z3.BitVec('count', 32), z3.BitVec('zero', 32), z3.BitVec('right', 32), []

    def terms_of(machine, arguments):
        calls.append(('terms', arguments[0].region, arguments[1].region, arguments[2].region))
        machine.memory.store(arguments[0], count if arguments[1].region == generator.region else 1, 4)
    for name in ('sum_one', 'sum_both', 'point_add'):
        machine.routines[name] = lambda machine, arguments, name=name: calls.append((name, *[at.region for at in arguments]))

    def is_zero(machine, arguments):
        calls.append(('field_is_zero', arguments[0].region, arguments[0].offset))
        return zero

    def x_is_r(machine, arguments):
        calls.append(('x_is_r', arguments[0].region, arguments[1].region))
        return right
    halved = unknown('halved', 2, 32)

    def halve(machine, arguments):
        calls.append(('halve', *[at.region for at in arguments]))
        need(arguments[0].offset == len(calls) - 3, 'after the sums of the first round')
        return Pointer(arguments[0].region, len(calls) - 2) if machine.decide(halved[len(calls) - 3]) else Pointer('null', 0)
    machine.routines.update({'terms_of': terms_of, 'field_is_zero': is_zero, 'x_is_r': x_is_r, 'halve': halve})
    verdict = vector(machine.call('judge', regions), 32)
    (_, of_generator, *first), (_, of_key, *second) = calls[:2]
    if curve is P521:
        need([name[2:] for name in calls[2:4]] == [(of_key, of_generator)] * len(calls[2:4]), 'both lists are halved')
        if len(calls) < 4 or len(calls) == 4 and calls[3][0] == 'halve':
            machine.prove(z3.And(verdict == UNDECIDED, halved[len(calls) - 3] == 0), 'undecided without an inverse')
            return
        del calls[2:4]
    need(first == [generator.region, u1.region] and second == [key.region, u2.region], 'u1 over the generator\'s table, u2 over the key\'s')
    total = calls[2][1]
    if calls[2][0] == 'sum_one':
        machine.prove(count == 0, 'u2 Q alone where u1 has no term')
        need(calls[2] == ('sum_one', total, of_key), 'the sum is of the key\'s terms')
        rest = calls[3:]
    else:
        machine.prove(count != 0, 'both sums where u1 has a term')
        other = calls[2][3]
        need(calls[2] == ('sum_both', total, of_key, other, of_generator) and calls[3] == ('point_add', total, other), 'both sums, added')
        rest = calls[4:]
    need(rest[0] == ('field_is_zero', total, 16 * curve.limbs), 'ZZ of the sum is looked at')
    need(rest[1:] in ([], [('x_is_r', total, r.region)]), 'x of the sum is compared with r')
    machine.prove(verdict == z3.If(zero != 0, z3.BitVecVal(UNDECIDED, 32),
                                   z3.If(right != 0, z3.BitVecVal(ACCEPTED, 32), z3.BitVecVal(REFUSED, 32))),
                  'undecided exactly for ZZ = 0, else accepted exactly for x = r')


def x_is_r(curve, machine):
    """X = r ZZ, or r + n < p and X = (r + n) ZZ (mod p): x is r modulo n exactly then, as x < p < 2 n."""
    formula = Formula(curve)
    machine.routines.update(formula.field.routines())
    point = machine.memory.region('point')
    x, zz = unknowns(curve.p, 'X ZZ')
    for i, value in ((0, x), (2, zz)):
        formula.field.put(machine, Pointer(point.region, 8 * curve.limbs * i), value)
    words, r = unknown('r', curve.limbs), machine.memory.region('r')
    machine.memory.store(r, words, 8 * curve.limbs)
    number = z3.ZeroExt(1, joined(words))
    machine.assume(z3.And(number != 0, z3.ULT(number, curve.n)))
    candidates, compared, answers = [], [], unknown('equal', 2, 32)

    def from_plain(machine, arguments):
        candidates.append(z3.ZeroExt(1, joined(machine.memory.load(arguments[1], ('arr', curve.limbs, I64)))))
        formula.field.put(machine, arguments[0], unknowns(curve.p, 'c%d' % (len(candidates) - 1))[0])

    def is_equal(machine, arguments):
        left, right = [formula.field.get(machine, at) for at in arguments]
        same(left, unknowns(curve.p, 'c%d' % len(compared))[0] * zz, 'the candidate times ZZ')
        same(right, x, 'is compared with X')
        compared.append(answers[len(compared)])
        return compared[-1]
    for answer in answers:
        machine.assume(z3.ULE(answer, 1))
    machine.routines.update({'field_from': from_plain, 'field_is_equal': is_equal})
    answer = vector(machine.call('x_is_r', [point, r]), 32)
    second = z3.ULT(number + curve.n, curve.p)
    need(1 <= len(compared) == len(candidates) <= 2, 'one candidate or two')
    claims = [(candidates[0] == number, 'the first candidate is r')]
    if len(compared) == 2:
        claims += [(second, 'a second candidate only where r + n < p'),
                   (candidates[1] == number + curve.n, 'the second candidate is r + n')]
        wanted = z3.Or(answers[0] != 0, answers[1] != 0)
    else:
        claims.append((z3.Or(answers[0] != 0, z3.Not(second)), 'the second candidate is tried'))
        wanted = answers[0] != 0
    machine.prove_all(claims + [((answer != 0) == wanted, 'one exactly where a candidate is x')])


def proofs():
    for curve in CURVES:
        units = {'scalar_read': scalar_unit, 'scalars': scalar_unit}
        parts = []
        for check in (scalar_read, scalars, verify, judge, x_is_r):
            unit = units.get(check.__name__, module)
            parts.append((check.__name__, lambda check=check, unit=unit, curve=curve: '' if paths(
                lambda decisions: Machine(unit(curve), {}, decisions), lambda machine: check(curve, machine)) else ''))
        yield together('judge %s' % curve.name, parts, [
            'nist/nist_word.h number_read_bytes', 'nist/nist_scalar.h scalar_read', 'nist/nist_scalar.h scalars',
            'nist/nist_verify.h judge', 'nist/nist_verify.h x_is_r',
            'nist/nist_kernel.h KERNEL'], quick=True)
