"""Tokens that are bound to the certificate of their client (RFC 8705), with real gateways and real certificates."""
import contextlib
import re

import gateways
from client_certificates import TLS, Certificates
from envoy_configuration import cluster, configuration, listener, module_filter
from envoy_program import EnvoyProgram
from exchange import bearer
from lab import Lab, Service, ServiceLab
from nginx_processes import Nginx
from program import eventually, free_port

# The listeners whose gateways are real here, with the field and the form of each.
FIELDS = {
    "nginx": ("X-Client-Cert", "pem-escaped"), "caddy": ("X-Client-Cert", "der-base64"), "haproxy": ("X-Client-Cert", "der-base64"),
    "envoy-http": ("X-Forwarded-Client-Cert", "xfcc"),
}
# Those whose file says which fields it handles.
SAYING = ["nginx", "caddy", "haproxy"]
KINDS = [kind for kind in gateways.ALL if kind.name in (*FIELDS, "envoy-grpc")]


class BoundService(Service):
    """Every token of its provider is bound to a certificate."""

    def adapted(self, text):
        for name, (field, form) in FIELDS.items():
            text, count = re.subn(rf"(\{{name: {name}, [^}}]*)\}}", rf"\1, certificate: {{field: {field}, form: {form}}}}}", text)
            assert count == 1, name
        return text.replace("  - name: idp\n", "  - name: idp\n    certificateBound: required\n", 1)


def asking_for_certificates(kind):
    class Asking(kind):
        @property
        def certificates(self):
            return self.lab.certificates

        @property
        def provider(self):
            return self.lab.provider

        def text(self, name, file):
            return gateways.patient(gateways.printed(self.lab, name))

        def adapted(self, text):
            tls = TLS(self.certificates)
            return getattr(tls, self.name.partition("-")[0])(super().adapted(text))

    return Asking


def older(kind):
    """The gateway with the file for the configuration before, which sets no certificate."""
    class Older(asking_for_certificates(kind)):
        place = f"older-{kind.name}"

        def text(self, name, file):
            return gateways.text_of(file)

    return Older


class CertificatesLab(ServiceLab):
    def begin(self):
        Lab.begin(self)
        self.certificates = Certificates(self.folder / "client-certificates")
        self.service = self.kind(self)
        self.started(self.service.program)
        kinds = [kind for kind in KINDS if not self.names or kind.name in self.names]
        self.gateways = [self.started(asking_for_certificates(kind)(self)) for kind in kinds]


def outcome(gateway, token, fields=(), name=None):
    """The status, and the code of a refusal."""
    answer = gateway.certificates.ask(gateway.port, "/reports", [bearer(token), *fields], name)
    return answer.status if answer.status == 200 else (answer.status, answer.field("x-assay-code"))


def a_bound_token_passes_with_its_certificate_alone(gateway):
    token = gateway.provider.token(cnf=gateway.certificates.confirmation("right"))
    assert outcome(gateway, token, name="right") == 200
    # Also on the next connection, whose handshake is a new one.
    assert outcome(gateway, token, name="right") == 200
    assert outcome(gateway, token, name="other") == (401, "certificate_mismatch")
    assert outcome(gateway, token) == (401, REFUSED_WITHOUT.get(gateway.name, "missing_certificate"))


# Where there is no certificate, Caddy sends the name of its own placeholder, which is none.
REFUSED_WITHOUT = {"caddy": "malformed_certificate"}


def a_token_that_is_not_bound_is_refused(gateway):
    for name in ("right", None):
        assert outcome(gateway, gateway.provider.token(), name=name) == (401, "not_certificate_bound")


def a_certificate_in_a_field_of_the_client_is_none(gateway):
    certificates = gateway.certificates
    token = gateway.provider.token(cnf=certificates.confirmation("right"))
    forged = certificates.forged_fields("right")
    for fields in [[field] for field in forged] + [forged[:1] * 2]:
        without, other = outcome(gateway, token, fields), outcome(gateway, token, fields, "other")
        assert without == (401, REFUSED_WITHOUT.get(gateway.name, "missing_certificate")), (fields[0][0], without)
        assert other == (401, "certificate_mismatch"), (fields[0][0], other)
        # What the client sends does not stand in the way of its own certificate either.
        assert outcome(gateway, token, fields, "right") == 200, fields[0][0]


