"""Checks of what belongs to Envoy's routes: configuration of a route, route cache, retries, internal redirects, metadata.

Each is a function of the lab.
"""
import json

from documents import Documents
from envoy_configuration import cluster, configuration, listener, module_filter, module_route
from envoy_keys_checks import issuer_port, provider
from envoy_program import EnvoyProgram
from exchange import ask, bearer
from program import free_port

POLICIES = [
    {"name": "open", "requires": "nothing"}, {"name": "api", "requires": "idp"},
    {"name": "administration", "requires": "idp", "scopes": ["admin"]},
    {"name": "tried", "requires": "idp", "mode": "dry-run"}, {"name": "optional", "requires": {"any": ["idp", "allow-failed"]}},
]
CLAIMS = [{"header": "x-tenant", "claim": "tenant"}, {"header": "x-roles", "claim": "roles"}]
FIELDS = ("x-tenant", "x-roles", "authorization")


class Application(Documents):
    """Answers every path with the fields that arrived, `/retried` the second time only, and redirects `/redirected/…` to the rest."""

    def __init__(self):
        super().__init__()
        for path in ("/retried", "/orders", "/admin", "/open", "/tried", "/optional", "/tenant", "/"):
            self.answers[path] = self.echo
        for target in ("/admin", "/orders", "/open"):
            self.answers["/redirected" + target] = lambda handler, target=target: handler.reply(302, Location="http://app.example" + target)

    def echo(self, handler):
        times = sum(path == "/retried" for path, _ in self.asked)
        if handler.path == "/retried" and times % 2:
            return handler.reply(503)
        seen = {name.lower(): value for name, value in handler.headers.items() if name.lower() in FIELDS}
        handler.reply(200, json.dumps({"path": handler.path, **seen}))


def route(path, policy=None, match=None, **action):
    found = {"match": match or {"path_separated_prefix": path}, "route": {"cluster": "application", **action}}
    return found | ({"typed_per_filter_config": module_route({"policy": policy})} if policy else {})


REDIRECT = {"internal_redirect_policy": {"redirect_response_codes": [302], "max_internal_redirects": 3}}


class Routed:
    """Envoy with routes for these checks."""

    def __init__(self, lab, routes, settings=(), **virtual_host):
        self.lab, self.port, self.application = lab, free_port(), Application()
        own = provider(lab, claims=CLAIMS, **dict(settings))
        filters = [module_filter({"providers": [own], "policies": POLICIES, "policy": "api"})]
        listeners = [listener("web", self.port, filters, [*routes, route("/open", "open"), route("/admin", "administration"), {
            "match": {"prefix": "/"}, "route": {"cluster": "application", **REDIRECT}}], **virtual_host)]
        clusters = [cluster("idp", issuer_port(lab)), cluster("application", self.application.port)]
        self.envoy = EnvoyProgram(lab, lambda admin: configuration(admin, listeners, clusters, {}), [self.port])

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.envoy.stop()
        self.application.__exit__()

    def ask(self, target, *fields, **claims):
        """Asks with a token that has these claims."""
        return ask(self.port, target, [bearer(self.lab.provider.token(**claims)), *fields])


def the_most_specific_configuration_counts(lab, long):
    with Routed(lab, [route("/a"), route("/b", "open")], typed_per_filter_config=module_route({"policy": "administration"})) as routed:
        assert ask(routed.port, "/a").field("x-assay-code") == "missing_token"
        assert routed.ask("/a").field("x-assay-code") == "insufficient_scope", "the virtual host's policy"
        assert ask(routed.port, "/b").status == 404, "the route's policy: the application was asked"


def a_route_with_an_unknown_policy_is_closed(lab, long):
    with Routed(lab, [route("/a", "unknown")]) as routed:
        answer = routed.ask("/a")
        assert (answer.status, answer.field("x-assay-code")) == (403, "no_policy") and not routed.application.asked, answer


def a_dry_run_counts_and_lets_pass_without_identity(lab, long):
    with Routed(lab, [route("/tried", "tried")]) as routed:
        for fields in ([], [bearer("junk")], [("x-tenant", "evil")]):
            arrived = json.loads(ask(routed.port, "/tried", fields).body)
            assert "x-tenant" not in arrived, arrived
        assert json.loads(routed.ask("/tried", tenant="one").body)["x-tenant"] == "one"
        stats = routed.envoy.stats("assay")
        assert (stats["assay.waived"], stats["assay.allowed"]) == (3, 1), stats


def a_refused_token_reaches_nobody(lab, long):
    with Routed(lab, [route("/optional", "optional")]) as routed:
        for fields in ([bearer("junk")], [bearer(lab.provider.token(aud="other")), ("x-tenant", "evil")]):
            arrived = json.loads(ask(routed.port, "/optional", fields).body)
            assert "authorization" not in arrived and "x-tenant" not in arrived, arrived


def by_tenant(policy=None):
    match = {"prefix": "/tenant", "headers": [{"name": "x-tenant", "string_match": {"exact": "gold"}}]}
    return route(None, policy, match, prefix_rewrite="/orders")


