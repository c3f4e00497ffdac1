#!/usr/bin/env python3
"""Tests what judges mutants: it must be able to fail. Ends with `N passed, N failed`. No mutant of the verifier is built here."""
import contextlib
import io
import json
import pathlib
import random
import sys
import tempfile
import unittest
from unittest import mock

MUTANTS = pathlib.Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(MUTANTS))
sys.path.append(str(MUTANTS.parents[1] / 'Proofs'))

import c_sites  # noqa: E402
import judging  # noqa: E402
import mutants  # noqa: E402
import neon_part  # noqa: E402
import report  # noqa: E402
import run  # noqa: E402
import swift_part  # noqa: E402
from mutation import record, sites  # noqa: E402
from tree import ROOT  # noqa: E402


def mutant(file='Sources/A.swift', line=1, operator='boundary', before='a < b', after='a <= b', text='return a < b', function='f', **facts):
    facts = {'file': file, 'line': line, 'function': function, 'operator': operator, 'before': before, 'after': after, **facts}
    return mutants.Mutant(facts, text)


def judged(program, seconds=20):
    """What a judge that is a shell's program says of a mutant."""
    judge = judging.Judge('shell', ['sh', '-c', program])
    with mock.patch.object(judging, 'TREE', ROOT), mock.patch.object(judging, 'PATIENCE', seconds):
        return judge.refuses({})


class JudgeTests(unittest.TestCase):
    def test_a_program_that_ends_well_refuses_nothing(self):
        self.assertIsNone(judged('echo 3 passed, 0 failed'))

    def test_a_failure_a_crash_and_a_hang_refuse(self):
        self.assertIn('exit code 1', judged('exit 1'))
        self.assertIn('SIGSEGV', judged('kill -SEGV $$'))
        self.assertEqual(judged('sleep 60', seconds=1), 'does not end')

    def test_the_first_wrong_verdict_ends_the_program(self):
        self.assertEqual(judged('echo exp-past: expected expired, got valid; sleep 60'), 'exp-past: expected expired, got valid')

    def test_a_process_that_stays_behind_does_not_keep_the_judge(self):
        self.assertEqual(judged('sleep 60 & exit 1', seconds=1), 'does not end')

    def test_a_failed_test_is_found_in_the_output_of_swift_testing(self):
        faulty = judging.suite(['JWTCoreTests.A']).faulty
        self.assertEqual(faulty.search('✘ Test expiredIsRefused() recorded an issue at A.swift:1:1').group(1), 'expiredIsRefused()')
        self.assertIsNone(faulty.search('✔ Test expiredIsRefused() passed after 0.001 seconds.'))


class VerdictTests(unittest.TestCase):
    def verdicts(self, refusals, known=()):
        found = [mutant(line=number, text='line %d' % number) for number in range(len(refusals))]
        with mock.patch.object(run, 'KNOWN', {found[number].identity: 'for a reason' for number in known}), \
                contextlib.redirect_stdout(io.StringIO()):
            with tempfile.TemporaryDirectory() as folder, mutants.Record(pathlib.Path(folder, 'lines')) as lines:
                run.every(found, lambda m: refusals[m.line], 2, lines, lambda m: 'JWTCore')
                text = lines.path.read_text()
        return sorted((json.loads(line) for line in text.split('\n') if line), key=lambda line: line['line'])

    def test_each_mutant_has_a_line_with_its_verdict(self):
        found = self.verdicts([('vectors', 'a: expected b'), None, None, ('compiler', 'the same output'), 'broken'], known=[2])
        self.assertEqual([line['verdict'] for line in found], ['refused', 'survived', 'equivalent', 'equivalent'])
        self.assertEqual([line['by'] for line in found], ['vectors', '', 'list', 'compiler'])

    def test_a_refusal_of_the_same_sources_is_taken_over_and_a_survivor_is_not(self):
        with tempfile.TemporaryDirectory() as folder:
            path, found = pathlib.Path(folder, 'lines'), [mutant(line=1), mutant(line=2), mutant(line=3)]
            with mutants.Record(path) as lines, contextlib.redirect_stdout(io.StringIO()):
                lines.write('JWTCore', found[0], 'refused', 'tests', 'aTest()', 1)
                lines.write('JWTCore', found[1], 'survived', '', '', 1)
            self.assertEqual([mutants.Record(path).known(m) for m in found], [('tests', 'aTest()'), None, None])
            with mock.patch.object(mutants, 'sources', lambda: 'others'):
                self.assertIsNone(mutants.Record(path).known(found[0]))

    def closed(self, verdicts):
        with tempfile.TemporaryDirectory() as folder:
            file, page = pathlib.Path(folder, 'swift.jsonl'), pathlib.Path(folder, 'page.md')
            file.write_text(''.join(json.dumps({'group': 'JWTCore', 'file': 'a', 'line': 1, 'before': 'x', 'after': 'y', 'by': 'tests',
                                                'verdict': verdict}) + '\n' for verdict in verdicts))
            page.write_text('# Page\n%s\nold\n%s\nrest\n' % (report.BEGIN, report.END))
            output = io.StringIO()
            with mock.patch.object(sys, 'argv', ['report.py', '--page', str(page), str(file)]), contextlib.redirect_stdout(output):
                return report.main(), page.read_text()

    def test_a_survivor_fails_the_run_and_stands_on_the_page(self):
        status, page = self.closed(['refused', 'survived'])
        self.assertEqual(status, 1)
        self.assertIn('| Swift, JWTCore | 2 | 1 | 0 | 1 | 0 | 0 | 0 | 1 |', page)
        self.assertIn('`x` becomes `y`', page)
        self.assertTrue(page.endswith('rest\n') and 'old' not in page)

    def test_a_run_without_a_mutant_fails(self):
        status, page = self.closed([])
        self.assertEqual(status, 1)
        self.assertIn('old', page)

    def test_a_run_without_a_survivor_passes(self):
        self.assertEqual(self.closed(['refused', 'equivalent'])[0], 0)


