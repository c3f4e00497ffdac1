"""Decisions about requests."""

import json
import threading

import pytest

import assay
from assay import Client, Code, Gateway
from assay.gateway import REMOVE_FIELD, SET_FIELD, SET_TARGET
from assay.testing import TestIssuer

LOCAL = Client(addresses=["loopback", "plain_loopback"])


def settings(issuer, **members):
    provider = {
        "name": "main",
        "issuer": issuer.identifier,
        "audiences": ["client-1"],
        "keys": {"inline": json.dumps(issuer.jwks)},
        "claims": [{"header": "X-User", "claim": "sub"}],
        "payloadMetadata": "payload",
        "tokenFrom": [{"authorization": "Bearer"}, {"query": "access_token"}],
        "forwardToken": False,
    }
    policies = [
        {"name": "orders", "requires": "main", "scopes": ["orders"]},
        {"name": "open", "requires": "nothing"},
        {"name": "people", "requires": "main", "browsers": {"redirect": "/login?to={url}"}},
    ]
    return {"providers": [provider], "policies": policies, "policy": "orders", **members}


@pytest.fixture
def issuer():
    return TestIssuer()


@pytest.fixture
def gateway(issuer):
    with Gateway(settings(issuer)) as gateway:
        yield gateway


def ask(gateway, token=None, *fields, target="/a", method="GET", **options):
    fields = [(b"host", b"api.example"), *fields, *([(b"authorization", f"Bearer {token}".encode())] if token else [])]
    return gateway.decide(method, "api.example", target, fields, **options)


def test_a_token_admits_a_request_with_its_claims(gateway, issuer):
    decision = ask(gateway, issuer.token({"scope": "orders"}), (b"x-user", b"somebody"))
    assert decision.is_admitted and decision.status == 200 and decision.name == "ok"
    assert (SET_FIELD, b"x-user", b"user-1") in decision.operations
    assert (REMOVE_FIELD, b"authorization", b"") in decision.operations
    assert decision.providers == ["main"] and decision.policy == "orders" and decision.claims()["sub"] == "user-1"
    assert decision.claims("main")["sub"] == "user-1" and decision.claims("other") is None
    assert repr(decision) == "<assay.Decision: ok>"
    decision = ask(gateway, target="/a?x=1&access_token=" + issuer.token({"scope": "orders"}))
    assert (SET_TARGET, b"", b"/a?x=1") in decision.operations


def test_refusals_say_how_to_reply(gateway, issuer):
    missing = ask(gateway)
    assert (missing.code, missing.status) == (Code.MISSING_TOKEN, 401) and dict(missing.fields())["WWW-Authenticate"].startswith("Bearer")
    lacking = ask(gateway, issuer.token())
    assert (lacking.code, lacking.status) == (Code.INSUFFICIENT_SCOPE, 403) and lacking.claims() is None
    assert ask(gateway, issuer.token(lifetime=-100)).code == Code.EXPIRED
    assert ask(gateway, target="/a/../b", policy="open").code == Code.AMBIGUOUS_PATH
    assert ask(gateway, policy="other").code == Code.NO_POLICY
    assert ask(gateway, "x", (b"authorization", b"Bearer y")).status == 400
    browser = ask(
        gateway,
        None,
        (b"accept", b"text/html"),
        (b"sec-fetch-mode", b"navigate"),
        (b"sec-fetch-dest", b"document"),
        policy="people",
        scheme="https",
    )
    assert browser.status == 401 and browser.location is not None and browser.location.startswith("/login?to=")
    assert "WWW-Authenticate" not in dict(browser.fields())


def test_settings_are_checked_replaced_and_revoked(gateway, issuer):
    token = issuer.token({"scope": "orders"})
    with pytest.raises(assay.SettingsError) as refused:
        Gateway({"providers": [{"name": "x", "issuerr": "y"}]})
    assert "error: " in refused.value.reason
    assert Gateway.check("{") and Gateway.check(settings(issuer)) == []
    with pytest.raises(assay.SettingsError):
        gateway.replace("{")
    assert ask(gateway, token).is_admitted
    gateway.revoke([{"issuer": issuer.identifier, "sub": "user-1"}])
    assert ask(gateway, token).code == Code.REVOKED
    gateway.revoke([])
    gateway.replace(settings(issuer, policy="open"))
    assert ask(gateway).is_admitted
    with pytest.raises(assay.SettingsError):
        gateway.revoke([{"no": "issuer"}])


