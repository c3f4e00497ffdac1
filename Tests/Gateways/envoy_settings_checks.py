"""Configurations that the module refuses, each with its message. Each check is a function of the lab.

Envoy only validates them, so nothing is listened on and nothing is fetched.
"""
import copy
import os
import subprocess

from envoy_configuration import cluster, configuration, listener, module_filter, module_route
from envoy_program import binary

KEY = {"kty": "EC", "crv": "P-256", "kid": "a", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
       "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}
GOOD = {
    "providers": [
        {"name": "idp", "issuer": "https://idp.example", "audiences": ["api"], "keys": {"inline": {"keys": [KEY]}}},
        {"name": "second", "issuer": "https://second.example", "audiences": ["api"], "keys": {"inline": {"keys": [KEY]}},
         "tokenFrom": [{"header": "x-second"}]},
    ],
    "policies": [{"name": "api", "requires": "idp"}], "policy": "api",
}
FIRST, POLICY = ("providers", 0), ("policies", 0)
ABSENT = object()

# A setting's place, its value, and the message.
REFUSED = [
    ((*FIRST, "issuerr"), "x", "`providers[1].issuerr`: no such setting; did you mean `issuer`?\n"),
    ((*FIRST, "Audience"), "x", "`providers[1].Audience`: no such setting; did you mean `audiences`?\n"),
    ((*FIRST, "toknes"), "any", "`providers[1].toknes`: no such setting; did you mean `tokens`?\n"),
    ((*FIRST, "remoteJWKS"), "x", "`providers[1].remoteJWKS`: no such setting\n"),
    ((*FIRST, "nm"), "x", "`providers[1].nm`: no such setting\n"),
    ((*FIRST, "audiences" * 20), "x", f"`providers[1].{('audiences' * 20)[:64]}`: no such setting\n"),
    ((*FIRST, "issuer"), ABSENT, "`providers[1].issuer`: is missing"),
    ((*FIRST, "issuer"), 7, "`providers[1].issuer`: a text is expected"),
    ((*FIRST, "name"), "second", "`providers[2].name`: two providers are called `second`"),
    ((*FIRST, "audiences"), ABSENT, "`providers[1].audiences`: is missing; a token for another service would be accepted (`anyAudience`)"),
    ((*FIRST, "anyAudience"), True, "`providers[1].audiences`: is of no use with `anyAudience`"),
    ((*FIRST, "algorithms"), ["RS256", "HS257"], "`providers[1].algorithms`: `HS257` is not an algorithm of signatures"),
    ((*FIRST, "algorithms"), ["none"], "`providers[1].algorithms`: `none` is not an algorithm of signatures"),
    ((*FIRST, "algorithms"), [], "`providers[1].algorithms`: the list is empty"),
    ((*FIRST, "algorithms"), None, "`providers[1].algorithms`: has no value"),
    ((*FIRST, "requiredClaims"), None, "`providers[1].requiredClaims`: has no value"),
    ((*FIRST, "audiences"), None, "`providers[1].audiences`: has no value"),
    ((*FIRST, "leewaySeconds"), 601, "`providers[1].leewaySeconds`: between 0 and 600, not 601"),
    ((*FIRST, "leewaySeconds"), 1.5, "`providers[1].leewaySeconds`: a whole number is expected"),
    ((*FIRST, "forwardToken"), "no", "`providers[1].forwardToken`: `true` or `false` is expected"),
    ((*FIRST, "tokens"), "access", "`providers[1].tokens`: is one of any, access-token, id-token"),
    ((*FIRST, "keys"), {"inline": {"keys": "none"}}, "`providers[1].keys.inline`: a JWK Set, a JWK or PEM is expected"),
    ((*FIRST, "keys"), {"inline": None}, "`providers[1].keys.inline`: has no value"),
    ((*FIRST, "keys"), {"file": "/absent/keys.json"}, "`providers[1].keys.file`: cannot be read: /absent/keys.json"),
    ((*FIRST, "keys"), {"url": "https://idp.example/keys"}, "`providers[1].keys.cluster`: is missing"),
    ((*FIRST, "keys"), {"url": "ftp://idp.example/keys", "cluster": "idp"}, "`providers[1].keys.url`: an https or http URL is expected"),
    ((*FIRST, "keys"), {"url": "https://idp.example/keys", "inline": "b"}, "`providers[1].keys`: only one of `url`, `file`, `spiffeBundle`, `inline` can"),
    ((*FIRST, "keys"), {"inline": {"keys": [KEY]}, "timeoutSeconds": 3}, "`providers[1].keys`: `inline` is not fetched"),
    ((*FIRST, "refresh"), "availability-first", "`providers[1].refresh`: is of no use with `inline` keys, which never change"),
    ((*FIRST, "tokenFrom"), [], "`providers[1].tokenFrom`: at least one place is needed"),
    ((*FIRST, "tokenFrom"), [{"cookie": "a", "query": "b"}], "`providers[1].tokenFrom[1]`: only one of `authorization`, `header`, `cookie`,"),
    ((*FIRST, "tokenFrom"), [{"cookie": "a"}, {"cookie": "a"}], "`providers[1].tokenFrom`: has one place twice"),
    ((*FIRST, "tokenFrom"), [{"header": "authorization"}], "`providers[1].tokenFrom[1].header`: use `authorization: Bearer`"),
    ((*FIRST, "tokenFrom"), [{"header": "host"}], "`providers[1].tokenFrom[1]`: this field belongs to HTTP"),
    ((*FIRST, "claims"), [{"header": "x-forwarded-for", "claim": "sub"}], "`providers[1].claims[1].header`: this field belongs to HTTP"),
    ((*FIRST, "claims"), [{"header": "x_user", "claim": "sub"}], "`providers[1].claims[1].header`: a field's name has letters, digits and hyphens only"),
    ((*FIRST, "claims"), [{"header": "x-a", "claim": "a"}, {"header": "X-A", "claim": "b"}], "`providers[1].claims[2].header`: two claims set `x-a`"),
    ((*FIRST, "claims"), [{"header": "x-a", "claim": "a", "separator": "a"}], "`providers[1].claims[1].arrays`: a separator has 1 to 8 printable ASCII characters"),
    ((*FIRST, "claims"), [{"header": "x-second", "claim": "a"}], "`providers[1].claims[1].header`: tokens come in this field"),
    ((*FIRST, "claims"), [{"header": "x-a", "claim": "/a~2"}], "`providers[1].claims[1].claim`: is no JSON Pointer (RFC 6901)"),
    ((*FIRST, "claims"), ["sub"], "`providers[1].claims[1]`: settings are expected here"),
    ((*FIRST, "claims"), [{"header": "x-a", "claim": "a", "separator": None}], "`providers[1].claims[1].separator`: has no value"),
    ((*FIRST, "padPayload"), True, "`providers[1].padPayload`: is of no use without `payloadHeader`"),
    ((*FIRST, "spaceDelimitedClaims"), ["scope"], "`providers[1].spaceDelimitedClaims`: is of no use without `payloadMetadata`"),
    ((*FIRST, "statusLists"), {"cluster": 1}, "`providers[1].statusLists.cluster`: "),
    ((*FIRST, "statusLists"), {"clusters": {"a": 1}}, "`providers[1].statusLists.clusters`: the name of a cluster is expected for each authority"),
    ((*FIRST, "statusLists"), {"timeoutSeconds": 61}, "`providers[1].statusLists.timeoutSeconds`: between 1 and 60, not 61"),
    ((*FIRST, "statusLists"), {"origin": "https://idp.example"}, "`providers[1].statusLists.origin`: no such setting; did you mean `origins`?\n"),
    ((*FIRST, "statusLists"), {}, "`providers`: status lists are fetched only if this module is among `bootstrap_extensions` too"),
    ((*POLICY, "requires"), "ipd", "`policies[1].requires`: there is no provider `ipd`"),
    ((*POLICY, "requires"), ABSENT, "`policies[1].requires`: is missing; an open route has `requires: nothing`"),
    ((*POLICY, "requires"), {"any": []}, "`policies[1].requires`: the name of a provider, `nothing`, `allow-missing`"),
    ((*POLICY, "requires"), {"all": ["idp", "allow-missing"]}, "`policies[1].requires.all[2]`: allow-missing and allow-failed stand in an any"),
    ((*POLICY, "requires"), {"all": ["idp", "idp"]}, "`policies[1].requires.all[2]`: providers of an all need different sources"),
    ((*POLICY, "requires"), "allow-missing", "`policies[1].requires`: allow-missing and allow-failed stand in an any"),
    ((*POLICY, "requires"), {"none": ["idp"]}, "`policies[1].requires`: the name of a provider, `nothing`, `allow-missing`"),
    ((*POLICY, "requires"), None, "`policies[1].requires`: has no value"),
    ((*POLICY, "scopes"), None, "`policies[1].scopes`: has no value"),
    ((*POLICY, "scopes"), ["a b"], "`policies[1].scopes`: a scope has no spaces"),
    (("policies",), [{"name": "api", "requires": "nothing", "scopes": ["a"]}], "`policies[1].scopes`: scopes need a requirement that no request"),
    ((*POLICY, "realm"), 'a"b', "`policies[1].realm`: printable ASCII without quotation marks"),
    ((*POLICY, "browsers"), {"redirect": "//evil.example"}, "`policies[1].browsers.redirect`: an https URL is expected"),
    ((*POLICY, "browsers"), {"redirekt": "/login"}, "`policies[1].browsers.redirekt`: no such setting; did you mean `redirect`?\n"),
    ((*POLICY, "shadow"), "api", "`policies[1].shadow`: leads back to this policy"),
    (("policies",), [], "`policies`: at least one policy is needed"),
    (("policy",), "other", "`policy`: there is no policy `other`"),
    (("policy",), ABSENT, "`policy`: is missing"),
    (("tokenCache",), {"megabytes": -1}, "`tokenCache.megabytes`: between 0 and 4096, not -1"),
    (("tokenCache",), {"megabytes": 0, "maximumAgeSeconds": 60}, "`tokenCache.maximumAgeSeconds`: is of no use with `megabytes: 0`"),
    (("tokenCache",), None, "`tokenCache`: has no value"),
    (("fieldLimits",), {"valueBytes": 100, "totalBytes": 10}, "`fieldLimits.totalBytes`: a limit is positive"),
    (("waitMilliseconds",), 60_000, "`waitMilliseconds`: between 0 and 5000, not 60000"),
    (("paths",), {"strikt": False}, "`paths.strikt`: no such setting; did you mean `strict`?\n"),
]


def changed(place, value):
    """The good configuration with another value at a place."""
    whole = copy.deepcopy(GOOD)
    section = whole
    for step in place[:-1]:
        section = section[step]
    if value is ABSENT:
        del section[place[-1]]
    else:
        section[place[-1]] = value
    return whole


def validated(lab, settings, route=None, extension=None, level="error", envoy=None):
    """The exit code and the output of Envoy's validation; of another Envoy, if it is named."""
    routes = [{"match": {"prefix": "/"}, "direct_response": {"status": 200}}]
    if route is not None:
        routes[0]["typed_per_filter_config"] = module_route(route)
    file = lab.folder / "validated.json"
    listeners = [listener("web", 1, [module_filter(settings)], routes)]
    file.write_text(configuration(1, listeners, [cluster("idp", 1)], extension))
    result = subprocess.run(
        [envoy or binary(), "--mode", "validate", "-c", file, "-l", level], capture_output=True, text=True, timeout=60,
        env={**os.environ, "ENVOY_DYNAMIC_MODULES_SEARCH_PATH": str(lab.module)})
    return result.returncode, result.stdout + result.stderr


def a_good_configuration_is_taken_by_the_envoy_that_it_is_for(lab, long):
    code, output = validated(lab, GOOD, {"policy": "api"}, {"holdSeconds": 5}, "info")
    assert code == 0, output
    assert "Dynamic module ABI version v0.2.0 matched" in output, output
    code, output = validated(lab, changed(("tokenCache",), {"megabytes": 0}))
    assert code == 0, output


def nonsense_is_refused_with_the_path_of_its_setting(lab, long):
    for place, value, message in REFUSED:
        code, output = validated(lab, changed(place, value))
        assert code == 1 and f"assay: {message}" in output, (place, value, message, output[-1500:])
    return f"{len(REFUSED)} configurations"


def routes_and_the_extension_are_read_as_strictly(lab, long):
    remote = changed((*FIRST, "keys"), {"cluster": "idp"})
    often = copy.deepcopy(remote)
    often["providers"][0]["refresh"] = "often"
    for settings, route, extension, message in [
        (GOOD, {}, None, "assay: in the configuration of a route: `policy`: is missing"),
        (GOOD, {"policy": "api", "requires": "idp"}, None, "assay: in the configuration of a route: `requires`: no such setting"),
        (often, None, {},
         "`providers[1].refresh`: is one of availability-first, revocation-first"),
        (GOOD, None, {"holdSeconds": "long"}, "assay: in the bootstrap extension: `holdSeconds`: a whole number is expected"),
        (GOOD, {"policy": None}, None, "assay: in the configuration of a route: `policy`: has no value"),
        (GOOD, None, {"holdSeconds": None}, "assay: in the bootstrap extension: `holdSeconds`: has no value"),
        (GOOD, None, {"providers": [{"issuer": "https://idp.example"}]},
         "assay: in the bootstrap extension: `providers[1].keys.cluster`: is missing"),
        (remote, None, None, "assay: `providers`: keys are fetched only if this module is among `bootstrap_extensions` too"),
    ]:
        code, output = validated(lab, settings, route, extension)
        assert code == 1 and message in output, (message, output[-1500:])


def validation_knows_neither_policies_of_routes_nor_clusters(lab, long):
    """Envoy reads them separately, so a name that nothing has shows only when Envoy runs, as the page says."""
    remote = changed((*FIRST, "keys"), {"cluster": "ipd"})
    for settings, route, extension in [(GOOD, {"policy": "opne"}, None), (remote, None, {})]:
        code, output = validated(lab, settings, route, extension)
        assert code == 0, output


ALL = [
    a_good_configuration_is_taken_by_the_envoy_that_it_is_for, nonsense_is_refused_with_the_path_of_its_setting,
    routes_and_the_extension_are_read_as_strictly, validation_knows_neither_policies_of_routes_nor_clusters,
]
