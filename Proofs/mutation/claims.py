"""What shows that the inventory can fail: a proof may not cover a routine that it does not run, and the plan of SwiftPM must have flags."""
import inventory
from contracts.routine import prove
from fields import ifma
from ir.compilation import FLAGS, KERNELS
from machine.values import Unproven
from points import edwards
from registry import Proof, together

RUN = 'p256ifma/fe8.h fe8_reduce'
PLAN = 'args: ["/usr/bin/clang",%s,"-c","CJWTKernels/nist/p256.c","-o","p256.o"]\n'


def need_refusal(claim, f, *arguments):
    try:
        f(*arguments)
    except Unproven:
        return
    raise Unproven('not refused: ' + claim)


def covers():
    """fe8_mul is inlined: the notes of its instructions name what it calls. Of other folders, the same names are other routines."""
    check = prove(ifma.P256, 'p256ifma/fe8.h fe8_mul').check
    Proof('runs', check, ['p256ifma/fe8.h fe8_mul', RUN]).prove()
    for id in ('p256ifma/fe8.h fe8_sqr', 'ed25519/lanes.h fe8_multiply', 'nist/fe8.h fe8_mul'):
        need_refusal('a proof of fe8_mul that covers ' + id, Proof('runs', check, [RUN, id]).prove)
    addition = dict(edwards.PARTS)['point_add']
    Proof('runs', addition, ['ed25519/point.h point_add', 'ed25519/point.h point_finish']).prove()
    need_refusal('a call whose contract is taken', Proof('calls', addition, ['ed25519/field51.h fe51_multiply']).prove)


def flags():
    whole = ','.join('"%s"' % flag for flag in FLAGS)
    inventory.compare_flags(PLAN % whole)
    need_refusal('other flags', inventory.compare_flags, PLAN % whole.replace('-O2', '-O3'))
    need_refusal('a plan that is written otherwise', inventory.compare_flags, (PLAN % whole).replace('args:', 'arguments:'))
    file = KERNELS / 'ed25519' / 'self_test.c'
    if inventory.instructions(file, '-O1') == inventory.instructions(file, '-g0'):
        raise Unproven('objects of two compilations look alike')


def proofs():
    yield together('mutants claims', [('covers', covers), ('flags', flags)], quick=True)
