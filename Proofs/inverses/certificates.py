"""An inverse counts only where it multiplies back to one. The division steps are not entered: they may give anything."""
import z3

from calls.machine import Machine, front_end, paths
from constants.curves import P256, P384, P521
from points import nist
from points.residue import need
from registry import together

I64 = ('i', 64)


def words_at(machine, at, count):
    words = machine.memory.load(at, ('arr', count, I64))
    return z3.Concat(*reversed([z3.BitVecVal(word, 64) if isinstance(word, int) else word for word in words]))


def unknown(name, count):
    return [z3.BitVec('%s%d' % (name, i), 64) for i in range(count)]


class Check:
    """A run of one inverse: `claimed` is what the division steps give, `back` the product with the number."""

    def __init__(self, machine, limbs, multiplication, results_first=True):
        self.machine, self.limbs, self.products = machine, limbs, []
        self.claimed, self.back, self.number = unknown('claimed', limbs), unknown('back', limbs), unknown('number', limbs)
        machine.routines['inverse'] = lambda machine, arguments: machine.memory.store(arguments[0], self.claimed, 8 * limbs)
        machine.routines[multiplication] = self.multiply

    def multiply(self, machine, arguments):
        self.products.append([words_at(machine, at, self.limbs) for at in arguments[1:3]])
        self.require(*self.products[-1])
        machine.memory.store(arguments[0], self.back, 8 * self.limbs)

    def require(self, a, b):
        """The multiplication's contract: what it takes."""
        for operand in (a, b):
            self.machine.prove(z3.ULT(operand, self.modulus), 'the multiplication takes numbers below the modulus')

    def run(self, routine, modulus, one):
        machine = self.machine
        self.modulus = z3.BitVecVal(modulus, 64 * self.limbs)
        number, result = machine.memory.region('number'), machine.memory.region('result')
        machine.memory.store(number, self.number, 8 * self.limbs)
        number_words, claimed = words_at(machine, number, self.limbs), z3.Concat(*reversed(self.claimed))
        machine.assume(z3.ULT(number_words, self.modulus))
        answer = machine.call(routine, [result, number])
        accepted = answer != 0 if isinstance(answer, int) else answer == 1
        need(len(self.products) <= 1, 'one product')
        if not self.products:
            machine.prove(z3.Not(accepted), 'without a product there is no inverse')
            return
        a, b = self.products[0]
        machine.assume(accepted)
        machine.prove_all([
            (z3.Or(z3.And(a == claimed, b == number_words), z3.And(a == number_words, b == claimed)),
             'the product is of inverse and number'),
            (z3.Concat(*reversed(self.back)) == one, 'the product is one'),
            (z3.ULT(claimed, self.modulus), 'the inverse is below the modulus'),
            (words_at(machine, result, self.limbs) == claimed, 'the result is the inverse')])


def scalar_inverse(curve):
    """a r / R = 1 (mod n): r is R / a."""
    unit = front_end('#include "nist/%s.c"\n' % ('p256_scalar' if curve is P256 else curve.kernel))
    return paths(lambda decisions: Machine(unit, {}, decisions),
                 lambda machine: Check(machine, curve.limbs, 'montgomery_multiply').run('scalar_inverse', curve.n, 1))


def field_invert(curve):
    """a r / R = R (mod p), the Montgomery form of one."""
    return paths(lambda decisions: Machine(nist.module(curve), {}, decisions),
                 lambda machine: Check(machine, curve.limbs, 'field_multiply').run('field_invert', curve.p, curve.radix % curve.p))


