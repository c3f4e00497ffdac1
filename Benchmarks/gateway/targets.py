"""The rows: what is asked, over which path, with which tokens."""
from dataclasses import dataclass, field

import programs
import stock

NGINX_QUESTION = ("/", ("X-Original-Method", "GET"), ("X-Original-URI", stock.TARGET))


@dataclass(frozen=True)
class Target:
    group: str
    name: str
    address: str  # HOST:PORT or unix:PATH
    algorithm: str
    tokens: str = "many"
    protocol: str = "http1"
    question: tuple = ()  # of a gateway that openloop or wrk takes the place of: the target, and fields
    service: object = None  # the program that decides, if it is not the gateway
    gateway: object = None
    base: object = field(default=None, repr=False)  # the same without a decision
    decides: bool = True

    path = stock.TARGET

    @property
    def title(self):
        one = ", one token" if self.tokens == "one" else ""
        return f"{self.name}{f', {self.algorithm}' if self.decides else ''}{one}"

    @property
    def is_for_wrk(self):
        return self.protocol == "http1" and not self.address.startswith("unix:")


def alone(site):
    """The service without a gateway, which openloop and wrk replace. `site` has the running programs.

    What an answer costs at least over a socket of this machine, client included, nginx shows with a fixed answer.
    """
    application = site.application
    fixed = {
        place: Target("alone", f"a fixed answer of nginx, {place}", address, "ES256", gateway=application.program, decides=False)
        for place, address in (("Unix socket", f"unix:{application.socket}"), ("TCP", f"127.0.0.1:{application.port}"))}
    yield from fixed.values()
    http = [
        ("HTTP, Unix socket", site.service.unix("nginx"), site.service, "many"),
        ("HTTP, Unix socket", site.service.unix("nginx"), site.service, "one"),
        ("HTTP, Unix socket, token cache", site.cached.unix("nginx"), site.cached, "many"),
        ("HTTP, Unix socket, access log of all", site.logging.unix("nginx"), site.logging, "many"),
        ("HTTP, TCP", site.service.tcp("nginx"), site.service, "many"),
    ]
    for name, address, service, tokens in http:
        for algorithm in stock.ALGORITHMS if name in ("HTTP, Unix socket", "HTTP, TCP") and tokens == "many" else ("ES256",):
            base = fixed["TCP" if name == "HTTP, TCP" else "Unix socket"]
            yield Target("alone", name, address, algorithm, tokens, question=NGINX_QUESTION, service=service.program, base=base)
    grpc = [("gRPC, Unix socket", site.service.unix, stock.ALGORITHMS), ("gRPC, TCP", site.service.tcp, ("ES256",))]
    for name, address, algorithms in grpc:
        for algorithm in algorithms:
            yield Target("alone", name, address("envoy-grpc"), algorithm, protocol="grpc", service=site.service.program)
    for algorithm in stock.ALGORITHMS:
        yield Target(
            "alone", "Apache, mod_auth_openidc, TCP", f"127.0.0.1:{site.apache.port}", algorithm, question=("/decision",),
            service=site.apache.program, base=fixed["TCP"])


def compared(group, question, bare, rows):
    """A gateway without authorization, and with it: rows of a name, a port, a gateway, the program that decides, and tokens."""
    port, gateway = bare
    base = Target(
        group, "without authorization", f"127.0.0.1:{port}", "ES256", question=question, gateway=gateway.program, decides=False)
    yield base
    for name, port, gateway, service, asked in rows:
        for algorithm, tokens in asked:
            yield Target(
                group, name, f"127.0.0.1:{port}", algorithm, tokens, question=question, service=service and service.program,
                gateway=gateway.program, base=base)


def behind(group, bare, rows):
    """The same, for gateways with one port each: rows of a name, a gateway, the program that decides, algorithms."""
    return compared(group, (), (bare.port, bare), [
        (name, gateway.port, gateway, service, [(algorithm, "many") for algorithm in algorithms])
        for name, gateway, service, algorithms in rows])


def all_of(site):
    both = stock.ALGORITHMS
    return [
        *alone(site),
        *behind("nginx", site.start(programs.NginxBare), [
            ("Assay, Unix socket", site.start(programs.NginxUnix), site.service, both),
            ("Assay, Unix socket, token cache", site.start(programs.NginxUnix, site.cached), site.cached, ["ES256"]),
            ("Assay, TCP", site.start(programs.Nginx), site.service, ["ES256"]),
            ("Apache, mod_auth_openidc, TCP", site.start(programs.NginxApache), site.apache, both),
        ]),
        *behind("HAProxy", site.start(programs.HAProxyBare), [
            ("Assay, Lua, Unix socket", site.start(programs.HAProxyUnix), site.service, both),
            ("its own jwt_verify", site.start(programs.HAProxyRS256), None, ["RS256"]),
            ("its own jwt_verify", site.start(programs.HAProxyES256), None, ["ES256"]),
        ]),
        *behind("Envoy", site.start(programs.EnvoyBare), [
            ("Assay, gRPC, Unix socket", site.start(programs.EnvoyGRPCUnix), site.service, both),
            ("Assay, gRPC, TCP", site.start(programs.EnvoyGRPC), site.service, ["ES256"]),
            ("Assay, HTTP, Unix socket", site.start(programs.EnvoyHTTPUnix), site.service, ["ES256"]),
            ("its own jwt_authn", site.start(programs.EnvoyJWT), None, both),
        ]),
    ]
