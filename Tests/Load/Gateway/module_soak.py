"""Load for minutes on nginx and Envoy with the modules: module_soak.py [SECONDS]

Meanwhile keys rotate every few seconds, nginx is reloaded, its process that fetches keys is killed, and the issuer fails in many ways.
Every answer is compared with what it must be, the identity included. At the end, memory, descriptors and threads of nginx's master and of
Envoy must be flat. Prints a line for each check that fails, and at the end `N passed, N failed`.
"""
import itertools
import pathlib
import sys
import threading

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[2]
sys.path += [str(ROOT / "Tests/Gateways"), str(ROOT / "Benchmarks/gateway")]

import envoy_module
import nginx_module
from checking import run
from exchange import Connection
from lab import ModuleLab
from soak_lab import Issuer
from soaking import Soak, checks


class NginxModule(nginx_module.NginxModule):
    """With keys from the faulty issuer, and time to wait for a slow one."""

    wait = "5s"

    def located(self, text):
        keys = f"    assay_keys_url http://127.0.0.1:{self.lab.issuer.port}/jwks;\n"
        return super().located(text).replace("    assay_audiences", keys + "    assay_audiences", 1)


class EnvoyModule(envoy_module.EnvoyModule):
    """The same."""

    def adapted(self, text):
        port = self.lab.issuer.port
        text = super().adapted(text).replace("{cluster: idp}", f'{{url: "http://127.0.0.1:{port}/jwks", cluster: idp}}')
        return envoy_module.plain_cluster(text, "idp", port)


class SoakLab(ModuleLab):
    def begin(self):
        super().begin()
        self.issuer = self.started(Issuer(self.provider))
        self.module = nginx_module.module()
        self.nginx = self.started(NginxModule(self))
        self.module = envoy_module.built(self.folder / "module")
        self.gateway = self.started(EnvoyModule(self))
        self.ports = {one.name: one.port for one in (self.nginx, self.gateway)}

    def connect(self, path):
        return Connection(self.ports[path])


class ModuleSoak(Soak):
    """Both modules at once."""

    paths, unknown = ["nginx-module", "envoy-module"], (401, 503)

    def others(self):
        return [threading.Thread(target=self.disturb_nginx)]

    def processes(self):
        return {"nginx's master": self.lab.nginx.master(), "Envoy": self.lab.gateway.program.process.pid}

    def disturb_nginx(self):
        """A reload, twice, then a killed process that fetches keys: no request fails. A killed worker would cut its requests."""
        for kind in itertools.cycle(["reload", "reload", "kill"]):
            self.wait(4)
            if self.is_over:
                return
            self.note(kind)
            if kind == "reload":
                self.lab.nginx.reload()
                self.reloads += 1
            else:
                self.lab.nginx.kill(self.lab.nginx.helpers())


if __name__ == "__main__":
    SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 600
    run(SoakLab, lambda lab, report: checks(lab, report, ModuleSoak, SECONDS))
