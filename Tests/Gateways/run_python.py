"""Tests the decisions of the Python package in uvicorn (ASGI) and in gunicorn (WSGI). Usage: run_python.py [--long]

The checks are those of the service behind its gateways, and random requests as in run_hosts.py. Prints a line for each check that fails, and at the end `N passed, N failed`.
"""
import sys

import browsers_checks
import certificate_checks
import claim_rules_checks
import differing_readings_checks
import exchange
import fields_checks
import framing_checks
import proofs_checks
import questions_checks
import requests_checks
import resources_checks
import run_hosts
import targets_checks
import tokens_checks
from checking import run, title
from python_gateway import PythonLab

ALL = [
    module.ALL for module in (
        browsers_checks, resources_checks, requests_checks, targets_checks, fields_checks, tokens_checks, claim_rules_checks,
        questions_checks, framing_checks, proofs_checks, differing_readings_checks)
] + [targets_checks.PARSING, fields_checks.PARSING, framing_checks.PARSING]
# uvicorn waits for the rest of a body as long as the client does.
WAITING = ("uvicorn", framing_checks.odd_chunks_hide_no_request)


def checked(function, gateway, long):
    if (gateway.name, function) != WAITING or long:
        return function(gateway)
    patience, exchange.PATIENCE = exchange.PATIENCE, 5
    try:
        return function(gateway)
    finally:
        exchange.PATIENCE = patience


def checks(lab, report, long):
    for gateway in lab.plain:
        for function in [function for functions in ALL + ([proofs_checks.NEXT] if long else []) for function in functions]:
            report.check(f"{gateway.name}: {title(function)}", checked, function, gateway, long)
    for gateway in lab.bound:
        for function in certificate_checks.REQUESTS:
            report.check(f"certificates: {gateway.name}: {title(function)}", function, gateway)
    run_hosts.checks(lab, report, 300 if long else 3)


if __name__ == "__main__":
    run(PythonLab, lambda lab, report: checks(lab, report, "--long" in sys.argv[1:]))
