"""Load for minutes while keys rotate every few seconds, the configuration is reloaded and the issuer fails: soak.py [SECONDS]

Every answer is compared with what it must be, the identity included. At the end, memory, descriptors and threads of the service must be
flat. Prints a line for each check that fails, and at the end `N passed, N failed`.
"""
import itertools
import pathlib
import sys
import threading

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[2]
sys.path += [str(ROOT / "Tests/Gateways"), str(ROOT / "Benchmarks/gateway")]

import clients
from checking import run
from soak_lab import UNIX, SoakLab
from soak_load import PATHS, RATES, Background
from soaking import Soak, checks


class ServiceSoak(Soak):
    """The service behind nginx and Envoy and at its Unix socket, with reloads of its configuration."""

    # nginx's profile says 403 for 503.
    paths, unknown = PATHS, (401, 403)

    def __init__(self, lab, seconds):
        super().__init__(lab, seconds)
        Background.program = clients.compiled(lab.folder)
        self.background = [Background(lab, protocol, seconds) for protocol in RATES]

    def others(self):
        return [threading.Thread(target=self.reload_configurations), *(one.thread for one in self.background)]

    def asked(self):
        return [UNIX]

    def reload_configurations(self):
        """A change that counts, then a broken file that does not."""
        text = self.lab.service.text
        changed = text.replace("realm: api", "realm: changed")
        broken = itertools.cycle(["listeners: [", text[: len(text) // 2], "", "a: &a [*a]\n", text + "unknown: 1\n", "x" * 2_000_000])
        for settings in itertools.cycle([changed, None, text]):
            if self.is_over:
                break
            self.lab.service.configure(settings or next(broken))
            self.reloads += 1
            self.wait(2.5)
        self.lab.service.configure(text)


def no_background_request_is_lost_or_late(soak, records):
    results = {one.target.protocol: one.result for one in soak.background}
    for name, result in results.items():
        assert not result.get("wrong") and not result["failed"], (name, result)
        assert result["right"] >= 0.99 * soak.seconds * RATES[name], (name, result)
    return {name: result["latency_us"] for name, result in results.items()}


def broken_configurations_are_refused(soak, records):
    metrics = soak.lab.service.administration("/metrics")[1]
    refused = [line for line in metrics.splitlines() if line.startswith("assay_gateway_reloads_total") and 'result="failed"' in line]
    assert any(float(line.split()[-1]) > 0 for line in refused), "no broken configuration was refused"


def the_service_is_the_same_process(soak, records):
    assert not soak.lab.service.program.has_ended()
    assert soak.lab.service.administration("/readyz")[0] == 200


MORE = [no_background_request_is_lost_or_late, broken_configurations_are_refused, the_service_is_the_same_process]

if __name__ == "__main__":
    SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 600
    run(SoakLab, lambda lab, report: checks(lab, report, ServiceSoak, SECONDS, MORE))
