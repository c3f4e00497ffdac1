"""Checks of the module's keys: start, rotation, outage. Each is a function of the lab."""
import base64
import contextlib
import json
import re
import threading
import time
import urllib.request

import running_checks
from documents import Documents
from envoy_configuration import cluster, configuration, listener, module_filter, module_route
from envoy_program import EnvoyProgram
from exchange import ask, bearer
from program import accepts, eventually, free_port


def issuer_port(lab):
    return int(lab.provider.issuer.rpartition(":")[2].strip("/"))


def provider(lab, **more):
    return {"name": "idp", "issuer": lab.provider.issuer, "audiences": ["client-1"], "keys": {"cluster": "idp"}, **more}


def filter_of(lab, **more):
    policies = [{"name": "open", "requires": "nothing"}, {"name": "api", "requires": "idp"}]
    return module_filter({"providers": [provider(lab, **more)], "policies": policies, "policy": "api"})


def text_of(lab, port, extension, **more):
    """A configuration with an open route and one that needs a token."""
    routes = [
        {"match": {"prefix": "/open"}, "direct_response": {"status": 200}, "typed_per_filter_config": module_route({"policy": "open"})},
        {"match": {"prefix": "/"}, "direct_response": {"status": 200}},
    ]
    listeners = [listener("web", port, [filter_of(lab, **more)], routes)]
    return lambda administration: configuration(administration, listeners, [cluster("idp", issuer_port(lab))], extension)


def is_answered(port, status, *fields):
    answer = ask(port, "/", fields)
    return answer and answer.status == status


def the_start_waits_for_required_keys(lab, long):
    token, port = lab.provider.token(), free_port()
    lab.provider.ask("down")
    try:
        with EnvoyProgram(lab, text_of(lab, port, {"holdSeconds": 60})) as envoy:
            eventually(lambda: "assay.provider.idp.fetch_failures" in envoy.stats("assay"), 60, "stats")
            eventually(lambda: envoy.stats("assay")["assay.provider.idp.fetch_failures"] > 0, 60, "a failed fetch")
            assert envoy.administration("/ready")[0] == 503 and not accepts(port), "Envoy listens without keys"
            lab.provider.ask("up")
            eventually(lambda: accepts(port), 60, "the end of the wait")
            assert ask(port, "/", [bearer(token)]).status == 200
    finally:
        lab.provider.ask("up")


def without_keys_the_answer_is_503_with_a_time(lab, long):
    """The holding time is over, or the issuer is optional: a token cannot be judged, and a request that needs none passes."""
    token = lab.provider.token()
    lab.provider.ask("down")
    try:
        for extension, more in (({"holdSeconds": 1}, {}), ({"holdSeconds": 60}, {"required": False})):
            port = free_port()
            with EnvoyProgram(lab, text_of(lab, port, extension, **more), [port]) as envoy:
                answer = ask(port, "/", [bearer(token)])
                assert answer.status == 503 and answer.field("x-assay-code") == "keys_unavailable", answer
                assert 1 <= int(answer.field("retry-after")) <= 60 and not answer.field("www-authenticate"), answer
                assert ask(port, "/open").status == 200 and ask(port, "/").status == 401
                assert envoy.stats("assay")["assay.provider.idp.health"] == 0
                lab.provider.ask("up")
                eventually(lambda: is_answered(port, 200, bearer(token)), 60, "recovery")
                lab.provider.ask("down")
    finally:
        lab.provider.ask("up")


def a_source_of_the_extension_is_fetched_before_a_filter_needs_it(lab, long):
    """A listener that comes later finds the keys; here no listener has them."""
    port = free_port()
    listeners = [listener("web", port, [], [{"match": {"prefix": "/"}, "direct_response": {"status": 200}}])]
    with lab.with_own_provider() as lab:
        source = {"issuer": lab.provider.issuer, "keys": {"cluster": "idp"}}
        for count, required in enumerate((True, False), 1):
            extension = {"providers": [{**source, "required": required}]}
            with EnvoyProgram(lab, lambda admin: configuration(admin, listeners, [cluster("idp", issuer_port(lab))], extension), [port]):
                eventually(lambda: lab.requests() == count, 30, "the fetch of the extension")


def filters_of_one_source_share_its_keys(lab, long):
    ports = [free_port(), free_port(), free_port()]
    routes = [{"match": {"prefix": "/"}, "direct_response": {"status": 200}}]
    with lab.with_own_provider() as lab:
        listeners = [listener(f"web{port}", port, [filter_of(lab)], routes) for port in ports]
        with EnvoyProgram(lab, lambda admin: configuration(admin, listeners, [cluster("idp", issuer_port(lab))], {}), ports):
            assert lab.requests() == 1
            for port in ports:
                assert ask(port, "/", [bearer(lab.provider.token())]).status == 200


