"""What a Status List Token says: its claims, its list, and which status is at an index."""

from ..encoding import Members, Raw, dump
from ..suite import ABSENT, NOW
from .streams import stream
from .suite import DRAFT, EXAMPLE, KEY, URI, ListSuite, list_claims, list_token, status_list, token_with

RFC7519 = "RFC 7519 section"
HUGE = {"signed-32": 2**31 - 1, "two-to-31": 2**31, "two-to-32": 2**32, "two-to-53": 2**53, "two-to-60": 2**60, "two-to-61": 2**61,
        "two-to-62": 2**62, "signed-64": 2**63 - 1}


def indexes():
    suite = ListSuite("indexes", "Where the status of an index is, and which indexes a list does not have.", [KEY.jwk()],
                      reference=f"{DRAFT} 4.1")
    for bits in (1, 2, 4, 8):
        highest, in_octet = (1 << bits) - 1, 8 // bits
        for place in range(in_octet):
            # All other statuses are as different as they can be, so that a neighbour or another order shows.
            octets = bytes([0, 0xFF ^ highest << place * bits, 0])
            token = token_with(stream(octets), bits)
            suite.ask(f"place-{bits}-bit-{place}", token, 0, f"Of statuses with {bits} bits, the one at place {place} of an octet is zero.",
                      index=in_octet + place)
        token = token_with(stream(bytes([highest]) + bytes(6) + bytes([highest << 8 - bits])), bits)
        count = 8 * in_octet
        suite.ask(f"first-{bits}-bit", token, highest, f"The first of {count} statuses with {bits} bits.")
        suite.ask(f"last-{bits}-bit", token, highest, f"The last of {count} statuses with {bits} bits.", index=count - 1)
        for identifier, index in {"end": count, "after-end": count + 1, **HUGE}.items():
            suite.ask(f"beyond-{bits}-bit-{identifier}", token, "invalid_status",
                      f"A list of {count} statuses with {bits} bits has no index {index}.", f"{DRAFT} 8.3", index=index)
        suite.ask(f"empty-{bits}-bit", token_with(stream(b""), bits), "invalid_status", "A list without an octet has no index 0.",
                  f"{DRAFT} 8.3")
    for status in (1, 2, 3, 12, 15, 16, 128, 255):
        suite.ask(f"status-{status}", token_with(stream(bytes([status])), 8), status, f"A status may be {status}, whatever it means.",
                  f"{DRAFT} 7")
    return suite


def tokens():
    """The header and the registered claims."""
    suite = ListSuite("tokens", "Which token is the Status List Token that was asked for.", [KEY.jwk()], reference=f"{DRAFT} 5.1")
    suite.ask("token-good", list_token(), 1, "A Status List Token with all claims.")
    add_types(suite)
    add_subjects(suite)
    add_dates(suite)
    other = {"iss": "https://idp.example", "jti": "1", "scope": "x", "x": {"status_list": None}, "events": {}, "vct": "x"}
    for name, value in other.items():
        suite.ask(f"other-claim-{name}", list_token(list_claims(**{name: value})), 1, f"The token may have the claim {name}.")
    for name, payload in (("array", []), ("string", "x"), ("number", 1), ("null", Raw(b"null"))):
        suite.ask(f"payload-{name}", list_token(payload), "invalid", f"The payload is a JSON value, and no object ({name}).",
                  f"{RFC7519} 7.2")
    suite.ask("payload-empty-object", list_token({}), "missing_claim", "The payload has no claim.")
    return suite