class SampleTests(unittest.TestCase):
    def setUp(self):
        self.all = [mutant(file='%s.swift' % file, line=line, operator=operator)
                    for file in 'abcd' for line in range(30) for operator in ('number', 'boundary') if operator == 'number' or line < 4]

    def test_a_sample_is_spread_over_operators_and_files(self):
        drawn = mutants.sample(self.all, 24, 1)
        for operator in ('number', 'boundary'):
            for file in 'abcd':
                self.assertEqual(sum(m.operator == operator and m.file[0] == file for m in drawn), 3)

    def test_the_seed_decides(self):
        first, again, other = (list(map(str, mutants.sample(self.all, 10, seed))) for seed in (1, 1, 2))
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)

    def test_no_more_are_drawn_than_there_are(self):
        self.assertEqual(len(mutants.sample(self.all, 1000, 1)), len(self.all))


class EquivalentTests(unittest.TestCase):
    def test_every_entry_names_a_line_of_a_file(self):
        for file, function, text, _ in mutants.equivalents():
            code = (ROOT / file).read_text()
            self.assertIn(text, [mutants.cut(line.strip(), 135) for line in code.split('\n')], file)
            self.assertIn(function, code, file)

    def test_every_entry_of_a_c_file_is_a_mutant(self):
        listed = [identity for identity in mutants.equivalents() if identity[0].endswith(('.c', '.h'))]
        known = {m.identity for m in c_sites.sites(sorted({identity[0] for identity in listed}))}
        self.assertEqual([identity for identity in listed if identity not in known], [])

    def test_an_entry_without_a_reason_is_refused(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(mutants, 'HERE', pathlib.Path(folder)):
            pathlib.Path(folder, 'list.txt').write_text('Sources/A.swift f\n| return a < b\nboundary: a < b -> a <= b\n')
            self.assertRaises(SystemExit, mutants.equivalents, 'list.txt')

    def test_equal_changes_of_equal_lines_are_told_apart(self):
        equal = mutants.numbered([mutant(line=line) for line in range(3)])
        self.assertEqual(len({each.identity for each in equal}), 3)


class SiteTests(unittest.TestCase):
    def changes(self, code):
        return {(operator, code[start:end], after) for operator, start, end, after in c_sites.changes(c_sites.blank(code))}

    def test_code_is_changed_and_comments_and_texts_are_not(self):
        found = self.changes('static int f(int a) {\n    // a < 2\n    if (a < 3) {\n        call("1 < 2");\n    }\n    return 1;\n}\n')
        self.assertEqual(found, {
            ('boundary', '<', '<='), ('number', '3', '4'), ('number', '3', '2'), ('number', '1', '2'), ('number', '1', '0'),
            ('unchecked', 'a < 3', '0'), ('taken', 'a < 3', '1'), ('statement', 'call("1 < 2");', ';')})

    def test_a_mutant_is_the_file_with_one_change(self):
        found = c_sites.sites(['Sources/CJWTKernels/utf8.c'])[0]
        original = (ROOT / found.file).read_text()
        self.assertEqual(len(found.changed()) - len(original), len(found.after) - len(found.before))

    def test_every_kernel_for_neon_has_mutants_and_checks(self):
        files = sorted(str(path.relative_to(ROOT)) for path in (ROOT / c_sites.KERNELS).glob('*_neon.c'))
        self.assertEqual((sorted(neon_part.FILES), sorted(neon_part.CHECKS)), (files, files))
        self.assertEqual({mutant.file for mutant in c_sites.sites(neon_part.FILES)}, set(files))

    def test_errors_of_the_compiler_name_the_mutants_of_their_line(self):
        found = [mutant(line=4, endLine=6, first=1, last=9, key='a'), mutant(line=8, endLine=8, first=1, last=9, key='b')]
        error = '%s/Sources/A.swift:%d:3: error: no'
        self.assertEqual(swift_part.blamed(found, error % (swift_part.TREE, 5)), {'a'})
        self.assertEqual(swift_part.blamed(found, error % (swift_part.TREE, 2)), {'a', 'b'})
        self.assertEqual(swift_part.blamed(found, error % (swift_part.TREE, 20)), set())


class ArithmeticTests(unittest.TestCase):
    def test_each_chosen_mutant_is_a_place_of_the_kernels(self):
        for mutant in sites.chosen():
            self.assertNotEqual(mutant.before, mutant.after, mutant.file)

    def test_every_entry_of_the_list_is_a_place_that_mutants_change(self):
        places = {mutant.describe().split(' => ')[0] for mutant in sites.sites(random.Random(1))}
        self.assertEqual([entry for entry in record.equivalents() if entry.split(' => ')[0] not in places], [])


if __name__ == '__main__':
    result = unittest.main(exit=False, verbosity=0).result
    wrong = len(result.failures) + len(result.errors)
    print('%d passed, %d failed' % (result.testsRun - wrong, wrong))
    sys.exit(wrong > 0)
