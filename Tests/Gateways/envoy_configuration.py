"""Configurations of Envoy for tests, as JSON: listeners, routes, clusters, and the module's filter."""
import json

TYPES = "type.googleapis.com/envoy"
STRUCT = "type.googleapis.com/google.protobuf.Struct"


def struct(value):
    return {"@type": STRUCT, "value": value}


def module_filter(value, namespace="assay"):
    return {"name": "assay", "typed_config": {
        "@type": f"{TYPES}.extensions.filters.http.dynamic_modules.v3.DynamicModuleFilter",
        "dynamic_module_config": {"name": "assay_envoy", "metrics_namespace": namespace}, "filter_name": "assay",
        "filter_config": struct(value)}}


def module_route(value):
    """The configuration of the module for one route."""
    return {"assay": {
        "@type": f"{TYPES}.extensions.filters.http.dynamic_modules.v3.DynamicModuleFilterPerRoute",
        "dynamic_module_config": {"name": "assay_envoy"}, "filter_config": struct(value)}}


def bootstrap(value):
    return [{"name": "envoy.bootstrap.dynamic_modules", "typed_config": {
        "@type": f"{TYPES}.extensions.bootstrap.dynamic_modules.v3.DynamicModuleBootstrapExtension",
        "dynamic_module_config": {"name": "assay_envoy"}, "extension_name": "assay", "extension_config": struct(value)}}]


def listener(name, port, filters, routes, **virtual_host):
    router = {"name": "router", "typed_config": {"@type": f"{TYPES}.extensions.filters.http.router.v3.Router"}}
    manager = {
        "@type": f"{TYPES}.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager", "stat_prefix": name,
        "normalize_path": True, "merge_slashes": True, "path_with_escaped_slashes_action": "REJECT_REQUEST",
        "common_http_protocol_options": {"headers_with_underscores_action": "DROP_HEADER"},
        "route_config": {"virtual_hosts": [{"name": "all", "domains": ["*"], "routes": routes, **virtual_host}]},
        "http_filters": [*filters, router],
    }
    return {
        "name": name, "address": {"socket_address": {"address": "127.0.0.1", "port_value": port}},
        "filter_chains": [{"filters": [{"name": "manager", "typed_config": manager}]}]}


def cluster(name, port):
    address = {"socket_address": {"address": "127.0.0.1", "port_value": port}}
    return {"name": name, "type": "STATIC", "connect_timeout": "1s", "load_assignment": {
        "cluster_name": name, "endpoints": [{"lb_endpoints": [{"endpoint": {"address": address}}]}]}}


def configuration(administration, listeners, clusters, extension=None, **more):
    """The text of a whole configuration. `extension` is that of the module's bootstrap extension."""
    whole = {
        "admin": {"address": {"socket_address": {"address": "127.0.0.1", "port_value": administration}}},
        "static_resources": {"listeners": listeners, "clusters": clusters}, **more}
    if extension is not None:
        whole["bootstrap_extensions"] = bootstrap(extension)
    return json.dumps(whole, indent=1)
