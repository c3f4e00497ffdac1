"""Executes assembly: the few instructions of x86-64 that the kernels write themselves, as Intel's manual describes them.

Each operand is a register of its own. That is what the compiler provides where every output is marked as written before the inputs are
read (`&`), as is required here. Both carries, CF and OF, are unknown where the assembly begins. The operands are in AT&T's order.
"""
from machine.lanes import plain
from machine.values import Pointer, Unproven, Word


class Execution:
    def __init__(self, machine, assembly, arguments):
        self.machine, self.assembly, self.domain = machine, assembly, machine.domain
        first = assembly.first_input
        if any('&' not in name for name in assembly.outputs()):
            raise Unproven('assembly with an output that may share its register with an input')
        if '~{cc}' not in assembly.clobbers and '~{flags}' not in assembly.clobbers:
            raise Unproven('assembly that does not say that it changes the flags')
        self.registers, self.carries = {}, {'cf': None, 'of': None}
        for i, (name, value) in enumerate(zip(assembly.constraints[first:], arguments), first):
            self.registers[int(name) if name.isdigit() else i] = value
        if len(assembly.constraints) - first != len(arguments):
            raise Unproven('%d inputs of assembly for %d constraints' % (len(arguments), len(assembly.constraints) - first))

    def run(self):
        for name, operands in self.assembly.instructions:
            method = getattr(self, 'do_' + name, None)
            if method is None:
                raise NotImplementedError('the instruction %s of assembly' % name)
            method(*operands)
        found = [self.read(('operand', i)) for i in range(self.assembly.first_input)]
        return found if len(found) > 1 else found[0]

    # Operands.

    def read(self, operand):
        """A word of 64 bits."""
        kind = operand[0]
        if kind == 'int':
            return self.domain.constant(operand[1] % (1 << 64), 64)
        if kind == 'memory':
            return self.load(self.registers.get(operand[1]), operand[2])
        value = self.registers.get(operand[1])
        if self.assembly.constraints[operand[1]].startswith('*'):
            return self.load(value, 0)
        if kind != 'operand' or not isinstance(value, Word) or value.width != 64:
            raise Unproven('assembly reads operand %d, which holds no word' % operand[1])
        return plain(value)

    def load(self, at, offset):
        if not isinstance(at, Pointer):
            raise Unproven('assembly reads at what is no address')
        if '~{memory}' not in self.assembly.clobbers:
            raise Unproven('assembly that does not say that it reads memory')
        return self.machine.memory.load(Pointer(at.region, at.offset + offset), ('i', 64))

    def store(self, operand, word):
        at = self.registers.get(operand[1])
        if not isinstance(at, Pointer) or '~{memory}' not in self.assembly.clobbers:
            raise Unproven('assembly writes at what is no address, or does not say that it changes memory')
        if not self.assembly.volatile:
            raise Unproven('assembly that writes memory, and that the compiler may leave out')
        self.machine.memory.store(Pointer(at.region, at.offset + operand[2]), word, 8)

    def write(self, operand, word):
        if operand[0] != 'operand' or operand[1] >= self.assembly.first_input:
            raise Unproven('assembly writes what is no output')
        self.registers[operand[1]] = word

    def fixed(self, register):
        """The operand in a register that an instruction names by itself."""
        found = [i for i, name in enumerate(self.assembly.constraints) if '{%s}' % register in name]
        if len(found) != 1:
            raise Unproven('assembly uses %s, which no operand is bound to' % register)
        return self.read(('operand', found[0]))

    # Instructions.

    def do_mulxq(self, source, low, high):
        """The product with RDX. No flag changes. If both halves are one register, it is the high one."""
        a, b = (self.domain.cast('zext', x, 128) for x in (self.read(source), self.fixed('dx')))
        product = self.domain.binary('mul', a, b, ())
        self.write(low, self.domain.cast('trunc', product, 64))
        upper = self.domain.binary('lshr', product, self.domain.constant(64, 128), ())
        self.write(high, self.domain.cast('trunc', upper, 64))

    def do_adcxq(self, source, target):
        self.add('cf', source, target)

    def do_adoxq(self, source, target):
        self.add('of', source, target)

    def add(self, flag, source, target):
        """target + source + the flag, which becomes the carry; no other flag changes."""
        if self.carries[flag] is None:
            raise Unproven('assembly reads a carry that nothing set')
        words = [self.domain.cast('zext', x, 72) for x in (self.read(target), self.read(source), self.carries[flag])]
        total = self.domain.binary('add', self.domain.binary('add', words[0], words[1], ()), words[2], ())
        self.write(target, self.domain.cast('trunc', total, 64))
        above = self.domain.binary('lshr', total, self.domain.constant(64, 72), ())
        self.carries[flag] = self.domain.cast('trunc', above, 1)

    def do_xorl(self, source, target):
        """Of a register with itself: zero, in both halves, and no carry."""
        if source != target or target[0] != 'low':
            raise NotImplementedError('xorl of another kind')
        self.write(('operand', target[1]), self.domain.constant(0, 64))
        self.carries = {'cf': self.domain.constant(0, 1), 'of': self.domain.constant(0, 1)}

    def do_movq(self, source, target):
        """No flag changes."""
        word = self.read(source)
        if target[0] == 'memory':
            self.store(target, word)
        else:
            self.write(target, word)

    def do_movl(self, source, target):
        """A number into the lower half; the upper one becomes zero. No flag changes."""
        if source[0] != 'int' or not 0 <= source[1] < 1 << 31 or target[0] != 'low':
            raise NotImplementedError('movl of another kind')
        self.write(('operand', target[1]), self.domain.constant(source[1], 64))
