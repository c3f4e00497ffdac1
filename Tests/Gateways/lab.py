"""Everything that a run needs, on loopback: provider, upstream, service and gateways."""
import contextlib
import copy
import os
import pathlib
import signal
import urllib.error
import urllib.request

import gateways
from program import Program, Programs, eventually, free_port
from provider import Provider
from upstream import Upstream

ROOT = pathlib.Path(__file__).parents[2]
BUILD = pathlib.Path(os.environ.get("ASSAY_BUILD", ROOT / ".build/release"))
PORTS = [str(port) for port in range(9190, 9199)]


# What the attacks need beyond integrations/assay.yaml: a provider with a token in four places, a route for one host, and deadlines that a
# test can wait for. Each stands before the section of its name.
MORE = {
    "administration: {tcp": "  - {name: metadata, profile: resource-metadata, tcp: \"127.0.0.1:9198\"}\n",
    "policies:": """\
  - name: places
    issuer: https://idp.example
    audiences: [client-1]
    tokenFrom: [{authorization: Bearer}, {cookie: session}, {header: x-token}, {query: access_token}]
    forwardToken: false
  - name: resource
    issuer: https://idp.example
    claims:
      - {header: x-auth-subject, claim: sub}
      - {header: x-auth-name, claim: name}
      - {header: x-auth-tenant, claim: tenant}
  - name: proofs
    issuer: https://idp.example
    audiences: [client-1]
    dpop: {tokens: bound, nonces: {periodSeconds: 8}}
""",
    "providers:": """\
resources:
  - {resource: "https://app.example/resource", displayName: Orders of all, scopes: [orders.read, orders.write]}
""",
    "# The first route": "  - {name: staff, requires: idp, claims: [{claim: /realm_access/roles, anyOf: [clerk, admin]}, "
    "{claim: email, mailDomain: example.com}, {claim: email_verified, equals: true}]}\n"
    "  - {name: proofs, requires: proofs}\n  - {name: places, requires: places, realm: places}\n  - {name: maybe, requires: {any: [places, allow-missing]}}\n"
    "  - {name: pages, requires: places, browsers: {redirect: \"https://login.example/start?return={url}\"}}\n"
    "  - {name: resource, requires: resource, resource: \"https://app.example/resource\", scopes: [orders.read]}\n"
    "  - {name: strong, requires: resource, resource: \"https://app.example/resource\", acrValues: [mfa, hardware], "
    "maximumAuthenticationAgeSeconds: 86400}\n",
    "  - {path: /public, policy: open}": "  - {path: /resource/strong, policy: strong}\n  - {path: /resource, policy: resource}\n  - {path: /staff, policy: staff}\n  - {path: /places, policy: places}\n  - {path: /proofs, policy: proofs}\n  - {path: /maybe, policy: maybe}\n  - {path: /pages, policy: pages}\n  - {path: /tenants, hosts: [open.example], policy: open}\n",
}
END = """
transport: {allowLoopback: true}
connections: {headSeconds: 3, bodySeconds: 4}
log: {access: denied}
"""


class Service:
    """`assay serve` with the configuration of integrations/assay.yaml, whose addresses and issuer are replaced, and ``MORE``."""

    def __init__(self, lab):
        self.lab = lab
        self.file = lab.folder / "assay.yaml"
        self.text = (ROOT / "integrations/assay.yaml").read_text()
        for place, text in MORE.items():
            assert self.text.count("\n" + place) == 1, place
            self.text = self.text.replace("\n" + place, "\n" + text + place)
        self.text = self.text.replace("https://idp.example", lab.provider.issuer) + END
        for port, free in lab.listener_ports.items():
            self.text = self.text.replace(f"127.0.0.1:{port}", f"127.0.0.1:{free}")
        self.text = self.adapted(self.text)
        self.configure(self.text)
        self.program = self.started()
        self.wait_until_ready()

    def adapted(self, text):
        return text

    def started(self):
        return Program([self.lab.assay, "serve", "--config", self.file], self.lab.folder / "assay.log", self.lab.listener_ports.values())

    def configure(self, text):
        """Replaces the file at once, as an editor does."""
        temporary = self.file.with_suffix(".new")
        temporary.write_text(text)
        temporary.rename(self.file)

    def administration(self, path):
        """The status and the text of an answer on the administrative listener."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.lab.listener_ports['9190']}{path}", timeout=30) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as failure:
            return failure.code, failure.read().decode()

    def metric(self, line):
        """The value of a metric with its labels; 0 if there is none."""
        values = [text.rpartition(" ")[2] for text in self.administration("/metrics")[1].splitlines() if text.startswith(line + " ")]
        return float(values[0]) if values else 0

    def reloads(self, result):
        return self.metric(f'assay_gateway_reloads_total{{file="configuration",result="{result}"}}')

    def reload(self, result):
        """Asks the service to read its file, and waits for the result."""
        count = self.reloads(result)
        self.program.process.send_signal(signal.SIGHUP)
        eventually(lambda: self.reloads(result) > count, 60, f"a reload that {result}")

    def wait_until_ready(self):
        eventually(lambda: self.administration("/readyz")[0] == 200, 60, "readiness of the service")

    def kill(self):
        self.program.stop(signal.SIGKILL)

    def restart(self):
        self.program.start()


class Lab(Programs):
    """Provider, and the applications of two servers; a subclass adds its `gateways` and names the program under test, the `subject`."""

    listener_ports = {}

    def __init__(self):
        super().__init__("assay-gateways-")

    def begin(self):
        self.upstream_port, self.second_port = free_port(), free_port()
        self.provider = self.started(Provider(BUILD / "loopback-provider"))
        self.upstream, self.second = Upstream(self.upstream_port), Upstream(self.second_port)

    @contextlib.contextmanager
    def with_own_provider(self):
        """This lab with another provider, for a check that counts its requests: the lab's gateways fetch their keys again now and then."""
        own = copy.copy(self)
        own.provider = Provider(BUILD / "loopback-provider")
        try:
            yield own
        finally:
            own.provider.stop()

    def requests(self):
        """How often the provider's keys were fetched."""
        return int(self.provider.ask("requests"))

    def forged(self, token):
        """The token with another character in the middle of its signature."""
        head, _, signature = token.rpartition(".")
        middle = len(signature) // 2
        other = "A" if signature[middle] != "A" else "B"
        return f"{head}.{signature[:middle]}{other}{signature[middle + 1:]}"


class ServiceLab(Lab):
    """`assay serve` behind the gateways of these names; behind all of them without names."""

    def __init__(self, names, service=Service):
        self.names, self.kind = names, service
        self.assay = BUILD / "assay"
        self.listener_ports = {port: free_port() for port in PORTS}
        super().__init__()

    def begin(self):
        super().begin()
        self.service = self.kind(self)
        self.started(self.service.program)
        self.gateways = [self.started(kind(self)) for kind in gateways.ALL if not self.names or kind.name in self.names]

    @property
    def subject(self):
        return self.service.program


class ModuleLab(Lab):
    """A gateway that verifies itself, without a service. A subclass starts its `gateway`."""

    @property
    def gateways(self):
        return [self.gateway]

    @property
    def subject(self):
        return self.gateway.program
