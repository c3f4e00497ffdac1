#!/usr/bin/env python3
"""Tests the runner: broken adapters must be counted as such, and PyJWT must be judged. Ends with `N passed, N failed`."""

import io
import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
from contextlib import redirect_stdout
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

SCOREBOARD = Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(SCOREBOARD / "harness"), str(SCOREBOARD / "adapters/gateways")]

import cases  # noqa: E402
import clock  # noqa: E402
import gateway  # noqa: E402
import judging  # noqa: E402
import notions  # noqa: E402
import page  # noqa: E402
import report  # noqa: E402
import verifiers  # noqa: E402
from session import Session  # noqa: E402

BROKEN = SCOREBOARD / "tests/broken"
VECTORS = SCOREBOARD.parent / "vectors"


def case(identifier, expect, severity="must", token="a.b.c"):
    return cases.Case(identifier, "file", token, expect, severity, "Why.", "RFC 7519", {"keys": []}, {}, 1700000000)


SELECTION = [
    case("valid-1", "valid"), case("invalid-1", "signature_invalid"), case("invalid-2", "invalid_json", "should"),
    case("invalid-3", "token_too_large", "hardening"), case("odd-1", "signature_invalid", token="crash.b.c"),
    case("valid-2", "valid", "should"),
]


def judged(program, selection=SELECTION, limit=10):
    with tempfile.TemporaryFile() as log, Session([sys.executable, BROKEN / f"{program}.py"], log, limit) as session:
        return judging.run(selection, session)


def outcomes(judgements):
    return [judgement.outcome for judgement in judgements]


class BrokenAdapterTests(unittest.TestCase):
    def test_one_that_accepts_everything_has_a_wrong_accept_for_each_bad_token(self):
        counts = judging.counts(judged("accepts"))
        self.assertEqual(counts["wrong_accept"], {"must": 2, "should": 1, "hardening": 1, "all": 4})
        self.assertEqual((counts["right"]["all"], counts["wrong_refusal"]["all"]), (2, 0))

    def test_a_crash_is_counted_and_the_next_case_has_a_fresh_process(self):
        found = judged("crashes")
        self.assertEqual(outcomes(found), ["wrong_refusal", "right", "right", "right", "crash", "wrong_refusal"])
        self.assertIn("SIGSEGV", found[4].reason)

    def test_a_process_that_ends_at_once_crashes_at_each_case(self):
        self.assertEqual(set(outcomes(judged("ends"))), {"crash"})

    def test_a_hang_is_counted_after_the_limit_and_a_second_try(self):
        start = time.monotonic()
        self.assertEqual(outcomes(judged("hangs", limit=5))[3:], ["right", "hang", "wrong_refusal"])
        self.assertLess(time.monotonic() - start, 60)

    def test_garbage_is_no_verdict(self):
        found = judged("garbles", [case(f"c-{number}", "valid") for number in range(10)])
        self.assertEqual(outcomes(found), ["garbage"] * 10, [judgement.reason for judgement in found])
        self.assertIn("without an end", found[6].reason)

    def test_a_verifier_that_only_fails_is_given_up(self):
        found = judged("ends", [case(f"c-{number}", "valid") for number in range(60)])
        self.assertEqual((len(found), set(outcomes(found))), (60, {"crash"}))
        self.assertIn("not asked", found[-1].reason)


