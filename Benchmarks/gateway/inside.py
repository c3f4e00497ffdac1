"""Gateways that verify in their own process: nginx and Envoy with Assay's modules, and Envoy with jwt_authn.

Each answers `/file` itself and passes all other requests on to the application.
"""
import json
import pathlib

import engine
import gateways
import nginx_lua
import stock
from envoy_configuration import TYPES, cluster, configuration, listener, module_filter
from envoy_module import built
from envoy_program import EnvoyProgram
from haproxy_gateway import HAProxyWithin
from nginx_module import module as nginx_module
from program import free_port
from programs import CONFIGURATIONS

FILE = "/file"


class NginxInside(gateways.Nginx):
    """nginx without authorization."""

    name, file, megabytes = "nginx-inside-bare", CONFIGURATIONS / "nginx-inside.conf", None
    metadata = {}

    def adapted(self, text):
        (self.folder / "file").write_text("ok")
        text = text.replace("/srv/files", str(self.folder)).replace("MODULE\n", self.module()).replace("    RULES\n", self.rules())
        return super().adapted(text)

    def module(self):
        return ""

    def rules(self):
        return ""


class NginxModule(NginxInside):
    name, megabytes = "nginx-module", 0

    def __init__(self, place):
        super().__init__(place)
        self.program.tier = lambda: engine.of_log(self.program.output)

    def module(self):
        return f"load_module {nginx_module()};\n"

    def rules(self):
        cache = f"assay_token_cache {self.megabytes}m;" if self.megabytes else ""
        return (
            f"assay on; assay_issuer {stock.ISSUER}; assay_audiences client-1; assay_keys_file {self.lab.keys}/jwks.json; {cache}\n"
            "    assay_header X-Auth-Subject sub; assay_header X-Auth-Name name; assay_header X-Auth-Tenant tenant;\n")


class NginxModuleCached(NginxModule):
    name, megabytes = "nginx-module-cached", 16


class NginxLua(NginxInside):
    """nginx with module assay.nginx for Lua. Tests/Gateways/nginx-lua.sh has nginx's module."""

    name, megabytes = "nginx-lua-inside", 0

    def module(self):
        return nginx_lua.MODULES

    def rules(self):
        (self.folder / "settings.json").write_text(json.dumps(settings(self.lab.keys / "jwks.json")))
        options = f"cache_bytes = {self.megabytes << 20}"
        return nginx_lua.opened(self.folder, options=options) + '    access_by_lua_block { require("assay.nginx").access() }\n'

    def environment(self):
        return {**super().environment(), **nginx_lua.environment()}


class NginxLuaCached(NginxLua):
    name, megabytes = "nginx-lua-inside-cached", 16


CLAIMS = {"x-auth-subject": "sub", "x-auth-name": "name", "x-auth-tenant": "tenant"}


def jwt_authn(jwks, tokens):
    provider = {
        "issuer": stock.ISSUER, "audiences": ["client-1"], "local_jwks": {"filename": jwks}, "forward": True,
        "claim_to_headers": [{"header_name": header, "claim_name": claim} for header, claim in CLAIMS.items()]}
    if tokens:
        provider["jwt_cache_config"] = {"jwt_cache_size": tokens}
    return {"name": "envoy.filters.http.jwt_authn", "typed_config": {
        "@type": f"{TYPES}.extensions.filters.http.jwt_authn.v3.JwtAuthentication", "providers": {"idp": provider},
        "rules": [{"match": {"prefix": "/"}, "requires": {"provider_name": "idp"}}]}}


def settings(jwks):
    provider = {
        "name": "idp", "issuer": stock.ISSUER, "audiences": ["client-1"],
        "keys": {"inline": json.loads(pathlib.Path(jwks).read_text())},
        "claims": [{"header": header, "claim": claim} for header, claim in CLAIMS.items()]}
    return {"providers": [provider], "policies": [{"name": "api", "requires": "idp"}], "policy": "api"}


def module(jwks, megabytes):
    return module_filter(settings(jwks) | {"tokenCache": {"megabytes": megabytes}})


class HAProxyInside(HAProxyWithin):
    """HAProxy with module assay for Lua."""

    name, megabytes = "haproxy-inside", 0

    def __init__(self, place):
        lines = [f"setenv ASSAY_CACHE_MEGABYTES {self.megabytes}"]
        super().__init__(place, self.name, settings(place.keys / "jwks.json"), threads=1, lines=lines)


class HAProxyInsideCached(HAProxyInside):
    name, megabytes = "haproxy-inside-cached", 16


class EnvoyInside:
    """One Envoy with one worker and a listener for each filter: `ports`, by the name of the row."""

    name = "envoy-inside"

    def __init__(self, place):
        jwks = str(place.keys / "jwks.json")
        # jwt_authn counts its cache in tokens: room for more than there are.
        filters = {
            "without authorization": [], "its own jwt_authn": [jwt_authn(jwks, 0)], "its own jwt_authn, cache": [jwt_authn(jwks, 10_000)],
            "Assay's module": [module(jwks, 0)], "Assay's module, cache": [module(jwks, 16)],
        }
        self.ports = {name: free_port() for name in filters}
        routes = [
            {"match": {"path": FILE}, "direct_response": {"status": 200, "body": {"inline_string": "ok"}}},
            {"match": {"prefix": "/"}, "route": {"cluster": "application"}}]
        listeners = [listener(name, self.ports[name], own, routes) for name, own in filters.items()]
        place.module = built(place.folder / "module")
        envoy = EnvoyProgram(
            place, lambda admin: configuration(admin, listeners, [cluster("application", place.upstream_port)]), self.ports.values(),
            # The level at which the module says its tier.
            arguments=["--component-log-level", "dynamic_modules:info"], workers=1)
        self.program = envoy.program
        self.program.tier = lambda: engine.of_log(self.program.output)

    def stop(self):
        self.program.stop()
