"""What events and subjects look like."""

from ..encoding import Members, Raw, dump
from ..suite import ABSENT, NOW
from .suite import (CAEP, CAEP_1, CHANGED, FRAMEWORK, ISSUER, KEY, POLICY, REVOKED, RISC, SESSION, SET, SSF, STREAM, SUBJECTS, UPDATED,
                    USER,
                    VERIFICATION, EventSuite, event_claims, event_token)

OPAQUE = {"format": "opaque", "id": "sid-1"}


def events():
    suite = EventSuite("content", "The claim events, and what is in an event.", [KEY.jwk()], POLICY, reference=f"{SET} 2.2")

    def ask(identifier, value, *rest, subject=SESSION):
        suite.ask(identifier, event_token(event_claims(value, sub_id=subject)), *rest)
    add_shapes(suite, ask)
    add_revocations(ask)
    add_changes(ask)
    add_streams(ask)
    add_others(ask)
    return suite


def add_shapes(suite, ask):
    suite.ask("events-absent", event_token(event_claims(events=ABSENT)), "missing_events", "The token has no claim events.")
    suite.ask("events-capital", event_token(event_claims(events=ABSENT, Events={REVOKED: {}})), "missing_events",
              "The claim has another name: capitals count.")
    suite.ask("events-singular", event_token(event_claims(events=ABSENT, event={REVOKED: {}})), "missing_events",
              "The claim has another name.")
    shapes = {"null": Raw(b"null"), "array": [{REVOKED: {}}], "names": [REVOKED], "string": REVOKED, "number": 1, "true": True,
              "text-of-json": dump({REVOKED: {}}).decode()}
    for identifier, value in shapes.items():
        ask(f"events-{identifier}", value, "invalid_events", f"The claim events is no object ({identifier}).")
    ask("events-empty", {}, "invalid_events", "The token has no event.", None, "should")
    for identifier, value in (("null", None), ("true", True), ("number", 1), ("string", "x"), ("array", [])):
        ask(f"event-{identifier}", {REVOKED: value}, "invalid_events", f"The event is no object ({identifier}).")
        ask(f"unknown-event-{identifier}", {"https://example.com/x": value}, "invalid_events",
            f"An unknown event is no object ({identifier}).")
        ask(f"second-event-{identifier}", {REVOKED: {}, "https://example.com/x": value}, "invalid_events",
            f"The second event is no object ({identifier}).")
    ask("event-without-name", {"": {}}, "invalid_events", "The name of the event is empty.")
    for spelling, name in (("plain", REVOKED), ("escaped", Raw(dump(REVOKED).replace(b"/", b"\\/")))):
        ask(f"event-twice-{spelling}", Members([(REVOKED, {}), (name, {"event_timestamp": NOW})]), "duplicate_member",
            "The same event is there twice.")
    ask("event-escaped-name", Members([(Raw(dump(REVOKED).replace(b"/", b"\\/")), {})]), "valid",
        "The name of the event has escapes of JSON.",
        "RFC 8259 section 8.3")


def add_revocations(ask):
    section = f"{CAEP_1} 3.1"
    ask("session-revoked-empty", {REVOKED: {}}, "valid", "A session has ended.", section)
    more = {"event_timestamp": NOW - 70, "initiating_entity": "policy", "reason_admin": {"en": "Landed"}, "reason_user": {"en": "Landed"}}
    ask("session-revoked-reasons", {REVOKED: more}, "valid", "A session has ended, for reasons.", f"{CAEP_1} 2")
    ask("session-revoked-unknown", {REVOKED: {"x": {"format": 1}}}, "valid", "Members that are not known are ignored.",
        f"{FRAMEWORK} 4.2.3")
    ask("session-revoked-no-subject", {REVOKED: {}}, "missing_subject", "Nothing says whose session has ended.", f"{FRAMEWORK} 3.1",
        subject=ABSENT)
    ask("session-revoked-subject-within", {REVOKED: {"subject": SESSION}}, "missing_subject",
        "The subject is within the event alone, as in older drafts.", f"{FRAMEWORK} 3.1.1", subject=ABSENT)
    ask("session-revoked-subject-both", {REVOKED: {"subject": SESSION}}, "valid", "The subject is also within the event.",
        f"{FRAMEWORK} 3.1.1")
    for identifier, text in (("zero", "0"), ("now", str(NOW)), ("fraction", "1699999930.25"), ("ahead", str(NOW + 10**6)),
                             ("last", "253402300799"), ("exponent", "1.69999993e9")):
        ask(f"timestamp-{identifier}", {REVOKED: {"event_timestamp": Raw(text.encode())}}, "valid", f"The time of the event is {text}.",
            f"{CAEP_1} 2")
    for identifier, value in (("string", str(NOW)), ("text", "2023-11-14T22:13:20Z"), ("null", None), ("true", True), ("array", [NOW]),
                              ("object", {})):
        ask(f"timestamp-{identifier}", {REVOKED: {"event_timestamp": value}}, "invalid_event",
            f"The time of the event is no number ({identifier}).",
            f"{CAEP_1} 2")
    for identifier, text in (("milliseconds", str(NOW * 1000)), ("microseconds", str(NOW * 10**6)), ("infinite", "1e999")):
        ask(f"timestamp-{identifier}", {REVOKED: {"event_timestamp": Raw(text.encode())}}, "invalid_event",
            f"The time of the event is beyond the year 9999 ({identifier}).", f"{CAEP_1} 2", "hardening")
    ask("timestamp-twice", {REVOKED: Members([("event_timestamp", 1), ("event_timestamp", NOW)])}, "duplicate_member",
        "The time of the event is there twice.", "RFC 7519 section 4", "should")


