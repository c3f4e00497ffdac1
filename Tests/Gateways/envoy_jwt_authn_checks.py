"""What jwt_authn documents, row by row, with the module beside it: two listeners of one Envoy get the same request.

Each row has the status of jwt_authn and that of the module. Where they differ, Docs/FromJWTAuthn.md says why.
"""
import base64
import json
import time
import urllib.request

from envoy_configuration import TYPES, cluster, configuration, listener, module_filter, module_route
from envoy_keys_checks import issuer_port
from envoy_program import EnvoyProgram
from exchange import ask, bearer
from program import free_port

SECOND, FETCHED, LIVE = "https://second.example", "https://fetched.example", "https://live.example"
CLAIMS = [("x-sub", "sub"), ("x-tenant", "tenant"), ("x-number", "number"), ("x-flag", "flag"), ("x-roles", "roles")]
PLACES = {"from_headers": [{"name": "x-token", "value_prefix": "Token "}], "from_params": ["jwt"], "from_cookies": ["session"]}

# Requirements by the first segment of a path: of jwt_authn, and of the module's policies.
REQUIREMENTS = {
    "one": ({"provider_name": "api"}, "api"),
    "placed": ({"provider_name": "placed"}, "placed"),
    "hidden": ({"provider_name": "hidden"}, "hidden"),
    "audience": ({"provider_and_audiences": {"provider_name": "api", "audiences": ["special"]}}, "special"),
    "any": ({"requires_any": {"requirements": [{"provider_name": "api"}, {"provider_name": "second"}]}}, {"any": ["api", "second"]}),
    "all": ({"requires_all": {"requirements": [{"provider_name": "api"}, {"provider_name": "placed"}]}}, {"all": ["api", "placed"]}),
    "missing": ({"requires_any": {"requirements": [{"provider_name": "api"}, {"allow_missing": {}}]}}, {"any": ["api", "allow-missing"]}),
    "failed": (
        {"requires_any": {"requirements": [{"provider_name": "api"}, {"allow_missing_or_failed": {}}]}}, {"any": ["api", "allow-failed"]}),
    "fetched": ({"provider_name": "fetched"}, "fetched"),
    "live": ({"provider_name": "live"}, "live"),
    "open": (None, "nothing"),
}


def jwt_authn(issuer, jwks):
    keys = {"local_jwks": {"inline_string": jwks}}
    own = {"issuer": issuer, "audiences": ["client-1"], "forward": True, **keys}
    remote = {"http_uri": {"uri": f"{issuer}/absent", "cluster": "dead", "timeout": "1s"}}
    providers = {
        "api": own | {
            "claim_to_headers": [{"header_name": header, "claim_name": claim} for header, claim in CLAIMS],
            "forward_payload_header": "x-payload", "payload_in_metadata": "payload"},
        "second": own | {"issuer": SECOND}, "placed": own | PLACES, "hidden": own | PLACES | {"forward": False},
        "fetched": {"issuer": FETCHED, "audiences": ["client-1"], "remote_jwks": remote},
        "live": {"issuer": LIVE, "audiences": ["client-1"], "remote_jwks": {
            "http_uri": {"uri": f"{issuer}/jwks", "cluster": "idp", "timeout": "30s"}}},
    }
    rules = [{"match": {"prefix": f"/{name}"}, **({"requires": needed} if needed else {})} for name, (needed, _) in REQUIREMENTS.items()]
    return {"name": "envoy.filters.http.jwt_authn", "typed_config": {
        "@type": f"{TYPES}.extensions.filters.http.jwt_authn.v3.JwtAuthentication", "providers": providers, "rules": rules,
        "bypass_cors_preflight": True, "requirement_map": {"one": {"provider_name": "api"}}}}


