"""Security event tokens and their file."""

import json

from ..encoding import unbase64url
from ..keys import ed_key
from ..suite import ABSENT, AFTER_SIGNATURE, CODES, NOW, GeneratorError, Suite, sign_parts

ISSUER, AUDIENCE = "https://idp.example", "https://gateway.example"
POLICY = {"issuer": ISSUER, "audience": AUDIENCE}
EVENT_CODES = """
missing_events invalid_events too_many_events invalid_event unexpected_subject missing_subject invalid_subject invalid_text
""".split()
KEY = ed_key("ed25519-1")
CAEP, SSF = "https://schemas.openid.net/secevent/caep/event-type/", "https://schemas.openid.net/secevent/ssf/event-type/"
RISC = "https://schemas.openid.net/secevent/risc/event-type/"
REVOKED, CHANGED, VERIFICATION, UPDATED = f"{CAEP}session-revoked", f"{CAEP}credential-change", f"{SSF}verification", f"{SSF}stream-updated"
SET, FRAMEWORK, SUBJECTS, CAEP_1 = "RFC 8417 section", "Shared Signals Framework 1.0 section", "RFC 9493 section", "CAEP 1.0 section"
USER = {"format": "iss_sub", "iss": ISSUER, "sub": "user-1"}
SESSION = {"format": "complex", "user": USER, "session": {"format": "opaque", "id": "sid-1"}}
STREAM = {"format": "opaque", "id": "stream-1"}


def event_claims(events=None, **changes):
    """The claims of a token that says that a session has ended, with some of them set, or left out with ABSENT."""
    base = {"iss": ISSUER, "aud": AUDIENCE, "jti": "set-1", "iat": NOW - 60, "txn": "txn-1", "sub_id": SESSION,
            "events": {REVOKED: {"event_timestamp": NOW - 70}} if events is None else events}
    return {name: value for name, value in {**base, **changes}.items() if value is not ABSENT}


def event_token(claims=None, key=KEY, algorithm=None, **header):
    """A signed security event token with an ordinary header, changed by the keyword arguments."""
    base = {"alg": algorithm or key.default_algorithm, "typ": "secevent+jwt", "kid": key.name, **header}
    members = {name: value for name, value in base.items() if value is not ABSENT}
    return sign_parts(key, members, event_claims() if claims is None else claims, algorithm)


class EventSuite(Suite):
    """A file of security event tokens. A valid case names the events that are in the token."""

    kind, member, folder, codes = "events", "event", "events/", [*CODES, *EVENT_CODES]
    after_signature = [*AFTER_SIGNATURE, *EVENT_CODES]

    def ask(self, identifier, text, expect, why, reference=None, severity=None):
        self.add(f"event-{identifier}", text, expect, why, reference, severity)
        if expect == "valid":
            self.cases[-1] |= {"events": list(json.loads(unbase64url(text.split(".")[1]))["events"])}

    def check(self):
        super().check()
        for case in self.cases:
            if case["expect"] == "valid" and not case["events"]:
                raise GeneratorError(f"{case['id']}: valid, and without an event")
