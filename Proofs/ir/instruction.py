"""One instruction of LLVM IR."""
import re

from ir.assembly import Assembly
from ir.reader import Reader

BINARY = {'add', 'sub', 'mul', 'shl', 'lshr', 'ashr', 'and', 'or', 'xor', 'udiv', 'urem', 'sdiv', 'srem'}
CASTS = {'zext', 'sext', 'trunc', 'bitcast', 'ptrtoint', 'inttoptr'}
BINARY_FLAGS = ('nuw', 'nsw', 'exact', 'disjoint')


class Instruction:
    """`operands` are pairs of type and operand; `detail` is what the operation has besides: a predicate, labels, indices, a name."""
    __slots__ = ('op', 'target', 'kind', 'operands', 'detail', 'flags', 'location')

    def __init__(self, op, target, kind, operands, detail=None, flags=()):
        self.op, self.target, self.kind, self.operands, self.detail, self.flags = op, target, kind, operands, detail, flags
        self.location = None


def parse(line, named):
    location = re.search(r', !dbg !(\d+)', line)
    line = re.sub(r',? ![a-zA-Z_.]+ ![0-9]+', '', line)
    line = re.sub(r'\s+#\d+(?=\s*$|,)', '', line)
    target = None
    match = re.match(r'(%[^ ]+) = (.*)', line)
    if match:
        target, line = match.groups()
    instruction = read(Reader(line, named), target)
    instruction.location = location and location.group(1)
    return instruction


def read(r, target):
    op = r.next()
    if op in ('tail', 'musttail', 'notail'):
        op = r.next()
    if op in BINARY:
        return binary(r, target, op)
    if op in CASTS:
        flags = r.skip(('nuw', 'nsw', 'nneg'))
        value = r.typed()
        r.need('to')
        return Instruction(op, target, value[0], [value], r.type(), flags)
    reader = READERS.get(op)
    if reader is None:
        raise NotImplementedError('the instruction ' + op)
    return reader(r, target)


def binary(r, target, op):
    flags = r.skip(BINARY_FLAGS)
    kind = r.type()
    a = r.operand(kind)
    r.need(',')
    return Instruction(op, target, kind, [(kind, a), (kind, r.operand(kind))], None, flags)


def comparison(r, target):
    flags = r.skip(('samesign',))
    predicate, kind = r.next(), r.type()
    a = r.operand(kind)
    r.need(',')
    return Instruction('icmp', target, kind, [(kind, a), (kind, r.operand(kind))], predicate, flags)


def selection(r, target):
    condition = r.typed()
    r.need(',')
    yes = r.typed()
    r.need(',')
    return Instruction('select', target, yes[0], [condition, yes, r.typed()])


def branch(r, target):
    if r.eat('label'):
        return Instruction('br', target, None, [], [r.next()])
    condition, labels = r.typed(), []
    while r.eat(','):
        r.need('label')
        labels.append(r.next())
    return Instruction('br', target, None, [condition], labels)


def switch(r, target):
    value = r.typed()
    r.need(',')
    r.need('label')
    otherwise, cases = r.next(), {}
    r.need('[')
    while not r.eat(']'):
        number = r.typed()[1][1]
        r.need(',')
        r.need('label')
        cases[number % (1 << value[0][1])] = r.next()
    return Instruction('switch', target, value[0], [value], (otherwise, cases))


def phi(r, target):
    r.skip(('nuw', 'nsw'))
    kind, incoming = r.type(), {}
    while True:
        r.need('[')
        value = r.operand(kind)
        r.need(',')
        incoming[r.next()] = value
        r.need(']')
        if not r.eat(','):
            return Instruction('phi', target, kind, [], incoming)


def result(r, target):
    kind = r.type()
    return Instruction('ret', target, kind, [] if kind == ('void',) else [(kind, r.operand(kind))])


def load(r, target):
    flags = r.skip(('volatile', 'atomic'))
    kind = r.type()
    r.need(',')
    return Instruction('load', target, kind, [r.typed()], None, flags)


def store(r, target):
    flags = r.skip(('volatile', 'atomic'))
    value = r.typed()
    r.need(',')
    return Instruction('store', target, value[0], [value, r.typed()], None, flags)


def address(r, target):
    r.skip(('inbounds', 'nuw', 'nusw'))
    kind = r.type()
    operands = []
    while r.eat(','):
        operands.append(r.typed())
    return Instruction('getelementptr', target, ('ptr',), operands, kind)


def parts(count):
    def read_parts(r, target):
        operands = [r.typed()]
        for _ in range(count - 1):
            r.need(',')
            operands.append(r.typed())
        indices = []
        while r.eat(','):
            indices.append(int(r.next()))
        return Instruction(r.tokens[0], target, operands[0][0], operands, indices)
    return read_parts


def call(r, target):
    while r.peek() in ('fastcc', 'noundef', 'range', 'zeroext', 'signext', 'nonnull', 'noalias', 'align'):
        if r.next() in ('range', 'align'):
            r.parenthesised()
    kind = r.type()
    if r.eat('asm'):
        volatile = r.eat('sideeffect') is not None
        text = r.next()
        r.need(',')
        assembly = Assembly(text, r.next(), volatile)
        return Instruction('asm', target, kind, arguments(r), assembly)
    name = r.next()
    return Instruction('call', target, kind, arguments(r), name)


def arguments(r):
    r.need('(')
    found = []
    while not r.eat(')'):
        kind = r.type()
        if kind == ('metadata',):
            return []
        r.attributes()
        found.append((kind, r.operand(kind)))
        r.eat(',')
    return found


READERS = {
    'icmp': comparison, 'select': selection, 'br': branch, 'switch': switch, 'phi': phi, 'ret': result, 'load': load, 'store': store,
    'getelementptr': address, 'extractvalue': parts(1), 'insertvalue': parts(2), 'shufflevector': parts(3), 'insertelement': parts(3),
    'extractelement': parts(2), 'freeze': parts(1), 'call': call,
    'alloca': lambda r, target: Instruction('alloca', target, ('ptr',), [], r.type()),
    'unreachable': lambda r, target: Instruction('unreachable', target, None, []),
}
