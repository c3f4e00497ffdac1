"""The claim status of a referenced token: where its status is."""

from ..encoding import Members, Raw, dump
from ..suite import ABSENT, NOW, claims, flipped, signature_of, token, with_signature
from .suite import DRAFT, KEY, URI, ReferenceSuite, list_claims

SECTION = f"{DRAFT} 6.2"


def referenced(status, **changes):
    """A token whose claim status has this value."""
    return token(KEY, claims(status=status, **changes))


def place(idx=7, uri=URI, **members):
    value = {"idx": idx, "uri": uri, **members}
    return {"status_list": {name: member for name, member in value.items() if member is not ABSENT}}


def references():
    suite = ReferenceSuite("references", "Where a token says that its status is.", [KEY.jwk()], reference=SECTION)
    suite.ask("good", referenced(place()), (URI, 7), "The token names an address and an index.")
    add_absences(suite)
    add_shapes(suite)
    add_indexes(suite)
    add_addresses(suite)
    add_repetitions(suite)
    add_tokens(suite)
    return suite


def add_absences(suite):
    for identifier, changes in (("absent", {}), ("capital", {"Status": place()}), ("outside", {"status_list": place()["status_list"]})):
        suite.ask(identifier, token(KEY, claims(**changes)), None, f"The token has no claim status ({identifier}).", f"{DRAFT} 8.3")
    for identifier, value in (("other", {"identifier_list": {"id": "1"}}), ("two-others", {"a": 1, "b": None})):
        suite.ask(identifier, referenced(value), None, "The claim names other mechanisms, and no list.", f"{DRAFT} 6.1")
    suite.ask("beside-other", referenced({"identifier_list": {"id": "1"}, **place()}), (URI, 7),
              "The claim names a list and another mechanism.",
              f"{DRAFT} 6.1")
    suite.ask("unknown-member", referenced(place(x={"uri": "https://attacker.example"})), (URI, 7),
              "Members that are not known are ignored.",
              "RFC 7519 section 4", "should")


def add_shapes(suite):
    for identifier, value in (("null", None), ("string", URI), ("number", 0), ("true", True), ("array", [place()]), ("empty", {})):
        suite.ask(f"not-{identifier}", referenced(value), "invalid_status",
                  f"The claim is no object that names a mechanism ({identifier}).")
    for identifier, value in (("null", None), ("string", URI), ("number", 0), ("array", [0, URI]), ("empty", {}), ("true", True)):
        suite.ask(f"list-not-{identifier}", referenced({"status_list": value}), "invalid_status",
                  f"The member status_list is no object with a place ({identifier}).")
    suite.ask("list-itself", referenced({"status_list": list_claims()["status_list"]}), "invalid_status",
              "The token has the list where its place belongs.")


def add_indexes(suite):
    for index in (0, 1, 2**31 - 1, 2**31, 2**32, 2**53, 2**53 + 1, 2**63 - 1):
        suite.ask(f"index-{index}", referenced(place(index)), (URI, index), f"The index is {index}.", None,
                  "must" if index < 2**53 else "should")
    suite.ask("index-absent", referenced(place(ABSENT)), "invalid_status", "There is no index.")
    for identifier, text in (("minus-one", "-1"), ("minus-many", "-4294967296"), ("half", "0.5"), ("fraction", "7.25")):
        suite.ask(f"index-{identifier}", referenced(place(Raw(text.encode()))), "invalid_status", f"The index is {text}.")
    for identifier, text in (("zero-fraction", "7.0"), ("exponent", "7e0"), ("two-to-63", str(2**63)), ("two-to-64", str(2**64)),
                             ("thirty-digits", "1" * 30), ("infinite", "1e999")):
        suite.ask(f"index-{identifier}", referenced(place(Raw(text.encode()))), "invalid_status", f"The index is written as {text}.", None,
                  "hardening")
    for identifier, value in (("string", "7"), ("null", None), ("true", True), ("array", [7]), ("object", {}), ("empty", "")):
        suite.ask(f"index-{identifier}", referenced(place(value)), "invalid_status", f"The index is no number ({identifier}).")
    suite.ask("index-leading-zero", referenced(place(Raw(b"07"))), "invalid_json", "The index has a leading zero.", "RFC 8259 section 6")