def module(issuer, jwks):
    own = {"issuer": issuer, "audiences": ["client-1"], "keys": {"inline": json.loads(jwks)}}
    places = [{"header": "x-token", "prefix": "Token "}, {"query": "jwt"}, {"cookie": "session"}]
    providers = [
        own | {"name": "api", "claims": [{"header": header, "claim": claim} for header, claim in CLAIMS], "payloadHeader": "x-payload",
               "payloadMetadata": "payload"},
        own | {"name": "special", "audiences": ["special"]}, own | {"name": "second", "issuer": SECOND},
        own | {"name": "placed", "tokenFrom": places}, own | {"name": "hidden", "tokenFrom": places, "forwardToken": False},
        own | {"name": "fetched", "issuer": FETCHED, "keys": {"url": f"{issuer}/absent", "cluster": "dead"}, "required": False},
        own | {"name": "live", "issuer": LIVE, "keys": {"url": f"{issuer}/jwks", "cluster": "idp"}},
    ]
    policies = [{"name": name, "requires": needed, "realm": "api"} for name, (_, needed) in REQUIREMENTS.items()]
    return module_filter({
        "providers": providers, "policies": policies, "policy": "one", "metadataNamespace": "envoy.filters.http.jwt_authn",
        "allowPreflight": True, "waitMilliseconds": 5_000})


class Both:
    """One Envoy with both filters, each on a listener."""

    def __init__(self, lab):
        self.lab, self.ports = lab, [free_port(), free_port()]
        issuer = lab.provider.issuer
        jwks = urllib.request.urlopen(f"{issuer}/jwks", timeout=30).read().decode()
        shown = [{"header": {"key": "x-metadata", "value": "%DYNAMIC_METADATA(envoy.filters.http.jwt_authn:payload:sub)%"}}]
        clusters = [cluster("application", lab.upstream_port), cluster("dead", free_port()), cluster("idp", issuer_port(lab))]

        def text(administration):
            theirs = listener("theirs", self.ports[0], [jwt_authn(issuer, jwks)], [
                {"match": {"prefix": "/unknown"}, "route": {"cluster": "application"}, "typed_per_filter_config": {
                    "envoy.filters.http.jwt_authn": {
                        "@type": f"{TYPES}.extensions.filters.http.jwt_authn.v3.PerRouteConfig", "requirement_name": "absent"}}},
                {"match": {"prefix": "/disabled"}, "route": {"cluster": "application"}, "typed_per_filter_config": {
                    "envoy.filters.http.jwt_authn": {
                        "@type": f"{TYPES}.extensions.filters.http.jwt_authn.v3.PerRouteConfig", "disabled": True}}},
                {"match": {"prefix": "/"}, "route": {"cluster": "application"}}], response_headers_to_add=shown)
            routes = [{"match": {"prefix": f"/{name}"}, "route": {"cluster": "application"},
                       "typed_per_filter_config": module_route({"policy": policy})}
                      for name, policy in [*((name, name) for name in REQUIREMENTS), ("unknown", "absent"), ("disabled", "open")]]
            ours = listener("ours", self.ports[1], [module(issuer, jwks)], routes, response_headers_to_add=shown)
            return configuration(administration, [theirs, ours], clusters, {})

        # Each worker has keys of its own in jwt_authn. With one worker it is known which keys a request meets.
        self.envoy = EnvoyProgram(lab, text, self.ports, workers=1)

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.envoy.stop()

    def ask(self, target, *fields, method="GET"):
        return [ask(port, target, fields, method=method) for port in self.ports]


def tokens(lab):
    """The tokens of the rows, by their names."""
    now, make = int(time.time()), lab.provider.token
    valid = make(tenant="one", number=7, flag=True, roles=["a", "b"])
    return {
        "valid": valid, "expired": make(exp=now - 300, iat=now - 600), "just expired": make(exp=now - 30, iat=now - 600),
        "early": make(nbf=now + 300), "other audience": make(aud="client-2"), "special": make(aud="special"),
        "several audiences": make(aud=["client-0", "client-1"]), "other issuer": make(iss="https://evil.example"),
        "second": make(iss=SECOND), "fetched": make(iss=FETCHED), "no issuer": make(iss="urn:assay:no-issuer"), "without issuer": make(iss=None),
        "forged": lab.forged(valid), "no exp": make(exp=None), "junk": "a.b.c", "two parts": "a.b",
        "unsecured": base64.urlsafe_b64encode(b'{"alg":"none"}').decode().rstrip("=") + "." + valid.split(".")[1] + ".",
        "no audience": make(aud=None), "exp as text": make(exp=str(now + 300)), "no subject": make(sub=None),
    }


