"""The routines that move words between lanes, and those whose lanes differ in their signs: each place of the result, for all lanes."""
from contracts.unit import compiled
from integers.decisions import paths
from integers.polynomial import add, constant, value
from integers.words import Integers
from machine.machine import Machine
from machine.values import Pointer, Unproven, Word
from registry import Proof

P256, P25519 = 2**256 - 2**224 + 2**192 + 2**96 - 1, 2**255 - 19
WORD = 2**64 - 1
# Which lanes a mask negates: none, all, each alone, and two patterns. Lanes do not meet: no sign matters to another lane.
MASKS = [0, 0xff, 0xa5, 0x5a] + [1 << lane for lane in range(8)]


class Lanes:
    def __init__(self, context, text, outside=()):
        self.context, self.machine = context, Machine(compiled(text, (), tuple(outside)), context)
        self.memory = self.machine.memory

    def vectors(self, count, most=WORD):
        """Vectors with different words in every lane."""
        return [[self.context.variable('v%d_%d' % (i, lane), 0, most) for lane in range(8)] for i in range(count)]

    def place(self, vectors):
        at = self.memory.region('in')
        for i, vector in enumerate(vectors):
            self.memory.store(Pointer(at.region, 64 * i), [Word(x, 64) for x in vector], 64)
        return at

    def rows(self, count):
        """Eight rows of so many words, and pointers to them."""
        words = [[self.context.variable('row%d_%d' % (row, i), 0, WORD) for i in range(count)] for row in range(8)]
        pointers = self.memory.region('rows')
        for row in range(8):
            at = self.memory.region('row')
            for i, x in enumerate(words[row]):
                self.memory.store(Pointer(at.region, 8 * i), Word(x, 64), 8)
            self.memory.store(Pointer(pointers.region, 8 * row), at, 8)
        return pointers, words

    def lane(self, at, offset, lane):
        return self.context.unsigned(self.memory.load(Pointer(at.region, at.offset + offset + 8 * lane), ('i', 64)))

    def number(self, at, digits, bits, lane, offset=0):
        return value([self.lane(at, offset + 64 * i, lane) for i in range(digits)], bits)

    def same(self, p, q, what):
        if not self.context.is_zero(add(p, q, -1)):
            raise Unproven('not shown: ' + what)


def transposed(context):
    k = Lanes(context, '#include "transpose.h"\n__attribute__((target("avx512f"))) void entry(__m512i *square) { transpose(square); }\n')
    vectors = k.vectors(8)
    at = k.place(vectors)
    k.machine.call('@entry', [at])
    for i in range(8):
        for lane in range(8):
            k.same(k.lane(at, 64 * i, lane), vectors[lane][i], 'word %d of lane %d' % (i, lane))


def transposed_words(context):
    k = Lanes(context, '#include "ed25519/lanes_rows.h"\n'
              'LANES void entry(__m512i *words, const uint64_t *const *rows) { transpose_words(words, rows); }\n')
    pointers, words = k.rows(4)
    at = k.memory.region('out')
    k.machine.call('@entry', [at, pointers])
    for i in range(4):
        for lane in range(8):
            k.same(k.lane(at, 64 * i, lane), words[lane][i], 'word %d of row %d' % (i, lane))


def digits_of_rows(context):
    k = Lanes(context, '#include "ed25519/lanes_rows.h"\n'
              'LANES void entry(fe8 *a, const uint64_t *const *rows) { fe8_from_rows(a, rows); }\n')
    pointers, words = k.rows(4)
    for row in words:
        context.nonnegative.append(add(constant(2**255 - 1), value(row, 64), -1))
    at = k.memory.region('out')
    k.machine.call('@entry', [at, pointers])
    for lane in range(8):
        k.same(k.number(at, 5, 51, lane), value(words[lane], 64), 'the number of lane %d' % lane)
        for i in range(5):
            if not context.at_most(k.lane(at, 64 * i, lane), 2**51 - 1):
                raise Unproven('digit %d of lane %d' % (i, lane))


def some_negated(mask):
    def one(context):
        k = Lanes(context, '#include "ed25519/lanes_rows.h"\n'
                  'LANES void entry(fe8 *a, uint8_t negative) { fe8_negate_some(a, negative); }\n')
        digits = k.vectors(5, 2**51 - 1)
        at = k.place(digits)
        k.machine.call('@entry', [at, context.constant(mask, 8)])
        for lane in range(8):
            before, after = value([vector[lane] for vector in digits], 51), k.number(at, 5, 51, lane)
            if not context.is_multiple(add(after, before, 1 if mask >> lane & 1 else -1), P25519):
                raise Unproven('the sign of lane %d of the mask %#x' % (lane, mask))
            if any(context.range(k.lane(at, 64 * i, lane))[1] >= 2**52 for i in range(5)):
                raise Unproven('a digit of lane %d reaches 2^52' % lane)
    return one