def add_changes(ask):
    section = f"{CAEP_1} 3.3"

    def change(**members):
        base = {"credential_type": "password", "change_type": "update", "event_timestamp": NOW - 70}
        return {CHANGED: {name: value for name, value in {**base, **members}.items() if value is not ABSENT}}
    for kind in ("password", "pin", "x509", "fido2-platform", "fido2-roaming", "fido-u2f", "verifiable-credential", "phone-voice",
                 "phone-sms",
                 "app"):
        ask(f"credential-{kind}", change(credential_type=kind), "valid", f"A credential was changed: {kind}.", section)
    ask("credential-own", change(credential_type="https://example.com/badge"), "valid",
        "A credential of a kind that two parties agreed on.",
        section)
    for kind in ("create", "revoke", "update", "delete"):
        ask(f"change-{kind}", change(change_type=kind), "valid", f"A credential was changed: {kind}.", section)
    ask("credential-details", change(friendly_name="Key", x509_issuer="CN=x", x509_serial="1", fido2_aaguid="x"), "valid",
        "A credential was changed, with details.", section)
    for name in ("credential_type", "change_type"):
        identifier = name.replace("_", "-")
        ask(f"{identifier}-absent", change(**{name: ABSENT}), "invalid_event", f"The event lacks {name}.", section)
        for what, value in (("null", None), ("number", 1), ("array", ["update"]), ("object", {}), ("true", True)):
            ask(f"{identifier}-{what}", change(**{name: value}), "invalid_event", f"The member {name} is no string ({what}).", section)
        ask(f"{identifier}-empty", change(**{name: ""}), "invalid_event", f"The member {name} is empty.", section, "should")
    ask("credential-change-no-subject", change(), "missing_subject", "Nothing says whose credential was changed.", f"{FRAMEWORK} 3.1",
        subject=ABSENT)
    ask("credential-timestamp-string", change(event_timestamp="now"), "invalid_event", "The time of the event is no number.", f"{CAEP_1} 2")


def add_streams(ask):
    section = f"{FRAMEWORK} 8.1.4.1"
    ask("verification", {VERIFICATION: {"state": "VGhpcw=="}}, "valid", "The stream is verified, with a state.", section, subject=STREAM)
    ask("verification-no-state", {VERIFICATION: {}}, "valid", "The stream is verified, without a state.", section, subject=STREAM)
    for what, value in (("null", None), ("number", 1), ("array", ["x"]), ("object", {})):
        ask(f"verification-state-{what}", {VERIFICATION: {"state": value}}, "invalid_event", f"The state is no string ({what}).", section,
            "should",
            subject=STREAM)
    section = f"{FRAMEWORK} 8.1.5"
    for status in ("enabled", "paused", "disabled"):
        ask(f"stream-{status}", {UPDATED: {"status": status}}, "valid", f"The stream is {status}.", section, subject=STREAM)
    ask("stream-reason", {UPDATED: {"status": "paused", "reason": "Internal error"}}, "valid", "The stream is paused, for a reason.",
        section,
        subject=STREAM)
    ask("stream-no-status", {UPDATED: {}}, "invalid_event", "The event lacks status.", section, subject=STREAM)
    for what, value in (("null", None), ("number", 1), ("array", ["paused"]), ("empty", "")):
        ask(f"stream-status-{what}", {UPDATED: {"status": value}}, "invalid_event", f"The status is no name ({what}).", section,
            subject=STREAM)


