"""Ed25519: a row as a term of a sum, and the verdicts of eight tokens."""
import z3

from calls.machine import Machine, paths
from judges.edwards import ACCEPTED, REFUSED, UNDECIDED, word32
from machine.values import Pointer
from points.edwards import LANES, module
from points.field51 import LOOSE, ROUTINES, Q, element_at, get, put
from points.residue import need, same, unknowns
from recoding.words import unknown, vector
from registry import together

I32, I64 = ('i', 32), ('i', 64)


def read_term(negative):
    """A row as y + x, y - x and 2 d x y; of a negated one, y - x, y + x and -2 d x y."""
    machine = Machine(module('verify'), {})
    row, out = machine.memory.region('row'), machine.memory.region('out')
    parts = {0: unknown('sum', 5), 32: unknown('difference', 5), 64: unknown('xy2d', 5), None: unknown('minus', 5)}

    def from_words(machine, arguments):
        machine.memory.store(arguments[0], parts[arguments[1].offset], 40)

    def subtract(machine, arguments):
        need(arguments[1].region == '@kFe51Zero' and machine.memory.load(arguments[2], I64).eq(parts[64][0]), 'zero less 2 d x y')
        machine.memory.store(arguments[0], parts[None], 40)
    machine.routines.update({'fe51_from_words': from_words, 'fe51_subtract': subtract})
    machine.call('read_term', [out, Pointer(row.region, negative)])
    wanted = [parts[32], parts[0], parts[None]] if negative else [parts[0], parts[32], parts[64]]
    found = machine.memory.load(out, ('arr', 15, I64))
    machine.prove_all([(vector(a) == b, 'digit %d' % i) for i, (a, b) in enumerate(zip(found, sum(wanted, [])))])


def read_signatures(lane, machine):
    """A lane without a table is undecided, one with S out of range refused; shorter lists are padded with the neutral element."""
    lists, verdicts, tables, hashes, signatures = [machine.memory.region(name) for name in ('lists', 'verdicts', 'tables', 'hashes',
                                                                                            'signatures')]
    here = [Pointer('@table'), Pointer('null', 0)][machine.empty]
    machine.memory.store(tables, [here if i == lane else Pointer('@other') for i in range(8)], 64)
    for at, name in ((hashes, 'hash'), (signatures, 'signature')):
        machine.memory.store(at, [Pointer('@%s%d' % (name, i)) for i in range(8)], 64)
    in_range = z3.BitVec('in_range', 32)

    def terms(machine, arguments):
        listed, stride, count, table, digest, signature = arguments
        i = listed.offset // 8
        need(stride == 8 and (digest.region, signature.region) == ('@hash%d' % i, '@signature%d' % i), 'hash and signature of the lane')
        need(table.region == ('@table' if i == lane else '@other'), 'the table of the lane')
        machine.memory.store(count, machine.count if i == lane else 3, 8)
        for n in range(machine.count if i == lane else 3):
            machine.memory.store(Pointer(listed.region, listed.offset + 64 * n), Pointer('@row', 96 * n), 8)
        return in_range if i == lane else 1
    machine.routines['cjwt_ed25519_terms_of_signature'] = terms
    judged = machine.call('read_signatures', [lists, verdicts, tables, hashes, signatures])
    verdict = machine.memory.load(Pointer(verdicts.region, 4 * lane), I32)
    bit = vector(judged, 32) & (1 << lane) != 0
    if machine.empty:
        need(verdict == UNDECIDED, 'undecided without a table')
        machine.prove(z3.Not(bit), 'a lane without a table is not judged')
        return
    need(verdict == REFUSED, 'refused until it is judged')
    machine.prove(bit == (in_range != 0), 'judged exactly where S is in range')
    longest = machine.memory.load(Pointer(lists.region, machine.most), I64)
    for n in range(3, longest):
        pad = machine.memory.load(Pointer(lists.region, 64 * n + 8 * ((lane + 1) % 8)), I64)
        need(pad.region == '@cjwt_ed25519_identity_row', 'shorter lists are padded')


