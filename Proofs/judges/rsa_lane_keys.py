"""RSA in lanes: which key each lane computes with, for every pattern of keys. An idle lane has the key of the first that is not."""
import functools

from calls.loops import Loop, get_local, set_local
from calls.machine import Machine, paths
from judges import rsa_lanes, rsa_muludq
from judges.rsa_lanes import I32, I64, INVERSE, PTR
from machine.values import Pointer
from points.residue import need
from registry import together


class Kernel:
    """A file with `lanes_of`, and the offsets in its `lanes`."""

    def __init__(self, module, lanes, shape, keys, has_work, inverses):
        self.module, self.lanes, self.shape, self.keys, self.has_work, self.inverses = module, lanes, shape, keys, has_work, inverses

    def make(self, decisions):
        return Machine(self.module(), {}, decisions)

    def loop(self, index):
        return Loop(self.module(), 'lanes_of', index)


def muludq(file, lanes):
    words = 8 * lanes
    return Kernel(lambda: rsa_muludq.module(file), lanes, words, words + 8, 2 * words + 8, 0)


KERNELS = {
    'rsa/rsa_lanes.c': [Kernel(rsa_lanes.module, 8, 0, 8, 72, 104)],
    'rsa/rsa_muludq_power.h': [muludq('rsa_avx2', 4), muludq('rsa_avx512f', 8), muludq('rsa_avxifma', 4),
                                 muludq('rsa_avx512vl', 4)],
}


def first_key(k, machine):
    """A turn of the search for the first active lane, from the last: it takes a lane's key, where the lane has one."""
    loop = k.loop(0)
    for lane in range(k.lanes):
        for key in ('null', 'mine'):
            registers = loop.locals(machine)
            keys = machine.memory.region('keys')
            machine.memory.store(Pointer(keys.region, 8 * lane), Pointer(key), 8)
            for name, value, kind in (('keys.addr', keys, PTR), ('some', Pointer('later'), PTR), (loop.counter()[1:], lane, I32)):
                set_local(machine, registers, name, value, kind)
            need(loop.turn(machine, registers), 'the loop reaches lane 0')
            need(get_local(machine, registers, 'some', PTR).region == ('later' if key == 'null' else 'mine'), 'the key of the lowest lane')
            need(get_local(machine, registers, loop.counter()[1:], I32) == lane - 1 & (1 << 32) - 1, 'then the lane below')


def each_lane(k, machine):
    """A turn for a lane: work exactly for a key of the same shape, and else another's key and inverse."""
    loop = k.loop(1)
    for lane in range(k.lanes):
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
            need(memory.load(Pointer(lanes.region, k.has_work + 4 * lane), I32) == work, 'work exactly for a key of the size')
            need(memory.load(Pointer(lanes.region, k.keys + 8 * lane), PTR).region == taken.region, 'the lane\'s key, or another')
            need(memory.load(Pointer(lanes.region, k.inverses + 8 * lane), I64) == 'inverse of ' + taken.region.split('.')[0], 'its -1/n')


def between(k, machine):
    """Without a key there is no work; else the first key's shape is everyone's, and every lane is looked at."""
    for some in ('null', 'mine'):
        search, loop = k.loop(0), k.loop(1)
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
        need(reached == [0] and memory.load(Pointer(lanes.region, k.shape), PTR).region == 'shape', 'the first key has the shape; lane 0')
        del machine.heads['lanes_of', loop.head.lstrip('%')]
        set_local(machine, registers, loop.counter()[1:], k.lanes, I32)
        need(not loop.turn(machine, registers) and loop.returned == 1, 'one after the last lane')


def beginning(k, machine):
    loop = k.loop(0)
    registers = loop.arrive(machine, [Pointer('lanes'), Pointer('keys')])
    need(get_local(machine, registers, loop.counter()[1:], I32) == k.lanes - 1, 'the search begins with the last lane')
    need(get_local(machine, registers, 'some', PTR).region == 'null', 'without a key')


def proofs():
    for file, kernels in KERNELS.items():
        parts = [('%s, %d lanes' % (check.__name__, k.lanes), functools.partial(run, check, k))
                 for k in kernels for check in (beginning, first_key, between, each_lane)]
        name = 'judge RSA, keys of lanes' + ('' if 'muludq' not in file else ' without 512-bit IFMA')
        yield together(name, parts, [file + ' lanes_of'], quick=True)


def run(check, k):
    return '' if paths(k.make, functools.partial(check, k)) else ''
