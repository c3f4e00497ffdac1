"""The gateways, each with the configuration of its page in integrations/. The tests replace its addresses and its time to wait for the
service, and nothing else."""
import os
import pathlib
import re
import shutil
import sys

from program import Program, free_port

INTEGRATIONS = pathlib.Path(__file__).parents[2] / "integrations"
# The pages' times to wait for the service, and those of the tests: on a busy machine an answer can take seconds.
WAITS = {"proxy_read_timeout 2s": "proxy_read_timeout 30s", " timeout: 1s": " timeout: 30s", "milliseconds = 500": "milliseconds = 30000",
    "response_header_timeout 2s": "response_header_timeout 30s"}


def text_of(file, is_patient=True):
    """The text of a file of integrations/, with the tests' times to wait or with its own."""
    text = (INTEGRATIONS / file).read_text()
    return patient(text) if is_patient else text


def patient(text):
    """A gateway's file with the tests' times to wait."""
    for wait, longer in WAITS.items():
        text = text.replace(wait, longer)
    return text


class Gateway:
    """A gateway in front of the upstream.

    name: in reports; it is also the name of the listener in integrations/assay.yaml.
    file: its configuration, below integrations/.
    outage: the status of an answer while the service is down.
    is_real: whether this is the gateway itself, so that its reading of bytes can be attacked.
    is_patient: whether it waits for the service as long as the tests do, and not as its page says.
    place: the name of its folder.
    """

    name = file = place = ""
    outage = 503
    is_real = is_patient = True

    def __init__(self, lab):
        self.lab, self.port = lab, free_port()
        self.folder = lab.folder / (self.place or self.name)
        self.folder.mkdir()
        addresses = {"8080": self.port, "9000": lab.upstream_port, **lab.listener_ports}
        self.configuration = self.folder / pathlib.Path(self.file).name
        text = self.text()
        for old, new in addresses.items():
            text = re.sub(rf"(127\.0\.0\.1:|port_value: |http://:){old}\b", rf"\g<1>{new}", text)
        self.configuration.write_text(self.adapted(text))
        self.program = Program(
            self.arguments(), self.folder / "log", ports=[self.port], cwd=self.folder, environment={"HOME": str(self.folder)})

    def text(self):
        return text_of(self.file, self.is_patient)

    def adapted(self, text):
        return text

    def arguments(self):
        raise NotImplementedError

    def stop(self):
        self.program.stop()


class Nginx(Gateway):
    name, file = "nginx", "nginx-auth-request/nginx.conf"

    def adapted(self, text):
        paths = "".join(f"{kind}_temp_path {self.folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        user = "user root;\n" if os.geteuid() == 0 else ""
        return user + text.replace("/run/assay-nginx.pid", f"{self.folder}/pid").replace("http {\n", "http {\n" + paths, 1)

    def arguments(self):
        return [shutil.which("nginx") or "/usr/sbin/nginx", "-c", self.configuration, "-g", "daemon off;"]


class Caddy(Gateway):
    name, file, outage = "caddy", "caddy/Caddyfile", 502

    def arguments(self):
        return ["caddy", "run", "--config", self.configuration, "--adapter", "caddyfile"]


class HAProxy(Gateway):
    name, file = "haproxy", "haproxy/haproxy.cfg"

    def adapted(self, text):
        script = self.folder / "assay.lua"
        script.write_text(text_of("haproxy/assay.lua", self.is_patient))
        return text.replace("/etc/haproxy/assay.lua", str(script))

    def arguments(self):
        return [shutil.which("haproxy") or "/usr/sbin/haproxy", "-f", self.configuration]


class Traefik(Gateway):
    name, file, outage, is_real = "traefik", "traefik/dynamic.yaml", 500, False

    def arguments(self):
        service = self.lab.listener_ports["9194"]
        return [
            sys.executable, pathlib.Path(__file__).with_name("forward_auth.py"), self.port, service, self.lab.upstream_port,
            self.configuration,
        ]


class Envoy(Gateway):
    def arguments(self):
        # The wrapper of the package would read standard input of a terminal; the binary beside it does not.
        import envoy
        binary = pathlib.Path(envoy.__file__).parent / "_bin" / "envoy"
        return [binary, "-c", self.configuration, "--concurrency", "1", "--base-id", str(self.port), "-l", "warning"]


class EnvoyHTTP(Envoy):
    name, file = "envoy-http", "envoy-ext-authz/envoy-http.yaml"


class EnvoyGRPC(Envoy):
    name, file = "envoy-grpc", "envoy-ext-authz/envoy-grpc.yaml"


ALL = [Nginx, Caddy, HAProxy, Traefik, EnvoyHTTP, EnvoyGRPC]
