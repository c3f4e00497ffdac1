"""Runs C functions in the IR of clang's front end, in which every call of the source is still a call.

A routine with a contract is not entered: the run takes what the contract gives. Everything else is executed. Numbers are Python integers;
words that are not known are bit vectors of z3, and a branch on one is followed both ways, each in its own run (`paths`).
"""
import z3

from calls.arithmetic import binary, cast, compare, vector
from calls.memory import Memory
from ir.compilation import compile
from ir.types import element_offset, size_of
from machine.entered import enter
from machine.values import Pointer, Unproven
from solvers import solver

FRONT_END = ['-O0', '-Xclang', '-disable-llvm-passes', '-fno-discard-value-names']
IGNORED = ('llvm.lifetime', 'llvm.dbg', 'llvm.prefetch', 'llvm.assume', 'llvm.experimental.noalias')


def front_end(source, *flags):
    return compile(source, *FRONT_END, *flags)


class Machine:
    """`routines` are functions of (machine, arguments), by name. `heads` are functions of (machine, registers), by (function, block): they
    run at the block's beginning; one that returns True ends the run.
    """

    def __init__(self, module, routines=None, decisions=()):
        self.module, self.routines, self.heads = module, routines or {}, {}
        self.memory = Memory(module)
        self.decisions, self.taken = list(decisions), []
        self.solver = solver()
        self.place = None

    # What is known on this path.

    def assume(self, condition):
        self.solver.add(condition)

    def refutes(self, condition):
        """Whether the condition cannot hold here."""
        condition = z3.simplify(condition) if z3.is_expr(condition) else z3.BoolVal(condition)
        if z3.is_true(condition) or z3.is_false(condition):
            return z3.is_false(condition)
        self.solver.push()
        self.solver.add(condition)
        answer = self.solver.check()
        self.solver.pop()
        if answer == z3.unknown:
            raise Unproven('z3 gives no answer')
        return answer == z3.unsat

    def prove(self, condition, claim):
        if not self.refutes(z3.Not(condition) if z3.is_expr(condition) else not condition):
            raise Unproven(claim)

    def prove_all(self, claims):
        """One question for all; where it fails, each alone, so that the claim is named."""
        if not self.refutes(z3.Not(z3.And(*[condition for condition, _ in claims]))):
            for condition, claim in claims:
                self.prove(condition, claim)
            raise Unproven('z3 contradicts itself')

    def decide(self, condition):
        """Whether the condition, a number or a bit vector, is not zero. Where neither is plain, another run takes the other way."""
        if isinstance(condition, int):
            return condition != 0
        holds = z3.simplify(condition != 0)
        if z3.is_true(holds) or z3.is_false(holds):
            return z3.is_true(holds)
        at = len(self.taken)
        self.taken.append(self.decisions[at] if at < len(self.decisions) else False)
        self.assume(holds if self.taken[-1] else z3.Not(holds))
        return self.taken[-1]

    # Running.

    def call(self, name, arguments):
        name = name.lstrip('@')
        if name in self.routines:
            return self.routines[name](self, arguments)
        if '@' + name in self.module.functions:
            return self.enter(self.module.functions['@' + name], arguments)
        return self.intrinsic(name, arguments)

    def enter(self, function, arguments):
        registers = {}
        for (_, register), kind, argument in zip(function.parameters, function.copied, arguments):
            if kind is not None:
                copy = self.memory.region('copy', size_of(kind))
                self.memory.copy(copy, argument, size_of(kind))
                argument = copy
            registers[register] = argument
        return self.run(function, registers, function.entry)

    def run(self, function, registers, block):
        enter(self.module, function.note)
        blocks, previous = self.module.body(function), None
        while True:
            head = self.heads.get((function.name.lstrip('@'), block.lstrip('%')))
            if head is not None and head(self, registers):
                return None
            for instruction in blocks[block]:
                if instruction.op == 'phi':
                    registers[instruction.target] = self.value(instruction.kind, instruction.detail[previous], registers)
                elif instruction.op == 'br':
                    choice = not instruction.operands or self.decide(self.value(*instruction.operands[0], registers))
                    previous, block = block, instruction.detail[0 if choice else 1]
                    break
                elif instruction.op == 'switch':
                    previous, block = block, self.chosen(instruction, registers)
                    break
                elif instruction.op == 'ret':
                    return self.value(*instruction.operands[0], registers) if instruction.operands else None
                else:
                    result = self.step(function, instruction, registers)
                    if instruction.target is not None:
                        registers[instruction.target] = result

    def chosen(self, instruction, registers):
        otherwise, cases = instruction.detail
        value = self.value(*instruction.operands[0], registers)
        for number, label in cases.items():
            if self.decide(compare('eq', value, number, instruction.kind[1])):
                return label
        return otherwise

    def step(self, function, instruction, registers):
        op = instruction.op
        if op == 'alloca':
            return self.memory.region('%s.%s' % (function.name.lstrip('@'), instruction.target.lstrip('%')), size_of(instruction.detail))
        values = [self.value(kind, operand, registers) for kind, operand in instruction.operands]
        if op == 'load':
            return self.memory.load(values[0], instruction.kind)
        if op == 'store':
            return self.memory.store(values[1], values[0], size_of(instruction.kind))
        if op == 'getelementptr':
            return offset_of(instruction, values)
        if op == 'call':
            self.place = self.module.line(instruction.location) or self.place
            try:
                callee = instruction.detail
                return self.call(registers[callee].region if callee.startswith('%') else callee, values)
            except Unproven as reason:
                raise located(reason, function.name.lstrip('@'), self.module.line(instruction.location)) from None
        if op == 'select':
            return values[1] if self.decide(values[0]) else values[2]
        if op in ('extractvalue', 'insertvalue'):
            return member(instruction, values)
        if op == 'icmp':
            return each(lambda a, b: compare(instruction.detail, a, b, width(instruction.kind)), *values)
        if op == 'asm' and (not instruction.detail.hides() or len(values) > 1):
            raise Unproven('assembly outside a routine with a contract')
        if op in ('freeze', 'asm'):
            return values[0]
        if op == 'bitcast':
            return bitcast(values[0], instruction.kind, instruction.detail)
        if op in ('zext', 'sext', 'trunc', 'ptrtoint', 'inttoptr'):
            return each(lambda a: cast(op, a, width(instruction.kind), width(instruction.detail)), values[0])
        return each(lambda a, b: binary(op, a, b, width(instruction.kind)), *values)

    def value(self, kind, operand, registers):
        name = operand[0]
        if name == 'reg':
            return registers[operand[1]]
        if name == 'int':
            return operand[1] % (1 << kind[1]) if kind[0] == 'i' else Pointer('null', operand[1])
        if name == 'glob':
            return Pointer(operand[1])
        if name == 'offset':
            base = self.value(('ptr',), operand[1], registers)
            return Pointer(base.region, base.offset + operand[2])
        if kind[0] in ('vec', 'arr', 'struct'):
            kinds = kind[1] if kind[0] == 'struct' else [kind[2]] * kind[1]
            parts = operand[1] if name in ('vec', 'agg') else [operand] * len(kinds)
            return [self.value(inside, part, registers) for inside, part in zip(kinds, parts)]
        return 0 if kind[0] == 'i' else Pointer('null', 0)

    def intrinsic(self, name, arguments):
        if name.startswith(IGNORED):
            return None
        if name.startswith(('llvm.memcpy', 'llvm.memmove')):
            return self.memory.copy(arguments[0], arguments[1], arguments[2])
        if name.startswith('llvm.memset'):
            return self.memory.store(arguments[0], [arguments[1]] * arguments[2], arguments[2]) if arguments[2] else None
        if name.startswith(('llvm.uadd.with.overflow', 'llvm.usub.with.overflow')):
            op, bits = ('add', 'ult') if 'uadd' in name else ('sub', 'ugt'), int(name.rsplit('.i', 1)[1])
            result = binary(op[0], *arguments[:2], bits)
            return [result, compare(op[1], result, arguments[0], bits)]
        if name.startswith('llvm.cttz'):
            return self.trailing_zeros(arguments[0])
        raise Unproven('calls %s, which has no contract' % name)

    def trailing_zeros(self, word):
        """Of a word that is not zero."""
        if isinstance(word, int):
            return (word & -word).bit_length() - 1
        self.prove(word != 0, 'the word is not zero')
        zeros = z3.FreshConst(z3.BitVecSort(word.size()), 'zeros')
        self.assume(z3.And(z3.ULT(zeros, word.size()), z3.LShR(word, zeros) & 1 == 1, z3.LShR(word, zeros) << zeros == word))
        return zeros


