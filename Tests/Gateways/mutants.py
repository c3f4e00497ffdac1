"""Breaks one line of a gateway's configuration at a time, and looks whether the checks find it. Usage: mutants.py [GATEWAY…]

Prints what found each mutant, or SURVIVED. It is run by hand, after a change of a configuration or of a check.
"""
import pathlib
import re
import shutil
import signal
import sys
import tempfile

import gateways
import running_checks
from lab import ServiceLab
from run import checks_of

# By gateway and file: a pattern, what stands there instead, and which of its occurrences is meant.
NGINX, CADDY = "nginx-auth-request/nginx.conf", "caddy/Caddyfile"
SERVER, LOCATION = "nginx-auth-request/assay-server.conf", "nginx-auth-request/assay-location.conf"
HAPROXY, LUA = "haproxy/haproxy.cfg", "haproxy/assay.lua"
TRAEFIK, HTTP, GRPC = "traefik/dynamic.yaml", "envoy-ext-authz/envoy-http.yaml", "envoy-ext-authz/envoy-grpc.yaml"
MUTANTS = [
    *[("nginx", LOCATION, pattern, "", 0) for pattern in [
        r"auth_request assay_decision;", r"proxy_set_header X-Auth-Subject .*", r"proxy_set_header X-Auth-Name .*",
        r"proxy_set_header X-Auth-Tenant .*", r"auth_request_set \$assay_tenant .*", r"auth_request_set \$assay_status .*",
        r"auth_request_set \$assay_challenge .*", r"auth_request_set \$assay_retry .*", r"add_header X-Assay-Code .*", r"error_page 403 .*",
        r"proxy_set_header Host .*",
    ]],
    *[("nginx", SERVER, pattern, "", 0) for pattern in [
        r"add_header X-Assay-Code .*", r"add_header WWW-Authenticate .*", r"internal;", r"proxy_buffer_size .*",
        r"proxy_pass_request_body off;", r'proxy_set_header Content-Length "";', r"proxy_set_header X-Original-Method .*",
        r"proxy_set_header X-Original-URI .*", r"proxy_set_header Host .*",
    ]],
    ("nginx", NGINX, r"large_client_header_buffers .*", "", 0), ("nginx", NGINX, r"include assay-location.conf;", "", 0),
    ("nginx", SERVER, r"\$request_uri", "$uri", 0), ("nginx", SERVER, r"X-Original-Method \$request_method", "X-Original-Method GET", 0),
    ("nginx", SERVER, r"X-Original-URI \$request_uri", "X-Original-URI $http_x_original_uri", 0),
    ("nginx", LOCATION, r"Host \$host", "Host $http_host", 0), ("nginx", SERVER, r"return 400", "return 200", 1),
    ("nginx", LOCATION, r"X-Auth-Subject \$assay_subject", "X-Auth-Subject $http_x_auth_subject", 0),
    ("caddy", CADDY, r"request_header -X_\*", "", 0), ("caddy", CADDY, r"forward_auth 127.0.0.1:9192 \{[^}]*\}", "", 0),
    ("caddy", CADDY, r" X-Auth-Tenant", "", 0), ("caddy", CADDY, r"copy_headers .*", "", 0), ("caddy", CADDY, r"uri /", "uri /public", 0),
    ("caddy", CADDY, r"request_header @other_upgrade -Upgrade", "", 0), ("caddy", CADDY, r"keepalive off", "", 0),
    ("haproxy", HAPROXY, r"http-request del-header upgrade.*", "", 0),
    ("haproxy", LUA, r"req_fhdr", "req_hdr", 0), ("haproxy", HAPROXY, r"http-request del-header _.*", "", 0), ("haproxy", HAPROXY, r"http-request lua.assay.*", "", 0),
    ("haproxy", HAPROXY, r"http-request deny deny_status 503.*", "", 0),
    ("haproxy", HAPROXY, r"http-request lua.assay.*\n.*deny_status 503.*", "", 0),
    ("haproxy", LUA, r"txn.http:req_del_header\(name\)", "", 0), ("haproxy", LUA, r'values\[0\] ~= ""', "false", 0),
    ("haproxy", LUA, r"txn.sf:method\(\)", '"GET"', 0), ("haproxy", LUA, r"txn.sf:pathq\(\)", "txn.sf:path()", 0),
    ("haproxy", LUA, r"txn.sf:pathq\(\)", '"/public"', 0), ("haproxy", LUA, r"fields\[\"x-forwarded-uri\"\] = .*", "", 0),
    ("haproxy", LUA, r"fields\[\"x-forwarded-method\"\] = .*", "", 0), ("haproxy", LUA, r"fields\[\"x-forwarded-host\"\] = .*", "", 0),
    ("haproxy", LUA, r"fields\[\"x-forwarded-proto\"\] = .*", "", 0), ("haproxy", LUA, r"for index = 0, #values", "for index = 0, 0", 0),
    ("haproxy", LUA, r"status ~= 200", "status >= 500", 0), ("haproxy", LUA, r'if fields\[name\] then', "if false then", 0),
    ("haproxy", LUA, r"for _, name in ipairs\(not_sent\) .*", "", 0), ("haproxy", LUA, r'"content-length", ', "", 0),
    ("haproxy", LUA, r"        refuse\(.*\n        return", "        refuse(txn, 200, {})", 0),
    ("traefik", TRAEFIK, r", X-Auth-Tenant", "", 0), ("traefik", TRAEFIK, r"X-Auth-Subject, ", "", 0),
    ("traefik", TRAEFIK, r"trustForwardHeader: false", "trustForwardHeader: true", 0),
    *[(gateway, file, pattern, other, 0) for gateway, file in (("envoy-http", HTTP), ("envoy-grpc", GRPC)) for pattern, other in [
        (r"failure_mode_allow: false", "failure_mode_allow: true"), (r"status_on_error: .*", ""), (r"normalize_path: true", ""),
        (r"merge_slashes: true", ""), (r"path_with_escaped_slashes_action: .*", ""), (r"common_http_protocol_options: .*", ""),
        (r"request_trailers_mutations: .*", ""),
        (r"  - name: envoy.filters.http.ext_authz\n(?s:.*?)(?=\s+- name: envoy.filters.http.router)", ""),
    ]],
    ("envoy-http", HTTP, r"allowed_upstream_headers: .*", "", 0), ("envoy-http", HTTP, r"prefix: x-auth-", "exact: x-auth-subject", 0),
    ("envoy-http", HTTP, r"allowed_headers: .*", "", 0), ("envoy-http", HTTP, r"\{exact: www-authenticate\}, ", "", 0),
    ("envoy-http", HTTP, r"\{exact: x-assay-code\}, ", "", 0), ("envoy-grpc", GRPC, r"encode_raw_headers: true", "", 0),
]


