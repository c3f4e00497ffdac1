"""What every soak does: it asks without a pause, rotates keys every few seconds, and lets the issuer fail in many ways."""
import contextlib
import itertools
import math
import threading
import time

import resources
from checking import title
from exchange import bearer
from faulty_issuer import MODES
from program import eventually
from soak_load import Checked

# The key cache lets tokens cause two fetches in any ten seconds.
ROTATION, QUIET = 6, 11
# The memory of the second half may grow by this much, in KB. In the five minutes of a whole run's second half more than 100,000 requests
# are answered: 40 bytes for each, by the service with its background load less than eight.
GROWTH = 4_096
# Connections of gateways come and go by a few: nginx keeps up to 32 by its page.
DESCRIPTORS = 32


class Soak:
    """paths: the gateways or sockets to ask. unknown: the statuses for a token under a key that cannot be known."""

    paths, unknown = [], ()

    def __init__(self, lab, seconds):
        self.lab, self.seconds = lab, seconds
        self.checked = [Checked(lab, path, number) for number, path in enumerate(self.paths * 2)]
        self.rotations = self.reloads = self.faults = 0
        self.keys, self.stale, self.problems, self.events = [], None, [], []

    def others(self):
        """The threads that run beside the requests."""
        return []

    def processes(self):
        """The processes whose memory, descriptors and threads are recorded, by name."""
        return {"service": self.lab.subject.process.pid}

    def run(self):
        """Returns the records of the processes, by name."""
        self.end = time.monotonic() + self.seconds
        self.note("start")
        with contextlib.ExitStack() as records:
            found = {name: records.enter_context(resources.Record(process)) for name, process in self.processes().items()}
            with contextlib.ExitStack() as stack:
                for one in self.checked:
                    stack.enter_context(one)
                for thread in self.others():
                    thread.start()
                    stack.callback(thread.join)
                self.rotate_and_fail()
        return found

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
        self.note(f"rotation {self.rotations}")
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
            for path in self.asked():
                if (status := self.direct(path, self.stale[1])) != 401:
                    self.problems.append(f"a token of a removed key, {path}: {status}")
            self.stale = None

    def asked(self):
        """The paths that are asked for single answers."""
        return self.paths

    def direct(self, path, token):
        with self.lab.connect(path) as connection:
            return connection.ask("/orders", [bearer(token)]).status

    def fail(self, mode):
        """The issuer fails; meanwhile a new key cannot be known, and every other token passes. Afterwards it is found."""
        self.lab.issuer.turn(mode)
        self.note(f"issuer {mode}")
        self.lab.provider.ask("rotate")
        token = self.lab.provider.token()
        for _ in range(5):
            for path in self.asked():
                status = self.direct(path, token)
                if status not in self.unknown and (mode, status) != ("slow", 200):
                    self.problems.append(f"a token under an unknown key, issuer {mode}, {path}: {status}")
            self.rest(1)
        self.lab.issuer.turn("right")
        self.note("issuer right")
        for path in self.asked():
            eventually(lambda: self.direct(path, token) == 200, 30, f"the new key after {mode}, {path}")
        for one in self.checked:
            one.renew(f"after-{mode}")
        self.faults += 1

    def note(self, event):
        self.events.append((time.monotonic(), event))

    def story(self):
        """The failed requests between the events, by the second of the run."""
        failures = sorted(failure for one in self.checked for failure in one.failures)
        start, lines = self.end - self.seconds, []
        for (moment, event), (following, _) in zip(self.events, [*self.events[1:], (math.inf, "")]):
            between = [(second, what) for second, what in failures if moment <= second < following]
            if between:
                seconds = f"{between[0][0] - start:.1f} to {between[-1][0] - start:.1f}"
                lines.append(f"{moment - start:.1f} {event}: {seconds}: {len(between)}: {sorted({what for _, what in between})[:5]}")
        return "\n".join(lines[:20])

    def wait(self, seconds):
        """Sleeps, but not beyond the end."""
        time.sleep(max(0, min(seconds, self.end - time.monotonic())))


def no_request_is_lost_or_wrong(soak, records):
    failed = sum(len(one.failures) for one in soak.checked)
    assert not failed, f"{failed} of {sum(one.count for one in soak.checked)}\n{soak.story()}"
    assert all(one.count > soak.seconds for one in soak.checked), [one.count for one in soak.checked]
    return {path: sum(one.count for one in soak.checked if one.path == path) for path in soak.paths}


def keys_faults_and_reloads_count(soak, records):
    assert not soak.problems, soak.problems[:10]
    assert soak.rotations >= soak.seconds // 25 and soak.reloads >= soak.seconds // 10, (soak.rotations, soak.reloads)
    return f"{soak.rotations} rotations, {soak.faults} faults of the issuer, {soak.reloads} reloads"


def memory_is_flat(soak, records):
    said = []
    for name, record in records.items():
        growth, step = record.growth(), max(1, len(record.uses) // 10)
        assert growth <= GROWTH, f"{name}: {growth:.0f} KB in the second half: {[one.kilobytes for one in record.uses[::10]]}"
        said.append(f"{name} {growth:+.0f} KB in the second half, by tenths of the run {[one.kilobytes for one in record.uses[::step]]}")
    return "; ".join(said)


def descriptors_and_threads_are_flat(soak, records):
    said = []
    for program, record in records.items():
        first, second = record.halves()
        for name, bound in (("descriptors", DESCRIPTORS), ("threads", 0)):
            before, after = (max(getattr(one, name) for one in half) for half in (first, second))
            assert after <= before + bound, f"{program}, {name}: {before}, then {after}"
        said.append(f"{program} {max(one.descriptors for one in second)} descriptors, {max(one.threads for one in second)} threads")
    return "; ".join(said)


ALL = [no_request_is_lost_or_wrong, keys_faults_and_reloads_count, memory_is_flat, descriptors_and_threads_are_flat]


def checks(lab, report, kind, seconds, more=()):
    """Runs a soak of this kind, and all of its checks."""
    soak = kind(lab, seconds)
    records = soak.run()
    for function in (*ALL, *more):
        report.check(title(function), function, soak, records)