class JudgingTests(unittest.TestCase):
    def outcome(self, expect, verdict, lacks=(), **policy):
        token = policy.pop("token", ".".join(["eyJhbGciOiJFUzI1NiJ9", "eyJub25jZSI6IngifQ", "AA"]))
        one = cases.Case("id", "file", token, expect, "must", "Why.", "RFC 7519", {"keys": []}, policy, 1700000000)
        return judging.outcome(one, SimpleNamespace(verdict=verdict, lacks=frozenset(lacks)))

    def test_a_rule_that_the_library_lacks_excuses_that_rule_alone(self):
        self.assertEqual(self.outcome("nonce_mismatch", "valid", ["nonce"], nonce="y"), "unsupported")
        self.assertEqual(self.outcome("nonce_mismatch", "valid", ["acr"], nonce="y"), "wrong_accept")
        self.assertEqual(self.outcome("signature_invalid", "valid", ["nonce", "claims", "json", "exp", "keys"], nonce="y"), "wrong_accept")

    def test_an_algorithm_that_the_library_lacks_excuses_a_refusal_alone(self):
        self.assertEqual(self.outcome("valid", "invalid", ["ES256"]), "unsupported")
        self.assertEqual(self.outcome("valid", "invalid", ["RS256"]), "wrong_refusal")
        self.assertEqual(self.outcome("signature_invalid", "valid", ["ES256"]), "wrong_accept")

    def test_a_case_that_cannot_be_asked_is_unsupported(self):
        self.assertEqual([self.outcome(expect, "unsupported") for expect in ("valid", "expired")], ["unsupported"] * 2)

    def test_every_case_about_a_claim_or_a_choice_of_key_has_its_notion(self):
        codes = {*notions.CLAIM_CODES, *notions.PLAIN_CODES, *notions.KEY_CODES}
        for one in cases.load([VECTORS]):
            if one.expect in codes:
                self.assertTrue(notions.faults(one), one.id)


