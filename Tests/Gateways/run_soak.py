"""Every host at once, without a pause, while what they depend on changes. Usage: run_soak.py SECONDS

The provider rotates its key every two seconds and goes away now and then; a user is revoked and allowed again; the service and both nginx
reload. Every answer must be right, and none may be lost: a good token passes, a bad one is refused with its code, and the application gets the
identity of the token. The memory of each host must stay as it was after the first third. Prints a line for each kind of fault, and at the end
`N passed, N failed`: an answer is one check.
"""
import collections
import copy
import json
import os
import pathlib
import sys
import threading
import time

import envoy_module
import nginx_module
from checking import run
from exchange import Connection, bearer
from expectations import identity
from lab import Service, ServiceLab

# Seconds from one change to the next, and of an outage.
PERIODS, SHORT = {"rotate": 2, "revoke": 10, "reload": 7, "fail_or_return": 31}, 3
# A program looks at the file every second, and may be busy. Until then both verdicts are right.
GRACE = 6
# So many keys stay beside the first one, which signs the tokens that no rotation concerns.
KEPT_KEYS = 4


class RevokingService(Service):
    def adapted(self, text):
        return f"revocations: {self.lab.revocations}\n{text}"


class RevokingNginx(nginx_module.NginxModule):
    def located(self, text):
        return super().located(text).replace("http {\n", f"http {{\n    assay_revocations {self.lab.revocations};\n", 1)


class RevokingEnvoy(envoy_module.EnvoyModule):
    def adapted(self, text):
        place = "                          policy: api\n"
        assert text.count(place) == 1
        return super().adapted(text).replace(place, f"{place}                          revocations: {self.lab.revocations}\n")


class SoakLab(ServiceLab):
    """The service behind all its gateways, and both modules."""

    def __init__(self):
        super().__init__([], RevokingService)

    def begin(self):
        self.revocations = self.folder / "revocations.json"
        self.revoke([])
        super().begin()
        for kind, module in (
                (RevokingNginx, nginx_module.module()), (RevokingEnvoy, envoy_module.built(self.folder / "module"))):
            own = copy.copy(self)
            own.module = module
            self.gateways.append(self.started(kind(own)))

    def revoke(self, subjects):
        temporary = self.revocations.with_suffix(".new")
        temporary.write_text(json.dumps({"revocations": [{"sub": subject} for subject in subjects]}))
        temporary.rename(self.revocations)

    def programs(self):
        """The programs of the hosts by their names."""
        return {"service": self.service.program, **{gateway.name: gateway.program for gateway in self.gateways}}


class Changes:
    """What changes, and what is right meanwhile."""

    def __init__(self, lab):
        self.lab, self.keys, self.is_down, self.is_revoked, self.revoked_at = lab, [], False, False, 0.0
        self.counts = collections.Counter()
        self.due = {getattr(self, name): time.monotonic() + period for name, period in PERIODS.items()}
        self.make_tokens()

    def make_tokens(self):
        ask, token = self.lab.provider.ask, self.lab.provider.token
        fresh = token()
        head, payload, signature = fresh.split(".")
        self.tokens = {
            "fresh": fresh, "old": ask("token key-1"), "mallory": token(sub="mallory"), "expired": token(exp=int(time.time()) - 900),
            "forged": self.lab.forged(fresh), "cut": f"{head}.{payload}.", "none": None,
        }

    def rotate(self):
        """Not in an outage."""
        if self.is_down:
            return
        self.counts["rotations"] += 1
        self.keys.append(self.lab.provider.ask("rotate"))
        self.make_tokens()
        if len(self.keys) > KEPT_KEYS:
            self.lab.provider.ask(f"remove {self.keys.pop(0)}")

    def fail_or_return(self):
        self.is_down = not self.is_down
        self.lab.provider.ask("down" if self.is_down else "up")

    def revoke(self):
        self.is_revoked = not self.is_revoked
        # Before the file: an answer that comes between both may be either.
        self.revoked_at = time.monotonic()
        self.lab.revoke(["mallory"] if self.is_revoked else [])

    def reload(self):
        """In turn. The service's file gets another comment."""
        number = self.counts["reload"]
        if number % 3 == 0:
            self.lab.service.configure(f"{self.lab.service.text}# {number}\n")
        else:
            gateways = [gateway for gateway in self.lab.gateways if gateway.name == ("nginx" if number % 3 == 1 else "nginx-module")]
            os.kill(int((gateways[0].folder / "pid").read_text()), 1)

    def run(self, seconds):
        end = time.monotonic() + seconds
        while (now := time.monotonic()) < end:
            for change in [change for change, moment in self.due.items() if now >= moment]:
                change()
                self.counts[change.__name__] += 1
                is_outage = change == self.fail_or_return and self.is_down
                # From its end: two rotations within a second would need more fetches than a cache gives back.
                self.due[change] = time.monotonic() + (SHORT if is_outage else PERIODS[change.__name__])
            self.lab.upstream.arrived.clear()
            time.sleep(0.05)