def metadata_cannot_make_envoy_ask_another_host(lab, long):
    """An issuer's metadata may name keys elsewhere. Envoy asks there only if `clusters` names the authority."""
    with Documents() as victim, Documents() as issuer:
        issuer.documents["/.well-known/openid-configuration"] = json.dumps({"issuer": issuer.url, "jwks_uri": f"{victim.url}/keys"})
        victim.documents["/keys"] = '{"keys": []}'
        clusters = [cluster("issuer", issuer.port), cluster("victim", victim.port)]
        for keys, is_asked in (
                ({"cluster": "issuer"}, False), ({"cluster": "issuer", "clusters": {f"127.0.0.1:{victim.port}": "victim"}}, True)):
            extension = {"holdSeconds": 1, "providers": [{"issuer": issuer.url, "keys": keys}]}
            with EnvoyProgram(lab, lambda admin: configuration(admin, [], clusters, extension)) as envoy:
                eventually(lambda: "were not fetched" in envoy.program.output(), 60, "a failed fetch")
                assert ("no cluster is configured for" in envoy.program.output()) != is_asked, envoy.program.output()
            assert bool(victim.asked) == is_asked, victim.asked


def tenants_share_a_provider_and_no_key(lab, long):
    """Tenant `red` has the keys of the lab's issuer, tenant `blue` has none, and `green` is not listed."""
    port, issuer, token = free_port(), "https://login.example/{}/v2.0", lab.provider.token
    with Documents() as keys:
        keys.documents["/red"] = urllib.request.urlopen(f"{lab.provider.issuer}/jwks", timeout=30).read().decode()
        keys.documents["/blue"] = '{"keys": []}'
        more = {"issuer": issuer.format("{tenant}"), "tenants": ["red", "blue"], "keys": {"url": keys.url + "/{tenant}", "cluster": "keys"}}
        listeners = [listener("web", port, [filter_of(lab, **more)], [{"match": {"prefix": "/"}, "direct_response": {"status": 200}}])]
        with EnvoyProgram(lab, lambda admin: configuration(admin, listeners, [cluster("keys", keys.port)], {}), [port]) as envoy:
            for tenant, status, code in (("red", 200, None), ("blue", 503, "keys_unavailable"), ("green", 401, "issuer_mismatch")):
                answer = ask(port, "/", [bearer(token(iss=issuer.format(tenant)))])
                assert (answer.status, answer.field("x-assay-code")) == (status, code), (tenant, answer)
            eventually(lambda: envoy.stats("assay")["assay.provider.idp.fetch_failures"] > 0, 60, "a failed fetch")
            assert envoy.stats("assay")["assay.provider.idp.keys"] >= 1
            assert "keys of https://login.example/blue/v2.0 were not fetched" in envoy.program.output(), envoy.program.output()


def the_log_says_why_keys_are_not_fetched(lab, long):
    """The issuer answers, or Envoy does in its place."""
    def answering(*reply, **fields):
        issuer = Documents()
        issuer.answers["/.well-known/openid-configuration"] = lambda handler: handler.reply(*reply, **fields)
        return issuer
    imitating = "upstream connect error or disconnect/reset before headers. reset reason: remote connection failure\nassay: forged\x1b"
    with answering(503) as down, answering(200, "[]") as other, answering(200, "a" * 300_000) as large, \
            answering(200, '{"issuer": "http://another.example/", "jwks_uri": "http://another.example/keys"}') as another, \
            answering(503, imitating) as imitator, slow() as hung:
        clusters = {"down": down.port, "other": other.port, "large": large.port, "another": another.port,
                    "imitator": imitator.port, "hung": hung.port, "refused": free_port()}
        named = [{"issuer": f"http://{name}.example", "keys": {"cluster": name, "timeoutSeconds": 1}} for name in [*clusters, "absent"]]
        with EnvoyProgram(lab, lambda administration: configuration(
                administration, [], [cluster(*pair) for pair in clusters.items()], {"holdSeconds": 60, "providers": named})) as envoy:
            for level, name, reason in [
                ("warning", "down", "the issuer answered 503 for http://down.example/.well-known/openid-configuration"),
                ("warning", "other", "the issuer's metadata is not usable, or names an address that may not be asked"),
                ("warning", "large", "the answer is too large"),
                ("warning", "another", "the metadata names another issuer"),
                ("warning", "imitator", "cluster `imitator` did not connect: remote connection failure?assay: forged?"),
                ("warning", "hung", "cluster `hung` got no answer within 1 s"),
                ("warning", "refused", "cluster `refused` did not connect: remote connection failure"),
                ("warning", "absent", "cluster `absent` is not ready, or does not exist"),
                ("error", "absent", "there is no cluster `absent`"),
            ]:
                line = rf"\[{level}\].* assay: keys of http://{name}\.example were not fetched: {re.escape(reason)}\n"
                eventually(lambda: re.search(line, envoy.program.output()), 60, line)