def test_keys_are_fetched(assay_issuer):
    with Gateway.of_issuer(assay_issuer.identifier, "client-1", client=LOCAL) as gateway:
        assert gateway.wait() and gateway.is_ready
        assert ask(gateway, assay_issuer.token()).claims()["aud"] == "client-1"
        assay_issuer.rotate()
        assert ask(gateway, assay_issuer.token(), may_wait=True).code == Code.AWAITING_KEYS
        assert ask(gateway, assay_issuer.token()).status == 503
        assert "assay_" in gateway.metrics and gateway.status
    optional = Gateway.of_issuer(
        assay_issuer.identifier, ["client-1"], keys=assay_issuer.jwks, is_optional=True, fetches=False, cache_bytes=0
    )
    assert ask(optional).is_admitted and ask(optional, "x.y.z").status == 401
    assert Gateway.of_issuer(
        assay_issuer.identifier,
        "client-1",
        keys=assay_issuer.identifier + "/jwks",
        client=LOCAL,
        scopes=["a"],
        claims=[{"claim": "level", "atLeast": 2}],
    ).wait()


@pytest.mark.parametrize("now", [-1.0, -5.0, float("nan"), float("inf"), float("-inf")])
def test_a_time_that_is_none_is_not_the_systems(gateway, now):
    with pytest.raises(ValueError):
        gateway.decide("GET", "api.example", "/", [], now=now)


def test_one_scope_is_no_list_of_letters(issuer):
    with Gateway.of_issuer(issuer.identifier, "client-1", keys=issuer.jwks, scopes="orders", fetches=False) as gateway:
        fields = [(b"authorization", b"Bearer " + issuer.token({"scope": "orders"}).encode())]
        assert gateway.decide("GET", "api.example", "/", fields).is_admitted


def test_threads_share_a_gateway(gateway, issuer):
    token, failures = issuer.token({"scope": "orders"}), []

    def work():
        for _ in range(300):
            if not ask(gateway, token).is_admitted or ask(gateway).code != Code.MISSING_TOKEN:
                failures.append(1)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for _ in range(20):
        gateway.replace(settings(issuer))
    for thread in threads:
        thread.join()
    assert failures == []


def test_a_closed_gateway_raises(issuer):
    gateway = Gateway(settings(issuer))
    gateway.close()
    gateway.close()
    for use in (
        lambda: ask(gateway),
        lambda: gateway.is_ready,
        lambda: gateway.status,
        lambda: gateway.metrics,
        lambda: gateway.wait(),
        lambda: gateway.replace("{}"),
        lambda: gateway.revoke([]),
    ):
        with pytest.raises(ValueError):
            use()


STRANGE = [
    None,
    5,
    -1,
    2**70,
    "",
    "\0",
    "\ud800",
    b"\xff",
    [],
    [1],
    [(1, 2)],
    [(b"a",)],
    [(b"a", "b")],
    [[b"a", b"b"]],
    [(b"\xff", b"\0")],
    [(b"a", b"b")] * 1025,
    [(b"", b"")],
    [(b"a" * 100_000, b"b" * 100_000)],
    object(),
    float("nan"),
]


def test_strange_requests_are_exceptions_or_refusals(gateway):
    for value in STRANGE:
        for arguments in ((value, "a", "/", []), ("GET", value, "/", []), ("GET", "a", value, []), ("GET", "a", "/", value), (value,) * 4):
            try:
                assert not gateway.decide(*arguments).is_admitted
            except (TypeError, ValueError):
                pass
        for name in ("scheme", "policy", "may_wait", "now"):
            try:
                gateway.decide("GET", "a", "/", [], **{name: value})
            except (TypeError, ValueError):
                pass
        for make in (
            Gateway,
            Gateway.check,
            gateway.replace,
            gateway.revoke,
            lambda value: Gateway({}, folder=value),
            lambda value: Gateway({}, cache_bytes=value),
        ):
            try:
                make(value)
            except (TypeError, ValueError, OverflowError, AttributeError):
                pass
