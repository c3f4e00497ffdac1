"""A translation unit for proofs: files of the kernels, and for each routine a function that calls it with pointers."""
import functools
import pathlib
import shutil
import tempfile

from contracts.sources import functions
from ir.compilation import KERNELS, compile

WIDTHS = {'int': 32, 'unsigned': 32, 'uint32_t': 32, 'uint64_t': 64, 'int64_t': 64, 'size_t': 64, '__mmask8': 8, 'uint8_t': 8}


class Number:
    """How a C type holds a number: digits of so many bits, each in a word of `size` bytes, or in eight lanes of such words.

    Of a `factor` only the low bits of each digit but the last belong to the number. A `reversed` one has its highest digit first. With a
    `stride` a digit is so many words after the one below it: the words between belong to others.
    """

    def __init__(self, digits, bits, lanes=1, factor=False, size=8, reversed=False, stride=1):
        self.digits, self.bits, self.lanes, self.factor, self.size, self.reversed = digits, bits, lanes, factor, size, reversed
        self.stride = stride

    def offset(self, i):
        """Where digit i is; digit zero is the lowest."""
        return self.size * self.lanes * self.stride * (self.digits - 1 - i if self.reversed else i)

    def bytes(self):
        return self.size * self.lanes * (self.stride * (self.digits - 1) + 1)


class Unit:
    """`types` has the numbers among the C types, `constants` the names of contracts and array lengths, `bound` the arguments that are the
    same in each call, as C text, and `values` what they are in contracts. `words` is how many words a plain pointer points to; `counts`
    says it by name, or the Number itself. The routines of `outside` have no body in the unit: they stay calls.
    """

    def __init__(self, name, text, types=None, constants=None, bound=None, values=None, target='', words=4, counts=None, big_endian=(),
                 outside=()):
        self.outside, self.counts, self.big_endian = tuple(outside), counts or {}, big_endian
        self.name, self.text, self.types, self.constants = name, text, types or {}, constants or {}
        self.bound, self.values, self.target, self.words = bound or {}, values or {}, target, words

    def function(self, id):
        try:
            return functions()[id]
        except KeyError:
            raise SyntaxError('%s is not among the sources' % id) from None

    def number(self, parameter):
        """The Number that a parameter points to or is, or None for a plain word."""
        if parameter.base in self.types:
            return self.types[parameter.base]
        if not parameter.is_pointer:
            return None
        count = self.counts.get(parameter.name)
        if isinstance(count, Number):
            return count
        if count is None:
            count = eval(parameter.count, {'__builtins__': {}}, self.constants) if parameter.count else self.words
        if parameter.base == 'uint8_t':
            return Number(count, 8, size=1, reversed=parameter.name in self.big_endian)
        return Number(count, 64, 8 if parameter.base == '__m512i' else 1)

    def entry(self, function):
        """The name of the function that calls the routine."""
        return '@prove_' + function.name

    def wrapper(self, function):
        parameters, arguments = [], []
        structure = function.result in self.types
        if structure:
            parameters.append(function.result + ' *result_')
        for p in function.parameters:
            if p.name in self.bound:
                arguments.append(self.bound[p.name])
            elif p.is_pointer:
                parameters.append('%s%s *%s' % ('const ' if p.is_constant else '', p.base, p.name))
                arguments.append(p.name)
            elif p.base in self.types:
                parameters.append('const %s *%s' % (p.base, p.name))
                arguments.append('*' + p.name)
            else:
                parameters.append('%s %s' % (p.base, p.name))
                arguments.append(p.name)
        call = '%s(%s);' % (function.name, ', '.join(arguments))
        result = 'void' if structure or function.result == 'void' else function.result
        call = '*result_ = ' + call if structure else call if result == 'void' else 'return ' + call
        return '%s %s prove_%s(%s) { %s }' % (self.target, result, function.name, ', '.join(parameters), call)

    def module(self, ids):
        return compiled(self.text, tuple(self.wrapper(self.function(id)) for id in ids), self.outside)


@functools.lru_cache
def compiled(text, wrappers, outside):
    source = '\n'.join((text,) + wrappers) + '\n'
    if not outside:
        return compile(source)
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / 'kernels'
        shutil.copytree(KERNELS, copy)
        for function in sorted((functions()[id] for id in outside), key=lambda f: -f.span[0]):
            path = copy / function.file
            code = path.read_text()
            path.write_text(code[:function.span[0]] + function.declaration + code[function.span[1]:])
        return compile(source, folder=copy)