@contextlib.contextmanager
def slow():
    """An issuer that answers too late."""
    with Documents() as issuer:
        end = threading.Event()
        issuer.answers["/.well-known/openid-configuration"] = lambda handler: end.wait(60)
        try:
            yield issuer
        finally:
            end.set()


def the_log_says_once_that_keys_are_there(lab, long):
    """It says so again after a failure, and not after a fetch that follows a success."""
    port = free_port()
    with lab.with_own_provider() as lab, EnvoyProgram(
            lab, text_of(lab, port, {}), [port], ["--component-log-level", "dynamic_modules:info"]) as envoy:
        def lines():
            return len(re.findall(rf"assay: keys of {lab.provider.issuer} are installed: [1-9]\d*\n", envoy.program.output()))

        assert lines() == 1, envoy.program.output()
        lab.provider.ask("rotate")
        assert ask(port, "/", [bearer(lab.provider.token())]).status == 200
        assert lines() == 1 and lab.requests() == 2, envoy.program.output()
        lab.provider.ask("down")
        lab.provider.ask("rotate")
        ask(port, "/", [bearer(lab.provider.token())])
        eventually(lambda: "the issuer answered 503" in envoy.program.output(), 60, "a failed fetch")
        lab.provider.ask("up")
        eventually(lambda: lines() == 2, 60, "the keys after the failure")


def unknown_key_ids_do_not_flood_the_issuer(lab, long):
    port = free_port()
    with lab.with_own_provider() as lab, EnvoyProgram(lab, text_of(lab, port, {}), [port]):
        before, start = lab.requests(), time.monotonic()
        head, claims, signature = lab.provider.token().split(".")
        for number in range(300):
            header = base64.urlsafe_b64encode(json.dumps({"alg": "ES256", "kid": f"none-{number}"}).encode()).decode().rstrip("=")
            answer = ask(port, "/orders", [bearer(f"{header}.{claims}.{signature}")])
            assert answer.status in (401, 503), (number, answer)
        # Two in any ten seconds are allowed.
        fetched, windows = lab.requests() - before, 1 + (time.monotonic() - start) / 10
        assert fetched <= 2 * windows, f"{fetched} requests for 300 unknown key ids"


def stats_say_what_happened(lab, long):
    port = free_port()
    with EnvoyProgram(lab, text_of(lab, port, {}), [port]) as envoy:
        token = lab.provider.token()
        for _ in range(3):
            assert ask(port, "/", [bearer(token)]).status == 200
        assert ask(port, "/").status == 401 and ask(port, "/open").status == 200
        assert ask(port, "/", [bearer(lab.forged(token))]).status == 401
        eventually(lambda: "P0" in str(envoy.stats("assay")["assay.provider.idp.fetch_milliseconds"]), 60, "the histogram of fetches")
        stats = envoy.stats("assay")
        seen = {name.removeprefix("assay."): value for name, value in stats.items() if isinstance(value, int) and value}
        expected = {"allowed": 3, "anonymous": 1, "refused.missing_token": 1, "refused.signature_invalid": 1, "provider.idp.fetches": 1}
        assert expected.items() <= seen.items(), seen
        assert seen["provider.idp.keys"] >= 1 and seen["provider.idp.health"] == 2, seen


def verdicts_of_a_shadow_are_counted(lab, long):
    port = free_port()
    policies = [{"name": "api", "requires": "idp", "shadow": "strict"}, {"name": "strict", "requires": "idp", "scopes": ["admin"]}]
    settings = {"providers": [provider(lab)], "policies": policies, "policy": "api"}
    listeners = [listener("web", port, [module_filter(settings)], [{"match": {"prefix": "/"}, "direct_response": {"status": 200}}])]
    with EnvoyProgram(lab, lambda admin: configuration(admin, listeners, [cluster("idp", issuer_port(lab))], {}), [port]) as envoy:
        for scope in ("admin", "read", "read"):
            assert ask(port, "/", [bearer(lab.provider.token(scope=scope))]).status == 200
        counts = {"assay.policy.strict.shadow_allowed": 1, "assay.policy.strict.shadow_denied": 2}
        eventually(lambda: counts.items() <= envoy.stats("assay").items(), 60, "the gauges of the shadow")


ALL = [
    the_start_waits_for_required_keys, without_keys_the_answer_is_503_with_a_time,
    a_source_of_the_extension_is_fetched_before_a_filter_needs_it, filters_of_one_source_share_its_keys,
    metadata_cannot_make_envoy_ask_another_host, tenants_share_a_provider_and_no_key, the_log_says_why_keys_are_not_fetched,
    the_log_says_once_that_keys_are_there, stats_say_what_happened, running_checks.keys_rotate_under_load, running_checks.an_outage_of_the_provider_fails_no_request,
    unknown_key_ids_do_not_flood_the_issuer, verdicts_of_a_shadow_are_counted,
]
LONG = [running_checks.a_removed_key_is_refused]
