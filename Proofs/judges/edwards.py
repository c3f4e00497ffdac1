"""Ed25519: from a signature's bytes to the verdict (RFC 8032, 5.1.7 without the cofactor), with all arithmetic as calls."""
import z3

from calls.machine import Machine, paths
from constants.curves import Edwards
from machine.values import Pointer
from points import edwards
from points.field51 import LOOSE, ROUTINES, Q, get, put
from points.residue import need, same, unknowns
from recoding.words import joined, unknown, vector
from registry import together

REFUSED, ACCEPTED, UNDECIDED = 0, 1, 2
I32, I64 = ('i', 32), ('i', 64)


def word32(n):
    return z3.BitVecVal(n, 32)


def scalar_read(machine):
    """One exactly where the little-endian number is below L."""
    octets, source, result = unknown('byte', 32, 8), machine.memory.region('bytes'), machine.memory.region('scalar')
    machine.memory.store(source, octets, 32)
    answer = vector(machine.call('cjwt_ed25519_scalar_read', [result, source]), 32)
    number = z3.Concat(*reversed(octets))
    machine.prove_all([((answer == 1) == z3.ULT(number, Edwards.L), 'one where S < L'), (z3.ULE(answer, 1), 'one or zero'),
                       (joined(machine.memory.load(result, ('arr', 4, I64))) == number, 'the number is that of the bytes')])


def terms_of_signature(machine):
    """S over the base point's table, then the reduced hash over the key's, one list; zero where S is not below L."""
    terms, count, table, digest, signature = [machine.memory.region(name) for name in ('terms', 'count', 'table', 'hash', 'signature')]
    in_range, counts, placed = z3.BitVec('in_range', 32), unknown('count', 2), []

    def read(machine, arguments):
        need(arguments[1].region == signature.region and arguments[1].offset == 32, 'S is the second half of the signature')
        machine.memory.store(arguments[0], ['S'] * 4, 32)
        return in_range

    def reduce(machine, arguments):
        need(arguments[1].region == digest.region and arguments[1].offset == 0, 'the hash is reduced')
        machine.memory.store(arguments[0], ['h'] * 4, 32)

    def list_terms(machine, arguments):
        placed.append((arguments[0], arguments[1], arguments[2].region, machine.memory.load(arguments[3], I64)))
        return counts[len(placed) - 1]
    machine.routines.update({
        'cjwt_ed25519_scalar_read': read, 'cjwt_ed25519_scalar_reduce': reduce, 'cjwt_ed25519_terms': list_terms,
        'cjwt_ed25519_base_table': lambda machine, arguments: Pointer('@base')})
    answer = machine.call('cjwt_ed25519_terms_of_signature', [terms, 8, count, table, digest, signature])
    if answer == 0:
        machine.prove(in_range == 0, 'zero only where S is out of range')
        return
    machine.prove(in_range != 0, 'terms only where S is in range')
    (first, _, base, s), (second, _, key, h) = placed
    need((base, s, key, h) == ('@base', 'S', table.region, 'h') and [place[1] for place in placed] == [8, 8],
         'S B, then h times the key\'s point')
    need(first.region == second.region == terms.region and first.offset == 0, 'one list')
    machine.prove_all([(vector(second.offset) == 64 * counts[0], 'the key\'s terms follow the base point\'s'),
                       (vector(machine.memory.load(count, I64)) == counts[0] + counts[1], 'the count is of both')])


def encode(machine):
    """The bytes are y = Y / Z, with the lowest bit of x = X / Z in bit 255."""
    x, y, z = unknowns(Q, 'X Y Z')
    regions = [machine.memory.region(name) for name in ('out', 'x', 'y', 'inverse')]
    for at, value in zip(regions[1:], (x, y, z ** -1)):
        put(machine, at, value, LOOSE)
    words = {'x': unknown('x', 4), 'y': unknown('y', 4)}

    def to_words(machine, arguments):
        element = get(machine, arguments[1])
        name = 'x' if element.residue == x * z ** -1 else 'y'
        same(element.residue, (x if name == 'x' else y) * z ** -1, 'X / Z or Y / Z is encoded')
        machine.memory.store(arguments[0], words[name], 32)
    machine.routines.update({**ROUTINES, 'fe51_to_words': to_words})
    machine.assume(z3.ULT(joined(words['y']), Q))
    machine.call('cjwt_ed25519_point_encode', regions)
    found = z3.Concat(*reversed([vector(octet, 8) for octet in machine.memory.load(regions[0], ('arr', 32, ('i', 8)))]))
    sign = z3.Concat(z3.Extract(0, 0, words['x'][0]), z3.BitVecVal(0, 255))
    machine.prove(found == joined(words['y']) | sign, 'y, and the sign of x in the top bit')


