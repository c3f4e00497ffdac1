"""Tests nginx with the module of integrations/nginx. Usage: run_nginx_module.py [--long]

Prints a line for each check that fails, and at the end `N passed, N failed`.
"""
import sys

import browsers_checks
import certificate_checks
import fields_checks
import framing_checks
import http2_checks
import module_configuration_checks
import module_phases_checks
import module_reloads_checks
import module_running_checks
import module_tenants_checks
import module_transport_checks
import nginx_uses_checks
import requests_checks
import resources_checks
import status_lists_checks
import targets_checks
import tokens_checks
from checking import run, title
from nginx_module import NginxLab

REQUESTS = [
    function for module in (
        browsers_checks, resources_checks, requests_checks, targets_checks, fields_checks, tokens_checks, framing_checks)
    for function in module.ALL
]
PARSING = targets_checks.PARSING + fields_checks.PARSING + framing_checks.PARSING


def checks(lab, report, long):
    for function in REQUESTS + PARSING:
        report.check(title(function), function, lab.gateway)
    for function in http2_checks.ALL:
        report.check(f"http2: {title(function)}", function, lab.http2)
    settings = module_phases_checks.ALL + module_configuration_checks.ALL + module_transport_checks.ALL + module_tenants_checks.ALL
    for function in settings + certificate_checks.OF_NGINX_MODULE:
        report.check(title(function), function, lab)
    running = module_running_checks.ALL + module_reloads_checks.ALL + status_lists_checks.NGINX + nginx_uses_checks.ALL
    for function in running + (module_running_checks.LONG if long else []):
        report.check(title(function), function, lab, long)


if __name__ == "__main__":
    run(NginxLab, lambda lab, report: checks(lab, report, "--long" in sys.argv[1:]))
