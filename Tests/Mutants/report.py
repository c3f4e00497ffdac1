"""Writes the score of a run into a page, and fails where a mutant survived or none was judged.

    report.py [--page Docs/Mutants.md] [--seed S] FILE…

Each FILE has a line of JSON for each judged mutant. Without --page the score is printed only.
"""
import argparse
import collections
import datetime
import json
import pathlib
import platform
import re
import subprocess
import sys

BEGIN, END = '<!-- mutants:begin -->', '<!-- mutants:end -->'
JUDGES = ('vectors', 'tests', 'proofs', 'differential')
NAMES = {'nist': 'C, nist', 'nistifma': 'C, nistifma', 'p256ifma': 'C, p256ifma', 'ed25519': 'C, ed25519', 'rsa': 'C, rsa',
         'C readers': 'C, readers', 'C for NEON': 'C, NEON', 'COpenSSL': 'C, libcrypto', 'JWTCore': 'Swift, JWTCore', 'JWKSCache': 'Swift, JWKSCache', 'Gateway': 'Swift, Gateway'}


def entries(paths):
    found = []
    for path in paths:
        for number, line in enumerate(pathlib.Path(path).read_text().split('\n'), 1):
            if line.strip():
                entry = json.loads(line)
                if entry['verdict'] not in ('refused', 'equivalent', 'survived'):
                    raise SystemExit('%s:%d: an unknown verdict, %s' % (path, number, entry['verdict']))
                found.append(entry)
    return found


def judge(entry):
    """Which of the columns refused a mutant."""
    by = entry['by'].split(':')[0].split(' ')[0]
    return {'proof': 'proofs', 'kernel-differential': 'differential'}.get(by, by)


def processor():
    try:
        return re.search(r'^model name\s*: (.*)$', pathlib.Path('/proc/cpuinfo').read_text(), re.M).group(1)
    except (OSError, AttributeError):
        return platform.machine()


def table(found):
    counts = collections.defaultdict(collections.Counter)
    for entry in found:
        for group in (entry['group'], 'all'):
            counts[group]['mutants'] += 1
            counts[group][entry['verdict']] += 1
            if entry['verdict'] == 'refused':
                counts[group][judge(entry)] += 1
    yield '| what is changed | mutants | refused | by vectors | by tests | by proofs | by differential tests | equivalent | survived |'
    yield '|---|---:|---:|---:|---:|---:|---:|---:|---:|'
    for group in [name for name in NAMES if name in counts] + sorted(set(counts) - set(NAMES) - {'all'}) + ['all']:
        row = counts[group]
        cells = [row['mutants'], row['refused'], *(row[name] for name in JUDGES), row['equivalent'], row['survived']]
        yield '| %s | %s |' % (NAMES.get(group, group), ' | '.join('{:,}'.format(cell) for cell in cells))


def score(found, seed):
    commit = subprocess.run(['git', 'rev-parse', '--short=9', 'HEAD'], capture_output=True, text=True).stdout.strip() or 'no commit'
    lines = ['%s, %s, %s, Assay at `%s`, seed %d.' % (datetime.date.today().isoformat(), processor(), platform.system(), commit, seed), '',
             *table(found)]
    survivors = [entry for entry in found if entry['verdict'] == 'survived']
    if survivors:
        lines += ['', 'Survivors:', '']
        lines += ['- `%s:%d`: `%s` becomes `%s`' % (e['file'], e['line'], e['before'], e['after'] or 'nothing') for e in survivors]
    return '\n'.join(lines)


def publish(page, text):
    """Puts the score between the marks of the page."""
    old = page.read_text()
    if old.count(BEGIN) != 1 or old.count(END) != 1:
        raise SystemExit('%s has no marks for the score' % page)
    before, rest = old.split(BEGIN)
    page.write_text(before + BEGIN + '\n' + text + '\n' + END + rest.split(END)[1])


def main():
    parser = argparse.ArgumentParser(description='The score of the mutants.')
    parser.add_argument('files', nargs='+', type=pathlib.Path)
    parser.add_argument('--page', type=pathlib.Path, default=None)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    found = entries(options.files)
    text = score(found, options.seed)
    if options.page and found:
        publish(options.page, text)
    print(text)
    survived = sum(entry['verdict'] == 'survived' for entry in found)
    if not found:
        print('no mutant was judged')
    print('%d passed, %d failed' % (len(found) - survived, survived))
    return int(survived > 0 or not found)


if __name__ == '__main__':
    sys.exit(main())