def add_others(ask):
    unknown = {"risc": f"{RISC}account-disabled", "claims": f"{CAEP}token-claims-change", "level": f"{CAEP}assurance-level-change",
               "longer": f"{REVOKED}-x", "shorter": REVOKED[:-1], "http": REVOKED.replace("https", "http"), "capital": REVOKED.upper(),
               "slash": f"{REVOKED}/", "urn": "urn:example:event", "framework": f"{SSF}session-revoked",
               "logout": "http://schemas.openid.net/event/backchannel-logout"}
    for identifier, name in unknown.items():
        ask(f"unknown-{identifier}", {name: {"event_timestamp": "x"}}, "valid",
            f"The event {name!r} is not known, and its members are its own.",
            f"{FRAMEWORK} 4.2.3")
    ask("unknown-no-subject", {"urn:example:event": {}}, "valid", "An unknown event without a subject.", f"{SET} 2.2", "should",
        subject=ABSENT)
    ask("two", {REVOKED: {}, "https://example.com/session-ended": {}}, "valid", "Two names of one event.", f"{FRAMEWORK} 4.2.1")
    ask("two-other-order", {"https://example.com/session-ended": {}, REVOKED: {}}, "valid", "Two names of one event, ours last.",
        f"{FRAMEWORK} 4.2.1")
    ask("two-second-broken", {"https://example.com/x": {}, REVOKED: {"event_timestamp": "x"}}, "invalid_event",
        "The second event is broken.",
        f"{CAEP_1} 2")
    ask("two-no-subject", {VERIFICATION: {}, REVOKED: {}}, "missing_subject", "One of two events needs a subject.", f"{FRAMEWORK} 3.1",
        subject=ABSENT)


GOOD_SUBJECTS = {  # identifier: subject, section of RFC 9493
    "iss-sub": (USER, "3.2.3"), "opaque": (OPAQUE, "3.2.4"), "email": ({"format": "email", "email": "user@example.com"}, "3.2.2"),
    "account": ({"format": "account", "uri": "acct:user@example.com"}, "3.2.1"),
    "phone": ({"format": "phone_number", "phone_number": "+12065550100"}, "3.2.5"),
    "did": ({"format": "did", "url": "did:example:123456"}, "3.2.6"), "uri": ({"format": "uri", "uri": "urn:uuid:4e851e98"}, "3.2.7"),
    "aliases": ({"format": "aliases", "identifiers": [USER, {"format": "email", "email": "user@example.com"}]}, "3.2.8"),
    "own": ({"format": "https://example.com/badge", "number": 7}, "3"),
}
FRAMEWORK_SUBJECTS = {
    "jwt": ({"format": "jwt_id", "iss": ISSUER, "jti": "1"}, "3.4.1"),
    "assertion": ({"format": "saml_assertion_id", "issuer": ISSUER, "assertion_id": "_8e8d"}, "3.4.2"),
    "addresses": ({"format": "ip-addresses", "ip-addresses": ["10.29.37.75", "2001:db8::1"]}, "3.4.3"),
}
COMPLEX_SUBJECTS = {
    "session": {"session": OPAQUE}, "user": {"user": USER}, "user-and-session": {"user": USER, "session": OPAQUE},
    "device": {"device": OPAQUE}, "tenant": {"user": {"format": "email", "email": "user@example.com"}, "tenant": USER},
    "own": {"user": USER, "badge": OPAQUE}, "session-iss-sub": {"session": USER},
}


def subjects():
    suite = EventSuite("subjects", "The subject of events.", [KEY.jwk()], POLICY, reference=f"{SUBJECTS} 3")

    def ask(identifier, value, *rest):
        suite.ask(f"subject-{identifier}", event_token(event_claims(sub_id=value)), *rest)
    for identifier, (value, section) in GOOD_SUBJECTS.items():
        ask(identifier, value, "valid", f"A subject of the format {value['format']}.", f"{SUBJECTS} {section}")
    for identifier, (value, section) in FRAMEWORK_SUBJECTS.items():
        ask(identifier, value, "valid", f"A subject of the format {value['format']}.", f"{FRAMEWORK} {section}")
    for identifier, members in COMPLEX_SUBJECTS.items():
        ask(f"complex-{identifier}", {"format": "complex", **members}, "valid", f"A subject of several parts ({identifier}).",
            f"{FRAMEWORK} 3.3")
    add_shapes_of_subjects(ask)
    add_members(ask)
    add_complex(ask)
    add_registered_subject(suite)
    return suite


