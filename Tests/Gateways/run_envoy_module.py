"""Tests Envoy with the module of integrations/envoy. Usage: run_envoy_module.py [--long]

Prints a line for each check that fails, and at the end `N passed, N failed`.
"""
import sys

import browsers_checks
import certificate_checks
import differing_readings_checks
import envoy_files_checks
import envoy_jwt_authn_checks
import envoy_keys_checks
import envoy_listeners_checks
import envoy_memory_checks
import envoy_restarts_checks
import envoy_routes_checks
import envoy_settings_checks
import envoy_uses_checks
import envoy_version_checks
import envoy_waiting_checks
import fields_checks
import framing_checks
import http2_checks
import requests_checks
import resources_checks
import status_lists_checks
import targets_checks
import tokens_checks
import trailers_checks
from checking import run, title
from envoy_module import EnvoyLab

REQUESTS = [
    module.ALL for module in (
        browsers_checks, resources_checks, requests_checks, targets_checks, fields_checks, tokens_checks, framing_checks, http2_checks, trailers_checks)
] + [module.PARSING for module in (targets_checks, fields_checks, framing_checks)] + [differing_readings_checks.MAYBE]
OF_THE_LAB = [
    envoy_settings_checks, envoy_version_checks, envoy_memory_checks, envoy_routes_checks, envoy_jwt_authn_checks, envoy_waiting_checks,
    envoy_listeners_checks, envoy_files_checks, envoy_keys_checks, envoy_uses_checks, envoy_restarts_checks,
]


def checks(lab, report, long):
    for function in [function for functions in REQUESTS for function in functions]:
        report.check(title(function), function, lab.gateway)
    of_the_lab = [function for module in OF_THE_LAB for function in module.ALL] + status_lists_checks.ENVOY + certificate_checks.ALL
    for function in of_the_lab + (envoy_keys_checks.LONG if long else []):
        report.check(title(function), function, lab, long)


if __name__ == "__main__":
    run(EnvoyLab, lambda lab, report: checks(lab, report, "--long" in sys.argv[1:]))
