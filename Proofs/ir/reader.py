"""Reads the tokens of LLVM's textual IR: types and operands.

An operand is ('reg', name), ('glob', name), ('int', number), ('vec', [operands]), ('agg', [operands]), ('zero',), ('undef',) or
('offset', operand, bytes), a constant address.
"""
import re

from ir.types import element_offset

TOKEN = re.compile(r'''\s*(
    c"(?:[^"])*" | "(?:[^"])*" |
    %"(?:[^"])*" | @"(?:[^"])*" |
    [%@!\#][-a-zA-Z$._0-9]+ |
    -?\d+ | [a-zA-Z_.$][-a-zA-Z0-9_.$]* | \.\.\. | [\[\]{}<>(),=*:|!]
)''', re.X)

PLAIN_ATTRIBUTES = {
    'noundef', 'nonnull', 'nocapture', 'readonly', 'writeonly', 'returned', 'zeroext', 'signext', 'noalias', 'nofree', 'immarg', 'readnone',
    'inreg', 'dead_on_unwind', 'writable', 'nneg',
}
ATTRIBUTES_WITH_ARGUMENTS = {
    'dereferenceable', 'dereferenceable_or_null', 'captures', 'range', 'initializes', 'sret', 'byval', 'nofpclass', 'memory', 'elementtype',
}


def tokens(line):
    found, at = [], 0
    line = line.rstrip()
    while at < len(line):
        match = TOKEN.match(line, at)
        if not match:
            if line[at:].strip() == '' or line[at:].lstrip().startswith(';'):
                break
            raise SyntaxError('%s in %s' % (line[at:at + 40], line))
        found.append(match.group(1))
        at = match.end()
    return found


class Reader:
    """Reads one line. `named` has the types that the module names."""

    def __init__(self, line, named):
        self.tokens, self.at, self.named = tokens(line), 0, named

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def eat(self, *wanted):
        if self.peek() in wanted:
            return self.next()
        return None

    def skip(self, wanted):
        found = []
        while self.peek() in wanted:
            found.append(self.next())
        return found

    def need(self, wanted):
        found = self.next()
        if found != wanted:
            raise SyntaxError('%s instead of %s in %s' % (found, wanted, ' '.join(self.tokens)))

    def type(self):
        token = self.next()
        if re.fullmatch(r'i\d+', token):
            return ('i', int(token[1:]))
        if token in ('ptr', 'void', 'label', 'metadata', 'double', 'float'):
            return (token,)
        if token in '<[':
            if self.peek() == '{':
                kind = self.type()
                self.need('>')
                return (*kind, 'packed')
            count = int(self.next())
            self.need('x')
            part = self.type()
            self.need('>' if token == '<' else ']')
            return ('vec' if token == '<' else 'arr', count, part)
        if token == '{':
            parts = []
            while not self.eat('}'):
                parts.append(self.type())
                self.eat(',')
            return ('struct', parts)
        if token.startswith('%'):
            return self.named[token]
        raise SyntaxError('%s is not a type in %s' % (token, ' '.join(self.tokens)))

    def attributes(self):
        """Skips attributes; returns the types of those that name one, as byval."""
        types = {}
        while True:
            if self.eat(*PLAIN_ATTRIBUTES):
                continue
            if self.eat('align'):
                self.next()
            elif self.eat('byval'):
                self.need('(')
                types['byval'] = self.type()
                self.need(')')
            elif self.eat(*ATTRIBUTES_WITH_ARGUMENTS):
                self.parenthesised()
            else:
                return types

    def parenthesised(self):
        """Skips what follows in parentheses, if anything does."""
        depth = 1 if self.eat('(') else 0
        while depth:
            token = self.next()
            depth += (token == '(') - (token == ')')

    def typed(self):
        kind = self.type()
        self.attributes()
        return kind, self.operand(kind)

    def operand(self, kind):
        token = self.next()
        if token.startswith('%'):
            return ('reg', token)
        if token.startswith('@'):
            return ('glob', token)
        if re.fullmatch(r'-?\d+', token):
            return ('int', int(token))
        if token in ('true', 'false'):
            return ('int', int(token == 'true'))
        if token in ('poison', 'undef'):
            return ('undef',)
        if token == 'null':
            return ('int', 0)
        if token == 'zeroinitializer':
            return ('zero',)
        if token == 'splat':
            return self.splat(kind)
        if token == '<' and self.eat('{'):
            found = self.parts('{')
            self.need('>')
            return found
        if token in '<[{':
            return self.parts(token)
        if token.startswith('c"'):
            return ('agg', [('int', byte) for byte in characters(token[2:-1])])
        if token == 'getelementptr':
            return self.constant_address()
        if token == 'ptrtoint':
            self.need('(')
            address = self.typed()[1]
            self.need('to')
            self.type()
            self.need(')')
            return address
        raise SyntaxError('%s is not an operand in %s' % (token, ' '.join(self.tokens)))

    def splat(self, kind):
        self.need('(')
        value = self.typed()[1]
        self.need(')')
        return ('vec', [value] * kind[1])

    def parts(self, opening):
        closing = {'<': '>', '[': ']', '{': '}'}[opening]
        found = []
        while not self.eat(closing):
            found.append(self.typed()[1])
            self.eat(',')
        return ('vec' if opening == '<' else 'agg', found)

    def constant_address(self):
        self.skip(('inbounds', 'nuw', 'nusw'))
        self.need('(')
        kind = self.type()
        self.need(',')
        base, indices = self.typed()[1], []
        while self.eat(','):
            indices.append(self.typed()[1][1])
        self.need(')')
        return ('offset', base, element_offset(kind, indices))


def characters(text):
    """The bytes of a string constant; a backslash precedes two hexadecimal digits."""
    found, at = [], 0
    while at < len(text):
        if text[at] == '\\':
            found.append(int(text[at + 1:at + 3], 16))
            at += 3
        else:
            found.append(ord(text[at]))
            at += 1
    return found
