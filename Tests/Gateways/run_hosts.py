"""Sends the same random requests through every host of the decision core, and asks the library itself about each. Usage: run_hosts.py SECONDS

A host may refuse a request by itself, before anything is decided. Else it must refuse what the library refuses, for the same reason, and the
application must get what the library's decision says, byte for byte. Prints a line for each kind of difference, and at the end
`N passed, N failed`: a request through a host is one check.
"""
import collections
import copy
import os
import sys
import time

import envoy_module
import haproxy_gateway
import library
import library_gateway
import nginx_module
from checking import run
from exchange import Connection
from expectations import FIELDS, identity
from lab import ServiceLab
from library_host import changed, get
from random_requests import Requests

# Gateways in front of the service.
SERVICE = ["nginx", "caddy", "haproxy", "envoy-http", "envoy-grpc"]
# Fields that a gateway adds.
OF_GATEWAYS = ("connection", "content-length", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-request-id")
# The token may have been taken out of a request for /places, and in nginx's module nothing judges /public.
UNKNOWN = ("/places", "/public", "/%70ublic")
# The fields that a decision may set or remove.
DECIDED = (*FIELDS, "authorization", "cookie", "x-token")


class HAProxyWithin(haproxy_gateway.HAProxyWithin):
    """Beside HAProxy that asks the service."""

    name = "haproxy-within"

    def __init__(self, lab):
        super().__init__(lab, self.name)


class HostsLab(ServiceLab):
    """The service behind its gateways, both modules, HAProxy that decides itself, and the library."""

    def __init__(self):
        super().__init__(SERVICE)

    def begin(self):
        super().begin()
        modules = (nginx_module.NginxModule, nginx_module.module()), (envoy_module.EnvoyModule, envoy_module.built(self.folder / "module"))
        for kind, module in modules:
            own = copy.copy(self)
            own.module = module
            self.gateways.append(self.started(kind(own)))
        self.gateways.append(self.started(HAProxyWithin(self)))
        whole, forwarding, same = (library_gateway.settings(self.provider.issuer) for _ in range(3))
        for settings in (forwarding, same):
            del settings["providers"][1]["forwardToken"]
        same["providers"][1]["claims"] = same["providers"][0]["claims"]
        # Without their files' help nginx and Caddy cannot take a token out. In nginx's file every location has the fields.
        of_hosts = {"nginx": forwarding, "caddy": forwarding, "nginx-module": same}
        self.libraries = {gateway.name: deciding(of_hosts.get(gateway.name, whole)) for gateway in self.gateways}


def deciding(settings):
    """The library itself."""
    made = library.Gateway(library_gateway.LIBRARY, settings)
    made.fetch(get)
    assert made.is_ready
    return made



class Exchange:
    """What became of one request behind one host: the answer's status and code, and what the application got."""

    def __init__(self, lab, connection, method, target, fields):
        count = len(lab.upstream.arrived)
        try:
            answer = connection.ask(target, fields, method)
        except ConnectionError:
            answer = None
        self.status = answer.status if answer else None
        self.code = answer.field("x-assay-code") if answer else None
        self.arrived = lab.upstream.arrived[count:]
        self.is_last = answer is None or (answer.field("connection") or "").lower() == "close"


def of_decision(fields):
    """The fields that a decision concerns, as an application reads them."""
    found = collections.defaultdict(list)
    for name, value in fields:
        if name.lower() in DECIDED and value:
            found[name.lower()].append(value)
    return dict(found)


def changed_fields(decision, target, fields):
    """A request's fields after the decision's operations."""
    pairs = [(name.lower().encode(), value.strip().encode("latin-1")) for name, value in fields]
    _, after = changed(target.encode("latin-1"), pairs, decision.operations)
    return [(name.decode("latin-1"), value.decode("latin-1")) for name, value in after]


def decision_about(library, method, target, fields):
    pairs = [(name.encode("latin-1"), value.strip().encode("latin-1")) for name, value in fields]
    hosts = [value for name, value in pairs if name.lower() == b"host"]
    return library.decide(method.encode(), hosts[0], target.encode("latin-1"), pairs)


def difference(exchange, decision, target, fields):
    """The kind of a difference between what became of a request and what the library has decided; None without one."""
    if not exchange.arrived:
        if exchange.status is not None and exchange.status < 400:
            return f"answered {exchange.status} without the application"
        # Without a code the host has refused it by itself.
        return None if exchange.code in (None, decision.name) else f"{exchange.code} in place of {decision.name}"
    if decision.code != library.OK:
        return f"admitted in spite of {decision.name}"
    got, meant = of_decision(exchange.arrived[0]["fields"]), of_decision(changed_fields(decision, target, fields))
    names = sorted(name for name in DECIDED if got.get(name) != meant.get(name))
    return f"other fields: {', '.join(names)}" if names or len(exchange.arrived) > 1 else None


def unjudged(exchange, library_of_host):
    """The same for a request that a gateway may change before it asks: what has arrived must be what was judged."""
    for seen in exchange.arrived:
        fields = [(name, value) for name, value in seen["fields"] if name.lower() not in FIELDS + OF_GATEWAYS]
        decision = decision_about(library_of_host, seen["method"], seen["target"], fields)
        if decision.code != library.OK:
            return f"what arrived is {decision.name}"
        if identity(seen) != identity({"fields": changed_fields(decision, seen["target"], fields)}):
            return "what arrived has another identity"
    return None


class Comparison:
    def __init__(self, lab, report):
        self.lab, self.report = lab, report
        self.connections = {}
        self.kinds = collections.Counter()
        self.outcomes = collections.Counter()
        # By the gateway. One that is down refuses all requests by itself, and would differ from nothing.
        self.admitted = collections.Counter()
        self.refused = collections.Counter()

    def exchange(self, gateway, question):
        """Asks on the connection of the question before. A gateway may have closed that (RFC 9112, section 9.3.1); then on a new one."""
        kept = self.connections.pop(gateway.name, None)
        exchange = self.asked(gateway, kept, question) if kept else None
        if exchange is None or (exchange.status is None and not exchange.arrived):
            exchange = self.asked(gateway, Connection(gateway.port), question)
        return exchange

    def asked(self, gateway, connection, question):
        exchange = Exchange(self.lab, connection, *question)
        if exchange.is_last:
            connection.__exit__()
        else:
            self.connections[gateway.name] = connection
        return exchange

    def compare(self, is_plain, question):
        method, target, fields = question
        decisions = {name: decision_about(decider, *question) for name, decider in self.lab.libraries.items()}
        self.outcomes[decisions[self.lab.gateways[-1].name].name] += 1
        for gateway in self.lab.gateways:
            decision, exchange = decisions[gateway.name], self.exchange(gateway, question)
            kind = None
            self.admitted[gateway.name] += bool(exchange.arrived)
            self.refused[gateway.name] += exchange.code is not None
            if is_plain:
                kind = difference(exchange, decision, target, fields)
            elif not target.startswith(UNKNOWN):
                kind = unjudged(exchange, self.lab.libraries[gateway.name])
            self.report.passed += kind is None
            if kind:
                self.note(gateway, kind, question, exchange, decision)

    def check_that_hosts_decided(self):
        for gateway in self.lab.gateways:
            if self.admitted[gateway.name] < 10 or self.refused[gateway.name] < 10:
                self.report.failed += 1
                print(f"FAIL {gateway.name}: admitted {self.admitted[gateway.name]}, refused {self.refused[gateway.name]} with a code")

    def note(self, gateway, kind, question, exchange, decision):
        """Each kind of difference is shown once, with its request."""
        self.report.failed += 1
        self.kinds[gateway.name, kind] += 1
        if self.kinds[gateway.name, kind] == 1:
            print(f"FAIL {gateway.name}: {kind}: {question} {exchange.status} {exchange.arrived} {decision.operations}", flush=True)


def checks(lab, report, seconds):
    seed = int(os.environ.get("SEED") or time.time())
    print(f"random requests of seed {seed} for {seconds} s", flush=True)
    requests, comparison, end = Requests(lab.provider, seed), Comparison(lab, report), time.monotonic() + seconds
    while time.monotonic() < end:
        comparison.compare(*next(requests))
    comparison.check_that_hosts_decided()
    for (name, kind), count in comparison.kinds.items():
        print(f"{name}: {kind}: {count} times")
    print(f"the library: {dict(comparison.outcomes.most_common())}")


if __name__ == "__main__":
    run(HostsLab, lambda lab, report: checks(lab, report, int(sys.argv[1])))