def sums_of_terms():
    """Twice X, Y and Z of each lane's sum. One lane: the digits of Y + X, Y - X and Z are words."""
    machine, added = Machine(module('verify8_ifma'), {}), []
    out, lists = machine.memory.region('out'), machine.memory.region('lists')
    words = {name: unknown(name, 5) for name in ('s', 'd', 'z')}
    machine.memory.store(Pointer(lists.region, most_of(machine)), 2, 8)

    def identity(machine, arguments):
        for part, name in ((0, 's'), (1, 'd'), (3, 'z')):
            for i in range(5):
                machine.memory.store(Pointer(arguments[0].region, 320 * part + 64 * i), [words[name][i]] * 8, 64)

    def carry(machine, arguments):
        machine.memory.copy(arguments[0], arguments[1], 320)

    def store(machine, arguments):
        machine.memory.copy(arguments[0], arguments[1], 64)
    machine.routines.update({
        'point8_set_identity': identity, 'addend8_read': lambda machine, arguments: added.append(arguments[1].offset),
        'point8_add': lambda machine, arguments: None, 'fe8_carry': carry, '_mm512_store_si512': store})
    machine.call('sums_of_terms', [out, lists])
    need(added == [0, 64], 'each step of the lists')
    p = [(1 << 52) - 38] + [(1 << 52) - 2] * 4  # 2 p
    claims = []
    for name in words:
        machine.assume(z3.And(*[z3.ULE(word, LANES[0]) for word in words[name]]))
    for lane in range(8):
        for i in range(5):
            x, y, z = [vector(machine.memory.load(Pointer(out.region, 320 * part + 40 * lane + 8 * i), I64)) for part in range(3)]
            s, d, doubled = words['s'][i], words['d'][i], words['z'][i]
            claims += [(z3.And(x == s + p[i] - d, z3.ULE(x, LOOSE)), '2 X'), (z3.And(y == s + d, z3.ULE(y, LOOSE)), '2 Y'),
                       (z3.And(z == 2 * doubled, z3.ULE(z, LOOSE)), '2 Z')]
    machine.prove_all(claims)
    need(sum(digit << (51 * i) for i, digit in enumerate(p)) == 2 * Q, '2 p is added')


def most_of(machine):
    """The offset of the lists' count: after the terms."""
    return 96 * 8 * 8


def verify8(lane, machine):
    """The verdict of one judged lane; the other lanes are not judged here."""
    regions = [machine.memory.region(name) for name in ('verdicts', 'tables', 'hashes', 'signatures')]
    verdicts, _, _, signatures = regions
    machine.memory.store(signatures, [Pointer('@signature%d' % i) for i in range(8)], 64)
    machine.memory.store(verdicts, [7] * 8, 32)
    judged, invertible, different, seen = z3.BitVec('judged', 1), z3.BitVec('invertible', 1), z3.BitVec('different', 32), []
    mask = z3.Concat(*[judged if i == lane else z3.BitVecVal(0, 1) for i in reversed(range(32))])

    def encode(machine, arguments):
        for at, name in zip(arguments[1:], 'xyz'):
            need(machine.memory.of(at.region)[at.offset][0] == (name, lane), 'X, Y and 1 / Z of the lane')
        seen.append(arguments[0].region)

    def sums(machine, arguments):
        for part, name in enumerate('xyz'):
            for i in range(8):
                machine.memory.store(Pointer(arguments[0].region, 320 * part + 40 * i), (name, i), 40)

    def compare(machine, arguments):
        need([arguments[0].region, arguments[1].region, arguments[2]] == [seen[-1], '@signature%d' % lane, 32],
             '32 bytes are compared with R')
        return different
    machine.routines.update({
        'read_signatures': lambda machine, arguments: mask, 'sums_of_terms': sums, 'cjwt_ed25519_point_encode': encode, 'memcmp': compare,
        'invert_all': lambda machine, arguments: z3.Concat(*[invertible if i == lane else z3.BitVecVal(0,
                                                                                                       1) for i in reversed(range(32))])})
    machine.call('cjwt_ed25519_ifma_verify8', regions)
    found = machine.memory.load(verdicts, ('arr', 8, I32))
    wanted = z3.If(judged == 0, word32(7), z3.If(invertible == 0, word32(UNDECIDED),
                                                 z3.If(different == 0, word32(ACCEPTED), word32(REFUSED))))
    machine.prove_all([(vector(found[i], 32) == (wanted if i == lane else 7), 'the verdict of lane %d' % i) for i in range(8)])


def run(check, **marks):
    def make(decisions):
        machine = Machine(module('verify8_ifma'), {}, decisions)
        for name, value in marks.items():
            setattr(machine, name, value)
        return machine
    return lambda: '' if paths(make, check) else ''


def proofs():
    parts = [('read_term, %s' % name, lambda negative=negative: read_term(negative)) for name, negative in (('+', 0), ('-', 1))]
    for lane in range(8):
        for empty, count in ((0, 5), (0, 2), (1, 0)):
            parts.append(('read_signatures, lane %d, %d terms' % (lane, count), run(
                lambda machine, lane=lane: read_signatures(lane, machine), empty=empty, count=count, most=96 * 64)))
        parts.append(('verify8, lane %d' % lane, run(lambda machine, lane=lane: verify8(lane, machine))))
    parts.append(('sums_of_terms', sums_of_terms))
    yield together('judge Ed25519, eight tokens', parts, [
        'ed25519/verify.c read_term', 'ed25519/table.h term_row', 'ed25519/verify8_ifma.c read_signatures',
        'ed25519/verify8_ifma.c sums_of_terms', 'ed25519/verify8_ifma.c cjwt_ed25519_ifma_verify8'], quick=True)