class KindTests(unittest.TestCase):
    """Cases about something else than a token."""

    def selected(self, kind, identifier):
        return next(case for case in cases.load([VECTORS], kind) if case.id == identifier)

    def outcome(self, kind, identifier, verdict, lacks=(), content=None):
        answer = SimpleNamespace(verdict=verdict, lacks=frozenset(lacks), content=content)
        return judging.outcome(self.selected(kind, identifier), answer)

    def test_a_question_has_what_the_kind_asks_and_no_verdict(self):
        question = self.selected("dpop", "proof-plain").question()
        self.assertEqual({*question}, {"id", "kind", "method", "url", "authorization", "proofs", "earlier", "keys", "policy", "now"})
        question = self.selected("encrypted", "jwe-limit-header-2-mb").question()
        self.assertEqual({*question}, {"id", "kind", "encrypted", "keys", "decryption_keys", "policy", "now"})
        self.assertGreater(len(question["encrypted"]), 2_000_000)

    def test_what_the_library_lacks_excuses_that_alone(self):
        self.assertEqual(self.outcome("dpop", "proof-replay-same", "valid", ["replay"]), "unsupported")
        self.assertEqual(self.outcome("dpop", "proof-replay-same", "valid", ["nonce"]), "wrong_accept")
        self.assertEqual(self.outcome("dpop", "proof-nonce-null", "valid", ["nonce"]), "unsupported")
        self.assertEqual(self.outcome("dpop", "proof-good-rs256", "invalid", ["RS256"]), "unsupported")
        self.assertEqual(self.outcome("dpop", "proof-endpoint-good", "invalid", ["RS256"]), "wrong_refusal")
        self.assertEqual(self.outcome("encrypted", "jwe-good-dir-a128gcm", "invalid", ["dir"]), "unsupported")
        self.assertEqual(self.outcome("encrypted", "jwe-inner-expired", "valid", ["claims"]), "unsupported")
        self.assertEqual(self.outcome("encrypted", "jwe-zip-bomb", "valid", ["no-zip", "claims", "keys"]), "wrong_accept")

    def test_another_content_is_no_right_answer(self):
        one = self.selected("encrypted", "jwe-good-dir-a128gcm")
        self.assertEqual(self.outcome("encrypted", one.id, "valid", content=one.content), "right")
        self.assertEqual(self.outcome("encrypted", one.id, "valid"), "right")
        self.assertEqual(self.outcome("encrypted", one.id, "valid", content="x"), "wrong_accept")
        for kind, identifier in (("selective", "selective-one"), ("documents", "document-flattened")):
            one = self.selected(kind, identifier)
            said = [self.outcome(kind, identifier, "valid", content=content) for content in (None, one.content, "x")]
            self.assertEqual(said, ["right", "right", "wrong_accept"])

    def test_claims_are_compared_whatever_their_order(self):
        one = self.selected("selective", "selective-both")
        self.assertEqual(cases.content_of({"claims": dict(reversed(one.expected["claims"].items()))}), one.content)
        self.assertEqual(cases.content_of(self.selected("documents", "document-flattened").expected), "eyJ2ZXJzaW9uIjoiMS4yLjMifQ")

    def test_rules_that_libraries_for_presentations_and_documents_leave_to_their_callers(self):
        self.assertEqual(self.outcome("selective", "selective-validity-expired", "valid", ["exp"]), "unsupported")
        self.assertEqual(self.outcome("selective", "selective-binding-date-year", "valid", ["exp", "iat"]), "wrong_accept")
        self.assertEqual(self.outcome("selective", "selective-binding-date-year", "valid", ["binding-age"]), "unsupported")
        self.assertEqual(self.outcome("selective", "selective-unused", "valid", ["claims", "types", "binding-claims"]), "wrong_accept")
        self.assertEqual(self.outcome("documents", "document-unencoded-text", "invalid", ["b64"]), "unsupported")
        self.assertEqual(self.outcome("documents", "document-payload-twice-plain", "valid", ["json"]), "unsupported")
        self.assertEqual(self.outcome("documents", "document-overlap-kid", "valid", ["json", "b64", "keys"]), "wrong_accept")

    def test_a_run_replaces_the_numbers_of_its_own_kind_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "scores.json")
            path.write_text(json.dumps({"date": "1", "kinds": {"dpop": 1, "encrypted": 2}}))
            self.assertEqual(report.with_other_kinds(3, path, "dpop"), {"date": "1", "kinds": {"dpop": 3, "encrypted": 2}})
            self.assertEqual(report.with_other_kinds({"date": "4"}, path, "tokens"), {"date": "4", "kinds": {"dpop": 1, "encrypted": 2}})

    def test_the_adapters_answer_each_kind(self):
        for kind, adapter, identifier in (("encrypted", "joserfc", "jwe-good-ecdh-es-p-256-a128gcm"), ("dpop", "pydpop", "proof-plain"),
                                          ("selective", "sd_jwt", "selective-binding-good"),
                                          ("documents", "joserfc_documents", "document-general-two")):
            one = self.selected(kind, identifier)
            program = SCOREBOARD / f"adapters/python/{adapter}_adapter.py"
            with tempfile.TemporaryFile() as log, Session([sys.executable, program], log, 60, clock.stopped) as session:
                self.assertEqual(judging.judge(one, session).outcome, "right")


