"""Mutants of the Swift sources: all behind switches in one build, each then chosen by the environment.

A place at which a judge never arrives cannot matter to it: the parts of the tests that do arrive at a mutant judge it, and only those.
"""
import collections
import hashlib
import json
import os
import pathlib
import re
import subprocess

import judging
from mutants import Mutant, numbered, sample
from tree import BUILD, ROOT, TREE, copy

HERE = pathlib.Path(__file__).resolve().parent
# What decides verdicts, and how many mutants of each module a run has.
MODULES = {'JWTCore': 270, 'JWKSCache': 35, 'Gateway': 35}
# Descriptions are for people; nothing decides by them.
LEFT_OUT = re.compile(r'\+Description\.swift$|/Sharing/|/Docs\.docc/|/Status/|Metrics\.swift$|/Profiles/')
# Which sources the tree's switches belong to, and which mutants the compiler has refused.
STAMP, REFUSED = BUILD / 'built.stamp', BUILD / 'refused.json'
ERROR = re.compile(r'^%s/([^:\n]+\.swift):(\d+):\d+: error: (.*)$' % re.escape(str(TREE)), re.M)


def sources(module):
    return sorted(str(path.relative_to(ROOT)) for path in (ROOT / 'Sources' / module).rglob('*.swift')
                  if not LEFT_OUT.search(str(path.relative_to(ROOT))))


class Mutator:
    """The program that lists mutants and writes them into the tree."""

    def __init__(self, scratch=BUILD / 'mutate'):
        build = ['swift', 'build', '--package-path', HERE, '--scratch-path', scratch, '--product', 'mutate']
        said = subprocess.run(['nice', '-n', '5', *build], capture_output=True, text=True)
        if said.returncode:
            raise SystemExit(said.stdout + said.stderr)
        self.program = scratch / 'debug' / 'mutate'

    def list(self, files):
        return self.read(files, BUILD / 'all.jsonl', [])

    def write(self, files, keys):
        chosen = BUILD / 'chosen.txt'
        chosen.write_text('\n'.join(keys) + '\n')
        return self.read(files, BUILD / 'built.jsonl', ['--into', TREE, chosen])

    def read(self, files, output, options):
        subprocess.run([self.program, ROOT, output, *options, *files], check=True)
        lines = {file: (ROOT / file).read_text().split('\n') for file in files}
        facts = [json.loads(line) for line in output.read_text().split('\n') if line]
        return [Mutant(fact, lines[fact['file']][fact['line'] - 1]) for fact in facts]


def build(mutator, files, keys):
    """Builds the tree with the mutants `keys`; those that the compiler refuses are left out. Returns what is built, and the refused."""
    refused = known_refusals(files)
    copy(mutated=files)
    while True:
        mutants = mutator.write(files, [key for key in keys if key not in refused])
        errors = compiled()
        if errors is None:
            STAMP.write_text(digest(files))
            return mutants, refused & set(keys)
        found = blamed(mutants, errors)
        if not found:
            raise SystemExit('the tree does not build, and no mutant is to blame:\n' + errors[-4000:])
        print('the compiler refuses %d mutants' % len(found), flush=True)
        refused |= found
        REFUSED.write_text(json.dumps({key: digest([key.split(':')[0]]) for key in sorted(refused)}))


def digest(files):
    """Of the contents of files."""
    return hashlib.sha256(b''.join((ROOT / file).read_bytes() for file in files)).hexdigest()


def known_refusals(files):
    """The mutants that the compiler refused in an earlier run, of files that are still the same."""
    if not REFUSED.exists():
        return set()
    return {key for key, of in json.loads(REFUSED.read_text()).items() if key.split(':')[0] in files and digest([key.split(':')[0]]) == of}


def build_original():
    """Builds the tree. Switches of the last run may stay: without ASSAY_MUTANT the programs are the original."""
    files = [file for module in MODULES for file in sources(module)]
    has_switches = STAMP.exists() and STAMP.read_text() == digest(files)
    copy(mutated=files if has_switches else ())
    errors = compiled()
    if errors is not None:
        raise SystemExit(errors[-4000:])


def compiled():
    """Builds the tree; returns what the compiler says if it fails."""
    said = subprocess.run(['nice', '-n', '5', 'swift', 'build', '-c', 'release', '--build-tests'], cwd=TREE, capture_output=True, text=True,
                          env={**os.environ, 'SWIFT_DETERMINISTIC_HASHING': '1'})
    return None if said.returncode == 0 else said.stdout + said.stderr


def blamed(mutants, output):
    """The mutants on the lines of the compiler's errors; where there is none, those of the declaration around."""
    found = set()
    for file, line, _ in ERROR.findall(output):
        line = int(line)
        there = [m for m in mutants if m.file == file and m.facts['line'] <= line <= m.facts['endLine']]
        there = there or [m for m in mutants if m.file == file and m.facts['first'] <= line <= m.facts['last']]
        found |= {m.facts['key'] for m in there}
    return found


class Reach:
    """Which mutants the vectors and each suite of the tests arrive at."""

    def __init__(self):
        self.seconds, self.by_mutant = {}, collections.defaultdict(list)

    def add(self, name, judge):
        trace = BUILD / 'trace.txt'
        trace.unlink(missing_ok=True)
        refused = judge.calibrate({'ASSAY_MUTANT_TRACE': str(trace)})
        if refused:
            raise SystemExit('%s refuses the original: %s' % (name, refused))
        self.seconds[name] = judge.seconds
        for number in set(trace.read_text().split()) if trace.exists() else ():
            self.by_mutant[int(number)].append(name)


def suites():
    """The suites of the tests, by `Target.Suite`."""
    listed = subprocess.run([judging.RELEASE / 'assayPackageTests.xctest', '--testing-library', 'swift-testing', '--list-tests'], cwd=TREE,
                            capture_output=True, text=True).stdout
    return sorted({'.'.join(re.split(r'[./]', line)[:2]) for line in listed.split('\n') if '/' in line})


def reach_of(vectors):
    """Runs the vectors and each suite of the tests without a mutant."""
    reach = Reach()
    reach.add('vectors', vectors)
    for name in suites():
        reach.add(name, judging.suite([name]))
    return reach, vectors


def judge(number, reach, vectors):
    """(judge, what it says), or None where nothing refuses the mutant."""
    environment, arrived = {'ASSAY_MUTANT': str(number)}, reach.by_mutant.get(number, [])
    if 'vectors' in arrived:
        said = vectors.refuses(environment)
        if said:
            return 'vectors', said
    # The quick suites first: one of them may do.
    names = sorted((name for name in arrived if name != 'vectors'), key=reach.seconds.get)
    for part in [names[:len(names) // 2], names[len(names) // 2:]] if len(names) > 3 else [names]:
        if not part:
            continue
        tests = judging.suite(part)
        tests.seconds = sum(reach.seconds[name] for name in part)
        said = tests.refuses(environment)
        if said:
            return 'tests', said
    return None
