"""The lab of the soak: nginx and Envoy before the service, a Unix socket, and an issuer that can fail in many ways."""
import pathlib
import socket
import subprocess
import sys

import lab
from exchange import Connection

HERE = pathlib.Path(__file__).parent
UNIX = "unix socket"


class Issuer:
    """faulty_issuer.py before the provider's keys."""

    def __init__(self, provider):
        self.process = subprocess.Popen(
            [sys.executable, HERE / "faulty_issuer.py", provider.issuer], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())

    def turn(self, mode):
        self.process.stdin.write(mode + "\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline().strip() == mode

    def stop(self):
        self.process.stdin.close()
        self.process.wait()


class Service(lab.Service):
    """With a listener at a Unix socket, keys from the faulty issuer, and a small cache of tokens, which is full before the second half."""

    def __init__(self, place):
        place.issuer = place.started(Issuer(place.provider))
        self.socket = place.folder / "direct.sock"
        super().__init__(place)

    def configure(self, text):
        unix = f"  - {{name: direct, profile: nginx, unix: {self.socket}}}\n"
        text = text.replace("administration: {tcp", unix + "administration: {tcp", 1)
        text = text.replace(
            "    audiences:", f'    keys: {{url: "http://127.0.0.1:{self.lab.issuer.port}/jwks"}}\n    audiences:')
        super().configure(text.replace("log: {access", "tokenCache: {megabytes: 1}\nlog: {access", 1))


class SoakLab(lab.ServiceLab):
    def __init__(self):
        super().__init__(["nginx", "envoy-grpc"], Service)

    def connect(self, path):
        """A connection to a gateway or to the service's Unix socket."""
        if path == UNIX:
            return UnixConnection(self.service.socket)
        return Connection(next(gateway.port for gateway in self.gateways if gateway.name == path))


class UnixConnection(Connection):
    """Asks as nginx does: the client's request is in two fields."""

    def __init__(self, path, timeout=10):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(timeout)
        self.socket.connect(str(path))
        self.reader = self.socket.makefile("rb")

    def ask(self, target, fields=(), method="GET", body=b""):
        return super().ask("/", [("X-Original-Method", method), ("X-Original-URI", target), *fields])
