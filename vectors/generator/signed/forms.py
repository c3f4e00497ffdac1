"""The form of a document: its members, and what is in them."""

import json

from ..encoding import Raw, base64url, dump, raw, unbase64url, unused_bits_set
from ..suite import ABSENT, flipped
from .suite import (ALL, FIRST, FLAT, FORM, GENERAL, KEYS, PAYLOAD, SECOND, THIRD, DocumentSuite, altered, doubled, entry, flattened,
                    general,
                    protected_of)

TWO = (entry(FIRST), entry(SECOND))
JSON = "RFC 8259 section"
BASE64URL = "RFC 7515 section 2"


def good():
    suite = DocumentSuite("forms", "Documents whose form is right.", KEYS, ALL, reference=FORM)
    suite.ask("flattened", flattened(), [0], "A document with one signature, flattened.", FLAT)
    suite.ask("general-one", general(entry()), [0], "A document with one signature in an array.", GENERAL)
    suite.ask("general-two", general(*TWO), [0, 1], "A document with two signatures.", GENERAL)
    suite.ask("general-three", general(*TWO, entry(THIRD)), [0, 1, 2], "A document with three signatures.", GENERAL)
    suite.ask("kid-unprotected", flattened(entry(protected={"alg": "ES256"}, header={"kid": "p256-1"})), [0],
              "The name of the key is in the unprotected header.", "RFC 7515 section 7.2.1")
    suite.ask("without-kid", flattened(entry(protected={"alg": "ES256"})), [0], "No name of a key is given.", "RFC 7515 section 4.1.4",
              "should")
    suite.ask("header-unknown", flattened(entry(header={"x": {"y": [1]}})), [0], "An unprotected parameter is not known.",
              "RFC 7515 section 4.2")
    suite.ask("protected-unknown", flattened(entry(protected=protected_of(FIRST, x=[1]))), [0], "A protected parameter is not known.",
              "RFC 7515 section 4.2")
    suite.ask("member-unknown", altered(x={"signatures": []}), [0], "A member of the document is not known.", GENERAL)
    suite.ask("member-unknown-within", general({**entry(), "payload": "AAAA"}), [0], "A member beside the signature is not known.", GENERAL)
    suite.ask("order", {"signature": flattened()["signature"], **flattened()}, [0], "The order of members is free.", f"{JSON} 4")
    suite.ask("white-space", json.dumps(flattened(), indent=2) + "\n", [0], "White space stands between the members.", f"{JSON} 2")
    suite.ask("escaped-names", dump(flattened()).decode().replace('"payload"', '"\\u0070ayload"').replace('"signature"',
                                                                                                          '"signatur\\u0065"'),
              [0], "Names have escapes.", f"{JSON} 8.3")
    text = entry()["signature"]
    suite.ask("escaped-signature", altered(signature=raw(f'"\\u{ord(text[0]):04x}{text[1:]}"')), [0],
              "The signature has an escape of JSON.",
              f"{JSON} 8.3")
    spaced = json.dumps(protected_of(FIRST), indent=1).encode()
    suite.ask("protected-spaces", flattened(entry(protected=spaced)), [0], "The protected header has white space.", f"{JSON} 2")
    for identifier, octets in (("empty", b""), ("octets", bytes(range(256))), ("text", "Stra\u00dfe".encode()), ("zero", b"\0"),
                               ("document", dump(flattened()))):
        suite.ask(f"payload-{identifier}", flattened(entry(payload=octets), payload=octets), [0], f"The payload is {identifier}.",
                  "RFC 7515 section 2", payload=octets)
    suite.ask("type-of-documents", flattened(entry(protected=protected_of(FIRST, typ="JOSE+JSON"))), [0],
              "The type says that it is a document.",
              "RFC 7515 section 4.1.9")
    for algorithm in ("PS256", "RS512"):
        suite.ask(f"signed-{algorithm.lower()}", flattened(entry(THIRD, algorithm=algorithm)), [0], f"A signature of {algorithm}.",
                  "RFC 7518 section 3.1")
    return suite


def bad():
    suite = DocumentSuite("malformed", "Documents whose form is wrong.", KEYS, ALL, reference=FORM)

    def ask(identifier, document, why, *rest, code="malformed_document"):
        suite.ask(identifier, document, code, why, *rest)
    add_texts(ask)
    add_payloads(ask)
    add_signatures(ask)
    add_arrays(ask)
    add_headers(ask)
    add_encodings(ask)
    return suite