def found_by(gateway):
    """The name of the first check that fails; None if all pass."""
    checks = [(function, (gateway,)) for function in checks_of(gateway)]
    checks += [(running_checks.no_keys_is_503_with_a_time, (gateway.lab, False))]
    checks += [(running_checks.a_killed_service_lets_nothing_pass, (gateway.lab, False))]
    for function, arguments in checks:
        try:
            function(*arguments)
        except Exception as failure:
            return f"{function.__name__}: {str(failure)[:100]}"
    return None


def attempt(gateway, file, pattern, other, place, folder):
    """What found a mutant; None if nothing did."""
    gateways.INTEGRATIONS = pathlib.Path(folder) / "integrations"
    shutil.copytree(pathlib.Path(__file__).parents[2] / "integrations", gateways.INTEGRATIONS, dirs_exist_ok=True)
    path = gateways.INTEGRATIONS / file
    text = path.read_text()
    found = list(re.finditer(pattern, text))[place]
    path.write_text(text[:found.start()] + other + text[found.end():])
    try:
        lab = ServiceLab([gateway])
    except AssertionError:
        return "the gateway refuses it"
    try:
        return found_by(lab.gateways[0])
    finally:
        lab.stop()


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    survivors = 0
    for gateway, file, pattern, other, place in MUTANTS:
        if sys.argv[1:] and gateway not in sys.argv[1:]:
            continue
        with tempfile.TemporaryDirectory() as folder:
            found = attempt(gateway, file, pattern, other, place, folder)
        survivors += found is None
        print(f"{'SURVIVED' if found is None else 'found'} {gateway}: {pattern} -> {other!r} ({place}): {found or ''}", flush=True)
    print(f"{survivors} survived")
