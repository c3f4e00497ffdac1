"""RSA, eight tokens: signature^65537 mod n in each lane, with its own key, and nothing of an idle lane."""
import functools

import z3

from calls.machine import Machine, front_end, paths
from ir.types import size_of
from judges.rsa_power import N, RADIX, SHAPES, unknown
from machine.values import Pointer
from points.residue import Residue, need, same
from recoding.words import vector
from registry import together

I32, I64, PTR, LANES = ('i', 32), ('i', 64), ('ptr',), 8
INVERSE, NUMBERS = 8, 64  # the offsets in a key
WORK, IDLE, OTHER = 'w', '-', 'o'  # a lane with a key, without one, and with a key of another size


@functools.lru_cache
def module():
    return front_end('#include "rsa/rsa_lanes.c"\n')


class Number:
    """A residue modulo the n of key `key`, below 2 n, or below n."""

    def __init__(self, residue, key, below_n=False):
        self.residue, self.key, self.below_n = residue, key, below_n


class Power:
    """A run of `cjwt_rsa_ifma_power8`: `pattern` says what each lane has. Only `open_lane` has a signature of unknown range."""

    def __init__(self, place, pattern, open_lane, machine):
        self.machine, self.pattern, self.written = machine, pattern, {}
        (self.size, self.digits, self.vectors), self.bytes = SHAPES[place], 512 * SHAPES[place][2]
        self.first = next((i for i, lane in enumerate(pattern) if lane != IDLE), None)
        self.work = [lane != IDLE and lane == pattern[self.first] for lane in pattern]
        self.in_range = [z3.BitVec('in_range', 32) if i == open_lane else i % 2 for i in range(LANES)]
        self.shapes = [self.shape(SHAPES[p]) for p in (place, (place + 1) % 3)]
        self.keys = [Pointer('null', 0) if lane == IDLE else self.make_key(i, lane) for i, lane in enumerate(pattern)]
        machine.routines.update({
            'llvm.memset.p0.i64': self.clear, 'digits_from_bytes': self.read, 'digits_less': self.less, 'lanes_from_rows': self.to_lanes,
            'rows_from_lanes': self.to_rows, 'rsa_ifma_multiply8': self.multiply, 'rsa_ifma_square8': self.square,
            'reduce_once': self.reduce, 'bytes_from_digits': self.write})

    # What the caller gives.

    def shape(self, numbers):
        at = self.machine.memory.region('shape')
        for i, value in enumerate(numbers):
            self.machine.memory.store(Pointer(at.region, 4 * i), value, 4)
        return at

    def make_key(self, i, lane):
        key, memory = self.machine.memory.region('key'), self.machine.memory
        memory.store(key, self.shapes[0 if lane == self.pattern[self.first] else 1], 8)
        memory.store(Pointer(key.region, INVERSE), ('inverse', i), 8)
        memory.store(Pointer(key.region, NUMBERS), ('n', i), 8 * self.digits)
        memory.store(Pointer(key.region, NUMBERS + 64 * self.vectors), Number(RADIX ** 2, i, True), 8 * self.digits)
        return key

    # The routines: their contracts on residues. Each number has its key, and all of a product must have the same.

    def held(self, at, size):
        value, length = self.machine.memory.of(at.region).get(at.offset, (None, 0))
        need(length == size and value is not None, 'reads a number in %s at byte %d' % (at.region, at.offset))
        return value

    def clear(self, machine, arguments):
        """Words, or rows of zeros: a row is one cell."""
        at, octet, count, _ = arguments
        row = 64 * self.vectors if count == self.bytes and octet == 0 else 8
        machine.memory.store(at, ['zeros' if row > 8 else octet] * (count // row), count)

    def lane(self, i):
        """The key that a lane computes with: an idle lane has the first one's."""
        return i if self.work[i] else self.first

    def read(self, machine, arguments):
        i = int(arguments[1].region.removeprefix('signature'))
        need(self.work[i] and arguments[1].offset == 0 and arguments[2].region == self.shapes[0].region, 'a signature of its size is read')
        need(self.held(arguments[0], 64 * self.vectors) == 'zeros', 'the row was zero: zeros stay above the digits')
        machine.memory.store(arguments[0], Number(unknown('s%d' % i), i), 8 * self.digits)

    def modulus_at(self, at, digits):
        kind, key = self.held(at, 8 * self.digits)
        need(kind == 'n' and digits == self.digits, 'a modulus, all digits')
        return key

    def less(self, machine, arguments):
        number, key = self.held(arguments[0], 8 * self.digits), self.modulus_at(*arguments[1:])
        same(number.residue, unknown('s%d' % key), 'the signature is compared with its own n')
        return self.in_range[key]

    def to_lanes(self, machine, arguments):
        at, rows, vectors = arguments
        need(vectors == self.vectors, 'all vectors')
        found = []
        for row in machine.memory.load(rows, ('arr', LANES, PTR)):
            cell, size = machine.memory.of(row.region).get(row.offset, (None, 0))
            need(cell is not None, 'a row is a number')
            found.append(Number(Residue(N, {}), None) if cell == 'zeros' else cell)  # the row of an idle lane
        machine.memory.store(at, ('lanes', found), self.bytes)

    def to_rows(self, machine, arguments):
        at, source, vectors = arguments
        need(vectors == self.vectors, 'all vectors')
        kind, numbers = self.held(source, self.bytes)
        for i, number in enumerate(numbers):
            machine.memory.store(Pointer(at.region, at.offset + 64 * vectors * i), number, 8 * self.digits)

    def times(self, x, y, n, inverse, scratch, digits):
        need(digits == self.digits, 'all digits')
        inverses = self.machine.memory.load(inverse, ('arr', LANES, I64))
        need(inverses == [('inverse', self.lane(i)) for i in range(LANES)], 'each lane has its -1/n')
        (_, left), (_, right), (_, moduli) = [self.held(at, self.bytes) for at in (x, y, n)]
        need(moduli == [('n', self.lane(i)) for i in range(LANES)], 'each lane has its n')
        for i, pair in enumerate(zip(left, right)):
            need(all(isinstance(number, Number) and number.key in (self.lane(i), None) for number in pair),
                 'the numbers of lane %d are of its key' % i)
        self.machine.memory.store(scratch, 'scratch', self.bytes)
        products = [Number(a.residue * b.residue * RADIX ** -1, self.lane(i)) for i, (a, b) in enumerate(zip(left, right))]
        self.machine.memory.store(x, ('lanes', products), self.bytes)
        for at in (y, n):
            self.held(at, self.bytes)  # no buffer overlaps another

    def multiply(self, machine, arguments):
        self.times(*arguments)

    def square(self, machine, arguments):
        self.times(arguments[0], *arguments)

    def reduce(self, machine, arguments):
        number = self.held(arguments[0], 8 * self.digits)
        need(self.modulus_at(*arguments[1:]) == number.key, 'a power modulo its own n')
        machine.memory.store(arguments[0], Number(number.residue, number.key, True), 8 * self.digits)

    def write(self, machine, arguments):
        i = int(arguments[0].region.removeprefix('em'))
        need(arguments[0].offset == 0 and i not in self.written, 'a message is written once')
        need(arguments[2].region == self.shapes[0].region, 'all its bytes')
        self.written[i] = self.held(arguments[1], 8 * self.digits)

    # The claim.

    def prove(self):
        machine, memory = self.machine, self.machine.memory
        results, keys, ems, signatures = [memory.region(name) for name in ('results', 'keys', 'ems', 'signatures')]
        memory.store(keys, self.keys, 64)
        for at, name in ((ems, 'em'), (signatures, 'signature')):
            memory.store(at, [Pointer('%s%d' % (name, i)) for i in range(LANES)], 64)
        machine.call('cjwt_rsa_ifma_power8', [results, keys, ems, signatures])
        for i in range(LANES):
            wanted = self.in_range[i] if self.work[i] else 0
            result = vector(memory.load(Pointer(results.region, 4 * i), I32), 32)
            machine.prove(result == wanted, 'lane %d: one exactly where the signature is below n' % i)
            machine.prove((vector(wanted, 32) != 0) == z3.BoolVal(i in self.written), 'lane %d: its message is written exactly then' % i)
        for i, number in self.written.items():
            same(number.residue, unknown('s%d' % i, 65537), 'lane %d: the power is s^65537' % i)
            need(number.key == i and number.below_n, 'lane %d: it is below its n' % i)
        need(not any(self.work) or self.fits('power8_%d' % self.digits), 'the buffers hold all numbers')

    def fits(self, function):
        """The size's own function is called, and its buffers hold what was written."""
        if '@' + function not in module().functions:  # clang leaves out what nothing calls
            return False
        sizes = [size_of(instruction.detail) for block in module().body(module().functions['@' + function]).values()
                 for instruction in block if instruction.op == 'getelementptr' and instruction.operands[0][1] == ('reg', '%buffers')]
        regions = [cells for name, cells in self.machine.memory.cells.items() if name.startswith(function + '.buffers')]
        return len(regions) == len(sizes) == 1 and max(offset + size for offset, (_, size) in regions[0].items()) <= sizes[0]


def patterns():
    """All lanes for each size; with one idle, or of another size, or alone; and none."""
    yield from ((place, WORK * LANES, lane) for place in range(len(SHAPES)) for lane in range(place, LANES, 1 + 2 * place))
    for lane in range(LANES):
        for odd in (IDLE, OTHER):
            yield 0, WORK * lane + odd + WORK * (LANES - 1 - lane), (lane + 1) % LANES
        yield lane % 3, IDLE * lane + WORK + IDLE * (LANES - 1 - lane), lane
    yield 0, IDLE * LANES, 0


def run(check):
    return '' if paths(lambda decisions: Machine(module(), {}, decisions), check) else ''


def proofs():
    parts = [('%d bytes, lanes %s, lane %d open' % (SHAPES[place][0], pattern, lane),
              lambda place=place, pattern=pattern, lane=lane: run(lambda machine: Power(place, pattern, lane, machine).prove()))
             for place, pattern, lane in patterns()]
    yield together('judge RSA, eight tokens', parts, ['rsa/rsa_lanes.c ' + name for name in (
        'put_keys', 'put_signatures', 'take_powers', 'power8', 'cjwt_rsa_ifma_power8')], quick=True)
