"""RSA: the check of a recovered encoded message (COpenSSL/padding.c), with hashes as calls."""
import functools

import z3

from calls.loops import Loop, get_local, set_local
from calls.machine import Machine, front_end, paths
from constants.definitions import base128, der
from ir.compilation import KERNELS
from machine.values import Pointer
from points.residue import need
from recoding.words import unknown, vector
from registry import together

FOLDER = KERNELS.parent / 'COpenSSL'
SIZES, HASHES = (256, 384, 512), {1: 32, 2: 48, 3: 64}  # the moduli of the kernels; the digests by their number
PKCS1, PSS = 1, 2


@functools.lru_cache
def module():
    return front_end('#include "%s"\n' % (FOLDER / 'padding.c'), '-I', str(FOLDER), '-I', str(FOLDER / 'include'))


def digest_info(digest):
    oid = bytes([96]) + b''.join(base128(arc) for arc in (840, 1, 101, 3, 4, 2, digest))
    return der(0x30, der(0x30, der(0x06, oid) + der(0x05, b'')) + der(0x04, bytes(HASHES[digest])))[:-HASHES[digest]]


def octets_at(machine, at, count):
    return [vector(octet, 8) for octet in machine.memory.load(at, ('arr', count, ('i', 8)))]


def pkcs1(length, digest, machine):
    """The whole message is compared with 00 01 FF ... FF 00 DigestInfo hash (RFC 8017, 9.2): nothing is parsed."""
    encoded, given = machine.memory.region('encoded'), machine.memory.region('hash')
    octets, hashed = unknown('em', length, 8), unknown('hash', HASHES[digest], 8)
    machine.memory.store(encoded, octets, length)
    machine.memory.store(given, hashed, len(hashed))
    different, compared = z3.BitVec('different', 32), []

    def compare(machine, arguments):
        compared.append([octets_at(machine, at, arguments[2]) for at in arguments[:2]])
        return different
    machine.routines['memcmp'] = compare
    answer = vector(machine.call('pkcs1_matches', [encoded, length, digest, given]), 32)
    info = digest_info(digest)
    wanted = [0, 1] + [0xff] * (length - 3 - len(info) - len(hashed)) + [0] + list(info) + hashed
    need(len(compared) == 1 and len(compared[0][0]) == length, 'one comparison of the whole message')
    mine, theirs = compared[0]
    machine.prove_all([(a == vector(b, 8), 'byte %d of the expected message' % i) for i, (a, b) in enumerate(zip(mine, wanted))] +
                      [(a == b, 'byte %d of the message' % i) for i, (a, b) in enumerate(zip(theirs, octets))] +
                      [((answer != 0) == (different == 0), 'one exactly where they are equal')])
    need(len(wanted) == length, 'the expected message is as long')


def pss(length, digest, machine):
    """EMSA-PSS-VERIFY (RFC 8017, 9.1.2) with a salt as long as the hash: one only where every step holds.

    The bytes before the salt are zero here, as `zeros` proves that they must be; the top bit of the first is masked out.
    """
    size = HASHES[digest]
    salt = length - 2 * size - 1
    encoded, given = machine.memory.region('encoded'), machine.memory.region('hash')
    octets, hashed, mask = unknown('em', length, 8), unknown('hash', size, 8), unknown('mask', length - size - 1, 8)
    machine.memory.store(encoded, octets, length)
    machine.memory.store(given, hashed, size)
    done, hashing, different, messages = z3.BitVec('unmasked', 32), z3.BitVec('hashing', 32), z3.BitVec('different', 32), []

    def unmask(machine, arguments):
        db, count, _, seed, seed_size = arguments
        need((count, seed.region, seed.offset, seed_size) == (length - size - 1, encoded.region, length - size - 1, size),
             'the mask is of H')
        plain = [z3.simplify(a ^ b) for a, b in zip(octets_at(machine, db, count), mask)]
        top = z3.Concat(z3.Extract(7, 7, plain[0]), z3.BitVecVal(0, 7))
        machine.memory.store(db, [top] + [0] * (salt - 2) + plain[salt - 1:], count)
        return done

    def compute(machine, arguments):
        messages.append(octets_at(machine, arguments[2], arguments[3]))
        machine.memory.store(arguments[0], unknown('H', 64, 8), 64)
        return hashing

    def compare(machine, arguments):
        need(arguments[2] == size and arguments[1].region == encoded.region and arguments[1].offset == length - size - 1,
             'H is compared whole')
        need(octets_at(machine, arguments[0], size)[0].eq(unknown('H', 64, 8)[0]), 'with the hash of M\'')
        return different
    machine.routines.update({'unmask': unmask, 'cossl_digest_bytes': compute, 'memcmp': compare})
    answer = vector(machine.call('pss_matches', [encoded, length, digest, given]), 32)
    db = [a ^ b for a, b in zip(octets, mask)]
    every = z3.And(octets[-1] == 0xbc, octets[0] & 0x80 == 0, done != 0, db[salt - 1] == 1, hashing != 0, different == 0)
    if messages:
        wanted = [vector(0, 8)] * 8 + hashed + db[salt:]
        need(len(messages) == 1 and len(messages[0]) == len(wanted), 'M\' is 8 zeros, the hash and the salt')
        machine.prove_all([(a == b, 'byte %d of M\'' % i) for i, (a, b) in enumerate(zip(messages[0], wanted))])
        machine.prove((answer != 0) == every, 'one exactly where every step holds')
        return
    machine.prove(z3.And(answer == 0, z3.Not(every)), 'zero where a step before the hash does not hold')


