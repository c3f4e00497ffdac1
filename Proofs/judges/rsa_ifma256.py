"""RSA in four lanes with 256-bit IFMA: either encoding is given what the caller gives. rsa_key.py has the keys."""
import functools

import z3

from calls.machine import Machine, front_end, paths
from machine.values import Pointer
from points.residue import need
from registry import Proof

FILE = 'rsa/rsa_ifma256.c '


@functools.lru_cache
def module():
    return front_end('#include "rsa/rsa_ifma256.c"\n')


def encoding(machine):
    """One of the two kernels runs, once: EVEX where the machine has it."""
    has, given, ran = z3.BitVec('has', 32), [Pointer(name, 0) for name in ('results', 'keys', 'ems', 'signatures')], []

    def kernel(name):
        def run(machine, arguments):
            need([(at.region, at.offset) for at in arguments] == [(at.region, at.offset) for at in given], 'what the caller gives')
            machine.prove((has != 0) == z3.BoolVal(name == 'rsa_avx512vl_power4'), 'EVEX exactly where the machine has it')
            ran.append(name)
        return run
    machine.routines.update({name: kernel(name) for name in ('rsa_avx512vl_power4', 'rsa_avxifma_power4')})
    machine.routines['cjwt_avx512vl_available'] = lambda machine, arguments: has
    machine.call('cjwt_rsa_ifma256_power4', given)
    need(len(ran) == 1, 'one kernel runs')


def check():
    return '%d paths' % paths(lambda decisions: Machine(module(), {}, decisions), encoding)


def proofs():
    yield Proof('judge RSA, 256-bit IFMA', check, [FILE + 'cjwt_rsa_ifma256_power4'], quick=True)
