"""RSA in four lanes with IFMA in 256-bit registers: almost-Montgomery multiplication and squaring, in digits of 52 bits.

The claims and the domain are those of fields/rsa.py. The kernel is compiled twice, with VEX and with EVEX encoding, from the same IR: what
is proved of one holds for both.
"""
import re
import subprocess

from fields.montgomery import BITS, Montgomery
from fields.rsa import DIGITS, MULTIPLIED, SQUARED, bounds, check_text, identity
from fields.rsa_muludq import Lanes
from integers.decisions import paths
from ir.compilation import FLAGS, KERNELS, clang
from machine.values import Unproven
from registry import Proof

LANES = 4
FILES = ('rsa_avxifma', 'rsa_avx512vl')
FILE = 'rsa/rsa_ifma256_multiply.h '
CONTRACTS = {
    FILE + 'montgomery_multiply': MULTIPLIED % ('x', 'y', 'x', 'y', "x'", 'x', 'y', "x'", "x'"),
    FILE + 'montgomery_square': SQUARED % ('x', 'x', "x'", 'x', "x'", "x'"),
}


def prove(id, bits):
    def run():
        check_text(id, CONTRACTS[id])
        bounds()
        work = []

        def one_path(context):
            kernel = Lanes(LANES, DIGITS[bits], context, FILES[0], 'IFMA256', BITS)
            identity(context, *kernel.run('square' in id))
            work.append(kernel.machine.instructions)
        paths(Montgomery, one_path)
        return '%d paths, %d instructions' % (len(work), sum(work))
    return Proof('rsa %s, %d in %d lanes with IFMA' % (id.split()[1], bits, LANES), run, [id], quick=bits == 2048)


def same_output():
    """Both files give the same IR, but for the names of their functions and the instructions that they may use."""
    texts = [output(file) for file in FILES]
    if texts[0] != texts[1]:
        raise Unproven('VEX and EVEX are not compiled from the same IR')
    if '@llvm.x86.avx512.vpmadd52l.uq.256' not in texts[0] or len(re.findall('^define ', texts[0], re.M)) < 6:
        raise Unproven('the IR is not that of the kernel')
    return '%d lines' % texts[0].count('\n')


def output(file):
    """The IR of a file, without the file's name and the attributes."""
    path = KERNELS / 'rsa' / (file + '.c')
    text = subprocess.run([clang(), *FLAGS, '-g0', '-I', KERNELS / 'include', '-S', '-emit-llvm', '-o', '-', path],
                          check=True, capture_output=True, text=True).stdout
    return re.sub('^(source_filename|; ModuleID|attributes) .*\n', '', text, flags=re.M).replace(file, 'file')


def proofs():
    yield Proof('rsa VEX and EVEX', same_output, quick=True)
    for id in CONTRACTS:
        for bits in DIGITS:
            yield prove(id, bits)
