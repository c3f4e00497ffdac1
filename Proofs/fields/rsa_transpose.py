"""RSA: eight numbers, each in its own row, as eight lanes and back, for the vectors of each size: each word of the result."""
from fields.exchanges import Lanes
from integers.decisions import paths
from integers.words import Integers
from machine.values import Unproven
from registry import together

VECTORS = (5, 8, 10)
TEXT = ('#include "rsa/rsa_transpose.h"\n'
        'IFMA void to_lanes(uint64_t *lanes, const uint64_t *const *rows, size_t count) { lanes_from_rows(lanes, rows, count); }\n'
        'IFMA void to_rows(uint64_t *rows, const uint64_t *lanes, size_t count) { rows_from_lanes(rows, lanes, count); }\n')


def stored(k, at, vectors):
    """Exactly the eight numbers are written: nothing beside them."""
    words = sorted(offset for region, offset in k.memory.cells if region == at.region)
    if words != list(range(0, 512 * vectors, 8)):
        raise Unproven('not shown: eight numbers of %d vectors are written, and nothing else' % vectors)


def to_lanes(vectors):
    def one(context):
        k = Lanes(context, TEXT)
        pointers, words = k.rows(8 * vectors)
        at = k.memory.region('lanes')
        k.machine.call('@to_lanes', [at, pointers, context.constant(vectors, 64)])
        stored(k, at, vectors)
        for i in range(8 * vectors):
            for lane in range(8):
                k.same(k.lane(at, 64 * i, lane), words[lane][i], 'word %d of lane %d' % (i, lane))
    return one


def to_rows(vectors):
    def one(context):
        k = Lanes(context, TEXT)
        lanes, at = k.vectors(8 * vectors), k.memory.region('rows')
        k.machine.call('@to_rows', [at, k.place(lanes), context.constant(vectors, 64)])
        stored(k, at, vectors)
        for row in range(8):
            for i in range(8 * vectors):
                k.same(k.lane(at, 64 * vectors * row, i), lanes[i][row], 'word %d of row %d' % (i, row))
    return one


def proofs():
    parts = [('%s, %d vectors' % (make.__name__, vectors), lambda make=make, vectors=vectors: '' if paths(Integers, make(vectors)) else '')
             for make in (to_lanes, to_rows) for vectors in VECTORS]
    yield together('lanes RSA', parts, ['rsa/rsa_transpose.h lanes_from_rows', 'rsa/rsa_transpose.h rows_from_lanes'], quick=True)
