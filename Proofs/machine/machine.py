"""Executes functions of LLVM IR. Loops run with concrete counts. The domain knows what words are (integers/words.py, bits/words.py).

`hooks` are functions that stand for calls: `hook(machine, arguments)` returns the result. A name may end in the number that clang adds.
"""
import sys

from ir.types import element_offset, size_of
from machine import lanes
from machine.assembly import Execution
from machine.entered import enter
from machine.intrinsics import intrinsic
from machine.memory import Memory
from machine.values import Pointer, Undefined, Unproven, Word

sys.setrecursionlimit(100000)


class Machine:
    def __init__(self, module, domain, hooks=None):
        self.module, self.domain, self.hooks = module, domain, hooks or {}
        self.memory = Memory(module, domain)
        self.instructions = 0
        self.line = None

    def call(self, name, arguments):
        function = self.module.functions.get(name)
        if function is None:
            raise Unproven('calls %s, which has no body here' % name)
        enter(self.module, function.note)
        blocks = self.module.body(function)
        registers = {parameter[1]: x for parameter, x in zip(function.parameters, arguments)}
        block, previous = function.entry, None
        while True:
            following = self.block(blocks[block], registers, previous)
            if following[0] == 'ret':
                return following[1]
            previous, block = block, following[1]

    def block(self, instructions, registers, previous):
        chosen = {}
        for x in instructions:
            if x.op == 'phi':
                chosen[x.target] = self.get(x.kind, x.detail[previous], registers)
                continue
            registers.update(chosen)
            chosen = {}
            self.instructions += 1
            enter(self.module, x.location)
            self.line = self.domain.at = x.location and self.module.line(x.location) or self.line
            following = self.execute(x, registers)
            if following is not None:
                return following
        raise Unproven('a block without an end')

    def execute(self, x, registers):
        method = getattr(self, 'do_' + x.op, None)
        if method is not None:
            return method(x, registers)
        registers[x.target] = self.compute(x, [self.get(kind, operand, registers) for kind, operand in x.operands], registers)
        return None

    def get(self, kind, operand, registers):
        name = operand[0]
        if name == 'reg':
            return registers[operand[1]]
        if name == 'glob':
            return Pointer(operand[1])
        if name == 'offset':
            base = self.get(('ptr',), operand[1], registers)
            return Pointer(base.region, base.offset + operand[2])
        if kind[0] == 'vec':
            if name == 'vec':
                return self.shared([(part, kind[2]) for part in operand[1]], registers)
            return [self.get(kind[2], operand, registers)] * kind[1]
        if name == 'undef':
            return Undefined()
        if kind[0] == 'ptr':
            return Pointer('null', operand[1] if name == 'int' else 0)
        return self.domain.constant(operand[1] % (1 << kind[1]) if name == 'int' else 0, kind[1])

    def shared(self, parts, registers):
        """Equal constants of a vector are one object, so that `lanes` computes equal lanes once."""
        made = {}
        for part, kind in parts:
            if part not in made:
                made[part] = self.get(kind, part, registers)
        return [made[part] for part, _ in parts]

    def lanes(self, f, *vectors, op=None):
        """Applies f lane by lane; lanes with the same operands once."""
        if not isinstance(vectors[0], list):
            return self.lane(f, vectors, {}, op)
        made = {}
        return [self.lane(f, lane, made, op) for lane in zip(*vectors)]

    def lane(self, f, operands, made, op=None):
        if any(isinstance(x, Undefined) for x in operands):
            return Undefined()
        key = tuple(id(x.value if isinstance(x, Word) else x) for x in operands)
        if key not in made:
            made[key] = f(*operands)
        return lanes.tagged(made[key], lanes.of(operands, op))

    def number(self, word):
        return self.domain.number(lanes.plain(word))

    def decide(self, word):
        return self.domain.decide_word(lanes.plain(word))

    # Control.

    def do_br(self, x, registers):
        if not x.operands:
            return 'br', x.detail[0]
        condition = self.get(*x.operands[0], registers)
        return 'br', x.detail[0 if self.decide(condition) else 1]

    def do_switch(self, x, registers):
        otherwise, cases = x.detail
        return 'br', cases.get(self.number(self.get(*x.operands[0], registers)), otherwise)

    def do_ret(self, x, registers):
        return 'ret', self.get(*x.operands[0], registers) if x.operands else None

    def do_unreachable(self, x, registers):
        raise Unproven('reaches what the compiler takes as unreachable')

    # Memory.

    def do_store(self, x, registers):
        value, at = [self.get(kind, operand, registers) for kind, operand in x.operands]
        if isinstance(value, list) and x.kind[0] == 'vec' and x.kind[2] == ('i', 1):
            value = lanes.join(self.domain, value)
        self.memory.store(at, value, size_of(x.kind))

    def do_call(self, x, registers):
        arguments = [self.get(kind, operand, registers) for kind, operand in x.operands]
        name = x.detail
        hook = self.hooks.get(name.lstrip('@')) or self.hooks.get(name.lstrip('@').split('.')[0])
        if hook is not None:
            result = hook(self, arguments)
        elif name.startswith('@llvm.'):
            result = intrinsic(self, name[6:], arguments)
        else:
            result = self.call(name, arguments)
        if x.target is not None:
            registers[x.target] = result

    # Values.

    def compute(self, x, operands, registers):
        d = self.domain
        if x.op in ('add', 'sub', 'mul', 'shl', 'lshr', 'ashr', 'and', 'or', 'xor', 'udiv', 'urem', 'sdiv', 'srem'):
            return self.lanes(lambda a, b: d.binary(x.op, a, b, x.flags), *operands, op=x.op)
        return getattr(self, 'compute_' + x.op)(x, *operands)

    def compute_icmp(self, x, a, b):
        if isinstance(a, Pointer):
            return self.domain.constant(int(((a.region, a.offset) == (b.region, b.offset)) == (x.detail == 'eq')), 1)
        return self.lanes(lambda p, q: self.domain.compare(x.detail, p, q), a, b)

    def cast(self, x, a):
        to = x.detail[2] if x.detail[0] == 'vec' else x.detail
        return self.lanes(lambda word: self.domain.cast(x.op, word, to[1]), a)

    compute_zext = compute_sext = compute_trunc = cast

    def compute_bitcast(self, x, a):
        if x.kind == x.detail:
            return a
        if x.detail[0] == 'i':
            return lanes.join(self.domain, a)
        width, word = x.detail[2][1], lanes.join(self.domain, a) if isinstance(a, list) else a
        return [lanes.part(self.domain, word, width * i, width) for i in range(x.detail[1])]

    def compute_select(self, x, condition, a, b):
        if isinstance(condition, list) or isinstance(a, Word):
            return self.lanes(self.domain.select, condition, a, b)
        return a if self.decide(condition) else b

    def compute_freeze(self, x, a):
        return a

    def compute_asm(self, x, *inputs):
        if not x.detail.hides():
            return Execution(self, x.detail, inputs).run()
        return list(inputs) if len(inputs) > 1 else inputs[0]

    def compute_load(self, x, at):
        if x.kind[0] == 'vec' and x.kind[2] == ('i', 1):
            word = self.memory.load(at, ('i', x.kind[1]))
            return [lanes.part(self.domain, word, i, 1) for i in range(x.kind[1])]
        return self.memory.load(at, x.kind)

    def compute_getelementptr(self, x, base, *indices):
        numbers = []
        for index in indices:
            number = self.number(index)
            numbers.append(number - (1 << index.width) * (number >> (index.width - 1)))
        return Pointer(base.region, base.offset + element_offset(x.detail, numbers))

    def compute_alloca(self, x):
        return self.memory.region('stack', size_of(x.detail))

    def compute_extractvalue(self, x, a):
        for index in x.detail:
            a = a[index]
        return a

    def compute_insertvalue(self, x, a, part):
        made = list(a) if isinstance(a, list) else [Undefined()] * len(x.kind[1])
        made[x.detail[0]] = part
        return made

    def compute_shufflevector(self, x, a, b, mask):
        places = [self.number(i) if isinstance(i, Word) else None for i in mask]
        both = a + b
        return [Undefined() if place is None else both[place] for place in places]

    def compute_insertelement(self, x, a, part, index):
        made = list(a)
        made[self.number(index)] = part
        return made

    def compute_extractelement(self, x, a, index):
        return a[self.number(index)]
