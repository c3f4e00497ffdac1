"""P-384 and P-521 in lanes: rows as digits, each in its lane; the sum of lanes; and lanes that keep their point."""
from constants.curves import P384, P521
from fields.exchanges import Lanes
from integers.decisions import paths
from integers.polynomial import add, constant, value
from integers.words import Integers
from machine.values import Unproven
from registry import together

DIGITS = {P384: 8, P521: 11}
MASKS = (0, 0xff, 0xa5)


def text(curve, body):
    return '#include "nistifma/%s_ifma.c"\nNIST_LANES void entry%s\n' % (curve.kernel, body)


def rows_loaded(curve, mask):
    """The digits of x, and of y or 4 p - y."""
    digits, words = DIGITS[curve], curve.limbs

    def one(context):
        k = Lanes(context, text(curve, '(affine8 *q, const affine *const *rows, uint8_t negative) { rows8_load(q, rows, negative); }'))
        pointers, rows = k.rows(2 * words)
        for row in rows:
            for part in (row[:words], row[words:]):
                if curve.most is None:
                    context.nonnegative.append(add(constant(curve.p - 1), value(part, 64), -1))
                else:
                    context.nonnegative += [add(constant(curve.most - 1), digit, -1) for digit in part]
        at = k.memory.region('out')
        k.machine.call('@entry', [at, pointers, context.constant(mask, 8)])
        for lane in range(8):
            x, y = [value(part, curve.digit) for part in (rows[lane][:words], rows[lane][words:])]
            k.same(k.number(at, digits, 52, lane), x, 'x of lane %d' % lane)
            signed = add(constant(4 * curve.p), y, -1) if mask >> lane & 1 else y
            k.same(k.number(at, digits, 52, lane, 64 * digits), signed, 'y of lane %d, mask %#x' % (lane, mask))
            for i in range(2 * digits):
                if not context.at_most(k.lane(at, 64 * i, lane), 2**52 - 1):
                    raise Unproven('digit %d of lane %d' % (i, lane))
    return one


def lanes_added(curve, distance):
    vectors_of_point = 4 * DIGITS[curve]

    def one(context):
        k = Lanes(context, text(curve, '(point8 *sum) { add_lanes(sum, %d); }' % distance), ['nistifma/point8.h point8_add'])
        vectors, seen = k.vectors(vectors_of_point), []

        def added(machine, arguments):
            for i in range(vectors_of_point):
                for lane in range(8):
                    k.same(k.lane(arguments[0], 64 * i, lane), vectors[i][lane], 'vector %d of the sum' % i)
                    k.same(k.lane(arguments[1], 64 * i, lane), vectors[i][lane ^ distance], 'vector %d of lane %d' % (i, lane))
            seen.append(1)
        k.machine.hooks['point8_add'] = added
        k.machine.call('@entry', [k.place(vectors)])
        if seen != [1]:
            raise Unproven('%d additions' % len(seen))
    return one


def lanes_kept(curve, mask):
    def one(context):
        k = Lanes(context, text(curve, '(point8 *p, const point8 *before, uint8_t kept) { keep_lanes(p, before, kept); }'))
        new, old = k.vectors(4 * DIGITS[curve]), k.vectors(4 * DIGITS[curve])
        at = k.place(new)
        k.machine.call('@entry', [at, k.place(old), context.constant(mask, 8)])
        for i in range(4 * DIGITS[curve]):
            for lane in range(8):
                k.same(k.lane(at, 64 * i, lane), (old if mask >> lane & 1 else new)[i][lane], 'vector %d of lane %d' % (i, lane))
    return one


def proofs():
    for curve in (P384, P521):
        runs = [('rows8_load, mask %#x' % mask, rows_loaded(curve, mask)) for mask in MASKS]
        runs += [('add_lanes, %d apart' % distance, lanes_added(curve, distance)) for distance in (4, 2, 1)]
        runs += [('keep_lanes, mask %#x' % mask, lanes_kept(curve, mask)) for mask in MASKS]
        yield together('lanes of %s' % curve.name, [(name, lambda run=run: '' if paths(Integers, run) else '') for name, run in runs], [
            'nistifma/rows8.h rows8_load', 'nistifma/rows8.h load_rows', 'nistifma/rows8.h load_words', 'nistifma/rows8.h fe8_negate_lanes',
            'nistifma/kernel.h add_lanes', 'nistifma/plan.h keep_lanes'])