def add_shapes_of_subjects(ask):
    for identifier, value in (("null", Raw(b"null")), ("string", "user-1"), ("number", 1), ("true", True), ("array", [USER]),
                              ("empty", {})):
        ask(f"not-{identifier}", value, "invalid_subject", f"The subject is no object with a format ({identifier}).")
    ask("no-format", {"iss": ISSUER, "sub": "user-1"}, "invalid_subject", "The subject has no format.")
    ask("old-format", {"subject_type": "iss_sub", "iss": ISSUER, "sub": "user-1"}, "invalid_subject",
        "The format is named as in older drafts.")
    for identifier, value in (("null", None), ("number", 1), ("array", ["opaque"]), ("object", {}), ("empty", "")):
        ask(f"format-{identifier}", {"format": value, "id": "x", **USER, "format": value}, "invalid_subject",
            f"The format is no name ({identifier}).")
    ask("capital-format", {"format": "OPAQUE", "id": "x"}, "valid", "Another format: capitals count.")
    ask("format-twice", Members([*USER.items(), ("format", "opaque")]), "duplicate_member", "The format is there twice.",
        "RFC 7519 section 4",
        "should")
    ask("sub-twice", Members([*USER.items(), ("sub", "user-2")]), "duplicate_member", "The subject names two users.", "RFC 7519 section 4",
        "should")
    ask("id-twice", Members([*OPAQUE.items(), (Raw(b'"\\u0069d"'), "sid-2")]), "duplicate_member", "The subject names two sessions.",
        "RFC 7519 section 4", "should")


def add_members(ask):
    """Each member that a format requires: absent, and of another form."""
    registered = {**GOOD_SUBJECTS, **FRAMEWORK_SUBJECTS}
    for identifier, (value, section) in registered.items():
        if identifier == "own":
            continue
        reference = f"{SUBJECTS} {section}" if identifier in GOOD_SUBJECTS else f"{FRAMEWORK} {section}"
        severity = None if identifier in ("iss-sub", "opaque") else "should"
        for name in value.keys() - {"format"} if len(value) == 2 else sorted(value.keys() - {"format"}):
            place = f"{identifier}-{name.replace('_', '-')}" if len(value) > 2 else identifier
            ask(f"{place}-absent", {key: member for key, member in value.items() if key != name}, "invalid_subject",
                f"The subject of the format {value['format']} lacks {name}.", reference, severity)
            is_list = isinstance(value[name], list)
            for what, wrong in (("null", None), ("number", 1), ("empty", [] if is_list else ""), ("object", {}),
                                ("other", "x" if is_list else ["x"])):
                ask(f"{place}-{what}", {**value, name: wrong}, "invalid_subject",
                    f"The member {name} of the format {value['format']} has another form ({what}).", reference, severity)
    aliases = GOOD_SUBJECTS["aliases"][0]
    for what, element in (("string", "x"), ("nested", aliases), ("broken", {"format": "email"}), ("null", None)):
        ask(f"aliases-element-{what}", {"format": "aliases", "identifiers": [USER, element]}, "invalid_subject",
            f"One of the aliases is none ({what}).", f"{SUBJECTS} 3.2.8", "should")


def add_complex(ask):
    section = f"{FRAMEWORK} 3.3"

    def complex_(identifier, members, why, *rest):
        ask(f"complex-{identifier}", {"format": "complex", **members}, "invalid_subject", why, section, *rest)
    complex_("empty", {}, "The subject has no part.")
    for name in ("user", "session", "device"):
        for what, value in (("null", None), ("string", "x"), ("number", 1), ("array", [USER])):
            complex_(f"{name}-{what}", {name: value}, f"The part {name} is no object ({what}).")
    for name in ("user", "session", "device"):
        for what, value in (("empty", {}), ("no-format", {"iss": ISSUER, "sub": "x"}), ("no-members", {"format": "iss_sub"}),
                            ("complex", {"format": "complex", "user": USER})):
            complex_(f"{name}-{what}", {name: value}, f"The part {name} is no subject ({what}).")
    ask("complex-user-twice", Members([("format", "complex"), ("user", USER), ("session", OPAQUE), ("user", {**USER, "sub": "user-2"})]),
        "duplicate_member", "The subject has two users.", section)


def add_registered_subject(suite):
    """The claim `sub`, which the framework forbids."""
    section = f"{FRAMEWORK} 4.1.2"
    for identifier, value in (("user", "user-1"), ("same", SESSION["user"]["sub"] + "x"), ("empty", "")):
        suite.ask(f"sub-{identifier}", event_token(event_claims(sub=value)), "unexpected_subject",
                  f"The token has the claim sub ({identifier}).",
                  section)
    suite.ask("sub-alone", event_token(event_claims(sub="user-1", sub_id=ABSENT)), "unexpected_subject",
              "The token has sub in place of sub_id.",
              section)
    suite.ask("sub-number", event_token(event_claims(sub=1)), "invalid", "The token has the claim sub, a number.", section)


SUITES = [events, subjects]
