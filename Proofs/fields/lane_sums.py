"""The sum of the lanes: to each lane where the sum goes on, the point of the lane `distance` away is added. And lane zero alone."""
from fields.exchanges import Lanes, lanes_added
from integers.decisions import paths
from integers.words import Integers
from machine.values import Unproven
from registry import together

POINT = 20  # vectors: four coordinates of five digits
ED25519 = '#include "ed25519/verify_ifma.c"\nLANES void entry(point8 *p) { add_lanes_apart(p, %d); }\n'


def summed(text, routine, distance):
    """The lanes below `distance` get the point of the lane that is so much higher, whole: four, then two, then one."""
    def one(context):
        k = Lanes(context, text % distance, [routine])
        vectors, calls = k.vectors(POINT), []
        at = k.place(vectors)

        def added(machine, arguments):
            if (arguments[0].region, arguments[0].offset) != (at.region, at.offset):
                raise Unproven('the sum is another point')
            for i in range(POINT):
                for lane in range(distance):
                    k.same(k.lane(arguments[0], 64 * i, lane), vectors[i][lane], 'vector %d of the sum' % i)
                    k.same(k.lane(arguments[1], 64 * i, lane), vectors[i][lane + distance], 'vector %d of lane %d' % (i, lane))
            calls.append(1)
        k.machine.hooks[routine.split()[1]] = added
        k.machine.call('@entry', [at])
        if calls != [1]:
            raise Unproven('%d additions' % len(calls))
    return one


def lane_zero(context):
    k = Lanes(context, '#include "ed25519/verify_ifma.c"\nLANES void entry(fe51 *out, const fe8 *a) { lane_zero(out, a); }\n')
    vectors, out = k.vectors(5), k.memory.region('out')
    k.machine.call('@entry', [out, k.place(vectors)])
    for i in range(5):
        k.same(k.lane(out, 8 * i, 0), vectors[i][0], 'digit %d of lane zero' % i)


def proofs():
    runs = [('Ed25519, %d apart' % distance, summed(ED25519, 'ed25519/lanes_point.h point8_add_point', distance)) for distance in (4, 2, 1)]
    runs += [('P-256, %d apart' % distance, lanes_added('add_half_lanes', distance)) for distance in (4, 2)]
    runs.append(('lane_zero', lane_zero))
    yield together('lanes summed', [(name, lambda run=run: '' if paths(Integers, run) else '') for name, run in runs], [
        'ed25519/verify_ifma.c add_lanes_apart', 'ed25519/verify_ifma.c lane_zero', 'p256ifma/verify.c add_half_lanes'])
