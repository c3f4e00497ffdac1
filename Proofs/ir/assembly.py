"""Assembly inside a function: its instructions, and which operand is an output, an input, or an input that an output begins with."""
import re

LINE = re.compile(r'(\w+)\s+(.*)')
OPERAND = re.compile(r'\s*(?:\$\$(-?\d+)|\$(\d+)|\$\{(\d+):(\w)\}|(-?\d*)\(\$(\d+)\))\s*(?:,|$)')


class Assembly:
    """`constraints` are those of outputs and inputs, in order: operand i has constraints[i]. `first_input` is the first input's number.

    An operand of an instruction is ('int', number), ('operand', i), ('low', i), its lower 32 bits, or ('memory', i, bytes): what is so
    many bytes above the address in operand i. Where it is not `volatile`, the compiler may leave it out if no output is used.
    """

    def __init__(self, text, constraints, volatile):
        self.volatile = volatile
        found = constraints.strip('"').split(',')
        self.clobbers = [name for name in found if name.startswith('~')]
        self.constraints = [name for name in found if not name.startswith('~')]
        self.first_input = next((i for i, name in enumerate(self.constraints) if not name.startswith('=')), len(self.constraints))
        if any(name.startswith('=') for name in self.constraints[self.first_input:]) or any('*' in name for name in self.outputs()):
            raise NotImplementedError('an output after an input, or in memory')
        self.instructions = [instruction(line) for line in re.split(r'\\0A|\\09', text.strip('"')) if line.strip()]

    def outputs(self):
        return self.constraints[:self.first_input]

    def hides(self):
        """Whether it does nothing but hide from the compiler where its values come from."""
        return not self.instructions and self.constraints[self.first_input:] == [str(i) for i in range(self.first_input)]


def instruction(line):
    match = LINE.fullmatch(line.strip())
    if match is None:
        raise NotImplementedError('the line %s of assembly' % line)
    name, rest = match.groups()
    found, at = [], 0
    while at < len(rest):
        match = OPERAND.match(rest, at)
        if match is None:
            raise NotImplementedError('the operand %s of assembly' % rest[at:])
        number, operand, part, modifier, offset, base = match.groups()
        if part is not None and modifier != 'k':
            raise NotImplementedError('the modifier %s of assembly' % modifier)
        found.append(('int', int(number)) if number else ('operand', int(operand)) if operand else ('low', int(part)) if part else
                     ('memory', int(base), int(offset or 0)))
        at = match.end()
    return name, found
