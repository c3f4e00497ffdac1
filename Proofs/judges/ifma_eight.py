"""P-256 in lanes, eight tokens: what each lane reads, its inverse of s, and its verdict."""
import z3

from calls.machine import paths
from constants.curves import P256
from judges.ifma import REFUSED, UNDECIDED, make, verdict_of, word32
from machine.values import Pointer
from points.residue import Residue, need, same, unknowns
from recoding.words import unknown, vector
from registry import together

I32, I64 = ('i', 32), ('i', 64)
E, R, S, INVERSE, PRESENT, LIVE = 0, 256, 512, 768, 1024, 1025  # the offsets of a batch's parts


def verdicts(lane, machine):
    """The lane's own verdict: undecided without a token, refused out of range. The other lanes are idle here."""
    result, plan, batch = [machine.memory.region(name) for name in ('verdicts', 'plan', 'batch')]
    bits = {name: z3.BitVec(name, 1) for name in ('exceptional', 'equal', 'present', 'live')}
    masks = {name: z3.Concat(*[bit if i == lane else z3.BitVecVal(0, 1) for i in reversed(range(8))]) for name, bit in bits.items()}
    machine.memory.store(Pointer(batch.region, PRESENT), masks['present'], 1)
    machine.memory.store(Pointer(batch.region, LIVE), masks['live'], 1)
    lanes = []

    def compare_all(machine, arguments):
        machine.memory.store(arguments[2], masks['exceptional'], 1)
        return masks['equal']
    machine.routines.update({
        'sum_plan': lambda machine, arguments: None, 'p256_judge': compare_all,
        'p256_lane_r_set': lambda machine, arguments: lanes.append((arguments[1], arguments[2].offset))})
    machine.call('judge', [result, plan, batch])
    need(lanes == [(i, R + 32 * i) for i in range(8)], 'each lane has the r of its signature')
    wanted = z3.If(bits['present'] == 0, word32(UNDECIDED), z3.If(bits['live'] == 0, word32(REFUSED),
                                                                 verdict_of(bits['exceptional'] == 1, bits['equal'] == 1)))
    machine.prove_all([(vector(machine.memory.load(Pointer(result.region, 4 * i), I32), 32) == (wanted if i == lane else UNDECIDED),
                        'the verdict of lane %d' % i) for i in range(8)])


def read_lane(lane, machine):
    """A signature out of range leaves r = s = 1, and the lane is not live."""
    batch, digest, signature = [machine.memory.region(name) for name in ('batch', 'hash', 'signature')]
    before, in_range = z3.BitVec('before', 8), unknown('in_range', 2, 32)
    machine.memory.store(Pointer(batch.region, LIVE), before, 1)

    def read(machine, arguments):
        number = arguments[1].offset // 32
        need(arguments[1].region == signature.region and arguments[0].offset == (R, S)[number] + 32 * lane, 'r and s of the lane')
        machine.memory.store(arguments[0], unknown('rs'[number], 4), 32)
        return in_range[number]
    machine.routines.update({
        'p256_scalar_read': read, 'number_read': lambda machine, arguments: need(arguments[0].offset == E + 32 * lane and
                                                                               arguments[1].region == digest.region, 'the hash')})
    machine.call('read_lane', [batch, lane, digest, signature])
    live = vector(machine.memory.load(Pointer(batch.region, LIVE), ('i', 8)), 8)
    both = z3.And(in_range[0] != 0, in_range[1] != 0)
    claims = [(live == z3.If(both, before | 1 << lane, before), 'live exactly where both are in range')]
    for at, name in ((R + 32 * lane, 'r'), (S + 32 * lane, 's')):
        for j, word in enumerate(unknown(name, 4)):
            if (at + 8 * j) in machine.memory.of(batch.region):
                held = vector(machine.memory.load(Pointer(batch.region, at + 8 * j), I64))
                claims.append((held == z3.If(both, word, z3.BitVecVal(int(j == 0), 64)), '%s or one' % name))
            else:
                claims.append((z3.BoolVal(False), '%s has a value' % name))
    machine.prove_all(claims)


def invert_all(machine):
    """s_inverse[i] is R / s[i], from one inverse; without it nothing is computed."""
    n = P256.n
    symbols, radix = unknowns(n, ' '.join('s%d' % i for i in range(8))), unknowns(n, 'R')[0]
    batch, certified = machine.memory.region('batch'), z3.BitVec('certified', 32)
    for i, symbol in enumerate(symbols):
        machine.memory.store(Pointer(batch.region, S + 32 * i), symbol, 32)

    def get(at):
        value = machine.memory.of(at.region)[at.offset][0]
        need(isinstance(value, Residue), 'a scalar')
        return value

    def multiply(machine, arguments):
        machine.memory.store(arguments[0], get(arguments[1]) * get(arguments[2]) * radix ** -1, 32)

    def inverse(machine, arguments):
        machine.memory.store(arguments[0], get(arguments[1]) ** -1 * radix, 32)
        return certified
    machine.routines.update({'p256_scalar_multiply': multiply, 'p256_scalar_inverse': inverse})
    answer = machine.call('invert_all', [batch])
    if answer == 0:
        machine.prove(certified == 0, 'zero where the inverse is not certified')
        return
    machine.prove(certified != 0, 'one with a certified inverse')
    for i, symbol in enumerate(symbols):
        same(get(Pointer(batch.region, INVERSE + 32 * i)), symbol ** -1 * radix, 'lane %d has R / s' % i)


