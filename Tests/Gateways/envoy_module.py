"""Envoy with the module of integrations/envoy, which is built for the run."""
import os
import pathlib
import subprocess

from gateways import Envoy
from lab import ROOT, ModuleLab
from program import free_port

LIBRARY = pathlib.Path(os.environ.get("ASSAY_LIBRARY", ROOT / ".build-lib/assay"))

# What the attacks need beyond the page's configuration, as in lab.py: a provider with a token in four places, a route that needs none of
# them, and a route for one host.
# A busy machine may need longer than the default time to fetch keys.
PROVIDER = """\
                            - name: places
                              issuer: https://idp.example
                              audiences: [client-1]
                              keys: {cluster: idp}
                              tokenFrom: [{authorization: Bearer}, {cookie: session}, {header: x-token}, {query: access_token}]
                              forwardToken: false
                            - name: resource
                              issuer: https://idp.example
                              keys: {cluster: idp}
"""
POLICY = """\
                            - {name: places, requires: places, realm: places}
                            - {name: maybe, requires: {any: [places, allow-missing]}}
                            - {name: pages, requires: places, browsers: {redirect: "https://login.example/start?return={url}"}}
                            - {name: resource, requires: resource, resource: "https://app.example/resource", scopes: [orders.read]}
                            - name: strong
                              requires: resource
                              resource: https://app.example/resource
                              acrValues: [mfa, hardware]
                              maximumAuthenticationAgeSeconds: 86400
                          resources:
                            - resource: https://app.example/resource
                              displayName: Orders of all
                              scopes: [orders.read, orders.write]
                          waitMilliseconds: 5000
"""
ROUTES = """\
                        - match: {path_separated_prefix: /places}
                          route: {cluster: application}
                          typed_per_filter_config:
                            assay:
                              "@type": type.googleapis.com/envoy.extensions.filters.http.dynamic_modules.v3.DynamicModuleFilterPerRoute
                              dynamic_module_config: {name: assay_envoy}
                              filter_config: {"@type": type.googleapis.com/google.protobuf.Struct, value: {policy: places}}
                        - match: {path_separated_prefix: /maybe}
                          route: {cluster: application}
                          typed_per_filter_config:
                            assay:
                              "@type": type.googleapis.com/envoy.extensions.filters.http.dynamic_modules.v3.DynamicModuleFilterPerRoute
                              dynamic_module_config: {name: assay_envoy}
                              filter_config: {"@type": type.googleapis.com/google.protobuf.Struct, value: {policy: maybe}}
                        - match: {path_separated_prefix: /pages}
                          route: {cluster: application}
                          typed_per_filter_config:
                            assay:
                              "@type": type.googleapis.com/envoy.extensions.filters.http.dynamic_modules.v3.DynamicModuleFilterPerRoute
                              dynamic_module_config: {name: assay_envoy}
                              filter_config: {"@type": type.googleapis.com/google.protobuf.Struct, value: {policy: pages}}
                        - match: {path_separated_prefix: /resource/strong}
                          route: {cluster: application}
                          typed_per_filter_config:
                            assay:
                              "@type": type.googleapis.com/envoy.extensions.filters.http.dynamic_modules.v3.DynamicModuleFilterPerRoute
                              dynamic_module_config: {name: assay_envoy}
                              filter_config: {"@type": type.googleapis.com/google.protobuf.Struct, value: {policy: strong}}
                        - match: {path_separated_prefix: /resource}
                          route: {cluster: application}
                          typed_per_filter_config:
                            assay:
                              "@type": type.googleapis.com/envoy.extensions.filters.http.dynamic_modules.v3.DynamicModuleFilterPerRoute
                              dynamic_module_config: {name: assay_envoy}
                              filter_config: {"@type": type.googleapis.com/google.protobuf.Struct, value: {policy: resource}}
                        - match: {path_separated_prefix: /tenants, headers: [{name: ":authority", string_match: {exact: open.example}}]}
                          route: {cluster: application}
                          typed_per_filter_config: {assay: *open}
"""


def built(folder):
    """The folder of the module, built against the libassay of this run."""
    environment = {**os.environ, "ASSAY_LIBRARY": str(LIBRARY), "RPATH": str(LIBRARY.resolve())}
    subprocess.run([ROOT / "integrations/envoy/build.sh", folder], check=True, stdout=subprocess.DEVNULL, env=environment)
    return folder


def plain_cluster(text, name, port):
    """The configuration with a cluster of this name that asks a port of this machine without TLS."""
    start = text.index(f"    - name: {name}\n      type")
    end = text.index("    - name: ", start + 1)
    return text[:start] + f"""\
    - name: {name}
      type: STATIC
      connect_timeout: 1s
      load_assignment:
        cluster_name: {name}
        endpoints: [{{lb_endpoints: [{{endpoint: {{address: {{socket_address: {{address: 127.0.0.1, port_value: {port}}}}}}}}}]}}]
""" + text[end:]


class EnvoyModule(Envoy):
    name, file = "envoy-module", "envoy/envoy.yaml"

    def adapted(self, text):
        self.administration_port = free_port()
        before = {
            PROVIDER: "                          policies:\n", POLICY: "                          policy: api\n",
            ROUTES: "                        - match: {prefix: /}\n",
        }
        for more, place in before.items():
            assert text.count(place) == 1, place
            text = text.replace(place, more + place)
        issuer = self.lab.provider.issuer
        text = plain_cluster(text.replace("https://idp.example", issuer), "idp", issuer.rpartition(":")[2].strip("/"))
        return f"admin: {{address: {{socket_address: {{address: 127.0.0.1, port_value: {self.administration_port}}}}}}}\n{text}"

    def arguments(self):
        return ["env", f"ENVOY_DYNAMIC_MODULES_SEARCH_PATH={self.lab.module}", *super().arguments()]


class EnvoyLab(ModuleLab):
    """Envoy with the module."""

    kind = EnvoyModule

    def begin(self):
        super().begin()
        self.module = built(self.folder / "module")
        self.gateway = self.started(self.kind(self))