def add_texts(ask):
    text = dump(flattened()).decode()
    compact = ".".join(flattened()[name] for name in ("protected", "payload", "signature"))
    for identifier, value in (("empty", ""), ("array", f"[{text}]"), ("string", json.dumps(text)), ("null", "null"), ("compact", compact),
                              ("compact-text", json.dumps(compact)), ("two", text + text), ("comma", text[:-1] + ",}"), ("cut", text[:-1]),
                              ("single-quotes", text.replace('"', "'")), ("comment", f"/**/{text}"), ("zero", f"{text}\0"),
                              ("html", "<html><body>Sign in</body></html>")):
        # A verifier may take the compact serialization beside this one.
        ask(f"not-{identifier}", value, f"The document is no JSON object ({identifier}).", None,
            "hardening" if identifier == "compact" else "must")
    ask("byte-order", f"\ufeff{text}", "A byte order mark comes first.", f"{JSON} 8.1", "should")
    ask("empty-object", {}, "The document is an empty object.")
    for name in ("payload", "protected", "signature"):
        escaped = raw(f'"\\u{ord(name[0]):04x}{name[1:]}"')
        for spelling, second in (("plain", name), ("escaped", escaped)):
            ask(f"{name}-twice-{spelling}", doubled(flattened(), (second, flattened()[name])), f"The member {name} is there twice.",
                f"{JSON} 4", "should")
        other = {"payload": base64url(b"other"), "protected": base64url(b'{"alg":"none"}'), "signature": base64url(bytes(64))}[name]
        ask(f"{name}-twice-first-good", doubled(flattened(), (name, other)), f"The member {name} is there twice, first the right one.",
            f"{JSON} 4", "should")
        ask(f"{name}-twice-last-good", doubled({name: other}, *flattened().items()),
            f"The member {name} is there twice, last the right one.",
            f"{JSON} 4", "should")
    header = entry(protected={"alg": "ES256"}, header={"kid": "p256-1"})
    ask("header-twice", doubled(flattened(header), ("header", {"kid": "p256-1"})), "The member header is there twice.", f"{JSON} 4",
        "should")
    ask("signatures-twice", doubled(general(entry()), ("signatures", [entry(SECOND)])), "The member signatures is there twice.",
        f"{JSON} 4", "should")


def add_payloads(ask):
    for identifier, more in (("absent", {}), ("capital", {"Payload": base64url(PAYLOAD)})):
        ask(f"payload-{identifier}", altered(payload=ABSENT, **more), f"The document has no payload ({identifier}).",
            code="payload_mismatch")
    for identifier, value in (("null", None), ("number", 1), ("true", True), ("object", json.loads(PAYLOAD)),
                              ("array", [base64url(PAYLOAD)])):
        ask(f"payload-{identifier}", altered(payload=value), f"The payload is no string ({identifier}).", GENERAL)


def add_signatures(ask):
    ask("signature-absent", altered(signature=ABSENT), "The document has no signature.")
    ask("signature-capital", altered(signature=ABSENT, Signature=flattened()["signature"]), "The signature has another name.")
    for identifier, value in (("null", None), ("number", 1), ("array", [flattened()["signature"]]), ("object", {}), ("true", True)):
        ask(f"signature-{identifier}", altered(signature=value), f"The signature is no string ({identifier}).", GENERAL)
    for name, value in (("signature", entry()["signature"]), ("protected", entry()["protected"]), ("header", {"x": 1})):
        ask(f"{name}-beside-array", general(entry(), **{name: value}), f"The member {name} stands beside signatures.", FLAT)
    ask("both-forms", altered(signatures=[entry(SECOND)]), "A signature stands beside others in an array.", FLAT)
    ask("both-forms-empty", altered(signatures=[]), "A signature stands beside an empty array.", FLAT)
    ask("both-forms-null", altered(signatures=None), "A signature stands beside signatures that are null.", FLAT)


