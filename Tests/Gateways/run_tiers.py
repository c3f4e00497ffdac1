"""Sends the attacks on gateways to the modules for nginx and Envoy and to the service, once with each tier of the engine: run_tiers.py

ASSAY_ENGINE limits the tier, and each program must say that it runs it. Prints a line for each check that fails, and at the end
`N passed, N failed`.
"""
import os
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).parents[2] / "Benchmarks/gateway"))

import engine
import run as of_service
import run_envoy_module
import run_nginx_module
from checking import Report, title
from envoy_module import EnvoyLab, EnvoyModule
from lab import ServiceLab
from nginx_module import NginxLab, NginxModule

# Which kernels judge does not depend on the gateway in front of the service.
GATEWAY = "nginx"


class NginxOfTier(NginxModule):
    def located(self, text):
        assert text.count("error_log stderr warn;\n") == 1
        return super().located(text.replace("error_log stderr warn;\n", "error_log stderr notice;\nenv ASSAY_ENGINE;\n"))


class NginxTierLab(NginxLab):
    kind = NginxOfTier


class EnvoyOfTier(EnvoyModule):
    def arguments(self):
        return [*super().arguments(), "--component-log-level", "dynamic_modules:info"]


class EnvoyTierLab(EnvoyLab):
    kind = EnvoyOfTier


def tier_of(lab):
    """The tier that the lab's program says."""
    if isinstance(lab, ServiceLab):
        return engine.of_metrics(lab.service.administration("/metrics")[1])
    return engine.of_log(lab.subject.output)


LABS = {
    "nginx": (NginxTierLab, run_nginx_module.REQUESTS + run_nginx_module.PARSING),
    "Envoy": (EnvoyTierLab, [function for functions in run_envoy_module.REQUESTS for function in functions]),
    "service": (lambda: ServiceLab([GATEWAY]), of_service.REQUESTS + of_service.PARSING),
}


def said(lab, tier):
    found = tier_of(lab)
    assert found == tier, f"{found}, not {tier}"


def attack(report, name, tier):
    os.environ["ASSAY_ENGINE"] = tier
    make, attacks = LABS[name]
    lab = make()
    try:
        report.check(f"{name}, {tier}: the program says its tier", said, lab, tier)
        for function in attacks:
            report.check(f"{name}, {tier}: {title(function)}", function, lab.gateways[0])
    finally:
        lab.stop()


if __name__ == "__main__":
    report = Report()
    tiers = engine.of_machine(pathlib.Path("/proc/cpuinfo").read_text())
    for tier in engine.TIERS:
        if tier not in tiers:
            print(f"skipped: {tier}, which this machine does not have")
    for name in LABS:
        for tier in tiers:
            attack(report, name, tier)
    report.close()
