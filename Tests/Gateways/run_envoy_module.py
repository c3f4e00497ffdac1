"""Tests Envoy with the module of integrations/envoy. Usage: run_envoy_module.py [--long]

Prints a line for each check that fails, and at the end `N passed, N failed`.
"""
import signal
import sys

import fields_checks
import framing_checks
import http2_checks
import requests_checks
import targets_checks
import tokens_checks
from envoy_module import ModuleLab
from run import Report, title

REQUESTS = [
    module.ALL for module in (requests_checks, targets_checks, fields_checks, tokens_checks, framing_checks, http2_checks)
] + [module.PARSING for module in (targets_checks, fields_checks, framing_checks)]


def main(long):
    lab, report = ModuleLab(), Report()
    try:
        gateway = lab.gateways[0]
        for function in [function for functions in REQUESTS for function in functions]:
            report.check(f"{gateway.name}: {title(function)}", function, gateway)
        if report.failed:
            print("Envoy:", gateway.program.output()[-3000:])
    finally:
        lab.stop()
    print(f"{report.passed} passed, {report.failed} failed")
    return report.failed > 0


if __name__ == "__main__":
    # The programs end with the run, also if it is stopped.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    sys.exit(main("--long" in sys.argv[1:]))
