"""RSA in lanes without 512-bit IFMA: signature^65537 mod n in each of four or eight lanes, with its own key, and nothing of an idle lane.

A number in a lane is one cell at its lowest digit. Buffers follow one another, each of all digits of all lanes: so a cell's place tells
its buffer and its lane.
"""
import functools

import z3

from calls.machine import Machine, front_end, paths
from judges.rsa_lanes import I32, I64, IDLE, INVERSE, OTHER, WORK, Number
from judges.rsa_power import N, RADIX, unknown
from machine.values import Pointer
from points.residue import Residue, need, same
from recoding.words import vector
from registry import together

NUMBERS = 16  # the offset in a key
SHAPES = ((256, 76), (384, 116), (512, 152))  # bytes, digits
WIDE_SHAPES = ((256, 40), (384, 60), (512, 80))  # of 52 bits
FILES = {'rsa_avx2': (4, 'cjwt_rsa_avx2_power4', SHAPES), 'rsa_avx512f': (8, 'cjwt_rsa_avx512f_power8', SHAPES),
         'rsa_avxifma': (4, 'rsa_avxifma_power4', WIDE_SHAPES), 'rsa_avx512vl': (4, 'rsa_avx512vl_power4', WIDE_SHAPES)}
BUFFERS = 4


@functools.lru_cache
def module(file):
    return front_end('#include "rsa/%s.c"\n' % file)