def rows(token):
    """The behaviour, the target, the fields, and the statuses of jwt_authn and of the module."""
    own = {name: bearer(text) for name, text in token.items()}
    placed = ("X-Token", f"Token {token['valid']}")
    return [
        ("no token", "/one", [], 401, 401), ("a valid token", "/one", [own["valid"]], 200, 200),
        ("the scheme in lower case", "/one", [("Authorization", f"bearer {token['valid']}")], 401, 200),
        ("another scheme", "/one", [("Authorization", f"Basic {token['valid']}")], 401, 401),
        ("expired", "/one", [own["expired"]], 401, 401), ("expired within the leeway", "/one", [own["just expired"]], 200, 200),
        ("not yet valid", "/one", [own["early"]], 401, 401), ("another issuer", "/one", [own["other issuer"]], 401, 401),
        ("the issuer that stands for none", "/one", [own["no issuer"]], 401, 401),
        ("no issuer", "/one", [own["without issuer"]], 401, 401),
        ("another audience", "/one", [own["other audience"]], 403, 401),
        ("one of its audiences", "/one", [own["several audiences"]], 200, 200),
        ("no audience", "/one", [own["no audience"]], 403, 401), ("a forged signature", "/one", [own["forged"]], 401, 401),
        ("an unsecured token", "/one", [own["unsecured"]], 401, 401), ("three parts of junk", "/one", [own["junk"]], 401, 401),
        ("two parts", "/one", [own["two parts"]], 401, 401), ("no exp", "/one", [own["no exp"]], 200, 401),
        ("exp as a text", "/one", [own["exp as text"]], 401, 401), ("no sub", "/one", [own["no subject"]], 200, 200),
        ("audiences of the requirement", "/audience", [own["special"]], 200, 200),
        ("audiences of the provider only", "/audience", [own["valid"]], 403, 401),
        ("the query that jwt_authn reads by itself", f"/one?access_token={token['valid']}", [], 200, 401),
        ("a configured field", "/placed", [placed], 200, 200),
        ("a configured field without its prefix", "/placed", [("X-Token", "x")], 401, 401),
        ("a configured parameter", f"/placed?jwt={token['valid']}", [], 200, 200),
        ("a configured cookie", "/placed", [("Cookie", f"a=b; session={token['valid']}")], 200, 200),
        ("a place that is not configured", "/placed", [own["valid"]], 401, 401),
        ("equal tokens in two places", f"/placed?jwt={token['valid']}", [placed], 200, 400),
        ("a valid and a forged token", f"/placed?jwt={token['forged']}", [placed], 401, 400),
        ("any: the first", "/any", [own["valid"]], 200, 200), ("any: the second", "/any", [own["second"]], 200, 200),
        ("any: none of them", "/any", [own["other issuer"]], 401, 401), ("any: no token", "/any", [], 401, 401),
        ("all: both", "/all", [own["valid"], placed], 200, 200), ("all: one is missing", "/all", [own["valid"]], 401, 401),
        ("all: one is forged", "/all", [own["forged"], placed], 401, 401),
        ("allow missing: no token", "/missing", [], 200, 200), ("allow missing: a valid token", "/missing", [own["valid"]], 200, 200),
        ("allow missing: a refused token", "/missing", [own["expired"]], 401, 401),
        ("allow failed: no token", "/failed", [], 200, 200), ("allow failed: a refused token", "/failed", [own["expired"]], 200, 200),
        ("no requirement", "/open", [], 200, 200), ("no requirement: a refused token", "/open", [own["expired"]], 200, 200),
        ("a route names an unknown requirement", "/unknown", [own["valid"]], 403, 403),
        ("a route without the filter", "/disabled", [], 200, 200),
        ("keys cannot be fetched", "/fetched", [own["fetched"]], 401, 503),
        ("a path that is encoded twice", "/one/%252e", [own["valid"]], 200, 400),
    ]


def each_documented_behaviour_has_its_status(lab, long):
    with Both(lab) as both:
        seen = rows(tokens(lab))
        wrong = []
        for what, target, fields, theirs, ours in seen:
            answers = [answer.status for answer in both.ask(target, *fields)]
            if answers != [theirs, ours]:
                wrong.append(f"{what}: {answers}, not {[theirs, ours]}")
        assert not wrong, wrong
        return f"{len(seen)} rows, {sum(theirs == ours for *_, theirs, ours in seen)} alike"


def arrived(answer):
    fields = {}
    for name, value in answer.arrived()["fields"]:
        fields.setdefault(name.lower(), []).append(value)
    return fields