def add_addresses(suite):
    good = {"http": "http://example.com/1", "port": "https://example.com:8443/1", "query": f"{URI}?x=1", "path": "https://example.com",
            "percent": "https://example.com/%E4%B8%AD", "user": "https://user@example.com/1", "address": "https://[2001:db8::1]/1",
            "urn": "urn:example:list:1", "did": "did:web:example.com", "capital-scheme": "HTTPS://example.com/1", "fragment": f"{URI}#x"}
    for identifier, value in good.items():
        suite.ask(f"address-{identifier}", referenced(place(7, value)), (value, 7),
                  f"The address is {value!r}. Whether anything may be fetched from it is another question.", f"{SECTION}; RFC 3986")
    escaped = dump(claims(status=place())).replace(b"https://example.com/", b"https:\\/\\/example.com\\/")
    suite.ask("address-escaped", token(KEY, escaped), (URI, 7), "The address has escapes of JSON.", "RFC 8259 section 8.3")
    suite.ask("address-absent", referenced(place(7, ABSENT)), "invalid_status", "There is no address.")
    for identifier, value in (("null", None), ("number", 1), ("true", True), ("array", [URI]), ("object", {"uri": URI})):
        suite.ask(f"address-{identifier}", referenced(place(7, value)), "invalid_status", f"The address is no string ({identifier}).")
    bad = {"empty": "", "relative": "/statuslists/1", "name": "statuslists", "no-scheme": "//example.com/1", "colon": ":1",
           "digit-scheme": "1https://example.com/1", "space": "https://example.com/a b", "space-before": f" {URI}", "line-feed": f"{URI}\n",
           "nul": f"{URI}\0", "quotes": '"https://example.com/1"', "angle": f"<{URI}>", "backslash": "https:\\\\example.com\\1",
           "international": "https://example.com/\u4e2d", "cut-percent": "https://example.com/%4", "bad-percent": "https://example.com/%zz",
           "caret": "https://example.com/^", "brace": "https://example.com/{id}"}
    for identifier, value in bad.items():
        suite.ask(f"address-not-{identifier}", referenced(place(7, value)), "invalid_status", f"The address {value!r} is no URI."
                  .replace("\\\\", "\\"), f"{SECTION}; RFC 3986 section 3")


def add_repetitions(suite):
    base = claims()
    twice = Members([*base.items(), ("status", place()), ("status", place(8))])
    suite.ask("twice", token(KEY, twice), "duplicate_member", "The claim status is there twice.", "RFC 7519 section 4", "should")
    lists = Members([*place().items(), *place(8).items()])
    suite.ask("list-twice", referenced(lists), "duplicate_member", "The member status_list is there twice.", "RFC 8259 section 4", "should")
    for name, value in (("idx", 8), ("uri", f"{URI[:-1]}2")):
        for spelling, written in (("plain", name), ("escaped", Raw(f'"\\u{ord(name[0]):04x}{name[1:]}"'.encode()))):
            members = Members([*place()["status_list"].items(), (written, value)])
            suite.ask(f"{name}-twice-{spelling}", referenced({"status_list": members}), "duplicate_member",
                      f"The member {name} is there twice.", "RFC 8259 section 4", "should")


def add_tokens(suite):
    """The token itself is judged first (section 8.3)."""
    first = f"{DRAFT} 8.3"
    suite.ask("expired", referenced(place(), exp=NOW - 3600), "expired", "The token has expired, whatever its status is.", first)
    suite.ask("expired-malformed", referenced({}, exp=NOW - 3600), "expired", "The token has expired, and its claim is malformed.", first)
    good = referenced(place())
    suite.ask("forged", with_signature(good, flipped(signature_of(good))), "signature_invalid", "The token is forged.", first)
    suite.ask("not-yet", referenced(place(), nbf=NOW + 3600), "not_yet_valid", "The token is not valid yet.", first)


SUITES = [references]
