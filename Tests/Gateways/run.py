"""Tests the forward-auth service behind real gateways. Usage: run.py [--long] [GATEWAY…]

Prints a line for each check that fails, and at the end `N passed, N failed`.
"""
import signal
import sys
import time
import traceback

import administration_checks
import fields_checks
import frames_checks
import framing_checks
import grpc_checks
import http2_checks
import listener_checks
import requests_checks
import running_checks
import sockets_checks
import targets_checks
import tokens_checks
from lab import Lab

REQUESTS = requests_checks.ALL + targets_checks.ALL + fields_checks.ALL + tokens_checks.ALL + framing_checks.ALL
PARSING = targets_checks.PARSING + fields_checks.PARSING + framing_checks.PARSING
LISTENERS = listener_checks.ALL + administration_checks.ALL + sockets_checks.ALL


class Report:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, name, function, *arguments):
        start = time.monotonic()
        try:
            result = function(*arguments)
        except Exception:
            self.failed += 1
            print(f"FAIL {name}\n{traceback.format_exc(limit=-3)}", flush=True)
        else:
            self.passed += 1
            if result or time.monotonic() - start > 5:
                print(f"ok {name} {time.monotonic() - start:.1f} s {result or ''}", flush=True)


def checks_of(gateway):
    """The checks of single requests that concern a gateway."""
    http2 = http2_checks.ALL if gateway.name in http2_checks.SPEAKING else []
    return REQUESTS + (PARSING if gateway.is_real else []) + http2


def title(function):
    return function.__name__.replace("_", " ")


def main(long, names):
    lab, report = Lab(names), Report()
    try:
        for gateway in lab.gateways:
            for function in checks_of(gateway):
                report.check(f"{gateway.name}: {title(function)}", function, gateway)
        for function in grpc_checks.ALL + frames_checks.ALL:
            report.check(f"grpc: {title(function)}", function, lab)
        for function in LISTENERS:
            report.check(f"listeners: {title(function)}", function, lab, long)
        for function in running_checks.ALL + (running_checks.LONG if long else []):
            report.check(title(function), function, lab, long)
        if report.failed:
            print("service:", lab.service.program.output()[-3000:])
    finally:
        lab.stop()
    if not sockets_checks.ALL:
        print("sockets of another user skipped: they need root")
    print(f"{report.passed} passed, {report.failed} failed")
    return report.failed > 0


if __name__ == "__main__":
    # The programs end with the run, also if it is stopped.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    words = sys.argv[1:]
    sys.exit(main("--long" in words, [word for word in words if word != "--long"]))
