"""Idle, slow and reset connections by the thousand: connections.py [--long]

Prints a line for each check that fails, and at the end `N passed, N failed`.
"""
import pathlib
import sys

ROOT = pathlib.Path(__file__).parents[3]
sys.path += [str(ROOT / "Tests/Gateways"), str(ROOT / "Benchmarks/gateway")]

import descriptor_checks
import idle_checks
import reset_checks
import slow_checks
from crowd import raise_descriptor_limit
from deadlines import ConnectionLab, Deadlines
from run import Report, title

MODULES = [idle_checks, slow_checks, reset_checks, descriptor_checks]


def main(long):
    count = min(raise_descriptor_limit(), 10_000 if long else 1_000)
    lab, report = ConnectionLab(Deadlines(long), count), Report()
    try:
        for module in MODULES:
            for function in module.LONG if long else module.SHORT:
                report.check(title(function), function, lab, long)
        if report.failed:
            print("service:", lab.service.program.output()[-3000:])
    finally:
        lab.stop()
    print(f"{report.passed} passed, {report.failed} failed")
    return report.failed > 0


if __name__ == "__main__":
    sys.exit(main("--long" in sys.argv[1:]))
