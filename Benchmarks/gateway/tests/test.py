#!/usr/bin/env python3
"""Tests that a row of `run.sh --engine TIER` cannot have the name of a tier that its program does not run."""
import pathlib
import sys
import types
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import engine  # noqa: E402
import measuring  # noqa: E402

NGINX = '2026/11/30 14:00:00 [notice] 7#7: the tier "%s" of assay judges signatures\n'
ENVOY = '[2026-11-30 14:00:00.000][7][info][dynamic_modules] [source/module.cc:30] assay: the tier "%s" judges signatures\n'


def program(tier):
    return types.SimpleNamespace(tier=lambda: tier)


def row(name="Assay's module", gateway=None, service=None, decides=True):
    return types.SimpleNamespace(name=name, gateway=gateway, service=service, decides=decides)


class SayingTests(unittest.TestCase):
    def test_a_log_names_the_tier_of_all_workers(self):
        for line in (NGINX, ENVOY):
            self.assertEqual(engine.of_log(lambda: "start\n" + line % "avx2"), "avx2")
            self.assertEqual(engine.of_log(lambda: 2 * (line % "tables")), "tables")
            self.assertIsNone(engine.of_log(lambda: line % "tables" + line % "ifma"))

    def test_a_log_without_the_line_names_none(self):
        self.assertIsNone(engine.of_log(lambda: "the tier is tables\n", seconds=0))

    def test_a_line_that_comes_late_counts(self):
        texts = iter(["", "", NGINX % "ifma", NGINX % "ifma"])
        self.assertEqual(engine.of_log(lambda: next(texts)), "ifma")

    def test_metrics_name_the_tier(self):
        text = '# TYPE assay_engine_info gauge\nassay_engine_info{tier="%s"} 1\nassay_engine_failed_kernels 0\n'
        self.assertEqual(engine.of_metrics(text % "avx512f"), "avx512f")
        self.assertIsNone(engine.of_metrics("assay_gateway_ready 1\n"))


class FaultTests(unittest.TestCase):
    def test_the_program_that_decides_must_run_the_tier(self):
        self.assertIsNone(engine.fault(row(gateway=program("avx2")), "avx2"))
        self.assertIn("the tier ifma, not avx2", engine.fault(row(gateway=program("ifma")), "avx2"))
        self.assertIn("does not say", engine.fault(row(gateway=program(None)), "avx2"))

    def test_behind_a_gateway_the_service_decides(self):
        asked = row("Assay, Unix socket", gateway=program("tables"), service=program("ifma"))
        self.assertEqual(engine.tier(asked), "ifma")
        self.assertIn("ifma, not tables", engine.fault(asked, "tables"))

    def test_rows_of_others_have_no_tier(self):
        for other in (row("its own jwt_authn", gateway=program("ifma")), row("Apache, mod_auth_openidc, TCP", service=program("ifma")),
                      row("without authorization", gateway=program("ifma"), decides=False)):
            self.assertIsNone(engine.tier(other))
            self.assertIsNone(engine.fault(other, "tables"))

    def test_a_program_that_cannot_tell_never_has_the_name(self):
        silent = row("Assay in Lua", gateway=types.SimpleNamespace())
        self.assertIsNone(engine.tier(silent))
        self.assertIn("does not say", engine.fault(silent, "tables"))

    def test_without_a_wanted_tier_every_row_may_run(self):
        self.assertIsNone(engine.fault(row(gateway=program("ifma")), None))


class LoadsTests(unittest.TestCase):
    ASKED = "HTTP, Unix socket, ES256"

    def loads(self, tier, wanted):
        asked = row("Assay, Unix socket", service=program(tier))
        asked.title = self.ASKED
        return next(measuring.Bench(None, None, 0, 0, 0).loads([asked], wanted))

    def test_the_service_must_run_the_tier_for_latencies_too(self):
        with self.assertRaisesRegex(measuring.Fault, "the tier ifma, not avx2"):
            self.loads("ifma", "avx2")

    def test_without_the_row_there_are_no_latencies(self):
        with self.assertRaisesRegex(measuring.Fault, self.ASKED):
            next(measuring.Bench(None, None, 0, 0, 0).loads([], None))


class MachineTests(unittest.TestCase):
    def test_a_machine_has_the_tiers_of_its_instructions(self):
        for flags, last in (("fpu sse4_1", "tables"), ("avx2", "avx2"), ("avx2 avx_ifma", "avxifma"), ("avx2 avx512f", "avx512f"),
                            ("avx2 avx512f avx512ifma", "ifma")):
            found = engine.of_machine(f"processor\t: 0\nflags\t\t: {flags}\n")
            self.assertEqual(found[:2], ["openssl", "tables"])
            self.assertEqual(found[-1], last)
        self.assertNotIn("avx512f", engine.of_machine("flags\t\t: avx2 avx_ifma\n"))


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=0).result
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(failed > 0)
