"""Which token has events that a receiver may act on."""

from .. import envelope
from ..encoding import Members, Raw, dump
from ..suite import ABSENT, NOW
from .suite import (AUDIENCE, FRAMEWORK, ISSUER, KEY, POLICY, REVOKED, SESSION, SET, USER, EventSuite, event_claims, event_token)

RFC7519 = "RFC 7519 section"


def types():
    suite = EventSuite("types", "The type of a token with events.", [KEY.jwk()], POLICY,
                       reference=f"{FRAMEWORK} 4.1.1; {SET} 2.3; RFC 8725 section 3.11")
    suite.ask("type-good", event_token(), "valid", "The type is that of security events.")
    for identifier, value in (("media-type", "application/secevent+jwt"), ("capitals", "SecEvent+JWT")):
        suite.ask(f"type-{identifier}", event_token(typ=value), "valid", f"The type as {value}.", "RFC 7515 section 4.1.9", "should")
    others = ("JWT", "at+jwt", "logout+jwt", "id+jwt", "statuslist+jwt", "secevent", "secevent+cwt", "secevent+jwtx", "sec-event+jwt",
              "text/secevent+jwt", "secevent+jwt ", "secevent jwt", "")
    for number, value in enumerate(others, 1):
        suite.ask(f"type-other-{number}", event_token(typ=value), "type_mismatch", f"The type is {value!r}.")
    suite.ask("type-absent", event_token(typ=ABSENT), "type_mismatch", "There is no type.")
    for identifier, value in (("number", 1), ("null", None), ("array", ["secevent+jwt"])):
        suite.ask(f"type-{identifier}", event_token(typ=value), "invalid_header", f"The type is no string ({identifier}).",
                  "RFC 7515 section 4.1.9")
    login = {"iss": ISSUER, "aud": AUDIENCE, "sub": "user-1", "iat": NOW - 60, "exp": NOW + 3600}
    suite.ask("type-of-id-token", event_token(login, typ="JWT"), "type_mismatch", "An ID token is no event.", f"{SET} 4.1")
    suite.ask("type-of-logout-token", event_token({**login, "jti": "1", "sid": "s", "events": {
        "http://schemas.openid.net/event/backchannel-logout": {}}}, typ="logout+jwt"), "type_mismatch", "A logout token has another type.",
        f"{SET} 4.1")
    suite.ask("type-of-access-token", event_token({**login, "client_id": "c", "jti": "1"}, typ="at+jwt"), "type_mismatch",
              "An access token is no event.", f"{SET} 4.2")
    suite.ask("dressed-id-token", event_token({**login, "jti": "1"}), "invalid", "An ID token under the type of events.", f"{SET} 4.1")
    suite.ask("dressed-id-token-with-events", event_token({**event_claims(), **login}), "unexpected_subject",
              "An ID token with events, under their type.", f"{FRAMEWORK} 4.1.2")
    return suite


def names():
    """Who says it, to whom, and under which name."""
    suite = EventSuite("names", "Issuer, audience, name and transaction of a token with events.", [KEY.jwk()], POLICY,
                       reference=f"{SET} 2.2")
    add_issuers(suite)
    add_audiences(suite)
    for identifier, value in (("uuid", "4d3559ec-67aa-b59d-7c5f-3de6c7c6ce12"), ("space", "a b"), ("256", "x" * 256),
                              ("unicode", "\u4e2d")):
        suite.ask(f"name-{identifier}", event_token(event_claims(jti=value)), "valid",
                  f"The token has a name of another kind ({identifier}).")
    suite.ask("name-absent", event_token(event_claims(jti=ABSENT)), "missing_claim", "The token has no name.")
    suite.ask("name-empty", event_token(event_claims(jti="")), "invalid_text", "The name of the token is empty.", None, "should")
    for identifier, value in (("number", 1), ("null", None), ("array", ["1"]), ("object", {})):
        suite.ask(f"name-{identifier}", event_token(event_claims(jti=value)), "invalid_claim",
                  f"The name of the token is no string ({identifier}).",
                  f"{RFC7519} 4.1.7")
    suite.ask("transaction-absent", event_token(event_claims(txn=ABSENT)), "valid", "The token names no transaction.")
    for identifier, value in (("number", 1), ("null", None), ("array", ["1"])):
        suite.ask(f"transaction-{identifier}", event_token(event_claims(txn=value)), "invalid_text",
                  f"The transaction is no string ({identifier}).", None, "should")
    suite.ask("transaction-empty", event_token(event_claims(txn="")), "invalid_text", "The transaction is empty.", None, "hardening")
    suite.ask("claim-unknown", event_token(event_claims(x={"sub": "user-1"}, sid="s")), "valid", "Claims that are not known are ignored.",
              f"{FRAMEWORK} 4.2.3")
    for name, value in (("iss", "https://attacker.example"), ("aud", "x"), ("jti", "set-2"), ("iat", 1), ("events", {}), ("sub_id", USER)):
        for spelling, written in (("plain", name), ("escaped", Raw(f'"\\u{ord(name[0]):04x}{name[1:]}"'.encode()))):
            suite.ask(f"twice-{name.replace('_', '-')}-{spelling}", event_token(Members([*event_claims().items(), (written, value)])),
                      "duplicate_member", f"The claim {name} is there twice.", f"{RFC7519} 4", "should")
    return suite


