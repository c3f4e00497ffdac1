"""The rows of `run.sh --inside`: gateways that verify in their own process, beside nginx that asks the service."""
import inside
import programs
import stock
from targets import behind, compared

MANY = [(algorithm, "many") for algorithm in stock.ALGORITHMS]
BOTH = MANY + [(algorithm, "one") for algorithm in stock.ALGORITHMS]


def of_lua(site):
    lua, cached = map(site.start, (inside.NginxLua, inside.NginxLuaCached))
    return [("Assay in Lua", lua.port, lua, None, MANY), ("Assay in Lua, cache", cached.port, cached, None, BOTH)]


def of_haproxy(site, with_lua):
    yield "its own jwt_verify", site.start(programs.HAProxyRS256), None, ["RS256"]
    yield "its own jwt_verify", site.start(programs.HAProxyES256), None, ["ES256"]
    if with_lua:
        yield "Assay in Lua", site.start(inside.HAProxyInside), None, stock.ALGORITHMS
        yield "Assay in Lua, cache", site.start(inside.HAProxyInsideCached), None, stock.ALGORITHMS
    yield "Lua asks Assay's service, Unix socket", site.start(programs.HAProxyUnix), site.service, stock.ALGORITHMS


def all_of(site, with_lua=True):
    envoy = site.start(inside.EnvoyInside)
    bare, module, cached = map(site.start, (inside.NginxInside, inside.NginxModule, inside.NginxModuleCached))
    asking = site.start(programs.NginxUnix)
    of_envoy = [(name, port, envoy, None, BOTH if "cache" in name else MANY) for name, port in envoy.ports.items()][1:]
    of_nginx = [("Assay's module", module.port, module, None, MANY), ("Assay's module, cache", cached.port, cached, None, BOTH)]
    of_nginx += of_lua(site) if with_lua else []
    asks = [("auth_request, Assay's service, Unix socket", asking.port, asking, site.service, MANY)]
    return [
        *compared("Envoy, an answer of its own", (inside.FILE,), (envoy.ports["without authorization"], envoy), of_envoy),
        *compared("Envoy, an application behind it", (), (envoy.ports["without authorization"], envoy), of_envoy),
        *compared("nginx, a file of its own", (inside.FILE,), (bare.port, bare), of_nginx),
        *compared("nginx, an application behind it", (), (bare.port, bare), of_nginx + asks),
        *behind("HAProxy, an application behind it", site.start(programs.HAProxyBare), of_haproxy(site, with_lua)),
    ]
