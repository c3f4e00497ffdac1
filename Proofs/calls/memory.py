"""Memory for runs in which routines are calls: bytes hold numbers, bit vectors, pointers, or whatever a routine's contract puts there.

A number is a Python integer, not negative; a word that is not known is a bit vector of z3. A cell is found again by its offset and size;
numbers and bit vectors also by their bytes.
"""
import z3

from ir.types import size_of, struct_layout
from machine.values import Pointer, Unproven


class Memory:
    def __init__(self, module):
        self.module = module
        self.cells = {}  # region: {offset: (value, size)}
        self.sizes = {}  # region: its bytes, where they are known
        self.count = 0
        self.widest = 1  # the size of the largest cell
        self.readers = {}  # region: a function of (offset, type), for loads from arrays whose index is not known
        self.unplaced = []  # stores at offsets that are not known: (address, value, size); the proof judges them

    def region(self, name, size=None):
        self.count += 1
        region = '%s.%d' % (name, self.count)
        self.sizes[region] = size
        self.cells[region] = {}
        return Pointer(region)

    def store(self, at, value, size):
        if isinstance(value, list):
            step = size // len(value)
            for i, part in enumerate(value):
                self.store(Pointer(at.region, at.offset + step * i), part, step)
            return
        if not isinstance(at.offset, int):
            self.unplaced.append((at, value, size))
            return
        self.must_hold(at, size)
        cells = self.of(at.region)
        for offset in self.overlapped(cells, at.offset, size):
            old, length = cells.pop(offset)
            self.keep(cells, offset, old, length, offset, at.offset)
            self.keep(cells, offset, old, length, at.offset + size, offset + length)
        cells[at.offset] = (value, size)
        self.widest = max(self.widest, size)

    def must_hold(self, at, size):
        """An address past a local variable's end, or before it, would be another's. What nothing wrote is not read either."""
        whole = self.sizes.get(at.region)
        if at.offset < 0 or whole is not None and at.offset + size > whole:
            raise Unproven('writes %s, of %s bytes, at byte %d' % (at.region, whole, at.offset))

    def overlapped(self, cells, start, size):
        """The cells that other cells at these bytes would cut."""
        if start in cells and cells[start][1] == size:
            return []
        near = range(start - self.widest + 1, start + size)
        return [offset for offset in (near if len(near) < len(cells) else list(cells))
                if offset in cells and offset < start + size and start < offset + cells[offset][1]]

    @staticmethod
    def keep(cells, offset, old, length, first, last):
        """Keeps the bytes of an old word from `first` to `last`."""
        if first < last and (isinstance(old, int) or z3.is_bv(old)):
            cells[first] = (part(old, length, first - offset, last - first), last - first)

    def load(self, at, kind):
        if at.region in self.readers:
            return self.readers[at.region](at.offset, kind)
        if kind[0] in ('vec', 'arr'):
            step = size_of(kind[2])
            return [self.load(Pointer(at.region, at.offset + step * i), kind[2]) for i in range(kind[1])]
        if kind[0] == 'struct':
            return [self.load(Pointer(at.region, at.offset + offset), inside) for offset, inside in zip(struct_layout(kind)[0], kind[1])]
        if not isinstance(at.offset, int):
            raise Unproven('loads from an address that is not known')
        size, cells = size_of(kind), self.of(at.region)
        if at.offset in cells and cells[at.offset][1] == size:
            return cells[at.offset][0]
        return self.gather(cells, at, size)

    def gather(self, cells, at, size):
        pieces, have = [], 0
        while have < size:
            found = [offset for offset, (_, length) in cells.items() if offset <= at.offset + have < offset + length]
            if not found:
                raise Unproven('reads %s at byte %d, which nothing wrote' % (at.region, at.offset + have))
            value, length = cells[found[0]]
            if not (isinstance(value, int) or z3.is_bv(value)):
                raise Unproven('reads a part of what is no word in %s at byte %d' % (at.region, at.offset))
            first = at.offset + have - found[0]
            take = min(length - first, size - have)
            pieces.append((part(value, length, first, take), take))
            have += take
        return join(pieces)

    def copy(self, to, source, size):
        cells = self.of(source.region)
        inside = [(offset, cell) for offset, cell in cells.items() if source.offset <= offset and offset + cell[1] <= source.offset + size]
        edges = [offset for offset in self.overlapped(cells, source.offset, size) if offset not in dict(inside)]
        if edges:
            words = self.load(source, ('arr', size, ('i', 8)))
            self.store(to, words, size)
            return
        for offset, (value, length) in inside:
            self.store(Pointer(to.region, to.offset + offset - source.offset), value, length)

    def of(self, region):
        if region not in self.cells:
            if region not in self.module.globals:
                raise Unproven('reads %s, which has no initial value here' % region)
            self.cells[region] = {}
            self.initialise(Pointer(region), *self.module.globals[region])
        return self.cells[region]

    def initialise(self, at, kind, operand):
        for offset, value, size in words_of(kind, operand):
            self.cells[at.region][at.offset + offset] = (value, size)
            self.widest = max(self.widest, size)


def words_of(kind, operand, at=0):
    """The numbers and addresses of a constant, each with its offset and size."""
    if kind[0] == 'struct':
        kinds, offsets = kind[1], struct_layout(kind)[0]
    elif kind[0] in ('arr', 'vec'):
        kinds, offsets = [kind[2]] * kind[1], [size_of(kind[2]) * i for i in range(kind[1])]
    elif kind[0] == 'ptr':
        yield at, Pointer(operand[1]) if operand[0] == 'glob' else Pointer('null', 0), 8
        return
    else:
        yield at, operand[1] % (1 << kind[1]) if operand[0] == 'int' else 0, size_of(kind)
        return
    parts = [operand] * len(kinds) if operand[0] in ('zero', 'undef') else operand[1]
    for offset, inside, value in zip(offsets, kinds, parts):
        yield from words_of(inside, value, at + offset)


def part(value, length, first, size):
    """Bytes of a word of `length` bytes."""
    if isinstance(value, int):
        return value >> (8 * first) & ((1 << (8 * size)) - 1)
    return z3.simplify(z3.Extract(8 * (first + size) - 1, 8 * first, z3.ZeroExt(8 * length - value.size(), value)))


def join(pieces):
    if all(isinstance(value, int) for value, _ in pieces):
        total, bits = 0, 0
        for value, size in pieces:
            total, bits = total | value << bits, bits + 8 * size
        return total
    words = [z3.BitVecVal(value, 8 * size) if isinstance(value, int) else value for value, size in pieces]
    return z3.simplify(z3.Concat(*reversed(words))) if len(words) > 1 else words[0]
