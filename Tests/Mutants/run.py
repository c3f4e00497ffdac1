"""Judges mutants of the Swift sources, of the C readers or of the kernels for NEON, and writes a line of JSON for each.

    run.py swift|c|neon [--count N] [--seed S] [--jobs J] [--json FILE] [--only TEXT]…

A mutant that nothing refuses, and that equivalents.txt does not list, has survived: the program then ends with a failure.
"""
import argparse
import collections
import concurrent.futures
import pathlib
import queue
import random
import sys
import time

import c_part
import c_sites
import judging
import neon_part
import swift_part
from mutants import Record, equivalents, numbered, sample
from tree import BUILD

KNOWN = equivalents()


def main():
    parser = argparse.ArgumentParser(description='Mutants of the verifier, judged by the vectors and the tests.')
    parser.add_argument('part', choices=('swift', 'c', 'neon'))
    parser.add_argument('--count', type=int, default=None, help='how many mutants; by default 340 of Swift, 120 of C, 60 for NEON')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--json', type=pathlib.Path, default=None)
    parser.add_argument('--only', action='append', default=[], help='only mutants whose file, function, line and change contain this')
    options = parser.parse_args()
    output = options.json or BUILD / ('%s.jsonl' % options.part)
    BUILD.mkdir(exist_ok=True)
    with Record(output) as lines:
        counted = {'swift': swift, 'c': c, 'neon': neon}[options.part](options, lines)
    print('%s: %d refused, %d equivalent, %d survived' % (options.part, *(counted[v] for v in ('refused', 'equivalent', 'survived'))))
    print('%d passed, %d failed' % (counted['refused'] + counted['equivalent'], counted['survived']))
    return int(counted['survived'] > 0 or not sum(counted.values()))


def wanted(mutants, options):
    return [m for m in mutants if all(text in ' '.join((str(m), m.function, m.text)) for text in options.only)]


def settle(lines, group, mutant, refusal, seconds):
    """Records the verdict: (judge, what it says), or None."""
    if refusal and refusal[0] == 'compiler':
        verdict, by, detail = 'equivalent', *refusal
    elif refusal:
        verdict, by, detail = 'refused', *refusal
    elif mutant.identity in KNOWN:
        verdict, by, detail = 'equivalent', 'list', KNOWN[mutant.identity]
    else:
        verdict, by, detail = 'survived', '', ''
    lines.write(group, mutant, verdict, by, detail, seconds)
    return verdict


def every(mutants, judge, jobs, lines, group):
    """Judges the mutants, some at once. `judge` may say 'broken', and the mutant then does not count."""
    counted = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for done in concurrent.futures.as_completed([pool.submit(timed, lines, mutant, judge) for mutant in mutants]):
            mutant, refusal, seconds = done.result()
            counted['broken' if refusal == 'broken' else settle(lines, group(mutant), mutant, refusal, seconds)] += 1
            if sum(counted.values()) % 20 == 0:
                print('%d of %d: %s' % (sum(counted.values()), len(mutants), dict(counted)), flush=True)
    return counted


def timed(lines, mutant, judge):
    started = time.monotonic()
    return mutant, lines.known(mutant) or judge(mutant), time.monotonic() - started


def swift(options, lines):
    mutator = swift_part.Mutator()
    chosen, usual = [], sum(swift_part.MODULES.values())
    for module, number in swift_part.MODULES.items():
        candidates = wanted(numbered(mutator.list(swift_part.sources(module))), options)
        chosen += sample(candidates, (options.count or usual) * number // usual, options.seed)
    ordinals = {m.facts['key']: m.ordinal for m in chosen}
    files = [file for module in swift_part.MODULES for file in swift_part.sources(module)]
    built, refused = swift_part.build(mutator, files, list(ordinals))
    print('%d mutants built, %d refused by the compiler' % (len(built), len(refused)), flush=True)
    for mutant in built:
        mutant.ordinal = ordinals[mutant.facts['key']]
    reach, vectors = swift_part.reach_of(judging.vectors())
    random.Random(options.seed).shuffle(built)
    return every(built, lambda m: swift_part.judge(m.facts['id'], reach, vectors), options.jobs, lines, lambda m: m.file.split('/')[1])


def c(options, lines):
    swift_part.build_original()
    library = c_part.Library(BUILD / 'c')
    suites = [name for name in swift_part.suites() if name.startswith('JWTCoreTests.')]
    judges = c_part.Judges(library, suites)
    chosen = sample(wanted(c_sites.sites(), options), options.count or 120, options.seed)
    workers = [c_part.CJudge(library, BUILD / ('c-%d' % number), judges) for number in range(options.jobs)]
    return every(chosen, taking_turns(workers), options.jobs, lines,
                 lambda m: 'C readers' if m.file.startswith(c_sites.KERNELS) else 'COpenSSL')


def neon(options, lines):
    if neon_part.emulator() is None:
        print('skipped: no compiler for AArch64, or no emulator (Debian and Ubuntu: apt-get install gcc-aarch64-linux-gnu qemu-user)')
        sys.exit(0)
    program = neon_part.Program(BUILD / 'neon')
    chosen = sample(wanted(c_sites.sites(neon_part.FILES), options), options.count or 60, options.seed)
    workers = [neon_part.NeonJudge(program, BUILD / ('neon-%d' % number)) for number in range(options.jobs)]
    return every(chosen, taking_turns(workers), options.jobs, lines, lambda m: 'C for NEON')


def taking_turns(workers):
    """A judge that gives each mutant to a worker that is idle."""
    idle = queue.SimpleQueue()
    for worker in workers:
        idle.put(worker)

    def judge(mutant):
        worker = idle.get()
        try:
            return worker.judge(mutant)
        finally:
            idle.put(worker)
    return judge


if __name__ == '__main__':
    sys.exit(main())
