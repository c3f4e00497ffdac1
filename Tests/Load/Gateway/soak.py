"""Load for minutes while keys rotate every few seconds, the configuration is reloaded and the issuer fails: soak.py [SECONDS]

Every answer is compared with what it must be, the identity included. At the end, memory, descriptors and threads of the service must be
flat. Prints a line for each check that fails, and at the end `N passed, N failed`.
"""
import contextlib
import itertools
import pathlib
import sys
import threading
import time

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[2]
sys.path += [str(ROOT / "Tests/Gateways"), str(ROOT / "Benchmarks/gateway")]

import clients
import resources
from checking import run, title
from exchange import bearer
from faulty_issuer import MODES
from program import eventually
from soak_lab import UNIX, SoakLab
from soak_load import PATHS, RATES, Background, Checked

# The key cache lets tokens cause two fetches in any ten seconds.
ROTATION, QUIET = 6, 11
# The memory of the second half may grow by this much, in KB. In the five minutes of the whole run's second half, more than 500,000 requests
# are answered: eight bytes for each, which is less than any leaked object has.
GROWTH = 4_096
# Connections of gateways come and go by a few: nginx keeps up to 32 by its page.
DESCRIPTORS = 32


class Soak:
    def __init__(self, lab, seconds):
        self.lab, self.seconds = lab, seconds
        self.checked = [Checked(lab, path, number) for number, path in enumerate(PATHS * 2)]
        self.background = [Background(lab, protocol, seconds) for protocol in RATES]
        self.rotations = self.reloads = self.faults = 0
        self.keys, self.stale, self.problems = [], None, []

    def run(self):
        Background.program = clients.compiled(self.lab.folder)
        self.end = time.monotonic() + self.seconds
        others = [threading.Thread(target=self.reload_configurations), *(one.thread for one in self.background)]
        with resources.Record(self.lab.service.program.process.pid) as record:
            with contextlib.ExitStack() as stack:
                for one in self.checked:
                    stack.enter_context(one)
                for thread in others:
                    thread.start()
                    stack.callback(thread.join)
                self.rotate_and_fail()
        return record

    @property
    def is_over(self):
        return time.monotonic() > self.end

    def rest(self, seconds):
        """Waits. The application of the tests remembers every request; it may forget them."""
        self.wait(seconds)
        del self.lab.upstream.arrived[:]

    def rotate_and_fail(self):
        modes = itertools.cycle(MODES)
        while not self.is_over:
            self.rest(QUIET)
            for _ in range(4):
                if not self.is_over:
                    self.rotate()
                    self.rest(ROTATION)
            if self.end - time.monotonic() > 30:
                self.rest(QUIET - ROTATION)
                self.fail(next(modes))

    def rotate(self):
        """A new key, used at once by everybody. The key of four rotations ago goes."""
        self.keys.append((self.lab.provider.ask("rotate"), self.lab.provider.token()))
        self.rotations += 1
        self.check_stale()
        for one in self.checked:
            one.renew(self.rotations)
        if len(self.keys) > 4:
            name, token = self.keys.pop(0)
            self.lab.provider.ask(f"remove {name}")
            self.stale = [self.rotations, token]

    def check_stale(self):
        """A key that was removed two rotations ago verifies no longer."""
        if self.stale and self.rotations >= self.stale[0] + 2:
            status = self.direct(self.stale[1])
            if status != 401:
                self.problems.append(f"a token of a removed key: {status}")
            self.stale = None

    def direct(self, token):
        with self.lab.connect(UNIX) as connection:
            return connection.ask("/orders", [bearer(token)]).status

    def fail(self, mode):
        """The issuer fails; meanwhile a new key cannot be known, and every other token passes. Afterwards it is found."""
        self.lab.issuer.turn(mode)
        self.lab.provider.ask("rotate")
        token = self.lab.provider.token()
        for _ in range(5):
            status = self.direct(token)
            # nginx's profile says 403 for 503.
            if status not in ((200, 401, 403) if mode == "slow" else (401, 403)):
                self.problems.append(f"a token under an unknown key, issuer {mode}: {status}")
            self.rest(1)
        self.lab.issuer.turn("right")
        eventually(lambda: self.direct(token) == 200, 30, f"the new key after {mode}")
        for one in self.checked:
            one.renew(f"after-{mode}")
        self.faults += 1

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

    def wait(self, seconds):
        """Sleeps, but not beyond the end."""
        time.sleep(max(0, min(seconds, self.end - time.monotonic())))


def no_request_is_lost_or_wrong(soak, record):
    failures = [f"{one.path}: {failure}" for one in soak.checked for failure in one.failures]
    assert not failures, f"{len(failures)} of {sum(one.count for one in soak.checked)}: {sorted(set(failures))[:10]}"
    assert all(one.count > soak.seconds for one in soak.checked), [one.count for one in soak.checked]
    return {path: sum(one.count for one in soak.checked if one.path == path) for path in PATHS}


def no_background_request_is_lost_or_late(soak, record):
    results = {one.target.protocol: one.result for one in soak.background}
    for name, result in results.items():
        assert not result.get("wrong") and not result["failed"], (name, result)
        assert result["right"] >= 0.99 * soak.seconds * RATES[name], (name, result)
    return {name: result["latency_us"] for name, result in results.items()}


def keys_faults_and_reloads_count(soak, record):
    assert not soak.problems, soak.problems[:10]
    assert soak.rotations >= soak.seconds // 25 and soak.reloads >= soak.seconds // 5, (soak.rotations, soak.reloads)
    metrics = soak.lab.service.administration("/metrics")[1]
    refused = [line for line in metrics.splitlines() if line.startswith("assay_gateway_reloads_total") and 'result="failed"' in line]
    assert any(float(line.split()[-1]) > 0 for line in refused), "no broken configuration was refused"
    return f"{soak.rotations} rotations, {soak.faults} faults of the issuer, {soak.reloads} reloads"


def memory_is_flat(soak, record):
    growth = record.growth()
    assert growth <= GROWTH, f"{growth:.0f} KB in the second half: {[one.kilobytes for one in record.uses[::10]]}"
    step = max(1, len(record.uses) // 10)
    return f"{growth:+.0f} KB in the second half (at most {GROWTH}); by tenths of the run: {[one.kilobytes for one in record.uses[::step]]}"


def descriptors_and_threads_are_flat(soak, record):
    first, second = record.halves()
    for name, bound in (("descriptors", DESCRIPTORS), ("threads", 0)):
        before, after = (max(getattr(one, name) for one in half) for half in (first, second))
        assert after <= before + bound, f"{name}: {before}, then {after}"
    return f"{max(one.descriptors for one in second)} descriptors, {max(one.threads for one in second)} threads"


def the_service_is_the_same_process(soak, record):
    assert not soak.lab.service.program.has_ended()
    assert soak.lab.service.administration("/readyz")[0] == 200


ALL = [
    no_request_is_lost_or_wrong, no_background_request_is_lost_or_late, keys_faults_and_reloads_count, memory_is_flat,
    descriptors_and_threads_are_flat, the_service_is_the_same_process,
]


def checks(lab, report, seconds):
    soak = Soak(lab, seconds)
    record = soak.run()
    for function in ALL:
        report.check(title(function), function, soak, record)


if __name__ == "__main__":
    SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 600
    run(SoakLab, lambda lab, report: checks(lab, report, SECONDS))
