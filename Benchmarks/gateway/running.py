"""Everything that runs during a measurement: the application, the service with three settings, Apache, and gateways."""
import os
import pathlib
import subprocess

import programs
import stock
from program import Programs, free_port

ROOT = pathlib.Path(__file__).parents[2]
# Without the cache each request costs a verification. By default the service has a cache of 16 MB and logs every decision.
PLAIN = "log: {access: denied}\ntokenCache: {megabytes: 0}\n"
CACHED = "log: {access: denied}\ntokenCache: {megabytes: 16}\n"
LOGGING = "log: {access: all}\ntokenCache: {megabytes: 0}\n"


def make_certificate(folder):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", "/CN=127.0.0.1", "-keyout", folder / "tls.key", "-out", folder / "tls.pem"], check=True, capture_output=True)


class Site(Programs):
    def __init__(self, tokens):
        self.tokens = tokens
        super().__init__("assay-load-")

    def begin(self):
        self.folder.chmod(0o755)
        self.keys = self.folder / "keys"
        self.keys.mkdir()
        self.stock = stock.Stock(self.keys, self.tokens)
        make_certificate(self.keys)
        ports = {programs.TLS: free_port()}
        self.application = self.started(programs.Application(self.place("application", 0, ports)))
        self.apache = self.started(programs.Apache(self.place("apache", self.application.port, ports)))
        self.service, self.cached, self.logging = map(self.served, ("plain", "cached", "logging"), (PLAIN, CACHED, LOGGING))

    def place(self, name, application, ports):
        place = programs.Place(self.folder / f"{len(self.stoppable)}-{name}", application, ports)
        place.keys = self.keys
        return place

    def served(self, name, settings):
        build = pathlib.Path(os.environ.get("ASSAY_BUILD", ROOT / ".build/release"))
        service = programs.Service(self.folder / name, build / "assay", f"http://127.0.0.1:{self.application.port}/jwks.json", settings)
        self.started(service.program)
        return service

    def start(self, kind, service=None):
        """Starts a gateway that asks `service`."""
        service = service or self.service
        ports = {**service.lab.listener_ports, programs.APACHE: self.apache.port}
        place = self.place(kind.name, self.application.port, ports)
        place.sockets = {name: service.unix(name) for name in programs.LISTENERS}
        return self.started(kind(place))
