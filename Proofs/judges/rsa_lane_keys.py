"""RSA, eight tokens: which key each lane computes with, for every pattern of keys. An idle lane has the key of the first that is not."""
from calls.loops import Loop, get_local, set_local
from calls.machine import Machine, paths
from judges.rsa_lanes import I32, I64, INVERSE, LANES, PTR, module
from machine.values import Pointer
from points.residue import need
from registry import together

SHAPE, KEYS, HAS_WORK, INVERSES = 0, 8, 72, 104  # the offsets in `lanes`


def make(decisions):
    return Machine(module(), {}, decisions)


def first_key(machine):
    """A turn of the search for the first active lane, from the last: it takes a lane's key, where the lane has one."""
    loop = Loop(module(), 'lanes_of', 0)
    for lane in range(LANES):
        for key in ('null', 'mine'):
            registers = loop.locals(machine)
            keys = machine.memory.region('keys')
            machine.memory.store(Pointer(keys.region, 8 * lane), Pointer(key), 8)
            for name, value, kind in (('keys.addr', keys, PTR), ('some', Pointer('later'), PTR), (loop.counter()[1:], lane, I32)):
                set_local(machine, registers, name, value, kind)
            need(loop.turn(machine, registers), 'the loop reaches lane 0')
            need(get_local(machine, registers, 'some', PTR).region == ('later' if key == 'null' else 'mine'), 'the key of the lowest lane')
            need(get_local(machine, registers, loop.counter()[1:], I32) == lane - 1 & (1 << 32) - 1, 'then the lane below')


def each_lane(machine):
    """A turn for a lane: work exactly for a key of the same shape, and else another's key and inverse."""
    loop = Loop(module(), 'lanes_of', 1)
    for lane in range(LANES):
        for key, shape, work in (('null', None, 0), ('mine', 'theirs', 1), ('mine', 'other', 0)):
            registers, memory = loop.locals(machine), machine.memory
            lanes, keys, some, mine = [memory.region(name) for name in ('lanes', 'keys', 'some', 'mine')]
            memory.store(Pointer(keys.region, 8 * lane), mine if work or shape else Pointer(key, 0), 8)
            for at, held, inverse in ((some, 'theirs', 'inverse of some'), (mine, shape, 'inverse of mine')):
                memory.store(at, Pointer(held), 8)
                memory.store(Pointer(at.region, INVERSE), inverse, 8)
            for name, value, kind in (('keys.addr', keys, PTR), ('some', some, PTR), ('l.addr', lanes, PTR),
                                      (loop.counter()[1:], lane, I32)):
                set_local(machine, registers, name, value, kind)
            need(loop.turn(machine, registers) and get_local(machine, registers, loop.counter()[1:], I32) == lane + 1, 'lane after lane')
            taken = mine if work else some
            need(memory.load(Pointer(lanes.region, HAS_WORK + 4 * lane), I32) == work, 'work exactly for a key of the size')
            need(memory.load(Pointer(lanes.region, KEYS + 8 * lane), PTR).region == taken.region, 'the lane\'s key, or another')
            need(memory.load(Pointer(lanes.region, INVERSES + 8 * lane), I64) == 'inverse of ' + taken.region.split('.')[0], 'its -1/n')


def between(machine):
    """Without a key there is no work; else the first key's shape is everyone's, and every lane is looked at."""
    for some in ('null', 'mine'):
        search, loop = Loop(module(), 'lanes_of', 0), Loop(module(), 'lanes_of', 1)
        registers, memory, reached = search.locals(machine), machine.memory, []
        key, lanes, keys = memory.region(some), memory.region('lanes'), memory.region('keys')
        memory.store(key, Pointer('shape'), 8)
        for name, value, kind in (('keys.addr', keys, PTR), ('some', Pointer('null', 0) if some == 'null' else key, PTR),
                                  ('l.addr', lanes, PTR), (search.counter()[1:], (1 << 32) - 1, I32)):
            set_local(machine, registers, name, value, kind)
        machine.heads['lanes_of', loop.head.lstrip('%')] = lambda machine, registers: reached.append(
            get_local(machine, registers, loop.counter()[1:], I32)) or True
        need(not search.turn(machine, registers), 'the search ends after lane 0')
        if some == 'null':
            need(search.returned == 0 and not reached, 'zero without a key')
            continue
        need(reached == [0] and memory.load(Pointer(lanes.region, SHAPE), PTR).region == 'shape', 'the shape of the first key, and lane 0')
        del machine.heads['lanes_of', loop.head.lstrip('%')]
        set_local(machine, registers, loop.counter()[1:], LANES, I32)
        need(not loop.turn(machine, registers) and loop.returned == 1, 'one after lane 7')


def beginning(machine):
    loop = Loop(module(), 'lanes_of', 0)
    registers = loop.arrive(machine, [Pointer('lanes'), Pointer('keys')])
    need(get_local(machine, registers, loop.counter()[1:], I32) == LANES - 1, 'the search begins with lane 7')
    need(get_local(machine, registers, 'some', PTR).region == 'null', 'without a key')


def proofs():
    parts = [(check.__name__, lambda check=check: '' if paths(make, check) else '') for check in (beginning, first_key, between, each_lane)]
    yield together('judge RSA, keys of lanes', parts, ['rsa/rsa_lanes.c lanes_of'], quick=True)
