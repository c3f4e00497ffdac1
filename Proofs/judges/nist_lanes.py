"""P-384 and P-521 in lanes: the plan of rows, its sum, the comparison of x with r, and the verdicts of one token and of eight.

All arithmetic and the recoding (`terms_of`, which `recoding` proves) are calls.
"""
import z3

from calls.loops import Loop, get_local, set_local
from calls.machine import Machine, paths
from machine.values import Pointer
from points.nist_lanes import CURVES, Field, module
from points.residue import Residue, need, number, same, unknowns
from recoding.words import joined, unknown, vector
from registry import together

REFUSED, ACCEPTED, UNDECIDED = 0, 1, 2
I8, I32, I64, PTR, LANES = ('i', 8), ('i', 32), ('i', 64), ('ptr',), ('vec', 8, ('i', 64))


def word32(n):
    return z3.BitVecVal(n, 32)


class Sizes:
    """The offsets of a plan, a batch and the candidates."""

    def __init__(self, curve):
        self.terms, self.words = -(-curve.bits // 4), 8 * curve.limbs
        self.steps = 2 * self.terms
        self.negative, self.active = 64 * self.steps, 65 * self.steps
        self.count = -(-66 * self.steps // 4) * 4
        self.r, self.s, self.inverse = [8 * i * self.words for i in (1, 2, 3)]
        self.present = 32 * self.words
        self.also = 8 * self.words


# The plan.

def plan_clear(curve):
    """No step has a lane, and every lane has a row."""
    at, machine = Sizes(curve), Machine(module(curve), {})
    plan = machine.memory.region('plan')
    machine.call('plan_clear', [plan, Pointer('row')])
    cells = machine.memory.load(plan, ('arr', 8 * at.steps, PTR))
    need(all(cell.region == 'row' for cell in cells), 'every place has the row')
    need(machine.memory.load(Pointer(plan.region, at.negative), ('arr', 2 * at.steps, I8)) == [0] * (2 * at.steps), 'no lane is active')
    need(machine.memory.load(Pointer(plan.region, at.count), I32) == 0, 'no step')


def plan_place_begins(curve, machine):
    loop = Loop(module(curve), 'plan_place', 0)
    first = z3.BitVec('first', 32)
    registers = loop.arrive(machine, [Pointer('plan'), first, z3.BitVec('stride', 32), Pointer('list')])
    need(get_local(machine, registers, loop.counter()[1:], I32) == 0, 'the first row of the list')
    machine.prove(get_local(machine, registers, 'place', I32) == first, 'at the first place')


def plan_place(curve, machine):
    """A turn: row i goes to step place / 8, lane place % 8, with its sign; the next row goes `stride` places further."""
    at, loop = Sizes(curve), Loop(module(curve), 'plan_place', 0)
    registers = loop.locals(machine)
    i, place, stride, count, steps = [z3.BitVec(name, 32) for name in ('i', 'place', 'stride', 'listed', 'steps')]
    before, read = {at.negative: z3.BitVec('negative', 8), at.active: z3.BitVec('active', 8)}, []
    machine.assume(z3.And(i >= 0, i <= count, count <= at.terms, place >= 0, place < 8 * at.steps, stride >= 1, stride <= 8, steps >= 0))

    def of_list(offset, kind):
        if isinstance(offset, int) and offset == 0:
            return count
        read.append((kind, offset))
        return Pointer('row', 0) if kind == PTR else z3.BitVec('mask', 64)

    def of_plan(offset, kind):
        if kind == I32:
            need(offset == at.count, 'the count of steps')
            return counted[-1]
        start = [start for start in before if not machine.refutes(offset == start + z3.SignExt(32, place / 8))]
        need(kind == I8 and len(start) == 1, 'a byte of the step')
        return before[start[0]]
    counted = [steps]
    machine.memory.readers.update({'list': of_list, 'plan': of_plan})
    machine.memory.cells['plan'] = {}
    for name, value, kind in (('p.addr', Pointer('plan'), PTR), ('list.addr', Pointer('list'), PTR), ('stride.addr', stride, I32),
                              ('place', place, I32), (loop.counter()[1:], i, I32)):
        set_local(machine, registers, name, value, kind)
    if not loop.turn(machine, registers):
        machine.prove(i >= count, 'every row of the list is placed')
        return
    machine.prove(i < count, 'no row after the end')
    place64, index = z3.SignExt(32, place), z3.SignExt(32, i)
    step, lane = place64 / 8, place64 % 8
    need({kind for kind, _ in read} == {PTR, I64}, 'the row and its mask')
    wanted = {PTR: 8 + 8 * index, I64: 8 + 8 * at.terms + 8 * index}
    claims = [(offset == wanted[kind], 'row and mask %s of the list' % (kind,)) for kind, offset in read]
    bit = z3.Extract(7, 0, z3.BitVecVal(1, 64) << lane)
    stores = [(vector(place_.offset), value, size) for place_, value, size in machine.memory.unplaced if place_.region == 'plan']
    rows = [store for store in stores if store[2] == 8]
    octets = [store for store in stores if store[2] == 1]
    need(len(rows) == 1 and rows[0][1].region == 'row' and len(octets) == 2, 'a row and two bytes are stored')
    claims.append((rows[0][0] == 64 * step + 8 * lane, 'the row is at its place'))
    sign = z3.If(z3.BitVec('mask', 64) & 1 == 1, bit, z3.BitVecVal(0, 8))
    for (offset, value, _), start, added in zip(octets, (at.negative, at.active), (sign, bit)):
        claims += [(offset == start + step, 'the byte of the step'), (vector(value, 8) == before[start] | added, 'the bit of the lane')]
    after = machine.memory.of('plan').get(at.count, (steps, 4))[0]
    claims.append((vector(after, 32) == z3.If(place / 8 >= steps, place / 8 + 1, steps), 'the count of steps'))
    claims.append((get_local(machine, registers, 'place', I32) == place + stride, 'the next place'))
    machine.prove_all(claims)
    machine.prove(get_local(machine, registers, loop.counter()[1:], I32) == i + 1, 'the next row')


class Sum:
    """What a point holds: a sum of rows of steps, by name."""

    def __init__(self, *parts):
        self.parts = parts


def plan_sum(curve, machine):
    """The first step begins the sum; then, turn by turn, a step is added where its lanes are active, and the others keep their sum."""
    field, at = Field(curve), Sizes(curve)
    point, row = 4 * field.size, 2 * field.size
    loop = Loop(module(curve), 'plan_sum', 0)
    step = z3.BitVec('step', 32)
    kept, calls = [], []

    def held(place):
        return machine.memory.of(place.region)[place.offset][0]

    def load(machine, arguments):
        rows, negative = arguments[1], arguments[2]
        machine.memory.store(arguments[0], ('row', rows.region, vector(rows.offset), vector(negative, 8)), row)

    def begin(machine, arguments):
        machine.memory.store(arguments[0], Sum(held(arguments[1])), point)

    def add(machine, arguments):
        calls.append('add')
        machine.memory.store(arguments[0], Sum(*held(arguments[0]).parts, held(arguments[1])), point)

    def keep(machine, arguments):
        kept.append((held(arguments[1]).parts, vector(arguments[2], 8), arguments[0].region))

    def unscale(machine, arguments):
        calls.append('unscale')

    def of_plan(offset, kind):
        if kind == I32:
            return z3.BitVec('count', 32)
        index = (vector(offset) - at.negative) if not machine.refutes(vector(offset) == at.negative + index64) else None
        if index is not None:
            return z3.BitVec('negative', 8)
        machine.prove(vector(offset) == at.active + index64, 'the active lanes of the step')
        return z3.BitVec('active', 8)
    machine.routines.update({'rows8_load': load, 'point8_set': begin, 'point8_add_affine': add, 'keep_lanes': keep,
                             'point8_unscale': unscale})
    machine.memory.readers['plan'] = of_plan
    total = machine.memory.region('total')
    if machine.begins:
        index64 = z3.BitVecVal(0, 64)
        registers = loop.arrive(machine, [total, Pointer('plan')])
        (name, region, offset, negative), = held(total).parts
        machine.prove(z3.And(offset == 0, negative == z3.BitVec('negative', 8)), 'the rows and signs of the first step')
        need(region == 'plan' and get_local(machine, registers, loop.counter()[1:], I32) == 1, 'step 1 follows')
        return
    index64 = z3.SignExt(32, step)
    machine.assume(z3.And(step >= 1, step <= at.steps, z3.BitVec('count', 32) <= at.steps))
    registers = loop.locals(machine)
    machine.memory.store(total, Sum('earlier'), point)
    for name, value, kind in (('sum.addr', total, PTR), ('p.addr', Pointer('plan'), PTR), (loop.counter()[1:], step, I32)):
        set_local(machine, registers, name, value, kind)
    if not loop.turn(machine, registers):
        machine.prove(step >= z3.BitVec('count', 32), 'every step is summed')
        need(calls == ['unscale'], 'ZZ and ZZZ are divided by c')
        return
    earlier, (name, region, offset, negative) = held(total).parts
    need(calls == ['add'] and earlier == 'earlier' and region == 'plan', 'one addition')
    machine.prove_all([(offset == 64 * index64, 'the rows of the step'), (negative == z3.BitVec('negative', 8), 'their signs')])
    active = z3.BitVec('active', 8)
    if kept:
        (parts, mask, changed), = kept
        need(parts == ('earlier',) and changed == total.region, 'the sum before the step is kept')
        machine.prove(mask == ~active, 'in the lanes that are not active')
    else:
        machine.prove(active == 0xff, 'all lanes are active')
    machine.prove(get_local(machine, registers, loop.counter()[1:], I32) == step + 1, 'the next step follows')


# Comparison.

def candidates_set(curve, lane, machine):
    """r; and r + n where that is below p, else r again."""
    words, at = unknown('r', curve.limbs), Sizes(curve)
    r = z3.ZeroExt(1, joined(words))
    machine.assume(z3.ULT(r, curve.n))
    lanes, source = machine.memory.region('candidates'), machine.memory.region('r')
    machine.memory.store(source, words, at.words)
    machine.call('candidates_set', [lanes, lane, source])
    first, second = [z3.ZeroExt(1, joined([machine.memory.load(Pointer(lanes.region, start + 64 * j + 8 * lane), I64)
                                           for j in range(curve.limbs)])) for start in (0, at.also)]
    machine.prove_all([(first == r, 'the first candidate is r'),
                       (second == z3.If(z3.ULT(r + curve.n, curve.p), r + curve.n, r), 'the second is r + n where that is below p')])


def equals_x(curve):
    """Zero exactly for X = r ZZ: no factor of both sides is a multiple of p."""
    field = Field(curve)
    machine = Machine(module(curve), field.routines())
    x, zz, r = unknowns(curve.p, 'X ZZ r')
    total, lanes = machine.memory.region('sum'), machine.memory.region('r')
    for i, value in ((0, x), (2, zz)):
        field.put(machine, Pointer(total.region, i * field.size), value, field.bounds[i])
    inverse = number(curve.p, pow(field.radix, -1, curve.p))
    looked = []

    def from_plain(machine, arguments):
        loaded = [machine.memory.load(Pointer(arguments[1].region, 64 * j), LANES)[0] for j in range(curve.limbs)]
        need(loaded == [(lanes.region, j) for j in range(curve.limbs)], 'the words of r')
        field.put(machine, arguments[0], r * inverse, (1 << (64 * curve.limbs)) - 1 if curve.most is None else curve.p)

    def is_zero(machine, arguments):
        element = field.get(machine, arguments[0])
        need(element.high < 4 * curve.p, 'fe8_is_zero takes less than 4 p')
        looked.append(element.residue)
        return 0x5a
    machine.routines.update({'_mm512_load_si512': lambda machine, arguments: [(arguments[0].region, arguments[0].offset // 64)] * 8,
                             'fe8_from_plain': from_plain, 'fe8_is_zero': is_zero})
    need(machine.call('equals_x', [total, lanes]) == 0x5a and len(looked) == 1, 'one comparison decides')
    same(looked[0], (x - r * zz) * inverse, 'zero exactly for X = r ZZ')


def judge(curve):
    """The lanes where ZZ is zero are exceptional; those where X is one of the candidates times ZZ are equal."""
    machine, looked, at = Machine(module(curve), {}), [], Sizes(curve)
    total, lanes, exceptional = [machine.memory.region(name) for name in ('sum', 'candidates', 'exceptional')]

    def is_zero(machine, arguments):
        need((arguments[0].region, arguments[0].offset) == (total.region, 2 * Field(curve).size), 'ZZ of the sum')
        return 0x11

    def equals(machine, arguments):
        looked.append(arguments[1].offset)
        need(arguments[0].region == total.region and arguments[1].region == lanes.region, 'the sum and a candidate')
        return 0x22 if len(looked) == 1 else 0x44
    machine.routines.update({'fe8_is_zero': is_zero, 'equals_x': equals})
    need(machine.call('judge', [total, lanes, exceptional]) == 0x66 and looked == [0, at.also], 'one of both candidates is enough')
    need(machine.memory.load(exceptional, I8) == 0x11, 'the exceptional lanes are told')


def verdict_of(exceptional, equal):
    return z3.If(exceptional, word32(UNDECIDED), z3.If(equal, word32(ACCEPTED), word32(REFUSED)))


# Eight tokens.

def judge_all(curve, lane, machine):
    """The lane's own verdict: undecided without a token, refused out of range. The other lanes are idle here."""
    at = Sizes(curve)
    result, plan, batch = [machine.memory.region(name) for name in ('verdicts', 'plan', 'batch')]
    bits = {name: z3.BitVec(name, 1) for name in ('exceptional', 'equal', 'present', 'live')}
    masks = {name: z3.Concat(*[bit if i == lane else z3.BitVecVal(0, 1) for i in reversed(range(8))]) for name, bit in bits.items()}
    machine.memory.store(Pointer(batch.region, at.present), masks['present'], 1)
    machine.memory.store(Pointer(batch.region, at.present + 1), masks['live'], 1)
    lanes = []

    def compare(machine, arguments):
        machine.memory.store(arguments[2], masks['exceptional'], 1)
        return masks['equal']
    machine.routines.update({
        'plan_sum': lambda machine, arguments: need(arguments[1].region == plan.region, 'the plan is summed'), 'judge': compare,
        'candidates_set': lambda machine, arguments: lanes.append((arguments[1], arguments[2].region, arguments[2].offset))})
    machine.call('judge_all', [result, plan, batch])
    need(lanes == [(i, batch.region, at.r + at.words * i) for i in range(8)], 'each lane has the r of its signature')
    wanted = z3.If(bits['present'] == 0, word32(UNDECIDED), z3.If(bits['live'] == 0, word32(REFUSED),
                                                                 verdict_of(bits['exceptional'] == 1, bits['equal'] == 1)))
    machine.prove_all([(vector(machine.memory.load(Pointer(result.region, 4 * i), I32), 32) == (wanted if i == lane else UNDECIDED),
                        'the verdict of lane %d' % i) for i in range(8)])


def reads(curve, machine, signature, targets):
    """scalar_read of r and s, at the halves of the signature."""
    in_range = unknown('in_range', 2, 32)

    def read(machine, arguments):
        need(arguments[1].region == signature.region and arguments[1].offset in (0, curve.bytes), 'r and s are the halves of the signature')
        half = arguments[1].offset // curve.bytes
        need(targets is None or arguments[0].offset == targets[half], 'r and s of the lane')
        machine.memory.store(arguments[0], unknown('rs'[half], curve.limbs), 8 * curve.limbs)
        return in_range[half]
    machine.routines['scalar_read'] = read
    return in_range


def read_lane(curve, lane, machine):
    """A signature out of range leaves r = s = 1, and the lane is not live."""
    at = Sizes(curve)
    batch, digest, signature = [machine.memory.region(name) for name in ('batch', 'hash', 'signature')]
    before = z3.BitVec('before', 8)
    machine.memory.store(Pointer(batch.region, at.present + 1), before, 1)
    places = [at.r + at.words * lane, at.s + at.words * lane]
    in_range = reads(curve, machine, signature, places)
    machine.routines['number_read_bytes'] = lambda machine, arguments: need(
        (arguments[0].offset, arguments[1].region) == (at.words * lane, digest.region) and
        arguments[2:] == [curve.hash_bytes, curve.limbs], 'the hash')
    machine.call('read_lane', [batch, lane, digest, signature])
    live = vector(machine.memory.load(Pointer(batch.region, at.present + 1), I8), 8)
    both = z3.And(in_range[0] != 0, in_range[1] != 0)
    claims = [(live == z3.If(both, before | 1 << lane, before), 'live exactly where both are in range')]
    for place, name in zip(places, 'rs'):
        for j, word in enumerate(unknown(name, curve.limbs)):
            held = machine.memory.of(batch.region).get(place + 8 * j)
            claims.append((z3.BoolVal(False) if held is None else vector(machine.memory.load(Pointer(batch.region, place + 8 * j), I64)) ==
                           z3.If(both, word, z3.BitVecVal(int(j == 0), 64)), '%s or one' % name))
    machine.prove_all(claims)


def read_batch(curve, machine):
    """Present exactly the lanes with a table; a lane without one is read from zeros, so r and s are out of range."""
    at = Sizes(curve)
    regions = batch, tables, hashes, signatures = [machine.memory.region(name) for name in ('batch', 'tables', 'hashes', 'signatures')]
    machine.memory.store(tables, [Pointer('null', 0) if i == machine.empty else Pointer('@key%d' % i) for i in range(8)], 64)
    for place, name in ((hashes, 'hash'), (signatures, 'signature')):
        machine.memory.store(place, [Pointer('@%s%d' % (name, i)) for i in range(8)], 64)
    lanes, nothing = [], '@read_batch.nothing'
    machine.routines['read_lane'] = lambda machine, arguments: lanes.append((arguments[1], arguments[2].region, arguments[3].region))
    machine.call('read_batch', regions)
    need(lanes == [(i, nothing, nothing) if i == machine.empty else (i, '@hash%d' % i, '@signature%d' % i) for i in range(8)],
         'each lane is read')
    present = 0xff if machine.empty is None else 0xff & ~(1 << machine.empty)
    need(machine.memory.load(Pointer(batch.region, at.present), I8) == present, 'the lanes with a table are present')
    need(machine.memory.load(Pointer(batch.region, at.present + 1), I8) == 0, 'no lane is live before it is read')


def invert_all(curve, machine):
    """s_inverse[i] is R / s[i], from one inverse; without it nothing is computed."""
    n, at = curve.n, Sizes(curve)
    symbols, radix = unknowns(n, ' '.join('s%d' % i for i in range(8))), unknowns(n, 'R')[0]
    batch, certified = machine.memory.region('batch'), z3.BitVec('certified', 32)
    for i, symbol in enumerate(symbols):
        machine.memory.store(Pointer(batch.region, at.s + at.words * i), symbol, at.words)

    def get(place):
        value = machine.memory.of(place.region)[place.offset][0]
        need(isinstance(value, Residue), 'a scalar')
        return value

    def multiply(machine, arguments):
        machine.memory.store(arguments[0], get(arguments[1]) * get(arguments[2]) * radix ** -1, at.words)

    def inverse(machine, arguments):
        machine.memory.store(arguments[0], get(arguments[1]) ** -1 * radix, at.words)
        return certified
    machine.routines.update({'scalar_multiply': multiply, 'scalar_inverse': inverse})
    answer = machine.call('invert_all', [batch])
    if answer == 0:
        machine.prove(certified == 0, 'zero where the inverse is not certified')
        return
    machine.prove(certified != 0, 'one with a certified inverse')
    for i, symbol in enumerate(symbols):
        same(get(Pointer(batch.region, at.inverse + at.words * i)), symbol ** -1 * radix, 'lane %d has R / s' % i)


class Listing:
    """terms_of and plan_place as calls: which scalar over which table goes to which place."""

    def __init__(self, curve, machine, scalar):
        self.lists, self.placed, self.machine = {}, [], machine
        generator = Pointer('@generator')

        def terms_of(machine, arguments):
            count = z3.BitVec('count%d' % (len(self.placed) + 1), 32)
            self.lists[arguments[0].region] = (arguments[1].region, scalar(arguments[2]))
            machine.memory.store(arguments[0], count, 4)

        def place(machine, arguments):
            plan, first, stride, at = arguments
            self.placed.append((plan.region, vector(first, 32), stride, *self.lists[at.region]))
        machine.routines.update({'terms_of': terms_of, 'plan_place': place,
                                 'cjwt_%s_generator' % curve.kernel: lambda machine, arguments: generator})

    def expect(self, plan, first, stride, key, names):
        """u2 over the key's table, from `first` on; u1 over the generator's, after as many rows as the key's list has."""
        need([(at, *rest) for at, _, *rest in self.placed] == [(plan, stride, key, names[1]), (plan, stride, '@generator', names[0])],
             'the rows of u2 Q, then those of u1 G')
        following = first + stride * z3.BitVec('count1', 32)
        self.machine.prove_all([(self.placed[0][1] == first, 'the key\'s rows begin'),
                                (self.placed[1][1] == following, 'the generator\'s rows follow')])


def place_lane(curve, lane, machine):
    """u2 = r / s over the key's table, then u1 = e / s over the generator's; an idle lane has the generator's."""
    at = Sizes(curve)
    plan, batch = machine.memory.region('plan'), machine.memory.region('batch')

    def multiply(machine, arguments):
        need(arguments[1].region == batch.region and arguments[2].offset == at.inverse + at.words * lane, 'the inverse of the lane')
        machine.memory.store(arguments[0], {0: 'u1', at.r: 'u2'}[arguments[1].offset - at.words * lane], at.words)
    machine.routines['scalar_multiply'] = multiply
    listing = Listing(curve, machine, lambda place: machine.memory.of(place.region)[place.offset][0])
    key = Pointer('null', 0) if machine.idle else Pointer('@key')
    machine.call('place_lane', [plan, batch, lane, key])
    listing.expect(plan.region, lane, 8, '@generator' if machine.idle else '@key', ('u1', 'u2'))


def verify8(curve, machine):
    """Without a certified inverse all lanes are undecided; with one, each lane is placed and judged."""
    result, tables, hashes, signatures = [machine.memory.region(name) for name in ('verdicts', 'tables', 'hashes', 'signatures')]
    machine.memory.store(tables, [Pointer('@key%d' % i) for i in range(8)], 64)
    certified, placed, judged = z3.BitVec('certified', 32), [], []
    machine.routines.update({
        'read_batch': lambda machine, arguments: None, 'invert_all': lambda machine, arguments: certified,
        'plan_clear': lambda machine, arguments: placed.append((arguments[1].region, arguments[1].offset)),
        'cjwt_%s_generator' % curve.kernel: lambda machine, arguments: Pointer('@generator'),
        'place_lane': lambda machine, arguments: placed.append((arguments[2], arguments[3].region)),
        'judge_all': lambda machine, arguments: judged.append(arguments[0].region)})
    machine.call('cjwt_%s_ifma_verify8' % curve.kernel, [result, tables, hashes, signatures])
    if judged:
        machine.prove(certified != 0, 'a verdict only with a certified inverse')
        need(placed == [('@generator', 64)] + [(i, '@key%d' % i) for i in range(8)] and judged == [result.region], 'each lane has its key')
        return
    machine.prove(certified == 0, 'every lane is judged')
    need(machine.memory.load(result, ('arr', 8, I32)) == [UNDECIDED] * 8, 'all lanes are undecided')


# One token.

def judge_one(curve, machine):
    """Lane 0 has the sum of all lanes: half of them are added, then a quarter, then one."""
    plan, r = machine.memory.region('plan'), machine.memory.region('r')
    exceptional, equal, calls = z3.BitVec('exceptional', 8), z3.BitVec('equal', 8), []

    def compare(machine, arguments):
        calls.append('compare')
        machine.memory.store(arguments[2], exceptional, 1)
        return equal
    machine.routines.update({
        'plan_sum': lambda machine, arguments: calls.append(('sum', arguments[1].region)), 'judge': compare,
        'add_lanes': lambda machine, arguments: calls.append(arguments[1]),
        'candidates_set': lambda machine, arguments: calls.append((arguments[1], arguments[2].region))})
    verdict = vector(machine.call('judge_one', [plan, r]), 32)
    need(calls == [('sum', plan.region), 4, 2, 1, *[(i, r.region) for i in range(8)], 'compare'],
         'the lanes 4, 2 and 1 apart are added, and lane 0 is compared with r')
    machine.prove(verdict == verdict_of(exceptional & 1 == 1, equal & 1 == 1), 'the verdict is lane 0\'s')


def verify(curve, machine):
    """Refused out of range, undecided without scalars; the lanes judge where each has a row, else the kernel without lanes."""
    at = Sizes(curve)
    key, digest, signature = [machine.memory.region(name) for name in ('key', 'hash', 'signature')]
    in_range, computed, active = reads(curve, machine, signature, None), z3.BitVec('computed', 32), z3.BitVec('active', 8)
    cleared = []

    def compute(machine, arguments):
        need(arguments[2].region == digest.region, 'u1 is of the hash')
        for place, name in zip(arguments[3:], 'rs'):
            need(machine.memory.load(place, I64).eq(z3.BitVec(name + '0', 64)), '%s is the number that was read' % name)
        for place, name in zip(arguments[:2], 'uv'):
            machine.memory.store(place, unknown(name, curve.limbs), at.words)
        return computed

    def clear(machine, arguments):
        need((arguments[1].region, arguments[1].offset) == ('@generator', 64), 'a row of the generator')
        cleared.append(arguments[0].region)
        machine.memory.store(Pointer(arguments[0].region, at.active), active, 1)

    def lanes(machine, arguments):
        need(arguments[0].region == cleared[0] and machine.memory.load(arguments[1], I64).eq(z3.BitVec('r0', 64)), 'the plan, and r')
        return z3.BitVec('judged', 32)

    def portable(machine, arguments):
        need([place.region for place in arguments] == [key.region, digest.region, signature.region], 'the same signature')
        return z3.BitVec('without', 32)
    machine.routines.update({'scalars': compute, 'plan_clear': clear, 'judge_one': lanes, 'cjwt_%s_verify' % curve.kernel: portable})
    listing = Listing(curve, machine, lambda place: str(machine.memory.load(place, I64)))
    verdict = vector(machine.call('cjwt_%s_ifma_verify' % curve.kernel, [key, digest, signature]), 32)
    if listing.placed:
        listing.expect(cleared[0], 0, 1, key.region, ('u0', 'v0'))
    both = z3.And(in_range[0] != 0, in_range[1] != 0)
    judged = z3.If(active == 0xff, z3.BitVec('judged', 32), z3.BitVec('without', 32))
    machine.prove(verdict == z3.If(z3.Not(both), word32(REFUSED), z3.If(computed == 0, word32(UNDECIDED), judged)),
                  'refused where r or s is out of range, undecided without scalars, else the judge\'s verdict')


def run(curve, check, **marks):
    def make(decisions):
        machine = Machine(module(curve), {}, decisions)
        for name, value in marks.items():
            setattr(machine, name, value)
        return machine
    return lambda: '' if paths(make, lambda machine: check(curve, machine)) else ''


def of_lane(check, lane):
    return lambda curve, machine: check(curve, lane, machine)


def plans(curve):
    yield 'plan_clear', lambda: plan_clear(curve)
    yield 'plan_place, the beginning', run(curve, plan_place_begins)
    yield 'plan_place', run(curve, plan_place)
    for begins in (True, False):
        yield 'plan_sum, %s' % ('the beginning' if begins else 'a turn'), run(curve, plan_sum, begins=begins)


def verdicts(curve):
    yield 'equals_x', lambda: equals_x(curve)
    yield 'judge', lambda: judge(curve)
    for check in (invert_all, verify8, judge_one, verify):
        yield check.__name__, run(curve, check)
    for lane in range(8):
        for check in (candidates_set, judge_all, read_lane):
            yield '%s, lane %d' % (check.__name__, lane), run(curve, of_lane(check, lane))
        for idle in (False, True):
            yield 'place_lane, lane %d' % lane, run(curve, of_lane(place_lane, lane), idle=idle)
    for empty in (None, *range(8)):
        yield 'read_batch', run(curve, read_batch, empty=empty)


def proofs():
    for curve in CURVES:
        yield together('sums of rows, %s in lanes' % curve.name, list(plans(curve)), [
            'nistifma/plan.h plan_clear', 'nistifma/plan.h plan_place', 'nistifma/plan.h plan_sum'], quick=True)
        yield together('judge %s in lanes' % curve.name, list(verdicts(curve)), ['nistifma/kernel.h ' + name for name in (
            'candidates_set', 'equals_x', 'judge', 'verdict_of', 'judge_all', 'read_lane', 'read_batch', 'invert_all', 'place_lane',
            'judge_one', 'KERNEL')])
