"""The configurations of the gateways that the test starts."""
import json


def service(ports, issuer, folder, stream=None, lists=False):
    """`assay serve`: one that gets events, or that looks at status lists."""
    provider = {"name": "idp", "issuer": issuer, "audiences": ["demo", "mass"]}
    if lists:
        provider["statusLists"] = {}
    settings = {
        "listeners": [{"name": "edge", "profile": "nginx", "tcp": f"127.0.0.1:{ports['edge']}"}],
        "administration": {"tcp": f"127.0.0.1:{ports['administration']}"},
        "providers": [provider],
        "policies": [{"name": "api", "requires": "idp"}],
        "routes": [{"policy": "api"}],
        "transport": {"allowLoopback": True},
        "log": {"access": "none"},
    }
    if stream:
        settings["signals"] = {"log": str(folder / "revocations.log"), "streams": [stream]}
        if "push" in stream:
            settings["signals"]["tcp"] = f"127.0.0.1:{ports['signals']}"
    # JSON is YAML.
    return json.dumps(settings)


def nginx(ports, issuer, folder, module, log):
    """It follows a log of revocations, or looks at status lists where there is none."""
    paths = " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    return f"""
load_module {module};
daemon off;
user root;
worker_processes 2;
pid {folder}/nginx.pid;
error_log {folder}/error.log warn;
events {{ worker_connections 256; }}
http {{
    access_log off;
    {paths}
    large_client_header_buffers 4 16k;
    assay_allow_loopback on;
    assay_wait 20s;
    assay_issuer {issuer};
    assay_audiences demo mass;
    {f'assay_revocation_log {log}' if log else 'assay_status_lists on'};
    server {{ listen 127.0.0.1:{ports['upstream']}; location / {{ return 200 upstream; }} }}
    server {{
        listen 127.0.0.1:{ports['edge']};
        assay on;
        location / {{ proxy_pass http://127.0.0.1:{ports['upstream']}; }}
    }}
}}
"""


def envoy(ports, issuer, idaas_port, log):
    """The same."""
    provider = {"name": "idp", "issuer": issuer, "audiences": ["demo", "mass"], "keys": {"cluster": "idp"}}
    if not log:
        provider["statusLists"] = {}
    struct = "type.googleapis.com/google.protobuf.Struct"
    modules = "type.googleapis.com/envoy.extensions"
    filter_settings = {
        "providers": [provider],
        "policies": [{"name": "api", "requires": "idp"}],
        "policy": "api",
        **({"revocationLog": str(log)} if log else {}),
        "waitMilliseconds": 5000,
    }

    def cluster(name, port):
        address = {"socket_address": {"address": "127.0.0.1", "port_value": port}}
        endpoints = [{"lb_endpoints": [{"endpoint": {"address": address}}]}]
        return {
            "name": name, "type": "STATIC", "connect_timeout": "1s",
            "load_assignment": {"cluster_name": name, "endpoints": endpoints},
        }

    manager = {
        "@type": f"{modules}.filters.network.http_connection_manager.v3.HttpConnectionManager",
        "stat_prefix": "web",
        "route_config": {"virtual_hosts": [
            {"name": "all", "domains": ["*"], "routes": [{"match": {"prefix": "/"}, "route": {"cluster": "application"}}]}]},
        "http_filters": [
            {"name": "assay", "typed_config": {
                "@type": f"{modules}.filters.http.dynamic_modules.v3.DynamicModuleFilter",
                "dynamic_module_config": {"name": "assay_envoy"}, "filter_name": "assay",
                "filter_config": {"@type": struct, "value": filter_settings}}},
            {"name": "router", "typed_config": {"@type": f"{modules}.filters.http.router.v3.Router"}},
        ],
    }
    bootstrap = {
        "@type": f"{modules}.bootstrap.dynamic_modules.v3.DynamicModuleBootstrapExtension",
        "dynamic_module_config": {"name": "assay_envoy"}, "extension_name": "assay",
    }
    listener = {
        "name": "web", "address": {"socket_address": {"address": "127.0.0.1", "port_value": ports["edge"]}},
        "filter_chains": [{"filters": [{"name": "envoy.filters.network.http_connection_manager", "typed_config": manager}]}],
    }
    return json.dumps({
        "bootstrap_extensions": [{"name": "envoy.bootstrap.dynamic_modules", "typed_config": bootstrap}],
        "static_resources": {
            "listeners": [listener], "clusters": [cluster("idp", idaas_port), cluster("application", ports["upstream"])]},
    })