class Power:
    """A run for one pattern, which says what each lane has. Only `open_lane` has a signature of unknown range."""

    def __init__(self, file, place, pattern, open_lane, machine):
        self.lanes, self.entry, shapes = FILES[file]
        self.machine, self.pattern, self.written, self.buffers = machine, pattern, {}, None
        self.size, self.digits = shapes[place]
        self.bytes = 8 * self.digits * self.lanes
        self.first = next((i for i, lane in enumerate(pattern) if lane != IDLE), None)
        self.work = [lane != IDLE and lane == pattern[self.first] for lane in pattern]
        self.in_range = [z3.BitVec('in_range', 32) if i == open_lane else i % 2 for i in range(self.lanes)]
        self.shapes = [self.shape(shapes[p]) for p in (place, (place + 1) % 3)]
        self.keys = [Pointer('null', 0) if lane == IDLE else self.make_key(i, lane) for i, lane in enumerate(pattern)]
        machine.routines.update({
            'llvm.memset.p0.i64': self.clear_results, 'put_lane': self.put, 'clear_lane': self.clear, 'digits_from_bytes': self.read,
            'digits_less': self.less, 'montgomery_multiply': self.multiply, 'montgomery_square': self.square,
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
        memory.store(Pointer(key.region, NUMBERS + 8 * self.digits), Number(RADIX ** 2, i, True), 8 * self.digits)
        return key

    # The routines: their contracts on residues. Each number has its key, and all of a product must have the same.

    def held(self, at, size):
        value, length = self.machine.memory.of(at.region).get(at.offset, (None, 0))
        need(length == size and value is not None, 'reads a number in %s at byte %d' % (at.region, at.offset))
        return value

    def lane_of(self, at):
        """The lane of a place in the buffers, which must hold all digits of it."""
        if self.buffers is None:
            self.buffers = at.region
        need(at.region == self.buffers and at.offset // self.bytes < BUFFERS, 'a number is in the buffers')
        lane, rest = divmod(at.offset % self.bytes, 8)
        need(lane < self.lanes and rest == 0, 'a number begins with its lowest digit')
        return lane

    def key_of(self, i):
        """The key that a lane computes with: an idle lane has the first one's."""
        return i if self.work[i] else self.first

    def clear_results(self, machine, arguments):
        at, octet, count, _ = arguments
        need(at.region == self.results.region and octet == 0, 'only the results are cleared')
        machine.memory.store(at, [0] * (count // 4), count)

    def put(self, machine, arguments):
        at, source, digits = arguments
        need(digits == self.digits, 'all digits')
        number = self.held(source, 8 * self.digits)
        key = number[1] if isinstance(number, tuple) else number.key
        need(key == self.key_of(self.lane_of(at)), 'a lane has the numbers of its key')
        machine.memory.store(at, number, 8)

    def clear(self, machine, arguments):
        need(arguments[1] == self.digits and not self.work[self.lane_of(arguments[0])], 'all digits of an idle lane are cleared')
        machine.memory.store(arguments[0], Number(Residue(N, {}), None), 8)

    def read(self, machine, arguments):
        i = int(arguments[1].region.removeprefix('signature'))
        need(self.work[i] and arguments[1].offset == 0 and arguments[2].region == self.shapes[0].region, 'a signature of its size is read')
        need(self.lane_of(arguments[0]) == i, 'into its lane')
        machine.memory.store(arguments[0], Number(unknown('s%d' % i), i), 8)

    def modulus_at(self, at, lane, digits):
        need(digits == self.digits and self.lane_of(at) == lane, 'a modulus in the same lane, all digits')
        kind, key = self.held(at, 8)
        need(kind == 'n', 'a modulus')
        return key

    def less(self, machine, arguments):
        number, lane = self.held(arguments[0], 8), self.lane_of(arguments[0])
        key = self.modulus_at(arguments[1], lane, arguments[2])
        same(number.residue, unknown('s%d' % key), 'the signature is compared with its own n')
        return self.in_range[key]

    def times(self, x, y, n, inverse, scratch, digits):
        need(digits == self.digits, 'all digits')
        inverses = self.machine.memory.load(inverse, ('arr', self.lanes, I64))
        need(inverses == [('inverse', self.key_of(i)) for i in range(self.lanes)], 'each lane has its -1/n')
        for at in (x, y, n, scratch):
            need(self.lane_of(at) == 0, 'the first lane of a buffer')
        need(len({at.offset for at in (x, n, scratch)}) == 3 and y.offset not in (n.offset, scratch.offset), 'no buffer overlaps another')
        cells = self.machine.memory.of(self.buffers)
        need(scratch.offset not in cells or isinstance(cells[scratch.offset][0], str), 'the scratch memory holds no number')
        found = []
        for i in range(self.lanes):
            a, b, (kind, key) = [self.held(Pointer(self.buffers, at.offset + 8 * i), 8) for at in (x, y, n)]
            need((kind, key) == ('n', self.key_of(i)), 'each lane has its n')
            need(all(number.key in (key, None) for number in (a, b)), 'the numbers of lane %d are of its key' % i)
            found.append(Number(a.residue * b.residue * RADIX ** -1, key))
        for i, number in enumerate(found):
            self.machine.memory.store(Pointer(self.buffers, x.offset + 8 * i), number, 8)
            self.machine.memory.store(Pointer(self.buffers, scratch.offset + 8 * i), 'scratch', 8)

    def multiply(self, machine, arguments):
        self.times(*arguments)

    def square(self, machine, arguments):
        self.times(arguments[0], *arguments)

    def reduce(self, machine, arguments):
        number, lane = self.held(arguments[0], 8), self.lane_of(arguments[0])
        need(self.modulus_at(arguments[1], lane, arguments[2]) == number.key, 'a power modulo its own n')
        machine.memory.store(arguments[0], Number(number.residue, number.key, True), 8)

    def write(self, machine, arguments):
        i = int(arguments[0].region.removeprefix('em'))
        need(arguments[0].offset == 0 and i not in self.written, 'a message is written once')
        need(arguments[2].region == self.shapes[0].region and self.lane_of(arguments[1]) == i, 'all its bytes, of its lane')
        self.written[i] = self.held(arguments[1], 8)

    # The claim.

    def prove(self):
        machine, memory, lanes = self.machine, self.machine.memory, self.lanes
        self.results, keys, ems, signatures = [memory.region(name) for name in ('results', 'keys', 'ems', 'signatures')]
        memory.store(keys, self.keys, 8 * lanes)
        for at, name in ((ems, 'em'), (signatures, 'signature')):
            memory.store(at, [Pointer('%s%d' % (name, i)) for i in range(lanes)], 8 * lanes)
        machine.call(self.entry, [self.results, keys, ems, signatures])
        for i in range(lanes):
            wanted = self.in_range[i] if self.work[i] else 0
            result = vector(memory.load(Pointer(self.results.region, 4 * i), I32), 32)
            machine.prove(result == wanted, 'lane %d: one exactly where the signature is below n' % i)
            machine.prove((vector(wanted, 32) != 0) == z3.BoolVal(i in self.written), 'lane %d: its message is written exactly then' % i)
        for i, number in self.written.items():
            same(number.residue, unknown('s%d' % i, 65537), 'lane %d: the power is s^65537' % i)
            need(number.key == i and number.below_n, 'lane %d: it is below its n' % i)
        if any(self.work):
            need(self.buffers.startswith('power_%d.buffers' % (8 * self.size)), 'the size\'s own function is called')
            need(memory.sizes[self.buffers] == BUFFERS * self.bytes, 'the buffers hold all numbers')


def patterns(lanes):
    """All lanes for each size; with one idle, or of another size, or alone; and none."""
    yield from ((place, WORK * lanes, lane) for place in range(len(SHAPES)) for lane in range(place, lanes, 1 + 2 * place))
    for lane in range(lanes):
        for odd in (IDLE, OTHER):
            yield 0, WORK * lane + odd + WORK * (lanes - 1 - lane), (lane + 1) % lanes
        yield lane % 3, IDLE * lane + WORK + IDLE * (lanes - 1 - lane), lane
    yield 0, IDLE * lanes, 0


def run(file, place, pattern, lane):
    check = functools.partial(Power, file, place, pattern, lane)
    return '' if paths(lambda decisions: Machine(module(file), {}, decisions), lambda machine: check(machine).prove()) else ''


def proofs():
    for file, (lanes, entry, shapes) in FILES.items():
        parts = [('%d bytes, lanes %s, lane %d open' % (SHAPES[place][0], pattern, lane),
                  functools.partial(run, file, place, pattern, lane)) for place, pattern, lane in patterns(lanes)]
        header = 'rsa/rsa_muludq.h ' if shapes is SHAPES else 'rsa/rsa_ifma256.h '
        yield together('judge RSA, %d lanes, %s' % (lanes, file), parts, ['rsa/%s.c %s' % (file, entry)] + [
            'rsa/rsa_muludq_power.h ' + name for name in ('put_numbers', 'take_powers', 'power', 'powers')] + [
            header + 'key_modulus', header + 'key_r_squared'], quick=True)