def an_older_file_brings_no_certificate(gateway):
    """Its list of fields (X-Assay-Fields) lacks that of the certificate, which a client then sets."""
    certificates = gateway.certificates
    token = gateway.provider.token(cnf=certificates.confirmation("right"))
    behind = gateway.lab.started(older(type(gateway).__mro__[1])(gateway.lab))
    for fields in [()] + [[field] for field in certificates.forged_fields("right")]:
        for name in (None, "right"):
            assert outcome(behind, token, fields, name) == (401, "missing_certificate"), fields


REQUESTS = [
    a_bound_token_passes_with_its_certificate_alone, a_token_that_is_not_bound_is_refused, a_certificate_in_a_field_of_the_client_is_none,
]


def check_all(lab, report, title):
    """Runs the checks with the gateways of the run, in a lab of their own."""
    names = [kind.name for kind in KINDS if not lab.names or kind.name in lab.names]
    if not names:
        return
    own = CertificatesLab(names, BoundService)
    with contextlib.closing(Stopping(own)):
        for gateway in own.gateways:
            for function in REQUESTS + ([an_older_file_brings_no_certificate] if gateway.name in SAYING else []):
                report.check(f"certificates: {gateway.name}: {title(function)}", function, gateway)


class Stopping:
    def __init__(self, lab):
        self.close = lab.stop


class Module:
    """A gateway that verifies itself, as the checks of requests see it."""

    def __init__(self, lab, name, port, certificates):
        self.name, self.port, self.certificates, self.provider = name, port, certificates, lab.provider

    def is_ready(self):
        return outcome(self, self.provider.token(cnf=self.certificates.confirmation("right")), name="right") == 200


HTTP = """
    server {
        listen 127.0.0.1:PORT ssl;
        assay on;
        assay_issuer ISSUER;
        assay_audiences client-1;
        assay_certificate_bound required;
        add_header X-Assay-Code $assay_code always;
        location / { proxy_pass http://UPSTREAM; }
    }
"""


def nginx_knows_the_certificate_of_its_connection(lab):
    certificates = Certificates(lab.folder / "client-certificates")
    directives = TLS(certificates).nginx("http {\n").removeprefix("http {\n")
    with Nginx(lab, "certificates", directives + HTTP.replace("ISSUER", lab.provider.issuer)) as nginx:
        module = Module(lab, "nginx-module", nginx.port, certificates)
        eventually(module.is_ready, 60, "keys")
        for function in REQUESTS:
            function(module)


def envoy_knows_the_certificate_of_its_connection(lab, long):
    certificates, port = Certificates(lab.folder / "client-certificates"), free_port()
    provider = {
        "name": "idp", "issuer": lab.provider.issuer, "audiences": ["client-1"], "keys": {"cluster": "idp"}, "certificateBound": "required",
    }
    judge = module_filter({"providers": [provider], "policies": [{"name": "api", "requires": "idp"}], "policy": "api"})
    web = listener("web", port, [judge], [{"match": {"prefix": "/"}, "direct_response": {"status": 200}}])
    web["filter_chains"][0]["transport_socket"] = TLS(certificates).envoys_socket()
    issuer = cluster("idp", int(lab.provider.issuer.rpartition(":")[2].strip("/")))
    with EnvoyProgram(lab, lambda administration: configuration(administration, [web], [issuer], {"holdSeconds": 60}), [port]):
        module = Module(lab, "envoy-module", port, certificates)
        eventually(module.is_ready, 60, "keys")
        for function in REQUESTS:
            function(module)


OF_NGINX_MODULE = [nginx_knows_the_certificate_of_its_connection]
ALL = [envoy_knows_the_certificate_of_its_connection]
