"""Measures a row: first what it answers at most, then latency and processor time at half of that."""
import statistics

import clients
import engine
from processor import Watch

# A row is tried with these before it is measured.
TRIAL = {"seconds": 0.2, "rate": 100, "warmup": 0}


# Requests a second, for the latency at different loads.
LOADS = (500, 1_000, 2_000, 4_000, 8_000, 12_000)
MEASURED_AT_LOADS = "HTTP, Unix socket, ES256"


class Fault(Exception):
    """A row that answers wrongly has no speed."""


class Bench:
    def __init__(self, site, program, closed, opened, based):
        self.site, self.program = site, program
        self.closed, self.opened, self.based = closed, opened, based

    def requests(self, target, kind):
        return self.site.stock.requests(target.protocol, target.algorithm, kind, target.question)

    def check(self, target, tier=None):
        """Good tokens pass; tokens with a changed signature, expired ones and those of another issuer or audience do not. The program
        that decides runs the tier, if one is named."""
        fault = engine.fault(target, tier)
        if fault:
            raise Fault(fault)
        good = clients.openloop(self.program, target, self.requests(target, target.tokens), **TRIAL)
        if good["wrong"] or good["failed"] or not good["right"]:
            raise Fault(f"refuses good tokens: {good}")
        if target.decides:
            bad = clients.openloop(self.program, target, self.requests(target, "bad"), **TRIAL)
            if bad["right"] or bad["failed"]:
                raise Fault(f"accepts bad tokens: {bad}")

    def measure(self, target):
        """One round."""
        watched = {"service": target.service, "gateway": target.gateway}
        with Watch(**watched) as watch:
            if target.is_for_wrk:
                most = clients.wrk(target, self.site.stock.lines(target.algorithm, target.tokens), self.closed)
            else:
                most = clients.openloop(self.program, target, self.requests(target, target.tokens), self.closed)
        most["processor_us"] = watch.each(most["answers"])
        rate = most["per_second"] / 2
        with Watch(**watched) as watch:
            half = self.open(target, self.opened, rate)
        half["processor_us"] = watch.each(half["answers"])
        result = {"most": most, "half": half}
        if target.base:
            result["base"] = self.open(target.base, self.based, rate)
        for what, one in result.items():
            if one["wrong"] or one["failed"]:
                raise Fault(f"{what}: {one['wrong']} wrong answers, {one['failed']} requests without an answer")
        return result

    def loads(self, targets, tier):
        """Pairs of a rate and the results of the service and of the fixed answer, over a Unix socket. The service runs the tier, if one is
        named."""
        target = next((one for one in targets if one.title == MEASURED_AT_LOADS), None)
        if target is None:
            raise Fault(f"the row {MEASURED_AT_LOADS} is not chosen")
        self.check(target, tier)
        for rate in LOADS:
            fixed = self.open(target.base, self.opened, rate)
            with Watch(service=target.service) as watch:
                decided = self.open(target, self.opened, rate)
            decided["processor_us"] = watch.each(decided["answers"])
            yield rate, fixed, decided

    def open(self, target, seconds, rate):
        result = clients.openloop(self.program, target, self.requests(target, target.tokens), seconds, rate)
        result["rate"] = round(rate, 1)
        return result


def summary(rounds):
    """The medians of a row's rounds."""
    def median(*path):
        found = []
        for value in rounds:
            for name in path:
                value = value.get(name, {}) if isinstance(value, dict) else {}
            if isinstance(value, (int, float)):
                found.append(value)
        return statistics.median(found) if found else None

    row = {"per_second": median("most", "per_second"), "rate": median("half", "rate")}
    for name in ("p50", "p99", "p99.9"):
        row[name] = median("half", "latency_us", name)
        base = median("base", "latency_us", name)
        row[f"added {name}"] = None if base is None else round(row[name] - base, 1)
    for who in ("service", "gateway"):
        row[f"{who} at half"] = median("half", "processor_us", who)
        row[f"{who} at most"] = median("most", "processor_us", who)
    row["client delay p99"] = median("half", "client_delay_us", "p99")
    row["client core"] = median("half", "client_core")
    return row
