"""Memory: regions that do not overlap, each with words at byte offsets. Reading what was not written fails."""
from ir.types import size_of, struct_layout
from machine.lanes import join, part
from machine.values import Pointer, Undefined, Unproven, Word

LARGEST = 16  # bytes of a word


class Memory:
    def __init__(self, module, domain):
        self.module, self.domain = module, domain
        self.cells = {}  # (region, offset): (word, size)
        self.sizes = {}  # region: its bytes, where they are known
        self.regions, self.loaded = 0, set()
        self.late_reads = set()  # (region read, region written before at the same byte)
        self.written = {}

    def region(self, name='region', size=None):
        self.regions += 1
        at = Pointer('%s.%d' % (name, self.regions))
        self.sizes[at.region] = size
        return at

    def store(self, at, x, size):
        if isinstance(x, list):
            step = size // len(x)
            for i, element in enumerate(x):
                self.store(Pointer(at.region, at.offset + step * i), element, step)
            return
        whole = self.sizes.get(at.region)
        if at.offset < 0 or whole is not None and at.offset + size > whole:
            raise Unproven('writes %s, of %s bytes, at byte %d' % (at.region, whole, at.offset))
        for distance in range(1 - LARGEST, size):
            self.cut(at, distance, size)
        self.cells[at.region, at.offset] = (x, size)
        for byte in range(at.offset, at.offset + size):
            self.written.setdefault(byte, set()).add(at.region)

    def cut(self, at, distance, size):
        """Removes the part of an older word that the new one overlaps."""
        old = self.cells.get((at.region, at.offset + distance))
        if old is None or distance + old[1] <= 0:
            return
        del self.cells[at.region, at.offset + distance]
        if not isinstance(old[0], Word):
            return
        if distance < 0:
            self.cells[at.region, at.offset + distance] = (part(self.domain, old[0], 0, -8 * distance), -distance)
        after = distance + old[1] - size
        if after > 0:
            self.cells[at.region, at.offset + size] = (part(self.domain, old[0], 8 * (old[1] - after), 8 * after), after)

    def load(self, at, kind):
        self.initialise(at.region)
        if kind[0] in ('vec', 'arr'):
            step = size_of(kind[2])
            return [self.load(Pointer(at.region, at.offset + step * i), kind[2]) for i in range(kind[1])]
        size = size_of(kind)
        for byte in range(at.offset, at.offset + size):
            self.late_reads.update((at.region, region) for region in self.written.get(byte, ()))
        cell = self.cells.get((at.region, at.offset))
        if cell is not None and cell[1] == size:
            return cell[0] if kind[0] == 'ptr' or not isinstance(cell[0], Word) else part(self.domain, cell[0], 0, kind[1])
        return self.gather(at, kind[1])

    def gather(self, at, width):
        """A word from the parts of several, or from one that is wider."""
        parts, have = [], 0
        while have < width:
            start, (x, size) = self.cell_over(at.region, at.offset + have // 8)
            skip = 8 * (at.offset + have // 8 - start)
            take = min(8 * size - skip, width - have)
            parts.append(part(self.domain, x, skip, take))
            have += take
        return parts[0] if len(parts) == 1 else join(self.domain, parts)

    def cell_over(self, region, offset):
        for distance in range(LARGEST):
            cell = self.cells.get((region, offset - distance))
            if cell is not None and cell[1] > distance and isinstance(cell[0], Word):
                return offset - distance, cell
        raise Unproven('reads %s at byte %d, which nothing wrote' % (region, offset))

    def copy(self, to, source, size):
        self.initialise(source.region)
        moved = [(offset, cell) for (region, offset), cell in self.cells.items()
                 if region == source.region and source.offset < offset + cell[1] and offset < source.offset + size]
        for offset, (x, length) in moved:
            if offset < source.offset or offset + length > source.offset + size:
                first, last = max(offset, source.offset), min(offset + length, source.offset + size)
                x, offset, length = part(self.domain, x, 8 * (first - offset), 8 * (last - first)), first, last - first
            self.store(Pointer(to.region, to.offset + offset - source.offset), x, length)

    # Constants and variables of the module.

    def initialise(self, region):
        if region.startswith('@') and region not in self.loaded:
            self.loaded.add(region)
            if region not in self.module.globals:
                raise Unproven('reads %s, which has no initial value here' % region)
            self.spread(Pointer(region), *self.module.globals[region])

    def spread(self, at, kind, operand):
        if kind[0] == 'struct':
            kinds, offsets = kind[1], struct_layout(kind)[0]
        elif kind[0] in ('arr', 'vec'):
            kinds, offsets = [kind[2]] * kind[1], [size_of(kind[2]) * i for i in range(kind[1])]
        else:
            self.spread_word(at, kind, operand)
            return
        parts = [operand] * len(kinds) if operand[0] in ('zero', 'undef') else operand[1]
        for offset, inside, x in zip(offsets, kinds, parts):
            self.spread(Pointer(at.region, at.offset + offset), inside, x)

    def spread_word(self, at, kind, operand):
        if kind[0] == 'ptr':
            self.store(at, Pointer(operand[1]) if operand[0] == 'glob' else Undefined(), 8)
        else:
            number = operand[1] % (1 << kind[1]) if operand[0] == 'int' else 0
            self.store(at, self.domain.constant(number, kind[1]), size_of(kind))
