"""Tests HAProxy with module assay inside it. Usage: run_haproxy.py [--long]

The checks are those of the service behind HAProxy, and those of HAProxy as it runs: reloads, threads, certificates. Prints a line for each
check that fails, and at the end `N passed, N failed`.
"""
import sys

import browsers_checks
import claim_rules_checks
import differing_readings_checks
import fields_checks
import framing_checks
import haproxy_running_checks
import http2_checks
import proofs_checks
import questions_checks
import requests_checks
import resources_checks
import targets_checks
import tokens_checks
from checking import run, title
from haproxy_gateway import HAProxyLab

ALL = [
    module.ALL for module in (
        browsers_checks, requests_checks, targets_checks, fields_checks, tokens_checks, framing_checks, claim_rules_checks, proofs_checks,
        questions_checks, resources_checks, http2_checks)
] + [proofs_checks.NEXT, targets_checks.PARSING, fields_checks.PARSING, framing_checks.PARSING, differing_readings_checks.ALL]


def checks(lab, report, long):
    for function in [function for functions in ALL for function in functions]:
        report.check(title(function), function, lab.gateway)
    for function in haproxy_running_checks.ALL:
        report.check(title(function), function, lab, long)


if __name__ == "__main__":
    run(HAProxyLab, lambda lab, report: checks(lab, report, "--long" in sys.argv[1:]))