def rows_loaded(mask):
    def one(context):
        k = Lanes(context, '#include "p256ifma/rows8.h"\n'
                  'CJWT_IFMA void entry(affine8 *q, const uint64_t *const *rows, uint8_t negative) { rows8_load(q, rows, negative); }\n')
        pointers, words = k.rows(8)
        for row in words:  # coordinates below p, and y is not zero
            context.nonnegative += [add(constant(P256 - 1), value(row[:4], 64), -1), add(constant(P256 - 1), value(row[4:], 64), -1),
                                    add(value(row[4:], 64), constant(1), -1)]
        at = k.memory.region('out')
        k.machine.call('@entry', [at, pointers, context.constant(mask, 8)])
        for lane in range(8):
            y = value(words[lane][4:], 64)
            k.same(k.number(at, 5, 52, lane), value(words[lane][:4], 64), 'x of lane %d' % lane)
            signed = add(constant(P256), y, -1) if mask >> lane & 1 else y
            k.same(k.number(at, 5, 52, lane, 320), signed, 'y of lane %d, mask %#x' % (lane, mask))
            for i in range(10):
                if not context.at_most(k.lane(at, 64 * i, lane), 2**52 - 1):
                    raise Unproven('digit %d of lane %d' % (i, lane))
    return one


def exchanged(context):
    """Ed25519's sum of lanes: lane i gets lane i + distance in the lanes below the distance, where the sum goes on."""
    k = Lanes(context, '#include "ed25519/verify_ifma.c"\n' + ''.join(
        'LANES void by%d(__m512i *a) { *a = exchanged(*a, %d); }\n' % (distance, distance) for distance in (4, 2, 1)))
    for distance in (4, 2, 1):
        vector = k.vectors(1)
        at = k.place(vector)
        k.machine.call('@by%d' % distance, [at])
        for lane in range(distance):
            k.same(k.lane(at, 0, lane), vector[0][lane + distance], 'lane %d of distance %d' % (lane, distance))


def lanes_added(routine, distance):
    """P-256's sum of lanes: each lane is crossed with the one whose number differs in the bits of the distance, and joined by it.

    That lane was crossed with this one, so what it got is what this one needs.
    """
    def one(context):
        text = '#include "p256ifma/verify.c"\nCJWT_IFMA void entry(point8 *sum) { %s(sum, %d); }\n' % (routine, distance)
        k = Lanes(context, text, ['p256ifma/point8.h point8_cross', 'p256ifma/point8.h point8_join'])
        point, products, calls = k.vectors(20), k.vectors(10), []

        def check(at, offset, vectors, other, what):
            for i, vector in enumerate(vectors):
                for lane in range(8):
                    k.same(k.lane(at, offset + 64 * i, lane), vector[lane ^ distance if other else lane], '%s of lane %d' % (what, lane))

        def cross(machine, arguments):
            u, s, mine, zz, zzz = arguments
            check(mine, 0, point[:10], False, 'x and y')
            check(zz, 0, point[10:15], True, 'zz')
            check(zzz, 0, point[15:], True, 'zzz')
            for at, vectors in ((u, products[:5]), (s, products[5:])):
                for i, vector in enumerate(vectors):
                    k.memory.store(Pointer(at.region, at.offset + 64 * i), [Word(x, 64) for x in vector], 64)
            calls.append('cross')

        def join(machine, arguments):
            mine, crossed = arguments
            check(mine, 0, point, False, 'the point')
            for offset, other in ((0, False), (640, True)):
                check(crossed, offset, products, other, 'a product')
            check(crossed, 1280, point[10:], True, 'zz or zzz')
            calls.append('join')
        k.machine.hooks.update({'point8_cross': cross, 'point8_join': join})
        k.machine.call('@entry', [k.place(point)])
        if calls != ['cross', 'join']:
            raise Unproven('a cross and a join, not %s' % calls)
    return one


def lanes_kept(mask):
    def one(context):
        k = Lanes(context, '#include "p256ifma/verify8.c"\n'
                  'CJWT_IFMA void entry(point8 *p, const point8 *before, uint8_t kept) { keep_lanes(p, before, kept); }\n')
        new, old = k.vectors(20), k.vectors(20)
        at = k.place(new)
        k.machine.call('@entry', [at, k.place(old), context.constant(mask, 8)])
        for i in range(20):
            for lane in range(8):
                k.same(k.lane(at, 64 * i, lane), (old if mask >> lane & 1 else new)[i][lane], 'vector %d of lane %d' % (i, lane))
    return one


def proof(name, covers, *runs):
    def prove():
        for run in runs:
            paths(Integers, run)
        return '%d parts' % len(runs)
    return Proof('lanes ' + name, prove, covers, quick=len(runs) == 1)


def proofs():
    ed25519 = 'ed25519/lanes_rows.h '
    yield proof('transpose', ['transpose.h transpose'], transposed)
    yield proof('transpose_words', [ed25519 + 'transpose_words', ed25519 + 'two_rows'], transposed_words)
    yield proof('fe8_from_rows', [ed25519 + 'fe8_from_rows', ed25519 + 'joined_digit'], digits_of_rows)
    yield proof('fe8_negate_some', [ed25519 + 'fe8_negate_some'], *map(some_negated, MASKS))
    yield proof('rows8_load', ['p256ifma/rows8.h rows8_load'], *map(rows_loaded, (0, 0xff, 0xa5)))
    yield proof('exchanged', ['ed25519/verify_ifma.c exchanged'], exchanged)
    yield proof('add_lanes', ['p256ifma/verify.c add_lanes'], *[lanes_added('add_lanes', distance) for distance in (4, 2, 1)])
    yield proof('keep_lanes', ['p256ifma/verify8.c keep_lanes'], *map(lanes_kept, (0, 0xff, 0xa5)))