class Asker:
    """Asks one gateway in a thread of its own, each time on a new connection: an nginx that reloads closes idle ones."""

    RIGHT = {
        "expired": {(401, "expired")}, "forged": {(401, "signature_invalid")}, "cut": {(401, "signature_invalid"), (401, "malformed_token")},
        "none": {(401, "missing_token")},
    }

    def __init__(self, gateway, changes):
        self.gateway, self.changes = gateway, changes
        self.outcomes, self.faults = collections.Counter(), collections.Counter()
        self.last_key = None
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.is_over = False

    def run(self):
        while not self.is_over:
            for kind in ("fresh", "old", "mallory", "expired", "forged", "cut", "none"):
                self.ask(kind)
            time.sleep(0.02)

    def ask(self, kind):
        changes = self.changes
        token, was_revoked, begin = changes.tokens[kind], changes.is_revoked, time.monotonic()
        try:
            with Connection(self.gateway.port) as connection:
                answer = connection.ask("/orders", [bearer(token)] if token else [])
        except OSError as failure:
            return self.note(kind, repr(failure))
        fault = "no answer" if answer is None else self.fault(kind, token, answer, was_revoked, begin)
        self.outcomes[kind, answer and answer.status] += 1
        if fault:
            self.note(kind, fault)

    def note(self, kind, fault):
        self.faults[f"{self.gateway.name}: {kind}: {fault}"] += 1

    def fault(self, kind, token, answer, was_revoked, begin):
        verdict = (answer.status, answer.field("x-assay-code"))
        if answer.status == 200:
            wanted = "mallory" if kind == "mallory" else "jane"
            if kind in self.RIGHT or identity(answer.arrived())["x-auth-subject"] != [wanted]:
                return f"passed as {identity(answer.arrived())}"
            if kind == "mallory":
                return "passed although revoked" if was_revoked and self.is_settled(begin) else None
            self.last_key = token.split(".")[0]
            return None
        if kind in self.RIGHT:
            return None if verdict in self.RIGHT[kind] or self.may_lack_keys(token, verdict) else f"{verdict}"
        if kind == "mallory" and verdict == (401, "revoked") and (was_revoked or not self.is_settled(begin)):
            return None
        return None if kind != "old" and self.may_lack_keys(token, verdict) else f"{verdict}"

    def is_settled(self, begin):
        """Whether the file was the same for long before the question and until now."""
        return self.changes.revoked_at < begin - GRACE

    def may_lack_keys(self, token, verdict):
        """A gateway waits only a certain time for the fetch that the first token under a new key orders. Envoy makes 403 of a 503 by HTTP."""
        is_without_keys = verdict == (403 if self.gateway.name == "envoy-http" else 503, "keys_unavailable")
        return token is not None and is_without_keys and token.split(".")[0] != self.last_key


def memory(program):
    """The resident bytes of a program and of all processes below it."""
    processes, total = [program.process.pid], 0
    while processes:
        process = processes.pop()
        try:
            total += int(pathlib.Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
            for task in pathlib.Path(f"/proc/{process}/task").iterdir():
                processes += map(int, (task / "children").read_text().split())
        except OSError:
            continue
    return total


class Memory:
    """The least memory of each host in a stretch of time: workers that end have memory too."""

    def __init__(self, lab):
        self.lab, self.least, self.is_over = lab, {}, False
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while not self.is_over:
            for name, program in self.lab.programs().items():
                self.least[name] = min(self.least.get(name, 1 << 60), memory(program))
            time.sleep(1)

    def take(self):
        least, self.least = self.least, {}
        return least


def checks(lab, report):
    seconds = int(sys.argv[1])
    changes, sampled = Changes(lab), Memory(lab)
    askers = [Asker(gateway, changes) for gateway in lab.gateways]
    for asker in askers:
        asker.thread.start()
    changes.run(seconds / 3)
    sampled.take()
    changes.run(seconds / 3)
    before = sampled.take()
    changes.run(seconds / 3)
    after = sampled.take()
    sampled.is_over = True
    for asker in askers:
        asker.is_over = True
    for asker in askers:
        asker.thread.join()
    judge(report, askers, before, after, changes)


def judge(report, askers, before, after, changes):
    for asker in askers:
        report.passed += sum(asker.outcomes.values())
        report.failed += sum(asker.faults.values())
        for fault, count in asker.faults.items():
            print(f"FAIL {fault}: {count} times")
        lacking = [kind for kind in ("fresh", "old", "mallory") if not asker.outcomes[kind, 200]]
        if lacking or not asker.outcomes["mallory", 401]:
            report.failed += 1
            print(f"FAIL {asker.gateway.name}: nothing passed of {lacking}, or nothing was revoked")
    for name in before:
        report.passed += 1
        # The bound is for a leak with every request, not for what an allocator keeps.
        if after[name] > before[name] * 1.1 + 4_000_000:
            report.failed += 1
            print(f"FAIL {name}: {before[name]} bytes, then {after[name]}")
    print({name: f"{before[name] >> 20} to {after[name] >> 20} MiB" for name in before}, dict(changes.counts))
    print({asker.gateway.name: sum(asker.outcomes.values()) for asker in askers})


if __name__ == "__main__":
    run(SoakLab, checks)