def verify8(machine):
    """Without a certified inverse all lanes are undecided; with one, each lane is placed and judged."""
    result, tables, hashes, signatures = [machine.memory.region(name) for name in ('verdicts', 'tables', 'hashes', 'signatures')]
    machine.memory.store(tables, [Pointer('@key%d' % i) for i in range(8)], 64)
    certified, placed, judged = z3.BitVec('certified', 32), [], []
    machine.routines.update({
        'read_batch': lambda machine, arguments: None, 'invert_all': lambda machine, arguments: certified,
        'place_lane': lambda machine, arguments: placed.append((arguments[2], arguments[3].region)),
        'judge': lambda machine, arguments: judged.append(arguments[0].region)})
    machine.call('cjwt_p256_ifma_verify8', [result, tables, hashes, signatures])
    if judged:
        machine.prove(certified != 0, 'a verdict only with a certified inverse')
        need(placed == [(i, '@key%d' % i) for i in range(8)] and judged == [result.region], 'each lane has its key')
        return
    machine.prove(certified == 0, 'every lane is judged')
    need(machine.memory.load(result, ('arr', 8, I32)) == [UNDECIDED] * 8, 'all lanes are undecided')


def place_lane(lane, machine):
    """u1 = e / s over the generator's table, then u2 = r / s over the key's; an idle lane has the generator's."""
    plan, batch, key = [machine.memory.region(name) for name in ('plan', 'batch', 'key')]
    machine.memory.store(Pointer(key.region, 4), machine.windows, 4)
    places, ends, count = [], 96 * 64 + 128, 96 * 64 + 192
    before = z3.BitVec('count', 64)
    machine.memory.store(Pointer(plan.region, count), before, 8)

    def multiply(machine, arguments):
        need(arguments[1].region == batch.region and arguments[2].offset == INVERSE + 32 * lane, 'the inverse of the lane')
        machine.memory.store(arguments[0], {E: 'u1', R: 'u2'}[arguments[1].offset - 32 * lane], 32)

    def place(machine, arguments):
        places.append((arguments[1], arguments[2], arguments[3].region, machine.memory.of(arguments[4].region)[arguments[4].offset][0]))
        return z3.BitVec('signs%d' % len(places), 64)
    machine.routines.update({'p256_scalar_multiply': multiply, 'p256_place': place,
                             'p256_generator_table': lambda machine, arguments: Pointer('@generator')})
    machine.call('place_lane', [plan, batch, lane, key])
    need(places == [(lane, 8, '@generator', 'u1'), (256 + lane, 8, key.region, 'u2')], 'the rows of u1 G, then those of u2 Q, in the lane')
    end = 32 + machine.windows
    need(machine.memory.load(Pointer(plan.region, ends + 8 * lane), I64) == end, 'the lane ends after its points')
    after = vector(machine.memory.load(Pointer(plan.region, count), I64))
    machine.prove(after == z3.If(z3.UGT(end, before), z3.BitVecVal(end, 64), before), 'all lanes run as long as the longest')
    for at, number in ((96 * 64, 1), (96 * 64 + 64, 2)):
        need(str(machine.memory.load(Pointer(plan.region, at + 8 * lane), I64)) == 'signs%d' % number, 'the signs of generator and key')
    for i in range(end, 96):
        row = machine.memory.load(Pointer(plan.region, 64 * i + 8 * lane), ('ptr',))
        need(row.region == '@generator' and row.offset == 64, 'a row in every step after the end')


def read_batch(machine):
    """Present exactly the lanes with a table; a lane without one is read from zeros, so r and s are out of range."""
    regions = batch, tables, hashes, signatures = [machine.memory.region(name) for name in ('batch', 'tables', 'hashes', 'signatures')]
    machine.memory.store(tables, [Pointer('null', 0) if i == machine.empty else Pointer('@key%d' % i) for i in range(8)], 64)
    for at, name in ((hashes, 'hash'), (signatures, 'signature')):
        machine.memory.store(at, [Pointer('@%s%d' % (name, i)) for i in range(8)], 64)
    lanes = []
    machine.routines['read_lane'] = lambda machine, arguments: lanes.append((arguments[1], arguments[2].region, arguments[3].region))
    machine.call('read_batch', regions)
    nothing = '@read_batch.nothing'
    need(lanes == [(i, nothing, nothing) if i == machine.empty else (i, '@hash%d' % i, '@signature%d' % i) for i in range(8)],
         'each lane is read')
    need(machine.memory.load(Pointer(batch.region, PRESENT), ('i', 8)) == (0xff if machine.empty is None else 0xff & ~(1 << machine.empty)),
         'the lanes with a table are present')
    need(machine.memory.load(Pointer(batch.region, LIVE), ('i', 8)) == 0, 'no lane is live before it is read')


def run(check, **marks):
    return lambda: '' if paths(make('verify8', **marks), check) else ''


def proofs():
    parts = [('invert_all', run(invert_all)), ('verify8', run(verify8))]
    for lane in range(8):
        parts += [('%s, lane %d' % (check.__name__, lane), run(lambda machine, check=check, lane=lane: check(lane, machine)))
                  for check in (read_lane, verdicts)]
        parts += [('place_lane, %d windows, lane %d' % (windows, lane), run(
            lambda machine, lane=lane: place_lane(lane, machine), windows=windows)) for windows in (32, 64)]
    parts += [('read_batch', run(read_batch, empty=empty)) for empty in (None, *range(8))]
    yield together('judge P-256 in lanes, eight tokens', parts, ['p256ifma/verify8.c ' + name for name in (
        'read_batch', 'read_lane', 'invert_all', 'place_lane', 'judge', 'cjwt_p256_ifma_verify8')], quick=True)