def claims_arrive_as_fields(lab, long):
    """Both replace what the client sends. jwt_authn encodes lists as base64 of JSON, the module joins them."""
    with Both(lab) as both:
        evil = [(header, "evil") for header, _ in CLAIMS]
        token = tokens(lab)["valid"]
        theirs, ours = (arrived(answer) for answer in both.ask("/one", bearer(token), *evil))
        for name in ("x-sub", "x-tenant", "x-number", "x-flag"):
            assert theirs[name] == ours[name], (name, theirs[name], ours[name])
        assert json.loads(base64.b64decode(theirs["x-roles"][0] + "===")) == ["a", "b"] and ours["x-roles"] == ["a,b"]
        assert theirs["x-payload"] == ours["x-payload"] == [token.split(".")[1]]
        theirs, ours = (arrived(answer) for answer in both.ask("/one", bearer(lab.provider.token()), *evil))
        assert "x-tenant" not in theirs and "x-tenant" not in ours


def identity_cannot_be_sent_where_no_token_is_needed(lab, long):
    with Both(lab) as both:
        for target in ("/open", "/missing", "/failed", "/disabled"):
            for answer in both.ask(target, ("x-sub", "evil")):
                assert "x-sub" not in arrived(answer), (target, answer)


def a_refused_token_is_passed_on_by_jwt_authn_only(lab, long):
    with Both(lab) as both:
        theirs, ours = (arrived(answer) for answer in both.ask("/failed", bearer(tokens(lab)["expired"])))
        assert "authorization" in theirs and "authorization" not in ours


def a_token_that_is_not_forwarded_is_removed(lab, long):
    with Both(lab) as both:
        token = tokens(lab)["valid"]
        for target, field in (("/hidden", ("X-Token", f"Token {token}")), (f"/hidden?a=1&jwt={token}", ("X", "y"))):
            for answer in both.ask(target, field):
                assert token not in str(answer.arrived()), (target, answer)
        theirs, ours = both.ask("/hidden", ("Cookie", f"a=1; session={token}"))
        assert token in str(theirs.arrived()) and token not in str(ours.arrived()), "a cookie"


def metadata_is_in_the_same_place(lab, long):
    with Both(lab) as both:
        assert [answer.field("x-metadata") for answer in both.ask("/one", bearer(tokens(lab)["valid"]))] == ["jane", "jane"]


def preflights_pass(lab, long):
    with Both(lab) as both:
        asked = [("Origin", "https://app.example"), ("Access-Control-Request-Method", "GET")]
        assert [answer.status for answer in both.ask("/one", *asked, method="OPTIONS")] == [200, 200]
        assert [answer.status for answer in both.ask("/one", method="OPTIONS")] == [401, 401]
        assert [answer.status for answer in both.ask("/one", *asked)] == [401, 401]


def a_new_key_is_found_by_its_first_token(lab, long):
    """jwt_authn fetches by the clock alone."""
    with Both(lab) as both:
        assert [answer.status for answer in both.ask("/live", bearer(lab.provider.token(iss=LIVE)))] == [200, 200]
        lab.provider.ask("rotate")
        answers = both.ask("/live", bearer(lab.provider.token(iss=LIVE)))
        assert [answer.status for answer in answers] == [401, 200], answers


def challenges(lab, long):
    with Both(lab) as both:
        theirs, ours = (answer.field("www-authenticate") for answer in both.ask("/one", bearer(tokens(lab)["expired"])))
        assert theirs == 'Bearer realm="http://app.example/one", error="invalid_token"', theirs
        assert ours.startswith('Bearer realm="api", error="invalid_token", error_description='), ours
        theirs, ours = (answer.field("www-authenticate") for answer in both.ask("/one"))
        assert theirs == 'Bearer realm="http://app.example/one"' and ours == 'Bearer realm="api"', (theirs, ours)


ALL = [
    each_documented_behaviour_has_its_status, claims_arrive_as_fields, identity_cannot_be_sent_where_no_token_is_needed,
    a_refused_token_is_passed_on_by_jwt_authn_only, a_token_that_is_not_forwarded_is_removed, metadata_is_in_the_same_place,
    preflights_pass, a_new_key_is_found_by_its_first_token, challenges,
]
