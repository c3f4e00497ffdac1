"""The measured programs: gateways with the configurations of integrations/ and of this folder, the service, and Apache.

A connection to the application is kept everywhere, and each gateway has one worker. Nothing else in the configurations of integrations/ is
changed except addresses and the times to wait for the service.
"""
import os
import pathlib
import types

import engine
import gateways
import lab
from program import free_port

ROOT = pathlib.Path(__file__).parents[2]
CONFIGURATIONS = pathlib.Path(__file__).parent / "configurations"
# The ports of integrations/ and configurations/ by the listeners' names, and those of Apache and of the keys by TLS.
LISTENERS = {"nginx": "9191", "caddy": "9192", "haproxy": "9193", "traefik": "9194", "envoy-http": "9195", "envoy-grpc": "9196"}
APACHE, TLS = "9300", "8443"


class Place:
    """What the classes of Tests/Gateways need of a lab: a folder and addresses."""

    def __init__(self, folder, application, ports):
        folder.mkdir(parents=True)
        folder.chmod(0o755)
        self.folder, self.upstream_port, self.second_port, self.listener_ports = folder, application, application, ports


class Service(lab.Service):
    """`assay serve` by integrations/assay.yaml, with a Unix socket beside each listener, and with the keys of the run."""

    def __init__(self, folder, assay, keys_url, settings):
        self.sockets = {name: folder / f"{name}.sock" for name in LISTENERS}
        self.keys_url, self.settings = keys_url, settings
        text = (ROOT / "integrations/assay.yaml").read_text()
        place = Place(folder, 0, {port: free_port() for port in lab.PORTS if f":{port}" in text})
        place.assay, place.provider = assay, types.SimpleNamespace(issuer="https://idp.example")
        super().__init__(place)
        self.program.tier = lambda: engine.of_metrics(self.administration("/metrics")[1])

    def configure(self, text):
        """Without what the tests add to the file."""
        text = (ROOT / "integrations/assay.yaml").read_text()
        for port, free in self.lab.listener_ports.items():
            text = text.replace(f"127.0.0.1:{port}", f"127.0.0.1:{free}")
        further = "".join(
            f"  - {{name: {name}-unix, profile: {'caddy' if name == 'haproxy' else name}, unix: {path}}}\n"
            for name, path in self.sockets.items())
        text = text.replace("administration: {tcp", further + "administration: {tcp", 1)
        text = text.replace("    audiences:", f'    keys: {{url: "{self.keys_url}"}}\n    audiences:')
        super().configure(text + "transport: {allowLoopback: true}\n" + self.settings)

    def tcp(self, name):
        return f"127.0.0.1:{self.lab.listener_ports[LISTENERS[name]]}"

    def unix(self, name):
        return f"unix:{self.sockets[name]}"


class Application(gateways.Nginx):
    """Answers every request with `ok`, and publishes the keys."""
    name, file = "application", CONFIGURATIONS / "upstream.conf"
    metadata = {}

    def adapted(self, text):
        self.socket = self.folder / "socket"
        return super().adapted(text.replace("/srv/keys", str(self.lab.keys)).replace("/srv/application.sock", str(self.socket)))


class Apache(gateways.Gateway):
    name, file = "apache", CONFIGURATIONS / "apache.conf"

    def adapted(self, text):
        site = self.folder / "site"
        site.mkdir()
        (site / "decision").write_text("")
        if os.geteuid() == 0:
            text += "User nobody\nGroup nogroup\n"
        return text.replace("/srv/apache", str(self.folder))

    def arguments(self):
        return ["/usr/sbin/apache2", "-f", self.configuration, "-DFOREGROUND"]


class Nginx(gateways.Nginx):
    """By its page in integrations/; asks at a TCP address."""
    name = "nginx"
    socket = None

    def adapted(self, text):
        application = f"http://127.0.0.1:{self.lab.upstream_port}"
        text = text.replace(
            f"proxy_pass {application};", 'proxy_http_version 1.1;\nproxy_set_header Connection "";\nproxy_pass http://application;')
        text = text.replace(
            "    server {\n",
            f"upstream application {{\nserver 127.0.0.1:{self.lab.upstream_port};\nkeepalive 64;\n}}\n    server {{\n", 1)
        if self.socket:
            text = text.replace(f"server 127.0.0.1:{self.lab.listener_ports['9191']};", f"server {self.lab.sockets['nginx']};")
        return super().adapted(text)


class NginxUnix(Nginx):
    name, socket = "nginx-unix", "nginx"


class NginxBare(gateways.Nginx):
    name, file = "nginx-bare", CONFIGURATIONS / "nginx-bare.conf"
    metadata = {}


class NginxApache(gateways.Nginx):
    name, file = "nginx-apache", CONFIGURATIONS / "nginx-apache.conf"
    metadata = {}


class HAProxyUnix(gateways.HAProxy):
    name = "haproxy-unix"

    def adapted(self, text):
        text = text.replace("    maxconn 4096\n", "    maxconn 4096\n    nbthread 1\n", 1)
        text = text.replace(
            f"lua.assay 127.0.0.1:{self.lab.listener_ports['9193']}", f"lua.assay unix@{self.lab.sockets['haproxy'].removeprefix('unix:')}")
        return super().adapted(text)


class HAProxyBare(gateways.HAProxy):
    name, file = "haproxy-bare", CONFIGURATIONS / "haproxy-bare.cfg"
    metadata = {}


class HAProxyJWT(gateways.HAProxy):
    file = CONFIGURATIONS / "haproxy-jwt.cfg"
    metadata = {}
    algorithm = ""

    def adapted(self, text):
        return text.replace("ALGORITHM", self.algorithm).replace("/srv/keys", str(self.lab.keys))


class HAProxyRS256(HAProxyJWT):
    name, algorithm = "haproxy-rs256", "RS256"


class HAProxyES256(HAProxyJWT):
    name, algorithm = "haproxy-es256", "ES256"


class EnvoyBare(gateways.Envoy):
    name, file = "envoy-bare", CONFIGURATIONS / "envoy-bare.yaml"
    metadata = {}


class EnvoyJWT(gateways.Envoy):
    name, file = "envoy-jwt", CONFIGURATIONS / "envoy-jwt.yaml"
    metadata = {}

    def adapted(self, text):
        return text.replace("/srv/keys", str(self.lab.keys))


class OverUnix:
    """Envoy that asks over a Unix socket."""

    def adapted(self, text):
        port = self.lab.listener_ports[LISTENERS[self.listener]]
        path = self.lab.sockets[self.listener].removeprefix("unix:")
        return super().adapted(text.replace(
            f"address: {{socket_address: {{address: 127.0.0.1, port_value: {port}}}}}", f"address: {{pipe: {{path: {path}}}}}"))


class EnvoyGRPC(gateways.EnvoyGRPC):
    pass


class EnvoyGRPCUnix(OverUnix, gateways.EnvoyGRPC):
    name, listener = "envoy-grpc-unix", "envoy-grpc"


class EnvoyHTTPUnix(OverUnix, gateways.EnvoyHTTP):
    name, listener = "envoy-http-unix", "envoy-http"