def claims_choose_the_route_if_the_route_cache_is_cleared(lab, long):
    """Without it the route is that of the client's own field, which the claim has then replaced."""
    for clears, arrived in ((True, "/orders"), (False, "/tenant")):
        with Routed(lab, [by_tenant()], {"clearRouteCache": clears}) as routed:
            seen = json.loads(routed.ask("/tenant", tenant="gold").body)
            assert seen["path"] == arrived and seen["x-tenant"] == "gold", (clears, seen)
            seen = json.loads(routed.ask("/tenant", ("x-tenant", "gold"), tenant="lead").body)
            assert seen["x-tenant"] == "lead", seen
            assert (seen["path"] == "/tenant") == clears, (clears, seen)


def the_route_that_claims_choose_is_judged_too(lab, long):
    for more in ({}, {"forwardToken": False}):
        with Routed(lab, [by_tenant("administration")], {"clearRouteCache": True, **more}) as routed:
            assert routed.ask("/tenant", tenant="gold").field("x-assay-code") == "insufficient_scope"
            seen = json.loads(routed.ask("/tenant", tenant="gold", scope="admin").body)
            assert seen["x-tenant"] == "gold" and ("authorization" in seen) == (not more), seen
            assert routed.ask("/tenant", tenant="lead").status == 200


def a_retry_has_the_identity_and_costs_no_decision(lab, long):
    retried = route("/retried", retry_policy={"retry_on": "5xx", "num_retries": 2})
    with Routed(lab, [retried]) as routed:
        seen = json.loads(routed.ask("/retried", ("x-tenant", "evil"), tenant="one").body)
        assert seen["x-tenant"] == "one", seen
        assert [fields.get("x-tenant") for _, fields in routed.application.asked] == ["one", "one"], routed.application.asked
        assert routed.envoy.stats("assay")["assay.allowed"] == 1


def an_internal_redirect_is_judged_by_its_new_route(lab, long):
    with Routed(lab, []) as routed:
        answer = routed.ask("/redirected/admin")
        assert (answer.status, answer.field("x-assay-code")) == (403, "insufficient_scope"), answer
        assert [path for path, _ in routed.application.asked] == ["/redirected/admin"], routed.application.asked
        assert json.loads(routed.ask("/redirected/admin", scope="admin").body)["path"] == "/admin"
        seen = json.loads(routed.ask("/redirected/orders", ("x-tenant", "evil"), tenant="one").body)
        assert seen["path"] == "/orders" and seen["x-tenant"] == "one", seen
        seen = json.loads(routed.ask("/redirected/open", tenant="one").body)
        assert "x-tenant" not in seen, "an open route has no identity"


def a_withheld_token_ends_an_internal_redirect(lab, long):
    """The redirected request is the one that the upstream got, and that had no token."""
    with Routed(lab, [], {"forwardToken": False}) as routed:
        assert routed.ask("/orders").status == 200
        answer = routed.ask("/redirected/orders")
        assert (answer.status, answer.field("x-assay-code")) == (401, "missing_token"), answer


def metadata_has_the_payload(lab, long):
    shown = [{"header": {"key": name, "value": f"%DYNAMIC_METADATA(assay:{path})%"}} for name, path in {
        "x-sub": "payload:sub", "x-scope": "payload:scope", "x-nested": "payload:nested", "x-alg": "header:alg", "x-code": "code",
        "x-exp": "payload:exp"}.items()]
    settings = {"payloadMetadata": "payload", "headerMetadata": "header", "spaceDelimitedClaims": ["scope"]}
    with Routed(lab, [route("/optional", "optional")], settings, response_headers_to_add=shown) as routed:
        nested = {"list": [1, "two", None, True, {"deep": -2.5}], "empty": {}, "text": "\u00fc\0"}
        answer = routed.ask("/optional", scope="read  write", nested=nested, exp=4_102_444_800)
        assert (answer.field("x-sub"), answer.field("x-exp")) == ("jane", "4102444800"), answer
        assert answer.field("x-alg") in ("ES256", "RS256"), answer
        assert json.loads(answer.field("x-scope")) == ["read", "write"], answer
        assert json.loads(answer.field("x-nested").encode("latin-1")) == nested, answer
        answer = ask(routed.port, "/optional", [bearer("junk")])
        assert answer.field("x-code") == "malformed_token" and answer.field("x-sub") in (None, "", "-"), answer


ALL = [
    the_most_specific_configuration_counts, a_route_with_an_unknown_policy_is_closed, a_dry_run_counts_and_lets_pass_without_identity,
    a_refused_token_reaches_nobody, claims_choose_the_route_if_the_route_cache_is_cleared, the_route_that_claims_choose_is_judged_too,
    a_retry_has_the_identity_and_costs_no_decision, an_internal_redirect_is_judged_by_its_new_route,
    a_withheld_token_ends_an_internal_redirect, metadata_has_the_payload,
]
