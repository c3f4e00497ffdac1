"""Envoy's jwt_authn: a provider with the JWK Set, the issuer, the audiences and the clock skew; exp is required.

The filter has no list of algorithms: the key set says which are meant. So keys of other types than the policy's are left out.
"""

import json
from importlib.util import find_spec
from pathlib import Path

from gateway import Unsupported, serve_by

from frame import BEYOND_JWT, ECDSA, HMAC, RSA

TYPES = "type.googleapis.com/envoy.extensions.filters"
KINDS = {"HS": "oct", "RS": "RSA", "PS": "RSA", "ES": "EC", "Ed": "OKP"}


def provider(case, issuer):
    kinds = {KINDS[name[:2]] for name in case.algorithms}
    keys = {"keys": [key for key in case.keys["keys"] if isinstance(key, dict) and key.get("kty") in kinds]}
    return {"audiences": case.audiences, "clock_skew_seconds": case.leeway, "local_jwks": {"inline_string": json.dumps(keys)},
            "require_expiration": case.policy.get("require_expiration", True)} | ({"issuer": issuer} if issuer else {})


def filters(case):
    providers = {str(place): provider(case, issuer) for place, issuer in enumerate(case.issuers or [None])}
    names = [{"provider_name": name} for name in providers]
    requires = names[0] if len(names) == 1 else {"requires_any": {"requirements": names}}
    return [
        {"name": "jwt_authn", "typed_config": {
            "@type": f"{TYPES}.http.jwt_authn.v3.JwtAuthentication", "providers": providers,
            "rules": [{"match": {"prefix": "/"}, "requires": requires}]}},
        {"name": "router", "typed_config": {"@type": f"{TYPES}.http.router.v3.Router"}}]


def configuration(case, port):
    manager = {
        "@type": f"{TYPES}.network.http_connection_manager.v3.HttpConnectionManager", "stat_prefix": "in", "max_request_headers_kb": 1024,
        "http_filters": filters(case),
        "route_config": {"virtual_hosts": [{"name": "all", "domains": ["*"], "routes": [
            {"match": {"prefix": "/"}, "direct_response": {"status": 200}}]}]}}
    return {"static_resources": {"listeners": [{
        "address": {"socket_address": {"address": "127.0.0.1", "port_value": port}},
        "filter_chains": [{"filters": [{"name": "manager", "typed_config": manager}]}]}]}}


def command(case, folder, port):
    if case.leeway == 0:
        raise Unsupported("a clock skew of 0 stands for the default of 60 seconds")
    (folder / "envoy.json").write_text(json.dumps(configuration(case, port)))
    # The wrapper of the package would read standard input of a terminal; the binary beside it does not.
    binary = Path(find_spec("envoy").origin).parent / "_bin/envoy"
    return [binary, "-c", folder / "envoy.json", "--concurrency", "1", "--base-id", str(port), "-l", "error"]


LACKS = [*BEYOND_JWT, "algorithms", "iat", "required", "payload", "b64"]
serve_by(command, [*HMAC, *RSA, *ECDSA, "EdDSA"], LACKS, ["P-256", "P-384", "P-521", "Ed25519"])