def add_issuers(suite):
    for identifier, value in (("slash", f"{ISSUER}/"), ("other", "https://other.example"), ("capital", "https://IDP.example"),
                              ("empty", ""),
                              ("space", f"{ISSUER} "), ("longer", f"{ISSUER}.attacker.example"), ("nul", f"{ISSUER}\0")):
        suite.ask(f"issuer-{identifier}", event_token(event_claims(iss=value)), "issuer_mismatch", f"The issuer is {value!r}.",
                  f"{FRAMEWORK} 4.1.6")
    suite.ask("issuer-absent", event_token(event_claims(iss=ABSENT)), "missing_claim", "The token has no issuer.", f"{FRAMEWORK} 4.1.6")
    for identifier, value in (("number", 1), ("null", None), ("array", [ISSUER])):
        suite.ask(f"issuer-{identifier}", event_token(event_claims(iss=value)), "invalid_claim", f"The issuer is no string ({identifier}).",
                  f"{RFC7519} 4.1.1")


def add_audiences(suite):
    section = f"{FRAMEWORK} 4.1.8; {RFC7519} 4.1.3"
    for identifier, value in (("array", [AUDIENCE]), ("second", ["https://other.example", AUDIENCE]), ("hundred", ["x"] * 99 + [AUDIENCE])):
        suite.ask(f"audience-{identifier}", event_token(event_claims(aud=value)), "valid", f"We are one of the audiences ({identifier}).",
                  section)
    for identifier, value in (("other", "https://other.example"), ("slash", f"{AUDIENCE}/"), ("others", ["a", "b"]), ("none", []),
                              ("empty", ""),
                              ("longer", f"{AUDIENCE}.attacker.example"), ("joined", f"{AUDIENCE} https://other.example")):
        suite.ask(f"audience-{identifier}", event_token(event_claims(aud=value)), "audience_mismatch", f"The audience is {value!r}.",
                  section)
    suite.ask("audience-absent", event_token(event_claims(aud=ABSENT)), "missing_claim", "The token has no audience.", section, "should")
    for identifier, value in (("number", 1), ("null", None), ("object", {AUDIENCE: 1}), ("nested", [[AUDIENCE]]), ("mixed", [AUDIENCE, 1])):
        suite.ask(f"audience-{identifier}", event_token(event_claims(aud=value)), "invalid_claim",
                  f"The audience is neither a string nor strings ({identifier}).", section, "should")


def dates():
    suite = EventSuite("dates", "When a token with events was issued, and until when it counts. It may be an hour old.", [KEY.jwk()],
                       {**POLICY, "maximum_age": 3600}, reference=f"{SET} 2.2")

    def dated(**changes):
        return event_token(event_claims(**changes))
    suite.ask("issued-absent", dated(iat=ABSENT), "missing_claim", "The token does not say when it was issued.")
    for identifier, value in (("string", str(NOW)), ("null", None), ("true", True), ("array", [NOW])):
        suite.ask(f"issued-{identifier}", dated(iat=value), "invalid_claim", f"The date of issue is no number ({identifier}).",
                  f"{RFC7519} 4.1.6")
    suite.ask("issued-milliseconds", dated(iat=NOW * 1000), "invalid", "The date of issue is in milliseconds.", f"{RFC7519} 2", "should")
    suite.ask("issued-fraction", dated(iat=Raw(b"1699999940.5")), "valid", "A date may have a fraction.", f"{RFC7519} 2")
    for seconds, expect, severity in ((0, "valid", "must"), (60, "valid", "should"), (61, "issued_in_future", "should"),
                                      (3600, "issued_in_future", "should"), (10**8, "issued_in_future", "should")):
        suite.ask(f"issued-ahead-{seconds}", dated(iat=NOW + seconds), expect, f"The token was issued {seconds} seconds ahead.",
                  f"{RFC7519} 4.1.6", severity)
    for seconds, expect in ((3599, "valid"), (3659, "valid"), (3660, "too_old"), (7200, "too_old"), (NOW, "too_old")):
        suite.ask(f"issued-ago-{seconds}", dated(iat=NOW - seconds), expect,
                  f"The token was issued {seconds} seconds ago; the leeway is 60.",
                  f"{RFC7519} 4.1.6; {SET} 5.4", "should")
    for identifier, value, expect, severity in (
            ("ahead", NOW + 3600, "valid", "hardening"), ("past", NOW - 3600, "expired", "must"), ("long-past", 1, "expired", "must"),
            ("string", "never", "invalid_claim", "should"), ("null", None, "invalid_claim", "should")):
        suite.ask(f"expiry-{identifier}", dated(exp=value), expect, f"The token has an expiry, as an event should not ({identifier}).",
                  f"{SET} 2.2; {RFC7519} 4.1.4", severity)
    suite.ask("not-before-ahead", dated(nbf=NOW + 3600), "not_yet_valid", "The token is not valid yet.", f"{RFC7519} 4.1.5")
    suite.ask("not-before-past", dated(nbf=NOW - 60), "valid", "The token is valid already.", f"{RFC7519} 4.1.5")
    for identifier, value in (("before", NOW - 3000), ("zero", 0), ("fraction", Raw(b"1699999000.25")), ("same", NOW - 60)):
        suite.ask(f"time-of-event-{identifier}", dated(toe=value), "valid", f"The token says when the event was ({identifier}).")
    return suite


