"""Proves a routine's contract: makes numbers that satisfy its assumptions, executes it, and shows each claim on every path."""
from bits.expression import Vectors
from bits.words import Bits
from contracts.calls import Call
from contracts.expression import Polynomials
from contracts.unit import WIDTHS
from integers.decisions import paths
from integers.polynomial import constant
from integers.words import Integers
from machine.lanes import EACH, one, spread
from machine.machine import Machine
from machine.values import Pointer, Unproven, Word
from registry import Proof

ALGEBRAS = {Integers: Polynomials, Bits: Vectors}


def prove(unit, id, domain=Integers, hooks=None, quick=False, name=None):
    """The Proof of every contract of the routine `file name`."""
    function = unit.function(id)

    def run():
        if not function.contracts:
            raise Unproven('%s:%d: %s has no contract' % (function.file, function.line, function.name))
        loaded = unit.module((id,))
        work = []
        for contract in function.contracts:
            results = paths(domain, lambda context: Run(unit, function, contract, loaded, context, hooks).work())
            if not results:
                raise Unproven('%s: no input satisfies the assumptions' % contract.place)
            if all(followed == 0 for _, _, followed in results):
                raise Unproven('%s: no sample follows a path' % contract.place)
            work += results
        return '%d paths, %d instructions, %d questions, %d samples' % (
            len(work), sum(w[0] for w in work), sum(w[1] for w in work), sum(w[2] or 0 for w in work))

    return Proof(name or '%s %s' % (unit.name, function.name), run, [id], quick)


class Run:
    """One path of one contract."""

    def __init__(self, unit, function, contract, module, context, hooks):
        self.unit, self.function, self.contract, self.context = unit, function, contract, context
        calls = {unit.function(id).name: Call(unit, unit.function(id)) for id in unit.outside}
        self.machine = Machine(module, context, {**calls, **(hooks or {})})
        self.regions, self.numbers, self.before, self.after = {}, {}, {}, {}

    def work(self):
        try:
            arguments = self.arguments()
            self.assume()
            self.context.begin()
            self.claim(self.machine.call(self.unit.entry(self.function), arguments))
            followed = self.context.check_samples()
        except Unproven as e:
            raise Unproven(self.report(e)) from None
        return self.machine.instructions, self.context.queries, followed

    def report(self, fault):
        where = 'at %s, ' % self.machine.line if self.machine.line else ''
        return '%s: %s: %s%s' % (self.contract.place, self.function.name, where if not self.after else '', fault)

    # Before the call.

    def arguments(self):
        found = []
        used = self.contract.inputs()
        if self.function.result in self.unit.types:
            found.append(self.place('return', self.unit.types[self.function.result]))
        for p in self.function.parameters:
            if p.name in self.unit.bound:
                self.before[p.name] = self.given(p.name)
                continue
            number = self.unit.number(p)
            if number is None:
                found.append(self.word(p))
                continue
            found.append(self.place(p.name, number))
            if not p.is_pointer or p.is_constant or p.name in used:
                self.fill(p.name, number)
        return found

    def given(self, name):
        if name not in self.unit.values:
            return None
        return constant(self.unit.values[name]) if isinstance(self.context, Integers) else self.unit.values[name]

    def place(self, name, number):
        self.numbers[name] = number
        self.regions[name] = self.machine.memory.region(name, number.bytes())
        return self.regions[name]

    def word(self, parameter):
        x = self.context.fresh(parameter.name, WIDTHS[parameter.base], WIDTHS[parameter.base])
        self.before[parameter.name] = x
        return Word(x, WIDTHS[parameter.base])

    def fill(self, name, number):
        digits = []
        for i in range(number.digits):
            x = self.context.fresh('%s%d' % (name, i), number.bits if number.factor else 8 * number.size, 8 * number.size)
            whole = x
            if number.factor and i + 1 < number.digits:
                whole = self.context.above(x, self.context.fresh('%s%d.above' % (name, i), 64 - number.bits), number.bits)
            digits.append(x)
            at, word = Pointer(self.regions[name].region, number.offset(i)), Word(whole, 8 * number.size)
            self.machine.memory.store(at, spread(word, number.lanes), number.size * number.lanes)
        self.before[name] = digits
        self.machine.memory.written.clear()

    def assume(self):
        algebra = ALGEBRAS[type(self.context)](self.context, self.unit, self.numbers, self.before, {})
        for condition in self.contract.assumptions:
            algebra.assume(condition)
        algebra.assume_products(self.contract)

    # After the call.

    def claim(self, result):
        self.after = {name: self.read(name) for name in self.written()}
        if isinstance(result, Word):
            is_mask = self.function.result == '__mmask8'
            self.after['return'] = self.context.unsigned(self.lane_bit(result) if is_mask else one([result], 'the result'))
        elif 'return' in self.numbers:
            self.after['return'] = self.read('return')
        self.check_overlap()
        algebra = ALGEBRAS[type(self.context)](self.context, self.unit, self.numbers, self.before, self.after)
        for condition in self.contract.claims:
            algebra.show(condition)

    def lane_bit(self, mask):
        """The bit that all lanes have."""
        if mask.lane not in (None, EACH):
            raise Unproven('the result: an instruction crosses lanes')
        bits = [self.context.part(mask, lane, 1) for lane in range(mask.width)]
        for bit in bits[1:]:
            if not self.context.is_same(bit, bits[0]):
                raise Unproven('the lanes differ')
        return bits[0]

    def written(self):
        return [p.name for p in self.function.parameters if p.is_pointer and not p.is_constant and p.name in self.numbers]

    def read(self, name):
        number, digits = self.numbers[name], []
        own = {number.offset(i) for i in range(number.digits)}
        if number.stride > 1 and any(at not in own for region, at in self.machine.memory.cells if region == self.regions[name].region):
            raise Unproven('writes words between the digits of %s' % name)
        for i in range(number.digits):
            at = Pointer(self.regions[name].region, number.offset(i))
            lanes = self.machine.memory.load(at, ('vec', number.lanes, ('i', 8 * number.size)))
            x = self.context.unsigned(one(lanes, name))
            digits.append(self.context.remainder(x, number.bits) if number.factor and i + 1 < number.digits else x)
        return digits

    def check_overlap(self):
        """A result may be an operand of its type: no place of it is read after the result is written there."""
        if self.contract.apart:
            return
        for p in self.function.parameters:
            for name in self.written():
                if p.name != name and p.name in self.regions and p.is_pointer and self.numbers[p.name].digits == self.numbers[name].digits:
                    if (self.regions[p.name].region, self.regions[name].region) in self.machine.memory.late_reads:
                        raise Unproven('reads %s where it wrote %s before: say "apart", or read first' % (p.name, name))