class Verification:
    """What both kernels for one token have in common."""

    def __init__(self, machine, routine, sum_routine):
        self.machine, self.encoded = machine, []
        self.table, self.digest, self.signature = [machine.memory.region(name) for name in ('table', 'hash', 'signature')]
        self.in_range, self.certified, self.different = z3.BitVec('in_range', 32), z3.BitVec('certified', 32), z3.BitVec('different', 32)
        machine.routines.update({
            'cjwt_ed25519_terms_of_signature': self.terms, sum_routine: self.sum, 'cjwt_ed25519_invert': self.invert,
            'memcmp': self.compare,
            'cjwt_ed25519_point_encode': self.encode, 'has_mulx': lambda machine, arguments: z3.BitVec('mulx', 32),
            'sum_of_terms_mulx': self.sum})
        verdict = vector(machine.call(routine, [self.table, self.digest, self.signature]), 32)
        accepted = z3.If(self.different == 0, word32(ACCEPTED), word32(REFUSED))
        machine.prove(verdict == z3.If(self.in_range == 0, word32(REFUSED), z3.If(self.certified == 0, word32(UNDECIDED), accepted)),
                      'refused where S is out of range, undecided without 1 / Z, else accepted exactly where the encoding is R')

    def terms(self, machine, arguments):
        need([at.region for at in arguments[3:]] == [self.table.region, self.digest.region, self.signature.region],
             'table, hash, signature')
        machine.memory.store(arguments[2], machine.count, 8)
        return self.in_range

    def sum(self, machine, arguments):
        """The portable sum is a point; the lanes' is X, Y and Z apart."""
        apart = len(arguments) == 5
        places = arguments[:3] if apart else [Pointer(arguments[0].region, arguments[0].offset + 40 * i) for i in range(3)]
        for at, name in zip(places, ('X', 'Y', 'Z')):
            put(machine, at, unknowns(Q, name)[0], LOOSE)
        need(arguments[-1] == (-(-machine.count // 8) * 8 if apart else machine.count), 'all terms are summed')

    def invert(self, machine, arguments):
        put(machine, arguments[0], get(machine, arguments[1]).residue ** -1, LOOSE)
        return self.certified

    def encode(self, machine, arguments):
        self.encoded.append(arguments[0].region)
        x, y, z = unknowns(Q, 'X Y Z')
        for at, wanted in zip(arguments[1:], (x, y, z ** -1)):
            same(get(machine, at).residue, wanted, 'X, Y and 1 / Z are encoded')

    def compare(self, machine, arguments):
        regions = [at.region for at in arguments[:2]]
        need(regions == [self.encoded[0], self.signature.region] and arguments[1].offset == 0 and arguments[2] == 32,
             '32 bytes are compared with R')
        return self.different


def padded(machine):
    """The lanes' list is padded to a multiple of eight with the neutral element."""
    Verification(machine, 'cjwt_ed25519_ifma_verify', 'sum_of_terms')
    terms = [region for region in machine.memory.cells if region.startswith('cjwt_ed25519_ifma_verify.terms')][0]
    for place in range(machine.count, -(-machine.count // 8) * 8):
        cell = machine.memory.of(terms).get(8 * place)
        if cell is not None:
            need(cell[0].region == '@cjwt_ed25519_identity_row' and cell[0].offset == 0, 'place %d is the neutral element' % place)


def make(file, **marks):
    def machine(decisions):
        made = Machine(edwards.module(file), {}, decisions)
        for name, value in marks.items():
            setattr(made, name, value)
        return made
    return machine


def run(file, check, **marks):
    return lambda: '' if paths(make(file, **marks), check) else ''


def proofs():
    parts = [('scalar_read', run('scalar', scalar_read)), ('terms_of_signature', run('terms', terms_of_signature)),
             ('point_encode', run('point', encode)),
             ('verify', run('verify', lambda machine: Verification(machine, 'cjwt_ed25519_verify', 'sum_of_terms'), count=64))]
    yield together('judge Ed25519', parts, [
        'ed25519/scalar.c cjwt_ed25519_scalar_read', 'ed25519/terms.c cjwt_ed25519_terms_of_signature',
        'ed25519/point.c cjwt_ed25519_point_encode', 'ed25519/verify.c cjwt_ed25519_verify'], quick=True)
    parts = [('%d terms' % count, run('verify_ifma', padded, count=count)) for count in range(57, 65)]
    yield together('judge Ed25519 in lanes', parts, ['ed25519/verify_ifma.c cjwt_ed25519_ifma_verify'], quick=True)
