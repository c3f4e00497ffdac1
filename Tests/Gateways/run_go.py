"""Tests the decisions of the Go package before a reverse proxy of net/http. Usage: run_go.py

The checks are those of the service behind its gateways, but for how bytes become a request, which is a host's. Prints a line for each check
that fails, and at the end `N passed, N failed`.
"""
import browsers_checks
import claim_rules_checks
import differing_readings_checks
import fields_checks
import questions_checks
import requests_checks
import resources_checks
import targets_checks
import tokens_checks
from checking import run, title
from go_gateway import GoLab

ALL = [
    module.ALL for module in (
        browsers_checks, resources_checks, requests_checks, targets_checks, fields_checks, tokens_checks, claim_rules_checks,
        questions_checks)
] + [differing_readings_checks.MAYBE]


def checks(lab, report):
    for function in [function for functions in ALL for function in functions]:
        report.check(title(function), function, lab.gateway)


if __name__ == "__main__":
    run(GoLab, checks)
