"""nginx with the module of integrations/nginx, which verifies inside the worker: a gateway without a service beside it."""
import os
import pathlib
import subprocess

import gateways
from lab import ROOT, ModuleLab
from nginx_processes import BINARY, Processes

# What the attacks need beyond the page's configuration: a location with a token in four places, and one that is open for one host.
PLACES = """
        location /places {
            assay_token bearer cookie=session header=X-Token query=access_token;
            assay_realm places;
            proxy_pass http://127.0.0.1:9000;
        }

        location /pages {
            assay_token bearer cookie=session header=X-Token query=access_token;
            assay_login_redirect "https://login.example/start?return={url}";
            proxy_pass http://127.0.0.1:9000;
        }

        location /resource {
            assay_audiences https://app.example/resource;
            assay_protected_resource https://app.example/resource "name=Orders of all" scope=orders.read scope=orders.write;
            assay_scopes orders.read;
            proxy_pass http://127.0.0.1:9000;
        }

        location /resource/strong {
            assay_audiences https://app.example/resource;
            assay_protected_resource https://app.example/resource "name=Orders of all" scope=orders.read scope=orders.write;
            assay_acr_values mfa hardware;
            assay_maximum_authentication_age 1d;
            proxy_pass http://127.0.0.1:9000;
        }

        location /.well-known/oauth-protected-resource {
            assay_serve_resource_metadata;
        }
"""
TENANTS = """
    server {
        listen 127.0.0.1:8080;
        server_name open.example;
        assay on;
        add_header X-Assay-Code $assay_code always;
        proxy_set_header Host $host;
        location / {
            proxy_pass http://127.0.0.1:9000;
        }
        location ~ ^/(tenants|public)(/|$) {
            assay off;
            proxy_pass http://127.0.0.1:9000;
        }
    }
}
"""


def module():
    """The module: the one that the environment names, or the one that integrations/nginx/build.sh makes."""
    built = pathlib.Path(os.environ.get("ASSAY_NGINX_MODULE", ROOT / ".build-nginx/ngx_http_assay_module.so"))
    if "ASSAY_NGINX_MODULE" not in os.environ:
        subprocess.run([ROOT / "integrations/nginx/build.sh"], check=True, stdout=subprocess.DEVNULL)
    return built


class NginxModule(Processes, gateways.Nginx):
    name, file, metadata = "nginx-module", "nginx/nginx.conf", {}
    # A busy machine may need longer than the default time to fetch keys.
    wait = "20s"

    def arguments(self):
        return [BINARY, *super().arguments()[1:]]

    def adapted(self, text):
        text = self.located(super().adapted(text))
        last = "        location /admin {"
        assert text.count(last) == 1 and text.endswith("}\n}\n")
        text = text.replace(last, PLACES.lstrip("\n") + "\n" + last).removesuffix("}\n") + TENANTS
        return text.replace("127.0.0.1:9000", f"127.0.0.1:{self.lab.upstream_port}").replace("127.0.0.1:8080", f"127.0.0.1:{self.port}")

    def located(self, text):
        """The text with this run's module and issuer, and with its time to wait for keys."""
        text = text.replace("modules/ngx_http_assay_module.so", str(self.lab.module))
        text = text.replace("https://idp.example", self.lab.provider.issuer)
        return text.replace("http {\n", f"http {{\n    assay_allow_loopback on;\n    assay_wait {self.wait};\n", 1)


class NginxModuleHTTP2(NginxModule):
    """The same, and clients speak HTTP/2 without TLS."""

    name = "nginx-module-http2"

    def adapted(self, text):
        return super().adapted(text).replace(f"listen 127.0.0.1:{self.port};", f"listen 127.0.0.1:{self.port} http2;")


class NginxLab(ModuleLab):
    """nginx with the module; a second one speaks HTTP/2."""

    kind = NginxModule

    def begin(self):
        super().begin()
        self.module = module()
        self.gateway = self.started(self.kind(self))
        self.http2 = self.started(NginxModuleHTTP2(self))
