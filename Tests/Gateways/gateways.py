"""The gateways, each with the configuration of its page in integrations/. The tests replace its addresses and its time to wait for the
service, and nothing else."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

import apisix
from program import Program, free_port

INTEGRATIONS = pathlib.Path(__file__).parents[2] / "integrations"
# The pages' times to wait for the service, and those of the tests: on a busy machine an answer can take seconds.
WAITS = {"proxy_read_timeout 2s": "proxy_read_timeout 30s", " timeout: 1s": " timeout: 30s", "timeout: 2000": "timeout: 30000",
    "milliseconds = 500": "milliseconds = 30000", "response_header_timeout 2s": "response_header_timeout 30s"}


def text_of(file, is_patient=True):
    """The text of a file of integrations/, with the tests' times to wait or with its own."""
    text = (INTEGRATIONS / file).read_text()
    return patient(text) if is_patient else text


def lines_of_page(name):
    """A block of Docs/ProtectedResources.md."""
    page = (INTEGRATIONS.parent / "Docs/ProtectedResources.md").read_text()
    found = re.findall(rf"^```{name}\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert len(found) == 1, name
    return found[0]


def patient(text):
    """A gateway's file with the tests' times to wait."""
    for wait, longer in WAITS.items():
        text = text.replace(wait, longer)
    return text


def config_gateway(lab, name, *options):
    """Runs `assay config gateway` for the lab's service."""
    command = [lab.assay, "config", "gateway", name, "--config", lab.service.file, *options]
    return subprocess.run(command, capture_output=True, text=True)


def printed(lab, name):
    """A gateway's file for the lab's service."""
    run = config_gateway(lab, name)
    assert run.returncode == 0, run
    return run.stdout


class Gateway:
    """A gateway in front of the upstream.

    name: in reports; it is also the name of the listener in integrations/assay.yaml.
    file: its configuration, below integrations/.
    parts: the files that its configuration includes, by the names that `assay config gateway` has for them.
    outage: the status of an answer while the service is down.
    gives_up_after: after how many seconds the page says that the gateway gives up a service that does not answer.
    is_real: whether this is the gateway itself, so that its reading of bytes can be attacked.
    is_patient: whether it waits for the service as long as the tests do, and not as its page says.
    place: the name of its folder.
    metadata: blocks of Docs/ProtectedResources.md, and what each stands before.
    """

    name = file = place = ""
    parts = {}
    metadata = {}
    outage, gives_up_after = 503, 2
    is_real = is_patient = True

    def __init__(self, lab):
        self.lab, self.port = lab, free_port()
        self.folder = lab.folder / (self.place or self.name)
        self.folder.mkdir()
        self.configuration = self.folder / pathlib.Path(self.file).name
        for name, file in self.parts.items():
            (self.folder / pathlib.Path(file).name).write_text(self.addressed(self.text(name, file)))
        self.configuration.write_text(self.adapted(self.addressed(self.text(self.name, self.file))))
        self.program = Program(
            self.arguments(), self.folder / "log", ports=[self.port], cwd=self.folder, environment=self.environment())

    def environment(self):
        return {"HOME": str(self.folder)}

    def text(self, name, file):
        """The configuration or a part of it, with what serves metadata of protected resources."""
        text = text_of(file, self.is_patient)
        return self.with_metadata(text) if file == self.file else text

    def with_metadata(self, text):
        for block, place in self.metadata.items():
            assert place in text, place
            text = text.replace(place, lines_of_page(block) + place)
        return text

    def addressed(self, text):
        """A text with the addresses of the lab. The server `second.example` has an application of its own."""
        addresses = {"8080": self.port, "9000": self.lab.upstream_port, "9001": self.lab.second_port, **self.lab.listener_ports}
        for old, new in addresses.items():
            text = re.sub(rf"(127\.0\.0\.1:|port_value: |http://(?:second\.example)?:){old}\b", rf"\g<1>{new}", text)
        return text

    def adapted(self, text):
        return text

    def arguments(self):
        raise NotImplementedError

    def stop(self):
        self.program.stop()


class Nginx(Gateway):
    name, file = "nginx", "nginx-auth-request/nginx.conf"
    parts = {"nginx-server": "nginx-auth-request/assay-server.conf", "nginx-location": "nginx-auth-request/assay-location.conf"}
    metadata = {"conf": "        location / {\n"}

    def adapted(self, text):
        paths = "".join(f"{kind}_temp_path {self.folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        user = "user root;\n" if os.geteuid() == 0 else ""
        return user + text.replace("/run/assay-nginx.pid", f"{self.folder}/pid").replace("http {\n", "http {\n" + paths, 1)

    def arguments(self):
        return [shutil.which("nginx") or "/usr/sbin/nginx", "-c", self.configuration, "-g", "daemon off;"]


class Caddy(Gateway):
    name, file, outage = "caddy", "caddy/Caddyfile", 502
    metadata = {"caddyfile": "\t\timport assay\n"}

    def arguments(self):
        return ["caddy", "run", "--config", self.configuration, "--adapter", "caddyfile"]


class HAProxy(Gateway):
    name, file = "haproxy", "haproxy/haproxy.cfg"
    parts = {"haproxy-lua": "haproxy/assay.lua"}
    metadata = {
        "haproxy": "    http-request lua.assay ", "haproxy-use": "    use_backend second ", "haproxy-backend": "backend second\n"}

    def adapted(self, text):
        return text.replace("/etc/haproxy/assay.lua", str(self.folder / "assay.lua"))

    def arguments(self):
        return [shutil.which("haproxy") or "/usr/sbin/haproxy", "-f", self.configuration]


class Traefik(Gateway):
    name, file, outage, is_real = "traefik", "traefik/dynamic.yaml", 500, False
    metadata = {"traefik": "    second:\n      rule", "traefik-service": "    second:\n      loadBalancer"}

    def arguments(self):
        return [sys.executable, pathlib.Path(__file__).with_name("forward_auth.py"), self.port, self.configuration]


class APISIX(Gateway):
    """APISIX's file in nginx with Lua. It names the places of tokens, so it is the one that the command prints for the lab's service."""

    name, file, is_real = "apisix", "apisix/apisix.yaml", False
    metadata = {"apisix": "  - id: second\n"}

    def text(self, name, file):
        text = self.with_metadata(printed(self.lab, name))
        return patient(text) if self.is_patient else text

    def adapted(self, text):
        (self.folder / "nginx.conf").write_text(apisix.nginx(text, self.folder, self.port))
        return text

    def environment(self):
        return {**super().environment(), **apisix.environment()}

    def arguments(self):
        return [shutil.which("nginx") or "/usr/sbin/nginx", "-c", self.folder / "nginx.conf", "-g", "daemon off;"]


class Envoy(Gateway):
    def arguments(self):
        # The wrapper of the package would read standard input of a terminal; the binary beside it does not.
        import envoy
        binary = pathlib.Path(envoy.__file__).parent / "_bin" / "envoy"
        return [binary, "-c", self.configuration, "--concurrency", "1", "--base-id", str(self.port), "-l", "warning"]


class EnvoyOfService(Envoy):
    metadata = {"envoy": "{match: {prefix: /}, route: ", "envoy-cluster": "    - name: application\n      type"}


class EnvoyHTTP(EnvoyOfService):
    name, file, gives_up_after = "envoy-http", "envoy-ext-authz/envoy-http.yaml", 1


class EnvoyGRPC(EnvoyOfService):
    name, file, gives_up_after = "envoy-grpc", "envoy-ext-authz/envoy-grpc.yaml", 1


ALL = [Nginx, Caddy, HAProxy, Traefik, *([APISIX] if apisix.LUA else []), EnvoyHTTP, EnvoyGRPC]