def add_types(suite):
    for identifier, value in (("media-type", "application/statuslist+jwt"), ("capitals", "StatusList+JWT")):
        suite.ask(f"type-{identifier}", list_token(typ=value), 1, f"The type as {value}.", "RFC 7515 section 4.1.9", "should")
    others = ("JWT", "at+jwt", "secevent+jwt", "logout+jwt", "dc+sd-jwt", "statuslist", "statuslist+cwt", "statuslist+json",
              "statuslist+jwtx",
              "status-list+jwt", "text/statuslist+jwt", "application/statuslist+cwt", "statuslist+jwt ", "statuslist jwt", "")
    for number, value in enumerate(others, 1):
        suite.ask(f"type-other-{number}", list_token(typ=value), "type_mismatch", f"The type is {value!r}.",
                  f"{DRAFT} 5.1; RFC 8725 section 3.11")
    suite.ask("type-absent", list_token(typ=ABSENT), "type_mismatch", "There is no type.", f"{DRAFT} 5.1; RFC 8725 section 3.11")
    for identifier, value in (("number", 1), ("null", None), ("array", ["statuslist+jwt"])):
        suite.ask(f"type-{identifier}", list_token(typ=value), "invalid_header", f"The type is no string ({identifier}).",
                  "RFC 7515 section 4.1.9")


def add_subjects(suite):
    suite.ask("subject-escaped", list_token(dump(list_claims()).replace(b"https://", b"https:\\/\\/")), 1,
              "The subject is the same string with escapes.", "RFC 8259 section 8.3")
    suite.ask("subject-absent", list_token(list_claims(sub=ABSENT)), "missing_claim", "The token does not say where its list is.")
    texts = {"other": f"{URI[:-1]}2", "longer": f"{URI}0", "slash": f"{URI}/", "capital-scheme": URI.replace("https", "HTTPS"),
             "capital-host": URI.replace("example", "Example"), "http": URI.replace("https", "http"), "port": URI.replace(".com",
                                                                                                                          ".com:443"),
             "query": f"{URI}?", "time": f"{URI}?time={NOW}", "fragment": f"{URI}#", "percent": URI.replace("1", "%31"), "space": f" {URI}",
             "nul": f"{URI}\0", "dots": URI.replace("/1", "/x/../1"), "empty": "", "relative": "/statuslists/1"}
    for identifier, value in texts.items():
        suite.ask(f"subject-{identifier}", list_token(list_claims(sub=value)), "subject_mismatch", f"The subject is {value!r}.",
                  f"{DRAFT} 8.3")
    for identifier, value in (("number", 1), ("null", None), ("array", [URI]), ("object", {"uri": URI})):
        suite.ask(f"subject-{identifier}", list_token(list_claims(sub=value)), "invalid_claim", f"The subject is no string ({identifier}).")


def add_dates(suite):
    def dated(**dates):
        return list_token(list_claims(**dates))
    suite.ask("issued-absent", dated(iat=ABSENT), "missing_claim", "The token does not say when it was issued.")
    for identifier, value in (("string", str(NOW)), ("null", None), ("array", [NOW]), ("true", True)):
        suite.ask(f"issued-{identifier}", dated(iat=value), "invalid_claim", f"The date of issue is no number ({identifier}).",
                  f"{RFC7519} 4.1.6")
    suite.ask("issued-zero", dated(iat=0), 1, "The list is old, and has not expired.", f"{DRAFT} 8.3")
    suite.ask("issued-fraction", dated(iat=Raw(b"1699999940.25")), 1, "A date may have a fraction.", f"{RFC7519} 2")
    suite.ask("issued-now", dated(iat=NOW), 1, "The list was issued now.")
    suite.ask("issued-soon", dated(iat=NOW + 60), 1, "The list was issued 60 seconds ahead: clocks differ.", f"{RFC7519} 4.1.6", "should")
    for seconds in (61, 600, 10**8):
        suite.ask(f"issued-ahead-{seconds}", dated(iat=NOW + seconds, exp=NOW + 10**9), "issued_in_future",
                  f"The list was issued {seconds} seconds ahead.", f"{RFC7519} 4.1.6", "should")
    suite.ask("expiry-absent", dated(exp=ABSENT), 1, "A list need not expire.")
    suite.ask("expiry-ahead", dated(exp=NOW + 1), 1, "The list expires in a second.")
    for seconds, expect, severity in ((0, 1, "should"), (59, 1, "should"), (60, "expired", "should"), (301, "expired", "must"),
                                      (10**6, "expired", "must")):
        suite.ask(f"expiry-past-{seconds}", dated(exp=NOW - seconds, iat=NOW - 10**7), expect,
                  f"The list expired {seconds} seconds ago; the leeway is 60.", f"{DRAFT} 8.3; {RFC7519} 4.1.4", severity)
    for identifier, value in (("string", "never"), ("null", None), ("false", False)):
        suite.ask(f"expiry-{identifier}", dated(exp=value), "invalid_claim", f"The expiry is no number ({identifier}).", f"{RFC7519} 4.1.4")
    suite.ask("not-before-past", dated(nbf=NOW - 60), 1, "The list is valid already.", f"{RFC7519} 4.1.5")
    suite.ask("not-before-ahead", dated(nbf=NOW + 600), "not_yet_valid", "The list is not valid yet.", f"{RFC7519} 4.1.5")