def add_arrays(ask):
    for identifier, value in (("null", None), ("object", entry()), ("string", entry()["signature"]), ("number", 1), ("true", True)):
        ask(f"signatures-{identifier}", {"payload": base64url(PAYLOAD), "signatures": value},
            f"The member signatures is no array ({identifier}).", GENERAL)
    ask("signatures-empty", general(), "The array of signatures is empty.", GENERAL, code="no_signatures")
    ask("signatures-empty-of-nothing", general(payload=b""), "The array of signatures is empty, and the payload too.", GENERAL,
        code="no_signatures")
    for identifier, value in (("null", None), ("string", entry()["signature"]), ("number", 1), ("array", [entry()]), ("empty", {})):
        ask(f"element-{identifier}", general(value), f"An element of signatures is no signature ({identifier}).", GENERAL)
        ask(f"second-element-{identifier}", general(entry(), value), f"The second element of signatures is no signature ({identifier}).",
            GENERAL)
    ask("element-without-signature", general({"protected": entry()["protected"]}), "An element has no signature.", GENERAL)
    ask("nested-signatures", general({"protected": entry()["protected"], "signatures": [entry()]}), "An element has signatures of its own.",
        GENERAL)
    for number in (9, 30):
        ask(f"too-many-{number}", general(*[entry()] * number), f"There are {number} signatures.", "RFC 8725 section 2.4", "hardening",
            code="too_many_signatures")


def add_headers(ask):
    ask("no-header", {"payload": base64url(PAYLOAD), "signature": entry()["signature"]}, "There is no header at all.", GENERAL)
    for identifier, value in (("null", None), ("number", 1), ("object", protected_of(FIRST)), ("array", [entry()["protected"]]),
                              ("true", True)):
        ask(f"protected-{identifier}", altered(protected=value), f"The protected header is no string ({identifier}).", GENERAL)
    everything = entry(protected=b"", header=protected_of(FIRST))
    ask("protected-empty", flattened({"protected": "", **everything}), "The protected header is an empty text, and should be absent.",
        GENERAL,
        "should")
    ask("protected-empty-object", flattened(entry(protected=b"{}", header=protected_of(FIRST))),
        "The protected header is an empty object, and should be absent.", GENERAL, "should")
    for identifier, value in (("null", None), ("string", entry()["protected"]), ("number", 1), ("array", [{"x": 1}]), ("true", True)):
        ask(f"header-{identifier}", flattened(entry(header=Raw(dump(value)))), f"The unprotected header is no object ({identifier}).",
            GENERAL)
    ask("header-empty", flattened(entry(header={})), "The unprotected header is empty, and should be absent.", GENERAL, "should")
    for identifier, octets in (("array", b"[]"), ("string", b'"x"'), ("number", b"1"), ("null", b"null"), ("broken", b'{"alg":"ES256"'),
                               ("trailing", b'{"alg":"ES256","kid":"p256-1"}x'), ("not-utf8", b'{"alg":"ES256","x":"\xff"}'),
                               ("comma", b'{"alg":"ES256",}'), ("single-quotes", b"{'alg':'ES256'}")):
        ask(f"protected-text-{identifier}", flattened(entry(protected=octets)), f"The protected header is no JSON object ({identifier}).",
            "RFC 7515 section 5.2")
    ask("protected-byte-order", flattened(entry(protected=b'\xef\xbb\xbf{"alg":"ES256","kid":"p256-1"}')),
        "A byte order mark comes first in the protected header.", f"{JSON} 8.1", "should")
    ask("protected-names-twice", flattened(entry(protected=b'{"alg":"ES256","alg":"ES256","kid":"p256-1"}')),
        "The protected header has a name twice.", "RFC 7515 section 4", "should")
    ask("header-names-twice", flattened(entry(protected={"alg": "ES256"}, header=raw('{"kid":"p256-1","kid":"p256-1"}'))),
        "The unprotected header has a name twice.", "RFC 7515 section 4", "should")
    ask("header-names-twice-escaped", flattened(entry(protected={"alg": "ES256"}, header=raw('{"kid":"p256-1","\\u006bid":"x"}'))),
        "The unprotected header has a name twice, once with an escape.", "RFC 7515 section 4", "should")


