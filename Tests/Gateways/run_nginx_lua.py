"""Tests module assay.nginx of bindings/lua in real nginx with lua-nginx-module. Usage: run_nginx_lua.py

Prints a line for each check that fails, and at the end `N passed, N failed`.
"""
import concurrent.futures

import browsers_checks
import claim_rules_checks
import differing_readings_checks
import fields_checks
import framing_checks
import http2_checks
import nginx_lua_checks
import proofs_checks
import questions_checks
import requests_checks
import resources_checks
import targets_checks
import tokens_checks
from checking import run, title
from nginx_lua import NginxLuaLab

ALL = [
    module.ALL for module in (
        browsers_checks, requests_checks, targets_checks, fields_checks, tokens_checks, claim_rules_checks, questions_checks,
        framing_checks, resources_checks, proofs_checks)
] + [differing_readings_checks.ALL, targets_checks.PARSING, fields_checks.PARSING, framing_checks.PARSING]


def checks(lab, report):
    for function in [function for functions in ALL for function in functions]:
        report.check(title(function), function, lab.gateway)
    for function in http2_checks.ALL:
        report.check(f"http2: {title(function)}", function, lab.http2)
    # Each has an nginx of its own, and waits for most of its time.
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for function, future in [(function, pool.submit(function, lab)) for function in nginx_lua_checks.ALL]:
            report.check(title(function), future.result)


if __name__ == "__main__":
    run(NginxLuaLab, checks)
