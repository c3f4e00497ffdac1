"""Changes the kernels' arithmetic at one place at a time: each mutant must be refused by a proof or by kernel-differential.

    mutants.py [--count N] [--seed S] [--cases N] [FILE…]

A mutant for which the compiler writes the same output is equivalent, as are those of equivalent.txt, each with its reason. The program ends
with a failure where another survives. The proofs are those of prove.py; kernel-differential is built by clang alone.
"""
import argparse
import pathlib
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import prove  # noqa: E402
from mutation import sites  # noqa: E402
from mutation.judges import Judges  # noqa: E402

EQUIVALENT = HERE / 'equivalent.txt'


def equivalent():
    """{description: reason}, from lines `description  # reason`."""
    lines = EQUIVALENT.read_text().split('\n') if EQUIVALENT.exists() else []
    return dict((part.strip() for part in line.split('  # ', 1)) for line in lines if '  # ' in line)


def main():
    parser = argparse.ArgumentParser(description='Mutants of the arithmetic of the kernels.')
    parser.add_argument('files', nargs='*', metavar='FILE', help='only mutants of these files, by how their paths begin')
    parser.add_argument('--count', type=int, default=200)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--cases', type=int, default=100000, help='cases of kernel-differential')
    parser.add_argument('--only-chosen', action='store_true', help='only those that differential tests alone did not see')
    options = parser.parse_args()
    mutants = list(sites.chosen()) + ([] if options.only_chosen else sites.sites(options.seed))
    mutants = [m for m in mutants if not options.files or m.file.startswith(tuple(options.files))]
    reasons, counted = equivalent(), {'refused': 0, 'equivalent': 0, 'survived': 0}
    with tempfile.TemporaryDirectory() as folder:
        judges = Judges(pathlib.Path(folder) / 'tree', list(prove.KNOWN.values()), options.cases)
        for mutant in mutants:
            if sum(counted.values()) >= options.count:
                break
            started, name = time.monotonic(), mutant.describe()
            verdict = judges.judge(mutant)
            judges.restore()
            if verdict == 'broken':
                continue
            if verdict == 'SURVIVED' and name in reasons:
                verdict = 'equivalent: ' + reasons[name]
            counted['survived' if verdict == 'SURVIVED' else verdict.split(':')[0] if verdict.startswith('equivalent') else 'refused'] += 1
            print('%s | %s  %.0f s' % (name, verdict, time.monotonic() - started), flush=True)
    print('%(refused)d refused, %(equivalent)d equivalent, %(survived)d survived' % counted)
    print('%d passed, %d failed' % (counted['refused'] + counted['equivalent'], counted['survived']))
    return int(counted['survived'] > 0)


if __name__ == '__main__':
    sys.exit(main())