def members():
    """The claims of a list, and the members of status_list."""
    suite = ListSuite("members", "The claims status_list and ttl, and what is in them.", [KEY.jwk()], reference=f"{DRAFT} 4.2")
    add_lists(suite)
    add_bits(suite)
    add_lifetimes(suite)
    add_repetitions(suite)
    return suite


def add_lists(suite):
    def token(value):
        return list_token(list_claims(status_list=value))
    nowhere = {"absent": {}, "in-status": {"status": {"status_list": status_list()}}, "capital": {"Status_List": status_list()},
               "hyphen": {"status-list": status_list()}, "reference": {"status": {"status_list": {"idx": 0, "uri": URI}}}}
    for identifier, claims in nowhere.items():
        suite.ask(f"none-{identifier}", list_token(list_claims(status_list=ABSENT, **claims)), "missing_status_list",
                  "The token has no claim status_list.", f"{DRAFT} 5.1")
    others = {"null": None, "array": [], "array-of-list": [status_list()], "string": "x", "number": 1, "true": True, "empty": {},
              "text-of-json": dump(status_list()).decode(), "no-bits": status_list(bits=ABSENT), "no-list": status_list(ABSENT),
              "capital-bits": {"Bits": 1, "lst": status_list()["lst"]}, "capital-list": {"bits": 1, "Lst": status_list()["lst"]}}
    for identifier, value in others.items():
        suite.ask(f"not-{identifier}", token(value), "invalid_status_list", f"The claim status_list has another form ({identifier}).")
    for identifier, value in (("null", Raw(b"null")), ("number", 1), ("true", True), ("array", [status_list()["lst"]]), ("object", {}),
                              ("octets", list(EXAMPLE))):
        suite.ask(f"text-{identifier}", token(status_list(value)), "invalid_status_list", f"The member lst is no string ({identifier}).")
    suite.ask("aggregation", token(status_list(aggregation_uri="https://example.com/statuslists")), 1, "The list has an aggregation_uri.")
    for identifier, value in (("null", None), ("number", 1), ("array", []), ("object", {})):
        suite.ask(f"aggregation-{identifier}", token(status_list(aggregation_uri=value)), "invalid_status_list",
                  f"The aggregation_uri is no string ({identifier}).", None, "should")
    suite.ask("unknown-member", token(status_list(x={"bits": 2})), 1, "Members that are not known are ignored.", f"{RFC7519} 4", "should")
    suite.ask("order", token(dict(reversed(status_list().items()))), 1, "The members may come in any order.", "RFC 8259 section 4")
    suite.ask("escapes", list_token(dump(list_claims()).replace(b'"bits"', b'"\\u0062its"').replace(b'"lst"', b'"l\\u0073t"')), 1,
              "Names may have escapes.", "RFC 8259 section 8.3")