def zeros(machine):
    """A turn of the loop over the bytes before the salt's mark: zero where one is not zero, else the next byte, to the last."""
    loop = Loop(module(), 'pss_matches', 0)
    registers, read = loop.locals(machine), []
    i, salt, octet = z3.BitVec('i', 64), z3.BitVec('salt', 64), z3.BitVec('octet', 8)
    machine.assume(z3.And(z3.UGE(salt, 1), z3.ULE(i, salt - 1)))
    machine.memory.readers[registers['%db'].region] = lambda offset, kind: read.append(offset) or octet
    set_local(machine, registers, 'salt', salt, ('i', 64))
    set_local(machine, registers, loop.counter()[1:], i, ('i', 64))
    # What follows the loop reads one more byte: the mark, which is not 1 here, so that the function returns.
    machine.assume(z3.Implies(i == salt - 1, octet != 1))
    if loop.turn(machine, registers):
        machine.prove_all([(z3.And(read[0] == i, octet == 0), 'the byte is zero'), (z3.ULT(i, salt - 1), 'it is before the mark'),
                           (get_local(machine, registers, loop.counter()[1:], ('i', 64)) == i + 1, 'the next byte follows')])
        return
    machine.prove_all([(loop.returned == 0, 'zero is returned'), (read[0] == i, 'the byte or the mark is read'),
                       (z3.Or(octet != 0, i == salt - 1), 'a byte that is not zero, or the end')])


def entry(machine):
    """Only the two schemes, SHA-2, and messages of 256 to 1024 bytes are compared."""
    scheme, digest, length = z3.BitVec('scheme', 32), z3.BitVec('digest', 32), z3.BitVec('length', 64)
    called = []
    for name in ('pkcs1_matches', 'pss_matches'):
        machine.routines[name] = lambda machine, arguments, name=name: called.append(name) or z3.BitVec('matches', 32)
    answer = vector(machine.call('cossl_rsa_padding_matches', [scheme, digest, Pointer('hash'), Pointer('em'), length]), 32)
    allowed = z3.And(z3.UGE(digest, 1), z3.ULE(digest, 3), z3.UGE(length, 256), z3.ULE(length, 1024))
    if not called:
        machine.prove(z3.And(answer == 0, z3.Or(z3.Not(allowed), z3.And(scheme != PKCS1, scheme != PSS))), 'zero for everything else')
        return
    machine.prove(z3.And(allowed, scheme == (PKCS1 if called == ['pkcs1_matches'] else PSS), answer == z3.BitVec('matches', 32)),
                  'a digest and a length within bounds, and the scheme\'s own check')


def make(decisions):
    made = Machine(module(), {}, decisions)
    made.routines['cossl_digest_length'] = lambda machine, arguments: HASHES[arguments[0]]
    return made


def proofs():
    parts = [('cossl_rsa_padding_matches', lambda: '' if paths(make, entry) else ''),
             ('PSS, zeros', lambda: '' if paths(make, zeros) else '')]
    for length in SIZES:
        for digest in HASHES:
            for name, check in (('PKCS #1', pkcs1), ('PSS', pss)):
                parts.append(('%s, %d bytes, SHA-%d' % (name, length, 8 * HASHES[digest]),
                              lambda check=check, length=length, digest=digest:
                              '' if paths(make, lambda machine: check(length, digest, machine)) else ''))
    yield together('judge RSA', parts, quick=True)
