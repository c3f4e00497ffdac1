"""Protected resources: their metadata (RFC 9728), and challenges that say which token is needed (RFC 9470). Each check is a function of a
gateway that has /resource, with a scope, and /resource/strong, with an authentication."""
import json
import time

from exchange import ask
from expectations import passed, refused

RESOURCE = "https://app.example/resource"
PATH = "/.well-known/oauth-protected-resource/resource"
NAMED = f'resource_metadata="https://app.example{PATH}"'
CHALLENGE = f'scope="orders.read", {NAMED}'


def bearer(gateway, **claims):
    return [("Authorization", f"Bearer {gateway.lab.provider.token(**{'aud': RESOURCE, **claims})}")]


def challenge(gateway, status, code, target, fields):
    # nginx's page has a realm for all locations.
    return refused(gateway, status, code, target, fields).field("www-authenticate").replace('realm="api", ', "")


def the_metadata_needs_no_token(gateway):
    answer = ask(gateway.port, PATH)
    assert answer.status == 200 and answer.field("content-type") == "application/json", answer
    assert answer.field("access-control-allow-origin") == "*" and answer.field("cache-control") == "max-age=300", answer
    document = json.loads(answer.body)
    assert document == {
        "resource": RESOURCE, "authorization_servers": [gateway.lab.provider.issuer], "scopes_supported": ["orders.read", "orders.write"],
        "bearer_methods_supported": ["header"], "resource_name": "Orders of all"}, document
    assert ask(gateway.port, PATH + "?a=b").status == 200


def the_metadata_is_read_and_nothing_else(gateway):
    whole = ask(gateway.port, PATH)
    head = ask(gateway.port, PATH, method="HEAD")
    assert head.status == 200 and head.field("content-length") == str(len(whole.body)) and not head.body, head
    preflight = ask(gateway.port, PATH, [("Origin", "https://page.example"), ("Access-Control-Request-Method", "GET")], method="OPTIONS")
    assert preflight.status in (200, 204) and preflight.field("access-control-allow-headers") == "*", preflight
    posted = ask(gateway.port, PATH, method="POST", body=b"{}")
    assert posted.status == 405 and posted.field("allow") == "GET, HEAD, OPTIONS", posted


def another_host_has_no_metadata(gateway):
    """A client that got it would send its user to the authorization server of another host."""
    for host in ("evil.example", "app.example.evil.example", "app.example:8443", "app.example:80", "xapp.example"):
        answer = ask(gateway.port, PATH, [("Host", host)])
        assert answer is None or answer.status >= 400 and b"resource_name" not in answer.body, (host, answer)
    for host in ("app.example:443", "APP.example"):
        assert ask(gateway.port, PATH, [("Host", host)]).status == 200, host


def another_path_has_no_metadata(gateway):
    for path in (PATH + "/", PATH + "x", PATH.removesuffix("/resource"), PATH.upper(), PATH + "/strong", PATH + ";a=b"):
        answer = ask(gateway.port, path)
        assert answer is None or answer.status >= 400 and b"resource_name" not in answer.body, (path, answer)
    # Envoy normalises such a path, and nginx does not find it or refuses it.
    for path in (PATH.removesuffix("resource") + "%72esource", PATH.replace("/resource", "//resource"), "/x/.." + PATH, PATH + "/../resource", PATH.replace("/resource", "/%2e/resource")):
        answer = ask(gateway.port, path)
        assert answer is None or answer.status in (200, 301, 307, 400, 401, 403, 404), (path, answer)


def a_challenge_says_which_token_is_needed(gateway):
    assert challenge(gateway, 401, "missing_token", "/resource", []) == f"Bearer {CHALLENGE}"
    other = challenge(gateway, 401, "audience_mismatch", "/resource", bearer(gateway, aud="client-1", scope="orders.read"))
    assert other == f'Bearer error="invalid_token", error_description="the token is for another audience", {CHALLENGE}', other
    lacking = challenge(gateway, 403, "insufficient_scope", "/resource", bearer(gateway, scope="orders.write"))
    assert lacking == f'Bearer error="insufficient_scope", error_description="the token lacks a scope", {CHALLENGE}', lacking
    passed(gateway, "/resource", bearer(gateway, scope="orders.read"))


def a_challenge_says_which_authentication_is_needed(gateway):
    needed = f'acr_values="mfa hardware", max_age="86400", {NAMED}'
    weak = challenge(gateway, 401, "context_class_mismatch", "/resource/strong", bearer(gateway, acr="pwd"))
    assert weak == f'Bearer error="insufficient_user_authentication", error_description="the user did not authenticate in a required way", {needed}', weak
    old = challenge(gateway, 401, "authentication_too_old", "/resource/strong", bearer(gateway, acr="mfa", auth_time=1_000_000_000))
    assert old.endswith(needed) and "too long ago" in old, old
    passed(gateway, "/resource/strong", bearer(gateway, acr="hardware", auth_time=int(time.time())))


CHALLENGES = [a_challenge_says_which_token_is_needed, a_challenge_says_which_authentication_is_needed]
ALL = [
    the_metadata_needs_no_token, the_metadata_is_read_and_nothing_else, another_host_has_no_metadata, another_path_has_no_metadata,
] + CHALLENGES
