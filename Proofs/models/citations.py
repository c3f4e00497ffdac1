"""Compares the statements that a model cites with the source.

A citation is a comment `/*@ … */` in a model: the path of a file, the name of a function, or both, name where the following citations
belong; then, after a colon or in a citation of its own, comes a statement, which must stand in that function. Where the model has the
memory of C11, the memory orders of the cited statements must be those of the model's lines that follow.
"""

import re
from pathlib import Path

CITATION = re.compile(r"/\*@ (.*?) \*/", re.S)
PLACE = re.compile(r"^(?:(?P<path>[\w+/.-]+/[\w+.-]+\.(?:c|swift))(?: |$))?(?:(?P<symbol>\w+)(?:: |$))?(?P<statement>.*)$")
EXPLICIT = re.compile(r"memory_order_(\w+)")
IMPLICIT = re.compile(r"\batomic_(?:load|store|fetch_add|compare_exchange_strong|compare_exchange_weak)\(")
MODELLED = re.compile(r"\b(RELAXED|ACQUIRE|RELEASE|ACQ_REL|SEQ_CST)\b|\b(fence)\(")
# set_up runs before every reader; the child of a fork runs its handler alone.
WITHOUT_ORDER = {"set_up", "forget_other_threads"}
# For status and tests.
NOT_MODELLED = {"crcu_reader_count", "crcu_readers_fence", "crcu_force_fence"}


def squeezed(text):
    return " ".join(text.split())


def bodies(path):
    """The text of each function, variable and constant of a file, by name; of several with one name, all."""
    lines = path.read_text(encoding="utf-8").splitlines()
    is_c = path.suffix == ".c"
    head = re.compile(r"^\S.*?\b(\w+)\([^;]*\) \{$" if is_c else r"^\s*.*?\b(?:func|var|let) (\w+)")
    found = {}
    for start, line in enumerate(lines):
        match = head.match(line)
        if not match:
            continue
        indent = len(line) - len(line.lstrip())
        end = start
        if line.rstrip().endswith(("{", "(")):
            while end + 1 < len(lines) and not (lines[end + 1].startswith(" " * indent + "}")):
                end += 1
        found[match[1]] = found.get(match[1], "") + " " + squeezed(" ".join(lines[start:end + 1]))
    return found


def orders_of_source(statement):
    if "atomic_signal_fence" in statement:
        return set()
    return {order.upper() for order in EXPLICIT.findall(statement)} | ({"SEQ_CST"} if IMPLICIT.search(statement) else set())


def orders_of_model(text):
    return {order or "SEQ_CST" for order, _ in MODELLED.findall(re.sub(r"/\*.*?\*/", "", text, flags=re.S))}


class Citations:
    """The citations of one model."""

    def __init__(self, root, model, source):
        self.root, self.model, self.source = root, model, source
        self.text = model.read_text(encoding="utf-8")
        self.cited = {}
        self.faults = []
        self.count = 0
        self.sources = {}
        self.read()

    def read(self):
        path, symbol = self.source, None
        wanted, end = set(), None
        for match in CITATION.finditer(self.text):
            between = self.text[end:match.start()] if end else ""
            # Citations that follow each other belong to the same lines of the model.
            if between.strip() and wanted is not None:
                self.compare_orders(wanted, between, match.start())
                wanted = set()
            place = PLACE.match(squeezed(match[1]))
            if place["path"]:
                path, symbol = place["path"], None
            elif place["symbol"] and self.source:
                path = self.source
            symbol = place["symbol"] or symbol
            if place["statement"]:
                is_ordered = path == self.source and '#include "memory.pml"' in self.text and symbol not in WITHOUT_ORDER
                orders = orders_of_source(place["statement"]) if is_ordered else None
                wanted = None if orders is None or wanted is None else wanted | orders
                self.check(path, symbol, place["statement"], match.start())
            else:
                wanted = set()
            end = match.end()

    def check(self, path, symbol, statement, position):
        self.count += 1
        if path not in self.sources:
            file = self.root / (path or "")
            self.sources[path] = bodies(file) if file.is_file() else {}
        self.cited.setdefault((path, symbol), []).append(squeezed(statement))
        if squeezed(statement) not in self.sources[path].get(symbol, ""):
            self.fault(position, f"{symbol} of {path} has no: {statement}")

    def compare_orders(self, wanted, between, position):
        modelled = orders_of_model(between)
        if wanted and wanted != modelled:
            self.fault(position, f"the source has {sorted(wanted)}, the model before this line {sorted(modelled)}")

    def fault(self, position, text):
        self.faults.append(f"{self.model.name}:{self.text.count(chr(10), 0, position) + 1}: {text}")


def uncited(root, source, citations):
    """The lines with an atomic operation in a function of `source` that no model cites."""
    cited = {}
    for each in citations:
        for (path, symbol), statements in each.cited.items():
            if path == source:
                cited.setdefault(symbol, []).extend(statements)
    for symbol, body in bodies(Path(root) / source).items():
        if symbol in NOT_MODELLED:
            continue
        rest = body
        for statement in cited.get(symbol, []):
            rest = rest.replace(statement, "")
        for call in re.findall(r"\batomic_\w+\([^;]*;", rest):
            yield f"{source}: no model cites, in {symbol}: {call}"
