"""A mutant as the parts of this program pass it on, how a sample is drawn, and which mutants are known to be equivalent."""
import collections
import hashlib
import json
import pathlib
import random
import re

from tree import ROOT

HERE = pathlib.Path(__file__).resolve().parent
FOLDERS = ('CJWTKernels', 'COpenSSL', 'Gateway', 'JWKSCache', 'JWTCore')
# What tells the mutants of a run apart.
NAMES = ('file', 'line', 'function', 'operator', 'text', 'before', 'after', 'ordinal')


class Mutant:
    """One change at one place. `text` is the line of the source, `ordinal` tells apart equal changes of equal lines of a function."""

    def __init__(self, facts, text):
        self.file, self.line, self.function = facts['file'], facts['line'], facts['function']
        self.operator, self.before, self.after = facts['operator'], facts['before'], facts['after']
        self.facts, self.text, self.ordinal = facts, text.strip(), 0

    @property
    def change(self):
        return '%s: %s -> %s' % (self.operator, cut(one_line(self.before), 55), cut(self.after, 55) or 'nothing')

    @property
    def identity(self):
        """What the list of equivalents knows it by: no line number, which changes with any other line."""
        return (self.file, self.function, cut(self.text, 135), self.change + (' (%d)' % (self.ordinal + 1) if self.ordinal else ''))

    def __str__(self):
        return '%s:%d %s' % (self.file, self.line, self.change)


def one_line(text):
    return ' '.join(text.split())


def cut(text, length):
    """The beginning of a long text, so that a line of the list has its place."""
    return text if len(text) <= length else text[:length].rstrip() + '…'


def numbered(mutants):
    """The mutants in order, with their ordinals."""
    seen = collections.Counter()
    for mutant in mutants:
        mutant.ordinal = 0
        first = mutant.identity
        mutant.ordinal = seen[first]
        seen[first] += 1
    return mutants


def sample(mutants, count, seed):
    """`count` of the mutants, spread evenly over operators, and within each operator over files, in the order that the seed gives."""
    generator = random.Random(seed)
    left = sorted(mutants, key=lambda m: (m.file, m.line, m.change))
    generator.shuffle(left)
    by_operator, files, drawn = collections.defaultdict(lambda: collections.defaultdict(list)), collections.Counter(), []
    for mutant in left:
        by_operator[mutant.operator][mutant.file].append(mutant)
    operators = collections.Counter({operator: 0 for operator in sorted(by_operator)})
    while len(drawn) < count and by_operator:
        operator = min(by_operator, key=lambda name: (operators[name], name))
        places = by_operator[operator]
        file = min(places, key=lambda name: (files[operator, name], files[name]))
        drawn.append(places[file].pop())
        operators[operator] += 1
        files[operator, file] += 1
        files[file] += 1
        if not places[file]:
            del places[file]
        if not places:
            del by_operator[operator]
    return drawn


def equivalents(name='equivalents.txt'):
    """{identity: reason}. A block of the file has the file and the function, the line of source, changes, and the reason, indented."""
    reasons = {}
    for block in re.split(r'\n\s*\n', (HERE / name).read_text()):
        lines = [line for line in block.split('\n') if line.strip() and not line.startswith('#')]
        if not lines:
            continue
        reason = ' '.join(line.strip() for line in lines if line.startswith('  '))
        changes = [line.strip() for line in lines[2:] if not line.startswith('  ')]
        file, function = lines[0].split(' ') if ' ' in lines[0] else (lines[0], '')
        if not reason or not changes or not lines[1].startswith('| '):
            raise SystemExit('%s: a block without a line of source, a change or a reason:\n%s' % (name, block))
        for change in changes:
            reasons[file, function, lines[1][2:].strip(), change] = reason
    return reasons


def sources():
    """The digest of the sources that mutants change."""
    files = [path for folder in FOLDERS for path in (ROOT / 'Sources' / folder).rglob('*') if path.suffix in ('.swift', '.c', '.h')]
    return hashlib.sha256(b''.join(path.read_bytes() for path in sorted(files))).hexdigest()[:16]


class Record:
    """The file of a run's lines. It takes over the refusals of an earlier run over the same sources: later tests refuse no less."""

    def __init__(self, path):
        self.path, self.sources = pathlib.Path(path), sources()
        lines = [json.loads(line) for line in self.path.read_text().split('\n') if line] if self.path.exists() else []
        self.refused = {tuple(line[name] for name in NAMES): line for line in lines
                        if line['verdict'] == 'refused' and line.get('sources') == self.sources}

    def __enter__(self):
        self.output = open(self.path, 'w')
        return self

    def __exit__(self, *_):
        self.output.close()

    def known(self, mutant):
        """(judge, what it said) of an earlier run."""
        line = self.refused.get(tuple(self.facts(mutant)[name] for name in NAMES))
        return (line['by'], line['detail']) if line else None

    @staticmethod
    def facts(mutant):
        return {'file': mutant.file, 'line': mutant.line, 'function': mutant.function, 'operator': mutant.operator, 'text': mutant.text,
                'before': one_line(mutant.before), 'after': mutant.after, 'ordinal': mutant.ordinal}

    def write(self, group, mutant, verdict, by, detail, seconds):
        """Writes a judged mutant, and prints it if it survived."""
        self.output.write(json.dumps({'group': group, **self.facts(mutant), 'verdict': verdict, 'by': by, 'detail': detail,
                                      'seconds': round(seconds, 2), 'sources': self.sources}, ensure_ascii=False) + '\n')
        self.output.flush()
        if verdict == 'survived':
            print('survived: %s | %s | %s' % (mutant, mutant.function, mutant.text), flush=True)
