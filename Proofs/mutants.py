"""Changes the kernels' arithmetic at one place at a time: each mutant must be refused by a proof or by kernel-differential.

    mutants.py [--count N] [--seed S] [--cases N] [--jobs N] [--json FILE] [--folder FOLDER] [FILE…]

A mutant for which the compiler writes the same output is equivalent, as are those of equivalent.txt, each with its reason. The program ends
with a failure where another survives, or where a change that nothing can refuse is not reported. --json has one line for each verdict; a
run takes over the lines of an older one that the kernels, and what judged there, still are the sources of.
"""
import argparse
import os
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from ir.compilation import clang  # noqa: E402
from mutation import check, sites  # noqa: E402
from mutation.record import Record, Run, equivalents  # noqa: E402
from mutation.tree import Base  # noqa: E402
from mutation.workers import Workers  # noqa: E402


def arguments():
    parser = argparse.ArgumentParser(description='Mutants of the arithmetic of the kernels.')
    parser.add_argument('files', nargs='*', metavar='FILE', help='only mutants of these files, by how their paths begin')
    parser.add_argument('--count', type=int, default=200)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--cases', type=int, default=200000, help='cases of the last run of kernel-differential')
    parser.add_argument('--jobs', type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument('--json', type=pathlib.Path, metavar='FILE', help='writes the verdicts there, and takes over what it has')
    parser.add_argument('--folder', type=pathlib.Path, default=HERE.parent / '.build-mutants', help='for objects and changed sources')
    parser.add_argument('--only-chosen', action='store_true', help='only those that tests or proofs once let through')
    parser.add_argument('--list', action='store_true', help='prints the mutants, and judges none')
    return parser.parse_args()


def chosen(options):
    generator = random.Random(options.seed)
    mutants = list(sites.chosen()) + ([] if options.only_chosen else list(sites.spread(sites.sites(generator), generator)))
    return [mutant for mutant in mutants if not options.files or mutant.file.startswith(tuple(options.files))]


def main():
    options = arguments()
    mutants = chosen(options)
    if options.list:
        for mutant in mutants[:options.count]:
            print('%s:%d %s' % (mutant.file, mutant.line, mutant.describe()))
        return 0
    os.environ['ASSAY_CLANG'] = clang()
    folder = options.folder.resolve()
    base = Base(folder, options.jobs)
    with Workers(base, folder, options.jobs, options.cases) as workers:
        first = Run([check.harmless()], 1, Record(), {})
        workers.judge(first)
        if [entry['verdict'] for entry in first.entries.values()] != ['survived']:
            print('a change that nothing can refuse is not reported as a survivor: the other verdicts would mean nothing')
            return 1
        run = Run(mutants, options.count, Record(options.json), equivalents())
        workers.judge(run)
    return run.close()


if __name__ == '__main__':
    sys.exit(main())
