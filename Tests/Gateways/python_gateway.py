"""The Python package before a reverse proxy, in a real server, with the settings that the service has in the other tests."""
import json
import os
import pathlib

from client_certificates import Certificates
from lab import ROOT, ModuleLab
from library_gateway import settings
from program import Program, free_port
from run_hosts import deciding

# The Python that has the servers.
PYTHON = pathlib.Path(os.environ["ASSAY_PYTHON"])
OF_CERTIFICATES = ROOT / "bindings/python/examples"


class PythonGateway:
    """A subclass has the `name` and the `arguments` of its server, with PORT for the port, and those for `tls`, with FOLDER."""

    is_real = False

    def __init__(self, lab, given=None, certificates=None):
        self.lab, self.port, self.certificates, self.provider = lab, free_port(), certificates, lab.provider
        place = lab.folder / (self.name + ("-tls" if certificates else ""))
        file = place.with_suffix(".json")
        file.write_text(json.dumps(given or settings(lab.provider.issuer)))
        arguments = [*self.arguments, *(self.tls if certificates else []), self.application]
        folder = str(certificates.folder) if certificates else ""
        self.program = Program(
            [PYTHON, "-m", *(argument.replace("PORT", str(self.port)).replace("FOLDER", folder) for argument in arguments)],
            place.with_suffix(".log"), [self.port], cwd=pathlib.Path(__file__).parent, environment={
                "ASSAY_SETTINGS": str(file), "ASSAY_UPSTREAM": str(lab.upstream_port), "PYTHONDONTWRITEBYTECODE": "1",
                "PYTHONPATH": os.pathsep.join([str(OF_CERTIFICATES), os.environ.get("PYTHONPATH", "")])})

    def stop(self):
        self.program.stop()


class Uvicorn(PythonGateway):
    name, application = "uvicorn", "python_host:asgi_application"
    arguments = ["uvicorn", "--host", "127.0.0.1", "--port", "PORT", "--lifespan", "off", "--no-proxy-headers", "--log-level", "warning"]
    tls = [
        "--http", "uvicorn_certificates:WithCertificates", "--ssl-certfile", "FOLDER/server.both", "--ssl-ca-certs", "FOLDER/authority.pem",
        "--ssl-cert-reqs", "1"]


class Gunicorn(PythonGateway):
    name, application = "gunicorn", "python_host:wsgi_application"
    arguments = [
        "gunicorn", "--preload", "--workers", "2", "--threads", "16", "--limit-request-line", "0", "--bind", "127.0.0.1:PORT"]
    tls = ["--certfile", "FOLDER/server.both", "--ca-certs", "FOLDER/authority.pem", "--cert-reqs", "1"]


SERVERS = [Uvicorn, Gunicorn]


class PythonLab(ModuleLab):
    """Each server, and each again with TLS, where every token is bound to a certificate."""

    def begin(self):
        super().begin()
        certificates = Certificates(self.folder / "client-certificates")
        provider = {"name": "idp", "issuer": self.provider.issuer, "audiences": ["client-1"], "certificateBound": "required"}
        bound = {"providers": [provider], "policies": [{"name": "api", "requires": "idp"}], "policy": "api"}
        self.plain = [self.started(kind(self)) for kind in SERVERS]
        self.bound = [self.started(kind(self, bound, certificates)) for kind in SERVERS]
        self.libraries = {gateway.name: deciding(settings(self.provider.issuer)) for gateway in self.gateways}

    @property
    def gateway(self):
        return self.plain[0]

    @property
    def gateways(self):
        return self.plain