def signatures():
    suite = EventSuite("signatures", "Who signed a token with events, and how.", envelope.JWKS, POLICY, reference="RFC 7515 section 5.2")
    other = event_claims(sub_id={**SESSION, "session": {"format": "opaque", "id": "sid-2"}})
    for identifier, text, why, reference in envelope.good(event_token, event_claims()):
        suite.ask(identifier, text, "valid", why, reference, "should" if identifier == "signed-without-name" else None)
    for identifier, text, code, why, reference, *severity in envelope.attacks(event_token, event_claims(), other, {"typ": "secevent+jwt"}):
        suite.ask(f"attack-{identifier}", text, code, why, reference, *severity)
    return suite


def no_keys():
    suite = EventSuite("keys-not-there", "No keys could be had.", None, POLICY, reference="RFC 7515 section 5.2")
    suite.ask("no-keys", event_token(), "keys_unavailable", "Without keys, nothing can be said, and the event may come again.")
    suite.ask("no-keys-unsecured", event_token(alg="none"), "unsecured_token", "Without keys, an unsigned token is refused for good.")
    return suite


def limits():
    suite = EventSuite("limits", "Tokens with events that are long, deep, or many.", [KEY.jwk()], POLICY, reference="RFC 8725 section 2.4",
                       severity="hardening")
    long = "x" * 1025
    cases = {
        "name": (event_claims(jti=long), "invalid_text"), "transaction": (event_claims(txn=long), "invalid_text"),
        "subject": (event_claims(sub_id={**USER, "sub": long}), "invalid_subject"),
        "opaque": (event_claims(sub_id={"format": "opaque", "id": long}), "invalid_subject"),
        "format": (event_claims(sub_id={"format": long}), "invalid_subject"),
        "event": (event_claims({f"https://example.com/{long}": {}}), "invalid_events"),
        "events-nine": (event_claims({f"https://example.com/{number}": {} for number in range(9)}), "too_many_events"),
        "events-hundred": (event_claims({f"https://example.com/{number}": {} for number in range(100)}), "too_many_events"),
        "depth": (event_claims({REVOKED: {"x": Raw(b"[" * 14 + b"]" * 14)}}), "nesting_too_deep"),
        "members": (event_claims({REVOKED: {str(number): 1 for number in range(257)}}), "too_many_members"),
        "token": (event_claims({REVOKED: {"x": ["x" * 4000] * 4}}), "token_too_large"),
    }
    for identifier, (payload, code) in cases.items():
        suite.ask(f"limit-{identifier}", event_token(payload), code, f"The token is beyond a limit ({identifier}).")
    good = {
        "events-eight": event_claims({f"https://example.com/{number}": {} for number in range(8)}), "name": event_claims(jti="x" * 1024),
        "depth": event_claims({REVOKED: {"x": Raw(b"[" * 13 + b"]" * 13)}}),
    }
    for identifier, payload in good.items():
        suite.ask(f"within-{identifier}", event_token(payload), "valid", f"The token is within a limit ({identifier}).")
    suite.ask("limit-text", "A" * 16385, "token_too_large", "A text of 16,385 octets came in place of a token.")
    return suite


def payloads():
    suite = EventSuite("payloads", "What the payload of a token with events is.", [KEY.jwk()], POLICY, reference=f"{RFC7519} 7.2")
    for identifier, payload in (("array", []), ("string", "x"), ("null", Raw(b"null")), ("array-of-claims", [event_claims()])):
        suite.ask(f"payload-{identifier}", event_token(payload), "invalid", f"The payload is no object ({identifier}).")
    suite.ask("payload-empty", event_token({}), "missing_claim", "The payload has no claim.")
    suite.ask("payload-comment", event_token(dump(event_claims()).replace(b"{", b"{/**/", 1)), "invalid_json", "The payload has a comment.",
              "RFC 8259")
    suite.ask("payload-comma", event_token(dump(event_claims())[:-1] + b",}"), "invalid_json", "The payload has a comma too many.",
              "RFC 8259")
    suite.ask("payload-octets", event_token(dump(event_claims()).replace(b"set-1", b"set-\xff")), "invalid_utf8",
              "The payload is not UTF-8.",
              "RFC 3629 section 4")
    return suite


SUITES = [types, names, dates, payloads, signatures, no_keys, limits]