class PageTests(unittest.TestCase):
    def test_the_page_has_counts_and_no_case(self):
        verifier = SimpleNamespace(name="Broken", language="Python", version=lambda: "1", is_ours=False)
        rows = [report.row(verifier, judged("accepts"))]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "page.md"
            path.write_text(f"Before.\n\n{page.BEGIN}\nold\n{page.END}\n\nAfter.\n")
            page.write(path, report.document(rows, SELECTION))
            text = path.read_text()
        self.assertIn("| Broken | 1 | Python | 2 | 2 / 1 / 1 | 0 / 0 / 0 | 0 | 0 |", text)
        self.assertTrue(text.startswith("Before.") and text.endswith("After.\n") and "old" not in text)
        self.assertNotIn("invalid-1", text)

    def test_a_row_that_is_held_back_shows_its_name_alone(self):
        name = sorted(report.HELD_BACK["tokens"])[0]
        verifier = SimpleNamespace(name=name, language="C", version=lambda: "1", is_ours=False)
        whole = report.document([report.row(verifier, judged("accepts"))], SELECTION)
        self.assertEqual((whole["verifiers"], whole["held_back"]), ([], [name]))
        crashing = SimpleNamespace(name="Crashing", language="C", version=lambda: "1", is_ours=False)
        self.assertEqual(report.document([report.row(crashing, judged("crashes"))], SELECTION)["held_back"], ["Crashing"])
        self.assertIn(f"Held back ([Disclosure](Disclosure.md)): {name}.", "\n".join(page.tables(whole)))

    def test_assay_in_every_language_counts_as_assay(self):
        for kind in verifiers.VERIFIERS.values():
            for verifier in kind:
                self.assertEqual(verifier.is_ours, verifier.name.startswith("Assay"), verifier.name)
        self.assertIn("Assay for Go", [verifier.name for verifier in verifiers.OF_TOKENS])

    def test_a_wrong_verdict_of_assay_fails_the_run(self):
        with tempfile.TemporaryDirectory() as folder:
            options = SimpleNamespace(kind="tokens", case=None, list=False, json=None, page=None, work=Path(folder))
            for ours, status in ((False, 0), (True, 1)):
                verifier = SimpleNamespace(name="Any", language="", version=lambda: "1", is_ours=ours)
                with redirect_stdout(io.StringIO()):
                    self.assertEqual(report.close([report.row(verifier, judged("accepts"))], SELECTION, options), status)


class GatewayTests(unittest.TestCase):
    def test_no_folder_is_left_where_a_gateway_does_not_start_or_its_adapter_was_killed(self):
        def refuses(case, folder, port):
            raise gateway.Unsupported("no configuration has this")

        def ends(case, folder, port):
            return ["false"]

        with tempfile.TemporaryDirectory() as folder, mock.patch.object(gateway, "FOLDERS", Path(folder)):
            question = case("valid-1", "valid").question()
            for command in (refuses, ends):
                running = gateway.Gateway(command)
                with mock.patch.object(gateway.clock, "stopped_for_gateway", return_value={}), self.assertRaises(gateway.Unsupported):
                    running.accepts(gateway.Case(question, ["ES256"]))
                running.stop()
            killed = subprocess.Popen(["true"])
            killed.wait()
            Path(folder, str(killed.pid)).mkdir()
            Path(folder, str(os.getpid())).mkdir()
            gateway.remove_old()
            self.assertEqual([path.name for path in Path(folder).iterdir()], [str(os.getpid())])


class PyJWTTests(unittest.TestCase):
    def run_command(self, *arguments):
        command = [sys.executable, SCOREBOARD / "run.py", "--only", "pyjwt", *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=600)

    def test_most_cases_are_right_and_some_are_not(self):
        with tempfile.TemporaryDirectory() as folder:
            answer = self.run_command("--json", f"{folder}/scores.json", "--work", folder)
            self.assertEqual(answer.returncode, 0, answer.stderr)
            scores = json.loads(Path(folder, "scores.json").read_text())["verifiers"][0]
        self.assertGreater(scores["right"]["all"], 1000)
        self.assertGreater(scores["wrong_accept"]["all"], 0)
        self.assertEqual([scores[outcome]["all"] for outcome in ("crash", "hang", "garbage")], [0, 0, 0])

    def test_a_case_is_reproduced_by_one_command(self):
        with tempfile.TemporaryDirectory() as folder:
            answer = self.run_command("--case", "exp-past", "--work", folder)
            self.assertFalse(Path(folder, "cases.txt").exists(), "the list of a whole run would be lost")
        self.assertIn('"expected": "expired"', answer.stdout)
        self.assertIn("PyJWT: right", answer.stdout)


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=0).result
    wrong, skipped = len(result.failures) + len(result.errors), len(result.skipped)
    print(f"{result.testsRun - wrong - skipped} passed, {wrong} failed, {skipped} skipped")
    sys.exit(wrong > 0)