def add_bits(suite):
    for bits, status in ((1, 1), (2, 1), (4, 9), (8, 0xB9)):
        suite.ask(f"bits-{bits}", list_token(list_claims(status_list=status_list(bits=bits))), status, f"Statuses may have {bits} bits.")
    numbers = (0, 3, 5, 6, 7, 9, 16, 32, 64, -1, -8, 257, 2**32 + 1, 2**64 + 1)
    for number, bits in enumerate(numbers, 1):
        suite.ask(f"bits-other-{number}", list_token(list_claims(status_list=status_list(bits=bits))), "invalid_bits",
                  f"Statuses cannot have {bits} bits.")
    for identifier, value in (("string", "1"), ("null", None), ("true", True), ("array", [1]), ("half", Raw(b"0.5"))):
        suite.ask(f"bits-{identifier}", list_token(list_claims(status_list=status_list(bits=value))), "invalid_bits",
                  f"The member bits is no integer ({identifier}).")
    for identifier, text in (("fraction", "1.0"), ("exponent", "1e0")):
        suite.ask(f"bits-{identifier}", list_token(list_claims(status_list=status_list(bits=Raw(text.encode())))), "invalid_bits",
                  f"The member bits is written as {text}.", None, "hardening")


def add_lifetimes(suite):
    def token(value):
        return list_token(list_claims(ttl=value))
    suite.ask("ttl-absent", token(ABSENT), 1, "A list need not say how long it may be kept.", f"{DRAFT} 5.1")
    for value in (1, 43200, 2**31):
        suite.ask(f"ttl-{value}", token(value), 1, f"The list may be kept for {value} seconds.", f"{DRAFT} 5.1")
    others = {"zero": 0, "negative": -1, "very-negative": -2**31, "string": "300", "null": None, "true": True, "array": [300], "object": {}}
    for identifier, value in others.items():
        suite.ask(f"ttl-{identifier}", token(value), "invalid_time_to_live", f"The claim ttl is no positive number ({identifier}).",
                  f"{DRAFT} 5.1, 8.3")
    for identifier, text in (("half", "0.5"), ("fraction", "300.0"), ("exponent", "3e2"), ("two-to-63", str(2**63)), ("infinite", "1e999")):
        suite.ask(f"ttl-{identifier}", token(Raw(text.encode())), "invalid_time_to_live", f"The claim ttl is written as {text}.",
                  f"{DRAFT} 5.1, 11.5", "hardening")


def add_repetitions(suite):
    good, other = status_list(), status_list("eNpjYAAAAAIAAQ")
    claims = list_claims()

    def twice(name, value, spelling=None):
        return list_token(Members([*claims.items(), (spelling or name, value)]))
    for name, value in (("sub", URI), ("iat", NOW - 60), ("exp", NOW + 3600), ("ttl", 300), ("status_list", other)):
        for place, spelling in (("plain", None), ("escaped", Raw(f'"\\u{ord(name[0]):04x}{name[1:]}"'.encode()))):
            suite.ask(f"twice-{name.replace('_', '-')}-{place}", twice(name, value, spelling), "duplicate_member",
                      f"The claim {name} is there twice.", f"{RFC7519} 4", "should")
    for name, value in (("bits", 1), ("lst", other["lst"]), ("aggregation_uri", "https://example.com/")):
        for place, spelling in (("plain", name), ("escaped", Raw(f'"\\u{ord(name[0]):04x}{name[1:]}"'.encode()))):
            value_ = Members([*{**good, "aggregation_uri": "https://example.com/"}.items(), (spelling, value)])
            suite.ask(f"twice-{name.replace('_', '-')}-{place}", list_token(list_claims(status_list=value_)), "duplicate_member",
                      f"The member {name} is there twice.", f"{RFC7519} 4", "should")


def issuers():
    suite = ListSuite("issuers", "A list of an issuer that the verifier names.", [KEY.jwk()], {"issuer": "https://idp.example"},
                      reference=f"{RFC7519} 4.1.1")
    suite.ask("issuer-good", list_token(list_claims(iss="https://idp.example")), 1, "The issuer is the one that is named.")
    for identifier, value in (("slash", "https://idp.example/"), ("other", "https://other.example"), ("capital", "https://IDP.example"),
                              ("empty", "")):
        suite.ask(f"issuer-{identifier}", list_token(list_claims(iss=value)), "issuer_mismatch", f"The issuer is {value!r}.")
    suite.ask("issuer-absent", list_token(), "missing_claim", "The token has no issuer.", None, "should")
    suite.ask("issuer-number", list_token(list_claims(iss=1)), "invalid_claim", "The issuer is a number.")
    return suite


SUITES = [indexes, tokens, members, issuers]
