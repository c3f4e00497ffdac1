"""A call to a routine that has a contract of its own: the caller shows the assumptions, and may use the claims."""
from contracts.expression import Polynomials
from contracts.unit import WIDTHS
from integers.polynomial import add, constant, scale, value_of
from machine.lanes import one
from machine.values import Pointer, Unproven, Word


class Call:
    def __init__(self, unit, function):
        self.unit, self.function = unit, function
        self.count = 0

    def __call__(self, machine, arguments):
        self.machine, self.context = machine, machine.domain
        self.count += 1
        self.numbers, self.regions, self.words = {}, {}, {}
        self.bind(list(arguments))
        contract, before = self.contract()
        self.first = len(self.context.name)
        after = {name: self.fresh(name) for name in self.results()}
        result = self.returned(after)
        algebra = Polynomials(self.context, self.unit, self.numbers, before, after)
        for condition in contract.claims:
            self.use(algebra, condition, after)
        return result

    def bind(self, arguments):
        """Which argument is which parameter. A structure by value is a pointer here, and a structure as a result is the first."""
        if self.function.result in self.unit.types:
            self.numbers['return'], self.regions['return'] = self.unit.types[self.function.result], arguments.pop(0)
        for p in self.function.parameters:
            x = arguments.pop(0)
            number = self.unit.number(p)
            if p.name in self.unit.bound:
                self.words[p.name] = constant(self.unit.values[p.name]) if p.name in self.unit.values else None
            elif number is None:
                self.words[p.name] = self.context.unsigned(one([x], p.name))
            else:
                self.numbers[p.name], self.regions[p.name] = number, x
        if any(number.lanes > 1 for number in self.numbers.values()):
            raise NotImplementedError('a call with lanes: of what it gives, nothing says to which lane it belongs')

    def results(self):
        names = [p.name for p in self.function.parameters if p.name in self.regions and p.is_pointer and not p.is_constant]
        return names + (['return'] if 'return' in self.numbers else [])

    def read(self, name):
        number, digits = self.numbers[name], []
        for i in range(number.digits):
            at = Pointer(self.regions[name].region, self.regions[name].offset + number.offset(i))
            x = self.context.unsigned(one([self.machine.memory.load(at, ('i', 8 * number.size))], name))
            digits.append(self.context.remainder(x, number.bits) if number.factor and i + 1 < number.digits else x)
        return digits

    def contract(self):
        """The first contract whose assumptions hold."""
        faults = []
        for contract in self.function.contracts:
            inputs = contract.inputs() | {p.name for p in self.function.parameters if p.is_constant or not p.is_pointer}
            before = {**self.words, **{name: self.read(name) for name in self.regions if name in inputs and name != 'return'}}
            algebra = Polynomials(self.context, self.unit, self.numbers, before, {})
            try:
                for condition in contract.assumptions:
                    algebra.show(condition)
                return contract, before
            except Unproven as fault:
                faults.append(str(fault))
        raise Unproven('the call of %s: %s' % (self.function.name, '; '.join(faults) or 'it has no contract'))

    def fresh(self, name):
        number, digits = self.numbers[name], []
        for i in range(number.digits):
            x = self.variable('%s.%s%d' % (self.function.name, name, i), number.bits if number.factor else 8 * number.size)
            whole = x
            if number.factor and i + 1 < number.digits:
                whole = add(x, scale(self.variable('%s.%s%d.above' % (self.function.name, name, i), 64 - number.bits), 1 << number.bits))
            digits.append(x)
            at, word = Pointer(self.regions[name].region, self.regions[name].offset + number.offset(i)), Word(whole, 8 * number.size)
            self.machine.memory.store(at, word, number.size)
        return digits

    def variable(self, name, bits):
        return self.context.variable(name, 0, (1 << bits) - 1)

    def returned(self, after):
        width = WIDTHS.get(self.function.result)
        if width is None:
            return None
        after['return'] = self.variable(self.function.name + '.return', width)
        return Word(after['return'], width)

    def use_truth(self, algebra, condition):
        """Follows both answers of a comparison."""
        left, relation, right, _ = condition.right.tree
        if relation != '<':
            raise NotImplementedError('a call whose contract says more than which number is less')
        less = add(algebra.sum(right), algebra.sum(left), -1)
        if self.context.decide(algebra.sum(condition.left.tree)):
            self.context.nonnegative.append(add(less, constant(1), -1))
        else:
            self.context.nonnegative.append(scale(less, -1))

    def use(self, algebra, condition, after):
        if condition.relation != '=':
            return algebra.assume(condition)
        if condition.right.kind == 'truth':
            return self.use_truth(algebra, condition)
        modulus = value_of(algebra.sum(condition.modulus)) if condition.modulus else 0
        for a, b in algebra.sides(condition):
            difference = add(a, b, -1)
            pivot = max(v for monomial in difference for v in monomial)
            if len([m for m in difference if pivot in m]) != 1 or (pivot,) not in difference:
                raise NotImplementedError('the congruence %s' % condition.text)
            if not modulus:
                self.context.zero.append(difference)
                pivot = next((v for v in range(pivot + 1) if abs(difference.get((v,), 0)) == 1 and v >= self.first), pivot)
            self.context.congruent.append((difference, modulus, pivot))
        return None
