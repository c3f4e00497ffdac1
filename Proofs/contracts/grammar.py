"""The grammar of contracts.

    contract   = [ conditions ] "=>" conditions
    conditions = condition { "," condition }
    condition  = side ( "<" | "<=" | "=" ) side { ( "<" | "<=" ) side } [ "(mod" sum ")" ]  |  "apart"
    side       = sum | "digits(" name ")" [ ( "+" | "-" ) ( "digits(" name ")" | sum ) ] | "[" sum ( "<" | "=" ) sum [ "(mod" sum ")" ] "]"
    sum        = [ "-" ] product { ( "+" | "-" ) product }
    product    = power { power }                      juxtaposition multiplies
    power      = atom [ "^" atom ]
    atom       = number | name [ "'" ] [ "[" number "]" ] | "(" sum ")"

A name is a parameter, which stands for its value, `return`, or a constant of the family. A primed name is a parameter's value afterwards.
`digits(a) < b` holds for each digit of a, `digits(a) + digits(b)` are the sums of digits, and a[0] is the lowest digit. `[a < b]` is one
where a < b and zero elsewhere.
"""
import re

TOKEN = re.compile(r"\s*(0x[0-9a-f]+|\d+|[A-Za-z_]\w*'?|=>|<=|[-+*^()\[\]<=,])")


class Side:
    """kind is 'sum', 'digits' or 'truth'. `second` is the sign and the name of other digits."""

    def __init__(self, kind, tree, name=None, second=None):
        self.kind, self.tree, self.name, self.second = kind, tree, name, second

    def names(self):
        if self.kind == 'truth':
            return names(self.tree[0]) | names(self.tree[2]) | names(self.tree[3])
        return names(self.tree) | ({self.name} if self.name else set()) | ({self.second[1]} if self.second else set())


class Condition:
    def __init__(self, text, left, relation, right, modulus=None):
        self.text, self.left, self.relation, self.right, self.modulus = text, left, relation, right, modulus

    def names(self):
        return names(self.modulus).union(*(side.names() for side in (self.left, self.right)))


class Contract:
    def __init__(self, text, place, assumptions, claims, apart):
        self.text, self.place, self.assumptions, self.claims, self.apart = text, place, assumptions, claims, apart

    def inputs(self):
        """The parameters whose value before the call matters: those in assumptions, and those whose value afterwards is told apart."""
        assumed = {name for condition in self.assumptions for name in condition.names()}
        return assumed | {name[:-1] for condition in self.claims for name in condition.names() if name.endswith("'")}


def parse(text, place):
    before, arrow, after = text.partition('=>')
    if not arrow:
        raise SyntaxError('%s: a contract without =>' % place)
    assumptions, claims = conditions(before, place), conditions(after, place)
    apart = [c for c in claims if c == 'apart']
    return Contract(text, place, assumptions, [c for c in claims if c != 'apart'], bool(apart))


def conditions(text, place):
    found = []
    for part in text.split(','):
        if part.strip() == 'apart':
            found.append('apart')
        elif part.strip():
            found += Parser(part.strip(), place).chain()
    return found


class Parser:
    def __init__(self, text, place):
        self.text, self.place, self.at = text, place, 0
        self.tokens = []
        position = 0
        while position < len(text):
            match = TOKEN.match(text, position)
            if not match:
                raise SyntaxError('%s: %s' % (place, text[position:]))
            self.tokens.append(match.group(1))
            position = match.end()

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else None

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1] if self.at <= len(self.tokens) else None

    def need(self, wanted):
        if self.next() != wanted:
            raise SyntaxError('%s: %s is missing in %s' % (self.place, wanted, self.text))

    def chain(self):
        """a < b <= c is two conditions."""
        sides, relations = [self.side()], []
        while self.peek() in ('<', '<=', '='):
            relations.append(self.next())
            sides.append(self.side())
        modulus = self.modulus()
        if self.peek() is not None or not relations:
            raise SyntaxError('%s: %s is no condition' % (self.place, self.text))
        return [Condition(self.text, a, relation, b, modulus) for a, relation, b in zip(sides, relations, sides[1:])]

    def modulus(self):
        if self.peek() != '(' or self.peek(1) != 'mod':
            return None
        self.at += 2
        tree = self.sum()
        self.need(')')
        return tree

    def side(self):
        if self.peek() == '[':
            self.next()
            left, relation, right = self.sum(), self.next(), self.sum()
            truth = (left, relation, right, self.modulus())
            self.need(']')
            return Side('truth', truth)
        if self.begins_digits():
            name = self.digits()
            if self.peek() in ('+', '-') and self.begins_digits(1):
                return Side('digits', ('number', 0), name, (1 if self.next() == '+' else -1, self.digits()))
            return Side('digits', self.sum() if self.peek() in ('+', '-') else ('number', 0), name)
        return Side('sum', self.sum())

    def begins_digits(self, ahead=0):
        return self.peek(ahead) == 'digits' and self.peek(ahead + 1) == '('

    def digits(self):
        self.next()
        self.need('(')
        name = self.next()
        self.need(')')
        return name

    def sum(self):
        tree = ('number', 0) if self.peek() in ('-', '+') else self.product()
        while self.peek() in ('+', '-'):
            sign = self.next()
            tree = (sign, tree, self.product())
        return tree

    def product(self):
        tree = self.power()
        while True:
            if self.peek() == '*':
                self.next()
            elif not self.begins_atom():
                return tree
            tree = ('*', tree, self.power())

    def begins_atom(self):
        token = self.peek()
        return token is not None and (token == '(' and self.peek(1) != 'mod' or re.match(r'\w', token) is not None)

    def power(self):
        tree = self.atom()
        if self.peek() == '^':
            self.next()
            tree = ('^', tree, self.atom())
        return tree

    def atom(self):
        token = self.next()
        if token == '(':
            tree = self.sum()
            self.need(')')
            return tree
        if token is None or not re.match(r'\w', token):
            raise SyntaxError('%s: %s where a name or a number belongs, in %s' % (self.place, token, self.text))
        if token[0].isdigit():
            return ('number', int(token, 0))
        if self.peek() == '[':
            self.next()
            tree = ('digit', token, int(self.next()))
            self.need(']')
            return tree
        return ('name', token)


def names(tree):
    """The names in an expression."""
    if tree is None or tree[0] == 'number':
        return set()
    if tree[0] in ('name', 'digit'):
        return {tree[1]}
    return names(tree[1]) | names(tree[2])
