"""Tests the forward-auth service behind real gateways. Usage: run.py [--long] [GATEWAY…]

Prints a line for each check that fails, and at the end `N passed, N failed`.
"""
import sys

import added_claims_checks
import administration_checks
import browsers_checks
import certificate_checks
import claim_rules_checks
import differing_readings_checks
import fields_checks
import frames_checks
import framing_checks
import gateway_reloads_checks
import generated_files_checks
import grpc_checks
import http2_checks
import introspection_checks
import listener_checks
import possession_checks
import proofs_checks
import questions_checks
import replay_checks
import requests_checks
import resources_checks
import restarts_checks
import running_checks
import service_files_checks
import sockets_checks
import targets_checks
import tokens_checks
import trailers_checks
from checking import run, title
from lab import ServiceLab

REQUESTS = browsers_checks.ALL + requests_checks.ALL + targets_checks.ALL + fields_checks.ALL + tokens_checks.ALL + framing_checks.ALL
PARSING = targets_checks.PARSING + fields_checks.PARSING + framing_checks.PARSING + differing_readings_checks.ALL
LISTENERS = listener_checks.ALL + administration_checks.ALL + sockets_checks.ALL


def checks_of(gateway):
    """The checks of single requests that concern a gateway."""
    http2 = http2_checks.ALL if gateway.name in http2_checks.SPEAKING else []
    http2 = http2 + (trailers_checks.ALL if gateway.name in trailers_checks.ENVOYS else [])
    questions = questions_checks.ALL + (questions_checks.OF_CADDY if gateway.name == "caddy" else [])
    resources = resources_checks.ALL if gateway.metadata else resources_checks.CHALLENGES
    proofs = proofs_checks.ALL + (proofs_checks.NEXT if gateway.name in proofs_checks.CARRYING else [])
    # What stands for APISIX reads bytes as APISIX does: by nginx.
    of_bytes = PARSING if gateway.is_real or gateway.name == "apisix" else []
    return REQUESTS + resources + claim_rules_checks.ALL + proofs + questions + of_bytes + http2


def checks(lab, report, long):
    for gateway in lab.gateways:
        for function in checks_of(gateway):
            report.check(f"{gateway.name}: {title(function)}", function, gateway)
    for function in grpc_checks.ALL + frames_checks.ALL:
        report.check(f"grpc: {title(function)}", function, lab)
    for function in LISTENERS:
        report.check(f"listeners: {title(function)}", function, lab, long)
    of_files = differing_readings_checks.OF_THE_LAB + restarts_checks.ALL + gateway_reloads_checks.ALL + generated_files_checks.ALL
    of_files += service_files_checks.ALL
    for function in added_claims_checks.ALL + of_files:
        report.check(title(function), function, lab, long)
    for function in replay_checks.ALL:
        report.check(title(function), function, lab)
    certificate_checks.check_all(lab, report, title)
    for function in introspection_checks.ALL:
        report.check(f"introspection: {title(function)}", function, lab, long)
    for function in possession_checks.ALL:
        report.check(f"proofs: {title(function)}", function, lab)
    for function in running_checks.ALL + (running_checks.LONG if long else []):
        report.check(title(function), function, lab, long)
    for function in questions_checks.AT_THE_END:
        report.check(title(function), function, lab, long)
    if not sockets_checks.ALL:
        print("sockets of another user skipped: they need root")


if __name__ == "__main__":
    words = sys.argv[1:]
    names = [word for word in words if word != "--long"]
    run(lambda: ServiceLab(names), lambda lab, report: checks(lab, report, "--long" in words))