def add_encodings(ask):
    spoiled = {"padded": lambda text: text + "=" * (-len(text) % 4 or 4), "plus": lambda text: f"+{text[1:]}",
               "space": lambda text: f"{text} ",
               "space-inside": lambda text: f"{text[:4]} {text[4:]}", "line-feed": lambda text: f"{text}\n", "dot": lambda text: f"{text}.",
               "nul": lambda text: f"{text}\0", "full-width": lambda text: f"\uff41{text[1:]}"}
    for name in ("payload", "protected", "signature"):
        for identifier, spoil in spoiled.items():
            document = flattened()
            document[name] = spoil(document[name])
            ask(f"{name}-{identifier}", document, f"The member {name} is not base64url ({identifier}).", BASE64URL)
    for name in ("payload", "protected", "signature"):
        document = with_unused_bits(name)
        ask(f"{name}-unused-bits", document, f"The unused bits of the last character of {name} are set.", "RFC 4648 section 3.5",
            "hardening")


def with_unused_bits(name):
    """A document whose signature is good over the texts as they are, one of which has unused bits that are set."""
    payload = PAYLOAD if len(base64url(PAYLOAD)) % 4 else PAYLOAD + b" "
    protected = dump(protected_of(FIRST))
    protected += b" " * (len(protected) % 3 == 0)
    texts = {"payload": base64url(payload), "protected": base64url(protected)}
    if name != "signature":
        texts[name] = unused_bits_set(texts[name])
    signature = base64url(FIRST.sign("ES256", f"{texts['protected']}.{texts['payload']}".encode()))
    return {**texts, "signature": unused_bits_set(signature) if name == "signature" else signature}


def changed():
    suite = DocumentSuite("changed", "Documents that are other than was signed.", KEYS, ALL, reference="RFC 7515 section 5.2")
    refused = "0: signature_invalid"
    suite.ask("payload-other", altered(payload=base64url(b'{"version":"6.6.6"}')), refused, "The payload is another.")
    suite.ask("payload-none", altered(payload=""), refused, "The payload is taken away.")
    suite.ask("payload-encoded-twice", altered(payload=base64url(base64url(PAYLOAD).encode())), refused,
              "The payload is in base64url twice.")
    suite.ask("payload-plain", flattened(entry(encoded=False)), refused, "The payload was signed without its encoding.")
    for place in (0, 31, 32, 63):
        signature = base64url(flipped(unbase64url(entry()["signature"]), place))
        suite.ask(f"signature-bit-{place}", altered(signature=signature), refused,
                  f"One bit of the signature is wrong, in octet {place}.")
    for identifier, octets in (("zero", bytes(64)), ("none", b""), ("cut", unbase64url(entry()["signature"])[:-1]),
                               ("longer", unbase64url(entry()["signature"]) + b"\0")):
        suite.ask(f"signature-{identifier}", altered(signature=base64url(octets)), refused,
                  f"The signature is no signature ({identifier}).",
                  "CVE-2022-21449" if identifier == "zero" else None)
    suite.ask("protected-other", altered(protected=base64url(dump(protected_of(FIRST, x=1)))), refused,
              "The protected header is another.")
    suite.ask("protected-moved", altered(protected=ABSENT, header=protected_of(FIRST)), "0: algorithm_not_allowed",
              "The protected header is no longer protected.")
    suite.ask("protected-spelled", altered(protected=base64url(json.dumps(protected_of(FIRST)).encode())), refused,
              "The protected header has the same members in another text.")
    moved = entry(protected={"alg": "ES256"}, header={"kid": "p256-1"})
    suite.ask("header-protected", flattened({**moved, "protected": base64url(dump(protected_of(FIRST))), "header": {"x": 1}}), refused,
              "The unprotected header became protected.")
    one, two = (entry(key) for key in (FIRST, SECOND))
    swapped = [{**one, "signature": two["signature"]}, {**two, "signature": one["signature"]}]
    suite.ask("signatures-swapped", general(*swapped), "invalid", "Two signatures have changed places.")
    suite.ask("first-changed", general({**one, "signature": base64url(bytes(64))}, two), refused, "The first signature of two is wrong.")
    suite.ask("second-changed", general(one, {**two, "signature": base64url(bytes(64))}), "1: signature_invalid",
              "The second signature of two is wrong.")
    suite.ask("both-changed", general(*({**each, "signature": base64url(bytes(64))} for each in (one, two))), "invalid",
              "Both signatures are wrong.")
    return suite


SUITES = [good, bad, changed]
