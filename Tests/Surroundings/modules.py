"""Programs that are not ours, with our library or a module of ours in them."""
import json
import os
import pathlib
import shutil
import subprocess

from programs import FOLDER, ROOT, TIME, Running
from servers import TokenServer, folder_of_all
from surroundings import ERRORS, FAILED, FALSE_CLOCK, INPUT, LOADER, OUTPUTS
from tasks import Task

from envoy_configuration import configuration, listener, module_filter
from nginx_processes import BINARY, early_log
from program import accepts, eventually, free_port

LIBRARY = ROOT / ".build-lib/assay"


class Missing(Exception):
    """Why a module, or the program for it, is not there."""


class HostTask(Task):
    """A question to a program with our library. `without_keys`: what it says where libcrypto has no algorithms."""

    is_ours, refusals = False, (FAILED, LOADER)

    def __init__(self, *arguments, without_keys=b"", **options):
        super().__init__(*arguments, **options)
        self.without_keys = without_keys


def has_libassay():
    if not (LIBRARY / "libassay.so").exists():
        raise Missing("there is no .build-lib/assay/libassay.so")


def c_host(issuer):
    """The example of the C interface."""
    has_libassay()
    program = str(FOLDER / "verify")
    subprocess.run(["cc", "-Wall", "-Werror", "-I", ROOT / "include", "-o", program, ROOT / "Examples/C/verify.c", "-L", LIBRARY, "-lassay",
                    f"-Wl,-rpath,{LIBRARY}"], check=True)
    asked = [("valid", 0, issuer.token), ("refused", 1, issuer.forged), ("both", 1, issuer.token + issuer.forged)]
    return [HostTask(f"C host, {name}", [issuer.keys, issuer.name, "web", "1700000000"], code, given, program,
                     without_keys=b"keys_unavailable: reply 503") for name, code, given in asked]


def built(script, *arguments, **variables):
    """Builds a module by its script, as the module's own suite does."""
    build = subprocess.run([ROOT / script, *arguments], capture_output=True, text=True, env={**os.environ, **variables})
    assert build.returncode == 0, f"{script}: {build.stderr[-2000:]}"


class Module(TokenServer):
    """A program with a module of ours. It listens on a port of its own in each start."""

    is_ours, refusals = False, (FAILED, LOADER)

    def listening(self, port):
        """The command with a configuration of its own, whose file is the last word."""
        raise NotImplementedError

    def in_foreground(self, command):
        return command

    def begun(self, surrounding="", prefix=(), environment=None):
        port = free_port()
        return Running([*prefix, *map(str, self.in_foreground(self.listening(port)))], environment, port)

    def port(self, running):
        eventually(lambda: running.has_ended() or accepts(running.port), TIME, f"the start of {self.name}")
        return None if running.has_ended() else running.port


NGINX = """\
load_module {module};
{user}worker_processes 1;
error_log stderr warn;
events {{}}
http {{
    access_log off;
    {paths}
    assay_issuer {issuer};
    assay_audiences web;
    assay_keys_file {keys};
    server {{
        listen 127.0.0.1:{port};
        assay on;
        add_header X-Assay-Code $assay_code always;
        root {root};
    }}
}}
"""


class NginxTest(HostTask):
    """nginx writes to whatever has the number of a closed standard error, with our module or without it."""

    streams = (*OUTPUTS, "2>/dev/full", INPUT)


