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
from checking import run, title
from crowd import raise_descriptor_limit
from deadlines import ConnectionLab, Deadlines

MODULES = [idle_checks, slow_checks, reset_checks, descriptor_checks]


def checks(lab, report, long):
    for module in MODULES:
        for function in module.LONG if long else module.SHORT:
            report.check(title(function), function, lab, long)


if __name__ == "__main__":
    LONG = "--long" in sys.argv[1:]
    COUNT = min(raise_descriptor_limit(), 10_000 if LONG else 1_000)
    run(lambda: ConnectionLab(Deadlines(LONG), COUNT), lambda lab, report: checks(lab, report, LONG))
