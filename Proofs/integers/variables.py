"""Integer variables with bounds; some have a definition, a polynomial of earlier variables."""
from integers.polynomial import add, constant, multiply, scale


class Variables:
    def __init__(self):
        self.name, self.low, self.high, self.definition, self.origin = [], [], [], [], []
        self.fixed = {}  # variables that are one number on this path
        self.expanded = {}
        self.rules = {}  # of variables that are not floors and have no definition: their value from others
        self.at = None  # the source line being executed

    def variable(self, name, low, high, definition=None):
        self.name.append(name)
        self.low.append(low)
        self.high.append(high)
        self.definition.append(definition)
        self.origin.append(self.at)
        return {(len(self.name) - 1,): 1}

    def fix(self, v, number):
        self.fixed[v] = self.low[v] = self.high[v] = number
        self.expanded = {}

    def is_derived(self, v):
        """Whether the machine made v: a floor, a remainder or a bounded sum. The others are inputs."""
        return self.name[v][0] in '<%'

    def range(self, p):
        """Bounds of p from those of its variables, by intervals."""
        low = high = 0
        for monomial, c in p.items():
            a = b = c
            for v in monomial:
                ends = a * self.low[v], a * self.high[v], b * self.low[v], b * self.high[v]
                a, b = min(ends), max(ends)
            low += min(a, b)
            high += max(a, b)
        return low, high

    def put(self, p, v, q):
        """p with q in the place of v."""
        while True:
            r, again = {}, False
            for monomial, c in p.items():
                if v in monomial:
                    rest = list(monomial)
                    rest.remove(v)
                    again |= v in rest
                    r = add(r, multiply({tuple(rest): c}, q))
                else:
                    r = add(r, {monomial: c})
            if not again:
                return r
            p = r

    def put_fixed(self, p):
        if not self.fixed:
            return p
        for v in {v for monomial in p for v in monomial if v in self.fixed}:
            p = self.put(p, v, constant(self.fixed[v]))
        return p

    def expand(self, p):
        """p with all definitions put in: a polynomial of inputs and floors."""
        r = {}
        for monomial, c in p.items():
            term = {(): c}
            for v in monomial:
                if v in self.fixed:
                    term = scale(term, self.fixed[v])
                elif self.definition[v] is not None:
                    term = multiply(term, self.expanded_variable(v))
                else:
                    term = multiply(term, {(v,): 1})
            for key, d in term.items():
                total = r.get(key, 0) + d
                if total:
                    r[key] = total
                else:
                    r.pop(key, None)
        return r

    def expanded_variable(self, v):
        if v not in self.expanded:
            self.expanded[v] = self.expand(self.definition[v])
        return self.expanded[v]

    def depends(self, p, v):
        """Whether a definition below p names v."""
        seen, todo = set(), [x for monomial in p for x in monomial]
        while todo:
            x = todo.pop()
            if x == v:
                return True
            if x not in seen:
                seen.add(x)
                todo += [y for monomial in self.definition[x] or () for y in monomial]
        return False
