"""Payloads that are not encoded (RFC 7797), and payloads that are not in the document (RFC 7515 appendix F)."""

import json

from ..encoding import base64url, dump, raw
from ..suite import ABSENT
from .suite import ALL, FIRST, KEYS, PAYLOAD, SECOND, UNENCODED, DocumentSuite, altered, entry, flattened, protected_of

DETACHED = "RFC 7515 appendix F"
RULE = f"{UNENCODED} 3"


def plain(key=FIRST, **header):
    return protected_of(key, b64=False, crit=["b64"], **header)


def unencoded():
    suite = DocumentSuite("unencoded", "Documents whose payload is not encoded.", KEYS, ALL, reference=RULE)

    def ask(identifier, payload, expect, why, *rest, protected=None, written=None, encoded=False):
        signature = entry(payload=payload, protected=plain() if protected is None else protected, encoded=encoded)
        suite.ask(f"unencoded-{identifier}", flattened(signature,
                                                       payload=b"") | {"payload": payload.decode() if written is None else written},
                  expect, why, *rest, payload=payload)
    ask("text", PAYLOAD, [0], "The payload is a text.")
    for identifier, text in (("dots", "a.b.c"), ("dot", "."), ("empty", ""), ("spaces", "a b\r\n\tc"), ("quotes", '"\\'),
                             ("not-ascii", "Stra\u00dfe \u6e2f\u533a \U0001f600"), ("looks-encoded", base64url(PAYLOAD)),
                             ("control", "\u0001\u007f"),
                             ("compact", "eyJhbGciOiJub25lIn0.e30.")):
        ask(identifier, text.encode(), [0], f"The payload is a text ({identifier}).", f"{UNENCODED} 5")
    spelled = entry(payload=b"/x/", protected=plain(), encoded=False)
    suite.ask("unencoded-escaped", raw(f'{{"payload":"\\u002fx\\/",{dump(spelled).decode()[1:]}'), [0],
              "The payload has escapes of JSON, which are not signed.", f"{UNENCODED} 5", payload=b"/x/")
    literal = entry(payload=b"\\u002f", protected=plain(), encoded=False)
    suite.ask("unencoded-escape-signed", raw(f'{{"payload":"\\u002f",{dump(literal).decode()[1:]}'), "0: signature_invalid",
              "The escapes of the payload were signed.", f"{UNENCODED} 5")
    for identifier, text in (("surrogate", "\\ud800"), ("surrogates-turned", "\\udc00\\ud800")):
        suite.ask(f"unencoded-{identifier}", raw(f'{{"payload":"{text}",{dump(spelled).decode()[1:]}'), "malformed_document",
                  f"The payload is no text ({identifier}).", "RFC 8259 section 8.2", "should")
    ask("encoded", PAYLOAD, "0: signature_invalid", "The payload was signed with its encoding.", encoded=True)
    ask("decoded", PAYLOAD, "0: signature_invalid", "The payload is encoded in the document, and was signed without.",
        written=base64url(PAYLOAD))
    ask("other", PAYLOAD, "0: signature_invalid", "The payload is another than was signed.", written="other")
    ask("space", PAYLOAD, "0: signature_invalid", "The payload has a space more than was signed.", written=PAYLOAD.decode() + " ")
    ask("not-critical", PAYLOAD, "invalid", "The parameter b64 is not in crit.", f"{UNENCODED} 6", protected=protected_of(FIRST, b64=False))
    for identifier, value in (("text", "false"), ("null", None), ("number", 0), ("object", {})):
        ask(f"value-{identifier}", PAYLOAD, "invalid", f"The parameter b64 is no truth value ({identifier}).", RULE,
            protected=protected_of(FIRST, b64=value, crit=["b64"]))
    ask("true", PAYLOAD, [0], "The parameter b64 is true, and critical.", RULE, protected=protected_of(FIRST, b64=True, crit=["b64"]),
        written=base64url(PAYLOAD), encoded=True)
    ask("true-plain", PAYLOAD, "invalid", "The parameter b64 is true, and the payload is not encoded.",
        RULE, protected=protected_of(FIRST, b64=True, crit=["b64"]))
    add_pairs(suite)
    return suite