class Nginx(Module):
    """It finds libassay by a variable, as in the module's own suite. With 5 or 6 descriptors, or with one or two threads, it has no worker
    and answers nobody, with our module or without it."""

    name, without_keys = "nginx with the module", b"has no usable key"
    limits = {"descriptors": (3, 4, 8, 10, 12, 16, 24), "threads": (3, 4, 8)}

    def __init__(self, issuer):
        super().__init__(issuer)
        has_libassay()
        if not shutil.which(BINARY):
            raise Missing("nginx is not installed")
        if not pathlib.Path("/usr/share/nginx/src/conf_flags").exists():
            raise Missing("nginx-dev is not installed")
        built("integrations/nginx/build.sh")
        self.root = FOLDER / "www"
        self.root.mkdir()
        (self.root / "orders").write_text("orders\n")

    def listening(self, port):
        folder = folder_of_all()
        paths = " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        file = folder / "nginx.conf"
        file.write_text(NGINX.format(
            module=ROOT / ".build-nginx/ngx_http_assay_module.so", user="user root;\n" if os.geteuid() == 0 else "", paths=paths,
            issuer=self.issuer.name, keys=self.issuer.keys, port=port, root=self.root))
        return ["env", f"LD_LIBRARY_PATH={LIBRARY}", BINARY, *early_log(), "-c", file]

    def in_foreground(self, command):
        return [*command, "-g", f"daemon off; pid {command[-1].parent}/pid;"]

    def tasks(self):
        """The test of a configuration."""
        program, *arguments = [*self.listening(free_port()), "-t", "-g", "pid NEW;"]
        return [NginxTest("nginx -t", arguments, program=program, needs=("libcrypto",), without_keys=self.without_keys)]


class EnvoyValidation(HostTask):
    """Envoy's own memory needs more address space than our programs, and Envoy does not look at its standard output."""

    streams, impossible = (*ERRORS, INPUT), (FALSE_CLOCK,)


class Envoy(Module):
    """It has the keys in its configuration, and its routes answer themselves. Without libcrypto's algorithms it starts, and has no usable
    keys. With less than these limits Envoy ends by a signal, with our module or without it."""

    name, impossible = "Envoy with the module", (FALSE_CLOCK,)
    limits = {"descriptors": (3, 24, 32), "mebibytes": (3_000, 4_000), "threads": (16, 32)}

    def __init__(self, issuer):
        super().__init__(issuer)
        has_libassay()
        self.binary = self.installed()
        self.module = ROOT / ".build-lib/surroundings"
        if not self.is_current():
            built("integrations/envoy/build.sh", self.module, RPATH=str(LIBRARY))

    def is_current(self):
        """Whether the module is younger than what it is built from. The build takes seconds."""
        file = self.module / "libassay_envoy.so"
        sources = [*(ROOT / "integrations/envoy").iterdir(), *(ROOT / "include").iterdir()]
        return file.exists() and file.stat().st_mtime > max(source.stat().st_mtime for source in sources)

    @staticmethod
    def installed():
        environment = [ROOT / "scripts/environment.sh", "python-gateways", ROOT / "Tests/Gateways/requirements.txt"]
        try:
            python = subprocess.run(environment, capture_output=True, text=True, check=True).stdout.strip()
            found = [python, "-c", "import envoy; print(envoy.__file__)"]
            return pathlib.Path(subprocess.run(found, capture_output=True, text=True, check=True).stdout.strip()).parent / "_bin/envoy"
        except subprocess.CalledProcessError as failure:
            raise Missing(f"Envoy is not installed: {failure.stderr.strip()}") from None

    def listening(self, port):
        provider = {"name": "idp", "issuer": self.issuer.name, "audiences": ["web"],
                    "keys": {"inline": json.loads(self.issuer.keys.read_bytes())}}
        settings = {"providers": [provider], "policies": [{"name": "api", "requires": "idp"}], "policy": "api"}
        routes = [{"match": {"prefix": "/"}, "direct_response": {"status": 200}}]
        file = folder_of_all() / "envoy.json"
        file.write_text(configuration(free_port(), [listener("web", port, [module_filter(settings)], routes)], []))
        return ["env", f"ENVOY_DYNAMIC_MODULES_SEARCH_PATH={self.module}", self.binary, "--concurrency", "1", "--disable-hot-restart",
                "-l", "warning", "-c", file]

    def tasks(self):
        """The validation of a configuration."""
        program, *arguments = [*self.listening(free_port()), "--mode", "validate"]
        task = EnvoyValidation("Envoy validates", arguments, program=program, needs=("engine",))
        task.limits = self.limits
        return [task]
