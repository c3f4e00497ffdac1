"""Browsers, which a policy sends to its page, and programs, which get the challenge. Each check is a function of a gateway."""
from urllib.parse import quote

from exchange import ask
from expectations import passed, refused, stopped

START = "https://login.example/start?return="
NAVIGATES = ("Sec-Fetch-Mode", "navigate")
BROWSERS = (
    [NAVIGATES], [NAVIGATES, ("Sec-Fetch-Dest", "document"), ("Accept", "*/*")],
    [("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")],
)
PROGRAMS = (
    [], [("Accept", "*/*")], [("Accept", "text/html;q=0, */*")], [("Sec-Fetch-Mode", "cors"), ("Accept", "text/html")],
    [("Sec-Fetch-Dest", "image"), ("Accept", "text/html")], [NAVIGATES, ("X-Requested-With", "XMLHttpRequest")],
    [NAVIGATES, ("Authorization", "Basic dTpw")],
)
UPGRADE = [
    ("Accept", "text/html"), ("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"),
    ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
]
HOSTILE = "/pages/a?b=1&return=https://evil.example/&c=%22%0d%0aSet-Cookie:%20x%23&d='()*~;@:{url}&" + "%25" * 20


def returning(target):
    return START + quote(f"http://app.example{target}", safe="")


def sent_away(gateway, target, fields, location, code="missing_token", method="GET"):
    answer = refused(gateway, 302, code, target, fields, method=method)
    assert answer.field("location") == location, (target, fields, answer)
    assert answer.field("www-authenticate") is None and answer.field("x-assay-location") is None, answer
    assert answer.field("cache-control") == "no-store", answer
    assert answer.field("vary") == "Accept, Sec-Fetch-Mode", answer


def challenged(gateway, target, fields, method="GET"):
    answer = refused(gateway, 401, "missing_token", target, fields, method=method)
    assert answer.field("location") is None and (answer.field("www-authenticate") or "").startswith("Bearer"), (fields, answer)


def a_browser_without_a_token_is_sent_to_the_page(gateway):
    for fields in BROWSERS:
        for method in ("GET", "HEAD"):
            sent_away(gateway, "/pages/1?a=b", fields, returning("/pages/1?a=b"), method=method)
    passed(gateway, "/pages", [NAVIGATES, ("Cookie", f"session={gateway.lab.provider.token()}")])


def a_program_gets_the_challenge(gateway):
    for fields in PROGRAMS:
        challenged(gateway, "/pages", fields)
    challenged(gateway, "/pages", [NAVIGATES], method="POST")
    # This policy says nothing about browsers.
    challenged(gateway, "/places", [NAVIGATES])


def a_websocket_is_not_sent_away(gateway):
    """Envoy refuses an upgrade by itself where its file does not permit it."""
    answer = stopped(gateway, "/pages", UPGRADE)
    assert answer is None or answer.status >= 400 and answer.field("location") is None, answer


def a_refused_token_sends_a_browser_away_too(gateway):
    token = gateway.lab.forged(gateway.lab.provider.token())
    sent_away(gateway, "/pages?a=b", [NAVIGATES, ("Cookie", f"session={token}")], returning("/pages?a=b"), "signature_invalid")
    # A token of the query is nothing for the log of another server.
    sent_away(gateway, f"/pages?a=b&access_token={token}", [NAVIGATES], returning("/pages"), "signature_invalid")


def nothing_of_a_client_ends_the_parameter(gateway):
    sent_away(gateway, HOSTILE, [NAVIGATES], returning(HOSTILE))
    sent_away(gateway, "/pages?" + "a" * 4_200, [NAVIGATES], START)


def no_field_of_a_client_chooses_the_page(gateway):
    evil = [(name, "https://evil.example/") for name in ("X-Assay-Location", "Location", "X-Assay-Status", "Referer", "X-Forwarded-Prefix")]
    sent_away(gateway, "/pages", [NAVIGATES, *evil], returning("/pages"))
    challenged(gateway, "/pages", evil)
    challenged(gateway, "/orders", [NAVIGATES, *evil])


def other_refusals_of_browsers_stay(gateway):
    token = gateway.lab.provider.token()
    fields = [NAVIGATES, ("Cookie", f"session={token}"), ("X-Token", token)]
    assert refused(gateway, 400, "several_tokens", "/pages", fields).field("location") is None
    answer = ask(gateway.port, "/pages/%2e%2e/admin", [NAVIGATES])
    assert answer is None or answer.status in (400, 401, 403), answer


ALL = [
    a_browser_without_a_token_is_sent_to_the_page, a_program_gets_the_challenge, a_websocket_is_not_sent_away,
    a_refused_token_sends_a_browser_away_too,
    nothing_of_a_client_ends_the_parameter, no_field_of_a_client_chooses_the_page, other_refusals_of_browsers_stay,
]