def add_pairs(suite):
    text = PAYLOAD.decode()
    both = [entry(key, protected=plain(key), encoded=False) for key in (FIRST, SECOND)]
    suite.ask("unencoded-two", {"payload": text, "signatures": both}, [0, 1], "Two signatures of a payload that is not encoded.",
              f"{UNENCODED} 5")
    mixed = [entry(FIRST, protected=plain(), encoded=False), entry(SECOND)]
    suite.ask("unencoded-mixed", {"payload": text, "signatures": mixed}, "mixed_encodings",
              "One signature is of the payload as it is, one of it encoded.")
    suite.ask("unencoded-mixed-other-order", {"payload": base64url(PAYLOAD), "signatures": mixed[::-1]}, "mixed_encodings",
              "One signature is of the payload encoded, one of it as it is.")
    explicit = [entry(FIRST, protected=plain(), encoded=False), entry(SECOND, protected=protected_of(SECOND, b64=True, crit=["b64"]))]
    suite.ask("unencoded-mixed-explicit", {"payload": text, "signatures": explicit}, "mixed_encodings",
              "The two signatures say the opposite of b64.")


def detached():
    suite = DocumentSuite("detached", "Documents whose payload comes from elsewhere.", KEYS, ALL, reference=DETACHED)
    bare = altered(payload=ABSENT)

    def ask(identifier, document, expect, why, *rest, payload=PAYLOAD):
        suite.ask(f"detached-{identifier}", document, expect, why, *rest, detached=payload)
    ask("good", bare, [0], "The payload comes from elsewhere.")
    ask("general", {"signatures": [entry(FIRST), entry(SECOND)]}, [0, 1], "The payload of two signatures comes from elsewhere.")
    for identifier, octets in (("empty", b""), ("octets", bytes(range(256))), ("dots", b"a.b.c")):
        ask(identifier, entry(payload=octets), [0], f"The payload from elsewhere is {identifier}.", payload=octets)
    unencoded = entry(protected=plain(), encoded=False)
    ask("unencoded", unencoded, [0], "The payload comes from elsewhere, and is not encoded.", f"{UNENCODED} 5")
    ask("unencoded-dots", entry(payload=b"a.b", protected=plain(), encoded=False), [0], "The payload from elsewhere has a dot.",
        f"{UNENCODED} 5", payload=b"a.b")
    octets = b"\xff\xfe\0"
    ask("other", bare, "0: signature_invalid", "Another payload comes from elsewhere.", payload=b'{"version":"6.6.6"}')
    ask("none", bare, "0: signature_invalid", "An empty payload comes from elsewhere.", payload=b"")
    ask("encoded", bare, "0: signature_invalid", "The payload from elsewhere is in base64url.", payload=base64url(PAYLOAD).encode())
    ask("line-feed", bare, "0: signature_invalid", "The payload from elsewhere has a line feed more.", payload=PAYLOAD + b"\n")
    ask("unencoded-octets", entry(payload=octets, protected=plain(), encoded=False), [0],
        "Octets that are no text come from elsewhere, and are not encoded.", f"{UNENCODED} 5", payload=octets)
    ask("unencoded-other-octets", entry(payload=octets, protected=plain(), encoded=False), "0: signature_invalid",
        "Octets that are no text differ from those that were signed.", f"{UNENCODED} 5", payload=octets + b"\0")
    ask("there", flattened(), "payload_mismatch", "The payload is in the document too.", None, "should")
    ask("there-other", altered(payload=base64url(b"other")), "payload_mismatch", "Another payload is in the document.")
    ask("there-empty", altered(payload=""), "payload_mismatch", "An empty payload is in the document.", None, "should")
    ask("there-null", altered(payload=None), "malformed_document", "The payload in the document is null.", "RFC 7515 section 7.2.1",
        "should")
    ask("there-unencoded", {**unencoded, "payload": PAYLOAD.decode()}, "payload_mismatch",
        "The payload is in the document too, and not encoded.", None, "should")
    ask("malformed", "x", "malformed_document", "The document is no JSON.")
    suite.ask("attached-without-payload", bare, "payload_mismatch", "The payload should be in the document.")
    suite.ask("attached-unencoded-without-payload", unencoded, "payload_mismatch", "The payload should be in the document, not encoded.")
    suite.ask("attached-white-space", json.dumps(bare, indent=1), "payload_mismatch", "The payload should be in the document.")
    return suite


SUITES = [unencoded, detached]