def field_invert_p521():
    """The number is converted to words and back; the product is compared with one, whatever form it has."""
    def prove(machine):
        products, compared, equal = [], [], z3.BitVec('equal', 32)
        claimed, digits = unknown('claimed', 9), unknown('digit', 9)
        number, result = machine.memory.region('number'), machine.memory.region('result')
        machine.memory.store(number, digits, 72)

        def convert(machine, arguments):
            need(arguments[1].region == number.region, 'the words are those of the number')
            machine.memory.store(arguments[0], unknown('word', 9), 72)

        def invert(machine, arguments):
            machine.prove(words_at(machine, arguments[1], 9) == z3.Concat(*reversed(unknown('word', 9))), 'the words are inverted')
            machine.memory.store(arguments[0], claimed, 72)

        def convert_back(machine, arguments):
            found = words_at(machine, arguments[1], 9)
            machine.prove(z3.And(found == z3.Concat(*reversed(claimed)), z3.ULT(found, P521.p)), 'what was given is below p')
            machine.memory.store(arguments[0], unknown('inverse', 9), 72)

        def multiply(machine, arguments):
            products.append([words_at(machine, at, 9) for at in arguments[1:]])
            machine.memory.store(arguments[0], unknown('back', 9), 72)

        def compare(machine, arguments):
            compared.append(words_at(machine, arguments[0], 9))
            need(arguments[1].region == '@kOne', 'the product is compared with one')
            return equal
        machine.routines.update({'field_to_words': convert, 'inverse': invert, 'field_from': convert_back, 'field_multiply': multiply,
                                 'field_is_equal': compare})
        answer = machine.call('field_invert', [result, number])
        if not products:
            need(answer == 0, 'without a product there is no inverse')
            return
        inverse, back = [z3.Concat(*reversed(unknown(name, 9))) for name in ('inverse', 'back')]
        need(len(products) == len(compared) == 1, 'one product, compared once')
        machine.prove_all([
            (answer == equal, 'one is returned where the product is one'), (compared[0] == back, 'the product is compared'),
            (products[0][0] == inverse, 'the product has the inverse as a factor'),
            (products[0][1] == z3.Concat(*reversed(digits)), 'the product has the number as a factor'),
            (words_at(machine, result, 9) == inverse, 'the result is the inverse')])
    return paths(lambda decisions: Machine(nist.module(P521), {}, decisions), prove)


def edwards(aliased):
    """The product is compared with one modulo p; the result is tight, also where it replaces the number."""
    unit = front_end('#include "ed25519/invert.c"\n')

    def prove(machine):
        products, equal, words = [], z3.BitVec('equal', 32), unknown('claimed', 4)
        number = machine.memory.region('number')
        result = number if aliased else machine.memory.region('result')
        digits = unknown('digit', 5)
        machine.memory.store(number, digits, 40)
        machine.assume(z3.ULE(equal, 1))

        def multiply(machine, arguments):
            products.append([words_at(machine, at, 5) for at in arguments[1:]])
            machine.memory.store(arguments[0], unknown('back', 5), 40)

        def compare(machine, arguments):
            compared = [words_at(machine, at, 5) for at in arguments]
            machine.prove(z3.And(compared[0] == z3.Concat(*reversed(unknown('back', 5))), compared[1] == 1),
                          'the product is compared with one')
            return equal
        machine.routines.update({
            'fe51_to_words': lambda machine, arguments: machine.memory.store(arguments[0], unknown('word', 4), 32),
            'fe51_multiply': multiply,
            'inverse': lambda machine, arguments: machine.memory.store(arguments[0], words, 32), 'fe51_equal': compare})
        answer = machine.call('cjwt_ed25519_invert', [result, number])
        found = words_at(machine, result, 5)
        need(len(products) == 1, 'one product')
        machine.prove_all([
            (answer == equal, 'one is returned where the product is one'),
            (products[0][0] == found, 'the product has the result as a factor'),
            (products[0][1] == z3.Concat(*reversed(digits)), 'the product has the number as a factor'),
            *[(z3.ULT(z3.Extract(64 * i + 63, 64 * i, found), 1 << 51), 'digit %d is below 2^51' % i) for i in range(5)]])
    return paths(lambda decisions: Machine(unit, {}, decisions), prove)


def proofs():
    parts = [(name % curve.name, lambda check=check, curve=curve: '' if check(curve) else '') for curve in (P256, P384)
             for name, check in (('%s scalar_inverse', scalar_inverse), ('%s field_invert', field_invert))]
    parts += [('P-521 scalar_inverse', lambda: '' if scalar_inverse(P521) else ''),
              ('P-521 field_invert', lambda: '' if field_invert_p521() else '')]
    parts += [('cjwt_ed25519_invert', lambda: '' if edwards(False) + edwards(True) else '')]
    yield together('inverses by certificate', parts, [
        'nist/nist_scalar.h scalar_inverse', 'nist/nist_table.h field_invert', 'nist/nist_field.h claim_inverse',
        'nist/p521_field.h claim_inverse', 'ed25519/invert.c cjwt_ed25519_invert'], quick=True)