def offset_of(instruction, values):
    base, indices, kinds = values[0], values[1:], [kind for kind, _ in instruction.operands[1:]]
    if all(isinstance(index, int) for index in indices):
        signed = [index - (1 << kind[1]) if index >> (kind[1] - 1) else index for index, kind in zip(indices, kinds)]
        return Pointer(base.region, base.offset + element_offset(instruction.detail, signed))
    offset, inside = base.offset, instruction.detail
    for place, (index, kind) in enumerate(zip(indices, kinds)):
        if place > 0 and inside[0] == 'struct':
            offset, inside = offset + element_offset(inside, [0, index]), inside[1][index]
            continue
        if place > 0:
            inside = inside[2]
        step = index * size_of(inside) if isinstance(index, int) else cast('sext', index, kind[1], 64) * size_of(inside)
        offset = offset + step
    return Pointer(base.region, offset if isinstance(offset, int) else z3.simplify(offset))


def member(instruction, values):
    if instruction.op == 'extractvalue':
        return values[0][instruction.detail[0]]
    changed = list(values[0])
    changed[instruction.detail[0]] = values[1]
    return changed


def bitcast(value, kind, to):
    """Between a mask and its bits."""
    if kind == to:
        return value
    if kind[0] == 'vec' and kind[2] == ('i', 1):
        if all(isinstance(bit, int) for bit in value):
            return sum(bit << i for i, bit in enumerate(value))
        return z3.simplify(z3.Concat(*reversed([vector(bit, 1) for bit in value])))
    if to[0] == 'vec' and to[2] == ('i', 1):
        return [value >> i & 1 if isinstance(value, int) else z3.simplify(z3.Extract(i, i, value)) for i in range(to[1])]
    raise Unproven('a bitcast that is not of a mask')


def width(kind):
    kind = kind[2] if kind[0] == 'vec' else kind
    return kind[1] if kind[0] == 'i' else 64


def each(operation, *values):
    """Applies the operation to words, or lane by lane to vectors."""
    return [operation(*lane) for lane in zip(*values)] if isinstance(values[0], list) else operation(*values)


def located(reason, routine, line):
    """The innermost place is named."""
    if getattr(reason, 'is_located', False):
        return reason
    found = Unproven('%s, %s: %s' % (routine, line or 'no line', reason))
    found.is_located = True
    return found


def paths(make, prove):
    """Calls `prove(make(decisions))` once for each way through the branches. Returns how many there are.

    A way that no input takes may fail: what is assumed on it contradicts itself.
    """
    waiting, count = [[]], 0
    while waiting:
        prefix = waiting.pop()
        machine = make(prefix)
        try:
            prove(machine)
        except Unproven:
            if machine.solver.check() != z3.unsat:
                raise
        count += 1
        for at in range(len(prefix), len(machine.taken)):
            waiting.append(machine.taken[:at] + [not machine.taken[at]])
    return count
