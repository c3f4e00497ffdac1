"""A module of LLVM IR: its types, constants, functions, and the source lines of its instructions."""
import re

from ir.instruction import parse
from ir.reader import Reader


class Function:
    def __init__(self, name, parameters):
        self.name, self.parameters, self.blocks, self.entry = name, parameters, {}, None
        self.copied = []  # the parameters that are passed by value in memory, with their types
        self.note = None  # its number among the metadata


class Module:
    def __init__(self, text):
        lines = text.split('\n')
        self.named = named_types(lines)
        self.globals, self.functions, self.metadata, self.origins = {}, {}, {}, {}
        at = 0
        while at < len(lines):
            if lines[at].startswith('@'):
                self.read_global(lines[at])
            elif lines[at].startswith('define'):
                at = self.read_function(lines, at)
            elif lines[at].startswith('!'):
                name, _, value = lines[at].partition(' = ')
                self.metadata[name] = value
            at += 1

    def read_global(self, line):
        """Keeps (type, operand) of a constant or variable with an initial value that the reader knows."""
        match = re.match(r'(@[^ ]+) = .*?\b(constant|global) (.*)$', re.sub(r', (section|align|comdat|!dbg).*$', '', line))
        if not match:
            return
        try:
            r = Reader(match.group(3), self.named)
            kind = r.type()
            if r.peek() is not None:
                self.globals[match.group(1)] = (kind, r.operand(kind))
        except (SyntaxError, NotImplementedError):
            return

    def read_function(self, lines, at):
        match = re.match(r'define .*?(@[^ (]+)\(', lines[at])
        r = Reader(lines[at][match.end():], self.named)
        parameters, copied = [], []
        while not r.eat(')'):
            kind = r.type()
            value_type = r.attributes().get('byval')
            parameters.append((kind, r.next()))
            copied.append(value_type)
            r.eat(',')
        function = Function(match.group(1), parameters)
        function.copied = copied
        note = re.search(r' !dbg !(\d+)', lines[at])
        function.note = note and note.group(1)
        block = '%' + str(sum(1 for _, name in parameters if re.fullmatch(r'%\d+', name)))
        at += 1
        while lines[at] != '}':
            text = lines[at].strip()
            label = re.match(r'([-a-zA-Z$._0-9"]+):', lines[at])
            if label:
                block = '%' + label.group(1)
                function.blocks.setdefault(block, [])
                function.entry = function.entry or block
            elif text and not text.startswith((';', '#dbg')):
                while text.startswith('switch') and ']' not in text:
                    at += 1
                    text += ' ' + lines[at].strip()
                function.entry = function.entry or block
                function.blocks.setdefault(block, []).append(text)
            at += 1
        self.functions[function.name] = function
        return at

    def body(self, function):
        """The blocks as parsed instructions. Only functions that are called are parsed."""
        for label, lines in function.blocks.items():
            if lines and isinstance(lines[0], str):
                function.blocks[label] = [parse(line, self.named) for line in lines]
        return function.blocks

    def line(self, location):
        """The source line of an instruction, as file:line, or None."""
        text = self.metadata.get('!%s' % location, '')
        number, scope = re.search(r'\bline: (\d+)', text), re.search(r'\bscope: (!\d+)', text)
        if not number or not scope:
            return None
        file = re.search(r'\bfile: (!\d+)', self.metadata.get(scope.group(1), ''))
        name = file and re.search(r'filename: "([^"]*)"', self.metadata.get(file.group(1), ''))
        return '%s:%s' % (name.group(1).rsplit('/', 1)[-1], number.group(1)) if name else None

    def routines(self, note):
        """{(file, name)} of the function that a note of the compiler belongs to, and of those that it is inlined into."""
        if note not in self.origins:
            text = self.metadata.get('!%s' % note, '')
            found = {name_of(text, self.metadata)} if 'DISubprogram' in text else set()
            above = [] if found else re.findall(r'\b(?:scope|inlinedAt): !(\d+)', text)
            self.origins[note] = found.union(*map(self.routines, above))
        return self.origins[note]


def name_of(text, metadata):
    file = metadata.get(re.search(r'\bfile: (!\d+)', text).group(1), '')
    return re.search(r'filename: "([^"]*)"', file).group(1), re.search(r'\bname: "([^"]*)"', text).group(1)


def named_types(lines):
    """Named types may name types that follow."""
    pending = dict(match.groups() for match in (re.match(r'(%[^ ]+) = type (.*)', line) for line in lines) if match)
    known = {}
    while pending:
        before = len(pending)
        for name, text in list(pending.items()):
            try:
                known[name] = ('struct', []) if text == 'opaque' else Reader(text, known).type()
                del pending[name]
            except KeyError:
                continue
        if len(pending) == before:
            raise SyntaxError('types that contain themselves: %s' % ', '.join(pending))
    return known
