"""Verdicts as lines of JSON, which a later run takes over, and the mutants that are known to be equivalent."""
import collections
import functools
import json
import pathlib

from mutation import tree

EQUIVALENT = pathlib.Path(__file__).resolve().parents[1] / 'equivalent.txt'
COUNTED = ('refused', 'equivalent', 'survived')
SAME = 'the compiler writes the same output'


class Verdict:
    """`kind` is one of COUNTED or 'broken'; `by` says by what, and `detail` what it said."""

    def __init__(self, kind, by='', detail=''):
        self.kind, self.by, self.detail = kind, by, detail


def equivalents(text=None):
    """{description: reason}, from lines `description  # reason`."""
    text = text if text is not None else EQUIVALENT.read_text() if EQUIVALENT.exists() else ''
    return dict((part.strip() for part in line.split('  # ', 1)) for line in text.split('\n') if '  # ' in line)


@functools.lru_cache
def sources_of(by):
    """What a verdict rests on: the kernels, and the proofs or the tests that refused."""
    kernels = tree.digest(tree.KERNELS)
    if by.startswith('proof '):
        return kernels + tree.digest_of_proofs()
    return kernels + tree.digest(*tree.TESTS) if by.startswith('kernel-differential ') else kernels


def line_of(mutant, verdict, seconds):
    return {'group': mutant.group, 'file': mutant.file, 'line': mutant.line, 'routine': mutant.routine, 'before': mutant.before,
            'after': mutant.after, 'verdict': verdict.kind, 'by': verdict.by, 'detail': verdict.detail, 'seconds': round(seconds, 1),
            'sources': sources_of(verdict.by)}


def key(entry):
    return entry['file'], entry['line'], entry['before'], entry['after']


class Record:
    """The file of lines, or none. Of an older run it keeps what would be judged alike: a survivor is judged again."""

    def __init__(self, path=None):
        self.path, self.known = path, {}
        if path is None:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        now = {by: sources_of(by) for by in ('proof ', 'kernel-differential ', '')}
        for line in path.read_text().splitlines() if path.exists() else ():
            entry = json.loads(line)
            by = next(by for by in now if entry['by'].startswith(by))
            if entry['sources'] == now[by] and entry['verdict'] != 'survived':
                self.known[key(entry)] = entry
        self.write(self.known.values())

    def find(self, mutant):
        return self.known.get((mutant.file, mutant.line, mutant.before, mutant.after))

    def add(self, entry):
        if self.path is not None:
            with self.path.open('a') as file:
                file.write(json.dumps(entry) + '\n')

    def write(self, entries):
        """Exactly these, in the order of the run."""
        if self.path is not None:
            self.path.write_text(''.join(json.dumps(entry) + '\n' for entry in entries))


class Run:
    """Hands out mutants until so many are judged, and counts the verdicts. Broken ones do not count."""

    def __init__(self, mutants, count, record, reasons):
        self.mutants, self.count, self.record, self.reasons = iter(mutants), count, record, reasons
        self.entries, self.under_way = {}, 0

    def next(self):
        """The next that is not known yet; None where enough are judged or under way."""
        while len(self.entries) + self.under_way < self.count:
            mutant = next(self.mutants, None)
            if mutant is None:
                return None
            entry = self.record.find(mutant)
            if entry is None or entry['verdict'] == 'equivalent' and entry['by'] not in (SAME, self.reasons.get(mutant.describe())):
                self.under_way += 1
                return mutant
            self.entries[key(entry)] = entry
        return None

    def done(self, mutant, verdict, seconds):
        self.under_way -= 1
        reason = self.reasons.get(mutant.describe())
        if verdict.kind == 'survived' and reason is not None:
            verdict = Verdict('equivalent', reason)
        if verdict.kind != 'broken':
            entry = line_of(mutant, verdict, seconds)
            self.record.add(entry)
            self.entries[key(entry)] = entry
        print('%s | %s %s  %.0f s' % (mutant.describe(), verdict.kind, ' '.join((verdict.by, verdict.detail)), seconds), flush=True)

    def close(self):
        """Prints the score; whether a mutant survived is the program's status."""
        entries = list(self.entries.values())
        self.record.write(entries)
        for name, rows in (('folder', lambda e: e['group']), ('judge', lambda e: ' '.join(e['by'].split()[:1]) if e['verdict'] == 'refused'
                                                              else e['verdict'])):
            for row, number in sorted(collections.Counter(map(rows, entries)).items()):
                print('%-8s %-24s %d' % (name, row, number))
        counted = collections.Counter(entry['verdict'] for entry in entries)
        print('%d refused, %d equivalent, %d survived' % tuple(counted[kind] for kind in COUNTED))
        print('%d passed, %d failed' % (counted['refused'] + counted['equivalent'], counted['survived']))
        return int(counted['survived'] > 0 or not entries)
