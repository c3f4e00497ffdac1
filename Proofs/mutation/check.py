"""What shows that a run can fail: a change that no one refuses survives, and survivors are counted and end the program with a failure."""
import contextlib
import io
import pathlib
import tempfile

from ir.compilation import KERNELS
from machine.values import Unproven
from mutation.record import SAME, Record, Run, Verdict, equivalents
from mutation.sites import Mutant
from registry import Proof

HARMLESS = 'int cjwt_nothing(void);\nint cjwt_nothing(void) { return 0; }\n'


def harmless():
    """A function that nothing calls: the output changes, and every judge must accept it."""
    file = 'nist/p256.c'
    end = len((KERNELS / file).read_text())
    return Mutant(file, end, end, HARMLESS, 'nist/nist_inspection.h inspect_add')


def place(file, old, new):
    start = (KERNELS / file).read_text().index(old)
    return Mutant(file, start, start + len(old), new)


def mutants():
    return [place('nist/nist_word.h', '<', after) for after in ('<=', '>', '>=', '==', '!=', '^')]


def outcome(kinds, reasons=(), path=None, count=9):
    """(status, last lines, handed out) of a run whose judge gives these verdicts in order."""
    said, asked = io.StringIO(), []
    with contextlib.redirect_stdout(said):
        run = Run(mutants(), count, Record(path), dict(reasons))
        while (mutant := run.next()) is not None:
            asked.append(mutant)
            if len(asked) > len(kinds):
                break
            run.done(mutant, Verdict(kinds[len(asked) - 1], SAME if kinds[len(asked) - 1] == 'equivalent' else 'proof x'), 0)
        return run.close(), said.getvalue().splitlines()[-2:], len(asked)


def need(found, wanted, claim):
    if found != wanted:
        raise Unproven('%s: %s' % (claim, found))


def check():
    good = ['refused', 'broken', 'refused', 'equivalent', 'refused', 'refused']
    need(outcome(good), (0, ['4 refused, 1 equivalent, 0 survived', '5 passed, 0 failed'], 6), 'a run without a survivor succeeds')
    bad = good[:5] + ['survived']
    need(outcome(bad), (1, ['3 refused, 1 equivalent, 1 survived', '4 passed, 1 failed'], 6), 'a survivor fails the run')
    listed = equivalents('%s  # it is\n' % mutants()[5].describe())
    need(outcome(bad, listed), (0, ['3 refused, 2 equivalent, 0 survived', '5 passed, 0 failed'], 6), 'a listed survivor is equivalent')
    need(outcome(bad, count=3)[1][1], '3 passed, 0 failed', 'broken mutants do not count')
    need(outcome([])[0], 1, 'no verdict is no success')
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / 'lines'
        outcome(bad, path=path)
        need(outcome(['survived', 'survived'], path=path)[::2], (1, 2), 'a second run judges what was broken and what survived')
    return '6 runs'


def proofs():
    yield Proof('mutants are counted', check, quick=True)
