"""Suites about the form of a token: its parts, base64url, JSON, UTF-8, limits."""

from .encoding import Members, Raw, base64url, dump, raw, unused_bits_set
from .keys import ec_key, rsa_key
from .suite import Suite, assemble, claims, header_of, sign_input, sign_parts, signing_input, split, token

RFC4648 = "RFC 4648 section 3.5; RFC 7515 section 2"
RFC8259 = "RFC 8259"


def token_shape():
    key = ec_key("p256-1")
    good = token(key)
    header, payload, signature = split(good)
    suite = Suite("token-shape", "How many parts a token has, and what is not a compact token at all.", [key.jwk()],
                  reference="RFC 7515 section 7.1")
    suite.valid("shape-three-parts", good, "A token of three parts with a good signature is accepted.")
    flattened = dump({"payload": payload, "protected": header, "signature": signature}).decode()
    member = dump({"protected": header, "signature": signature}).decode()
    unprotected = '{"payload":"%s","header":{"alg":"none"},"signature":""}' % payload
    malformed = [
        ("empty", "", "An empty token.", None),
        ("one-dot", ".", "A single dot.", None),
        ("two-dots", "..", "Two dots with nothing between them.", "CVE-2026-80179"),
        ("three-dots", "...", "Three dots with nothing between them.", "CVE-2026-80179"),
        ("one-part", header, "A header alone.", None),
        ("two-parts", f"{header}.{payload}", "Two parts, the signature and its dot left out.", "GHSA-88q6-jcjg-hvmw"),
        ("four-parts", f"{good}.x", "A good token with a fourth part.", "CVE-2026-80179"),
        ("trailing-dot", f"{good}.", "A good token with a trailing dot.", "CVE-2026-80179"),
        ("leading-dot", f".{good}", "A good token with a leading dot.", "CVE-2026-80179"),
        ("empty-header", f".{payload}.{signature}", "An empty header part.", "CVE-2024-21664"),
        ("empty-payload", f"{header}..{signature}", "An empty payload part, as in a detached JWS.",
         "GHSA-88q6-jcjg-hvmw"),
        ("empty-payload-and-signature", f"{header}..", "Only the header is there.", "CVE-2024-21664"),
        ("six-parts", f"{good}.{good}", "Two tokens joined by a dot.", "CVE-2026-80179"),
        ("percent-encoded-dots", good.replace(".", "%2E"), "The dots are percent-encoded.", None),
        ("json-flattened", flattened, "The flattened JSON serialization of a good token.", "RFC 7515 section 7.2.2"),
        ("json-general", '{"payload":"%s","signatures":[%s]}' % (payload, member),
         "The general JSON serialization of a good token.", "RFC 7515 section 7.2.1"),
        ("json-no-signatures", '{"payload":"%s","signatures":[]}' % payload,
         "The general JSON serialization with no signature at all.", "CVE-2026-102946"),
        ("json-two-signatures", '{"payload":"%s","signatures":[%s,%s]}' % (payload, member, member),
         "The general JSON serialization with two signatures.", "CVE-2016-9122"),
        ("json-unprotected-algorithm", unprotected, "The algorithm stands in an unprotected header.",
         "GHSA-jc38-x7x8-2xc8"),
        ("json-no-protected", '{"payload":"%s","signature":"%s"}' % (payload, signature),
         "The flattened JSON serialization without a protected header.", "CVE-2024-21664"),
        ("json-empty-object", "{}", "An empty JSON object.", "CVE-2024-21664"),
    ]
    for identifier, text, why, reference in malformed:
        suite.add(f"shape-{identifier}", text, "malformed_token", why, reference)
    not_base64url = [
        ("json-around-compact", '{"%s":""}' % good, "A compact token as a member name of a JSON object.",
         "CVE-2022-39227"),
        ("json-polyglot", '{"x.%s.":"%s","protected":"%s"}' % (payload, signature, header),
         "A text that reads as JSON for one parser and as a compact token for another.", "CVE-2022-39227"),
        ("quoted", f'"{good}"', "A good token in quotation marks.", None),
        ("bearer", f"Bearer {good}", "The authentication scheme is in front of the token.", "RFC 6750 section 2.1"),
        ("tilde", f"{good}~", "A good token with the tilde of an SD-JWT.", None),
        ("comma", f"{good},{good.partition('.')[0]}", "A good token followed by a comma and more.", None),
    ]
    for identifier, text, why, reference in not_base64url:
        suite.add(f"shape-{identifier}", text, "invalid_base64url", why, reference)
    encryption = base64url(dump({"alg": "dir", "enc": "A128GCM"}))
    encrypted = [
        ("five-parts", f"{encryption}..AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA", "An encrypted token.",
         "RFC 7516 section 7.1"),
        ("four-dots", "....", "Four dots with nothing between them.", "CVE-2026-80179"),
        ("five-parts-of-good-token", f"{good}.{payload}.{signature}", "A good token with two more parts.",
         "CVE-2026-80179"),
        ("encrypted-plain-jwt", f"{encryption}..AAAAAAAAAAAAAAAA.{base64url(b'eyJhbGciOiJub25lIn0.e30.')}.AAAA",
         "An encrypted token that would hold an unsecured one.", "CVE-2026-29000"),
    ]
    for identifier, text, why, reference in encrypted:
        suite.add(f"shape-{identifier}", text, "encrypted_token", why, reference)
    suite.add("shape-16384-dots", "." * 16384, "malformed_token", "As many dots as a token may have octets.",
              "CVE-2025-30204")
    suite.add("shape-16385-dots", "." * 16385, "token_too_large", "One dot more than a token may have octets.",
              "CVE-2025-30204")
    return suite


def token_with_both_special_characters(key):
    """A good token of which every part has a '-' and a '_'."""
    for number in range(1 << 12):
        text = token(key, claims(x="\u00fb\u00ff\u00be\u00bf~~~>>>???", n=number), y="~~~>>>???\u00fb\u00ff\u00be")
        if all("-" in part and "_" in part for part in split(text)):
            return text
    raise AssertionError("no such token")


def base64url_parts():
    key, rsa = ec_key("p256-1"), rsa_key("rsa-1")
    suite = Suite("base64url", "Strict base64url: the alphabet, no padding, no white space, unused bits zero.",
                  [key.jwk(), rsa.jwk()], reference=RFC4648)
    good = token_with_both_special_characters(key)
    parts = split(good)
    suite.valid("base64url-good", good, "Every part has both characters in which base64url and base64 differ.")
    for size in range(3):
        suite.valid(f"base64url-payload-length-{size}", token(key, claims(x="x" * size)),
                    f"A payload of each length modulo three is accepted (filler of {size} octets).")
    names = ("header", "payload", "signature")
    changes = [
        ("standard-alphabet", lambda part: part.replace("-", "+").replace("_", "/"), "is in the standard alphabet",
         "CVE-2026-102269"),
        ("padded", lambda part: part + "=" * (-len(part) % 4 or 4), "is padded", "CVE-2026-102269"),
        ("space-inside", lambda part: f"{part[:8]} {part[8:]}", "has a space inside", "CVE-2026-102269"),
        ("newline-inside", lambda part: f"{part[:8]}\n{part[8:]}", "has a line feed inside", None),
        ("junk-inside", lambda part: f"{part[:8]}!!!!{part[8:]}", "has four characters of junk inside",
         "CVE-2026-102269"),
        ("nul-inside", lambda part: f"{part[:8]}\0{part[8:]}", "has a NUL inside", None),
        ("non-ascii", lambda part: f"{part[:8]}\uff21{part[9:]}", "has a full-width letter inside", None),
        ("percent", lambda part: f"{part[:8]}%{part[9:]}", "has a percent sign inside", None),
        ("length-1-mod-4", lambda part: part[:len(part) // 4 * 4 - 3], "has a length of one modulo four", None),
    ]
    for position, name in enumerate(names):
        for identifier, change, what, reference in changes:
            mangled = list(parts)
            mangled[position] = change(mangled[position])
            suite.add(f"base64url-{name}-{identifier}", ".".join(mangled), "invalid_base64url", f"The {name} {what}.",
                      reference)
    around = [("trailing-space", "", " "), ("trailing-newline", "", "\n"), ("trailing-crlf", "", "\r\n"),
              ("trailing-tab", "", "\t"), ("trailing-nul", "", "\0"), ("trailing-equals", "", "=="),
              ("leading-space", " ", ""), ("leading-newline", "\n", ""), ("leading-bom", "\ufeff", "")]
    for identifier, before, after in around:
        suite.add(f"base64url-{identifier}", before + good + after, "invalid_base64url",
                  f"A good token with {identifier.replace('-', ' ')}.", "CVE-2026-102269")
    plain = token(key)
    suite.add("base64url-unused-bits-signature", f"{signing_input(plain)}.{unused_bits_set(split(plain)[2])}",
              "invalid_base64url", "The unused bits at the end of an ES256 signature are not zero.",
              "RFC 4648 section 3.5")
    plain = token(rsa)
    suite.add("base64url-unused-bits-rsa-signature", f"{signing_input(plain)}.{unused_bits_set(split(plain)[2])}",
              "invalid_base64url", "The unused bits at the end of an RS256 signature are not zero.",
              "RFC 4648 section 3.5")
    for filler in ("x", "xx", "xxx"):
        header, payload = base64url(dump(header_of(key))), base64url(dump(claims(x=filler)))
        if len(payload) % 4:
            suite.add(f"base64url-unused-bits-payload-{len(payload) % 4}",
                      sign_input(key, f"{header}.{unused_bits_set(payload)}"), "invalid_base64url",
                      "The unused bits at the end of the payload are not zero, and the signature covers them.",
                      "RFC 4648 section 3.5")
        header, payload = base64url(dump(header_of(key, x=filler))), base64url(dump(claims()))
        if len(header) % 4:
            suite.add(f"base64url-unused-bits-header-{len(header) % 4}",
                      sign_input(key, f"{unused_bits_set(header)}.{payload}"), "invalid_base64url",
                      "The unused bits at the end of the header are not zero, and the signature covers them.",
                      "RFC 4648 section 3.5")
    suite.add("base64url-signed-padded-payload", sign_input(key, f"{base64url(dump(header_of(key)))}."
              f"{base64url(dump(claims(x='xx')))}=="), "invalid_base64url",
              "The payload is padded, and the signature covers the padding.", "RFC 7515 section 2")
    return suite


MALFORMED_VALUES = [  # identifier, text of the value of a member, what it is
    ("trailing-comma-array", b"[1,]", "a trailing comma in an array"),
    ("trailing-comma-object", b'{"a":1,}', "a trailing comma in an object"),
    ("nan", b"NaN", "the word NaN"),
    ("infinity", b"Infinity", "the word Infinity"),
    ("minus-infinity", b"-Infinity", "the word -Infinity"),
    ("leading-zero", b"01", "a number with a leading zero"),
    ("minus-leading-zero", b"-01", "a negative number with a leading zero"),
    ("plus-sign", b"+1", "a number with a plus sign"),
    ("hexadecimal", b"0x1", "a hexadecimal number"),
    ("no-integer-part", b".5", "a number without an integer part"),
    ("no-fraction", b"5.", "a number with a dot and no fraction"),
    ("no-exponent", b"1e", "a number with an empty exponent"),
    ("minus-alone", b"-", "a minus sign alone"),
    ("underscore-number", b"1_000", "a number with an underscore"),
    ("bad-escape", rb'"\q"', "an unknown escape"),
    ("hex-escape", rb'"\x41"', "a hexadecimal escape"),
    ("short-unicode-escape", rb'"\u12"', "a unicode escape of two digits"),
    ("lone-high-surrogate", rb'"\ud800"', "an escaped high surrogate alone"),
    ("lone-low-surrogate", rb'"\udc00"', "an escaped low surrogate alone"),
    ("reversed-surrogates", rb'"\udc00\ud800"', "an escaped surrogate pair in the wrong order"),
    ("high-surrogate-then-letter", rb'"\ud800\u0041"', "an escaped high surrogate before a letter"),
    ("raw-newline", b'"a\nb"', "a raw line feed in a string"),
    ("raw-tab", b'"a\tb"', "a raw tab in a string"),
    ("raw-nul", b'"a\0b"', "a raw NUL in a string"),
    ("raw-unit-separator", b'"a\x1fb"', "a raw U+001F in a string"),
    ("single-quotes", b"'a'", "a string in single quotes"),
    ("unterminated-string", b'"a', "a string without its end"),
    ("capital-true", b"True", "the word True with a capital letter"),
    ("cut-literal", b"nul", "a literal cut short"),
    ("undefined", b"undefined", "the word undefined"),
    ("comment", b"/*x*/1", "a comment"),
    ("missing-comma", b"[1 2]", "an array without a comma"),
    ("missing-colon", b'{"a" 1}', "an object without a colon"),
    ("unquoted-name", b"{a:1}", "a member name without quotes"),
    ("number-as-name", b"{1:1}", "a number as member name"),
    ("wrong-bracket", b"[1}", "an array closed by a brace"),
    ("empty-value", b"", "a member without a value"),
    ("form-feed", b"\x0c1", "a form feed as white space"),
    ("no-break-space", b"\xc2\xa01", "a no-break space as white space"),
]
HEADER_VALUES = {"trailing-comma-array", "nan", "leading-zero", "no-fraction", "bad-escape", "short-unicode-escape",
                 "lone-high-surrogate", "lone-low-surrogate", "reversed-surrogates", "raw-newline", "raw-nul",
                 "single-quotes", "capital-true", "comment", "missing-colon", "unquoted-name", "form-feed"}
MALFORMED_DOCUMENTS = [  # identifier, change of a whole document, what it does
    ("bom", lambda text: b"\xef\xbb\xbf" + text, "begins with a byte order mark"),
    ("trailing-garbage", lambda text: text + b"x", "is followed by garbage"),
    ("two-objects", lambda text: text + b"{}", "is followed by another object"),
    ("trailing-nul", lambda text: text + b"\0", "is followed by a NUL"),
    ("trailing-comma", lambda text: text[:-1] + b",}", "ends with a comma"),
    ("leading-comma", lambda text: b"{," + text[1:], "begins with a comma"),
    ("no-end", lambda text: text[:-1], "lacks its closing brace"),
    ("two-ends", lambda text: text + b"}", "has one brace too many"),
    ("trailing-comment", lambda text: text + b"//x", "is followed by a comment"),
    ("utf-16", lambda text: text.decode().encode("utf-16-le"), "is in UTF-16"),
    ("white-space-only", lambda text: b" ", "is a single space"),
    ("not-json", lambda text: b"hello", "is a bare word"),
]
WELL_FORMED_VALUES = [
    ("escapes", rb'"\"\\\/\b\f\n\r\t\u0041"', "every short escape"),
    ("surrogate-pair", rb'"\ud83d\ude00"', "an escaped surrogate pair"),
    ("escaped-nul", rb'"a\u0000b"', "an escaped NUL"),
    ("non-ascii", '"Zo\u00eb \u2013 \u4f60\u597d \U0001f600"'.encode(), "text outside of ASCII"),
    ("last-code-point", '"\U0010ffff"'.encode(), "the last code point of Unicode"),
    ("noncharacter", '"\uffff\ufdd0"'.encode(), "noncharacters"),
    ("line-separator", '"\u2028\u2029"'.encode(), "U+2028 and U+2029, not escaped"),
    ("delete", b'"\x7f"', "U+007F, not escaped"),
    ("numbers", b"[0,-0,1.5,-0.25,1e5,1E+5,1.5e-3,123456789012345678901234567890,1e400]", "numbers of every form"),
    ("white-space", b" \t\r\n[ 1 ,\n2 ] ", "all four kinds of white space"),
    ("empty-containers", b'[{},[],"",{"":""}]', "empty containers, strings and names"),
    ("literals", b"[true,false,null]", "the three literals"),
]


def document_with_value(base, text):
    return dump({**base, "x": Raw(text)})


def json_header():
    key = ec_key("p256-1")
    suite = Suite("json-header", "The header is JSON exactly as RFC 8259 has it, and an object.", [key.jwk()],
                  reference=RFC8259)
    header = header_of(key)
    for identifier, text, what in MALFORMED_VALUES:
        if identifier in HEADER_VALUES:
            suite.add(f"json-header-{identifier}", sign_parts(key, document_with_value(header, text), claims()),
                      "invalid_json", f"The header has {what}.")
    for identifier, change, what in MALFORMED_DOCUMENTS:
        suite.add(f"json-header-{identifier}", sign_parts(key, change(dump(header)), claims()), "invalid_json",
                  f"The header {what}.")
    for identifier, text, what in WELL_FORMED_VALUES:
        suite.valid(f"json-header-{identifier}", sign_parts(key, document_with_value(header, text), claims()),
                    f"A member of the header that nobody reads has {what}.")
    for identifier, text in [("array", b"[]"), ("array-of-object", b'[{"alg":"ES256"}]'), ("string", b'"ES256"'),
                             ("number", b"1"), ("null", b"null"), ("true", b"true")]:
        suite.add(f"json-header-top-level-{identifier}", sign_parts(key, text, claims()), "invalid_header",
                  "The header is JSON but not an object.", "RFC 7515 section 4")
    escaped_name, escaped_value = Raw(rb'"\u0061lg"'), Raw(rb'"\u0045S25\u0036"')
    suite.valid("json-header-escaped-alg-name",
                sign_parts(key, Members([(escaped_name, "ES256"), ("kid", key.name)]), claims()),
                "An escaped member name means the same as the plain one.")
    suite.valid("json-header-escaped-alg-value", sign_parts(key, {**header, "alg": escaped_value}, claims()),
                "An escaped algorithm name means the same as the plain one.")
    suite.add("json-header-escaped-alg-none", assemble(Members([(escaped_name, "none")]), claims(), b""),
              "unsecured_token", "Escaping the name of alg does not hide an unsecured token.", "CVE-2015-9235")
    return suite


def json_payload():
    key = ec_key("p256-1")
    suite = Suite("json-payload", "The payload is JSON exactly as RFC 8259 has it, and an object.", [key.jwk()],
                  reference=RFC8259)
    for identifier, text, what in MALFORMED_VALUES:
        suite.add(f"json-payload-{identifier}", token(key, document_with_value(claims(), text)), "invalid_json",
                  f"The payload has {what}.")
    for identifier, change, what in MALFORMED_DOCUMENTS:
        suite.add(f"json-payload-{identifier}", token(key, change(dump(claims()))), "invalid_json",
                  f"The payload {what}.")
    for identifier, text, what in WELL_FORMED_VALUES:
        suite.valid(f"json-payload-{identifier}", token(key, document_with_value(claims(), text)),
                    f"A claim that nobody reads has {what}.")
    for identifier, text in [("empty-array", b"[]"), ("array-of-claims", b"[" + dump(claims()) + b"]"),
                             ("string", b'"x"'), ("number", b"1"), ("null", b"null"), ("false", b"false")]:
        suite.add(f"json-payload-top-level-{identifier}", token(key, text), "invalid_claim",
                  "The payload is JSON but not an object.", "CVE-2026-107723")
    suite.add("json-payload-empty-object", token(key, b"{}"), "missing_claim",
              "An empty object has no expiration time.", "CVE-2026-107723")
    suite.valid("json-payload-surrounding-space", token(key, b" \r\n\t" + dump(claims()) + b"\n"),
                "White space around the payload is allowed.")
    suite.valid("json-payload-escaped-names", token(key, Raw(dump(claims()).replace(b'"exp"', rb'"\u0065xp"'))),
                "The expiration time is found under an escaped name.")
    return suite


MALFORMED_UTF8 = [
    ("overlong-2", b"\xc0\xaf", "an overlong form of two octets"),
    ("overlong-nul", b"\xc0\x80", "an overlong NUL"),
    ("overlong-3", b"\xe0\x80\xaf", "an overlong form of three octets"),
    ("overlong-4", b"\xf0\x80\x80\xaf", "an overlong form of four octets"),
    ("cesu-8", b"\xed\xa0\xbd\xed\xb8\x80", "a surrogate pair in CESU-8"),
    ("surrogate", b"\xed\xa0\x80", "a lone surrogate"),
    ("too-high", b"\xf4\x90\x80\x80", "a code point above U+10FFFF"),
    ("f5", b"\xf5\x80\x80\x80", "an octet that never occurs"),
    ("five-octets", b"\xf8\x88\x80\x80\x80", "a form of five octets"),
    ("ff", b"\xff", "the octet FF"),
    ("continuation", b"\x80", "a continuation octet alone"),
    ("truncated-2", b"\xc3", "a form of two octets cut short"),
    ("truncated-3", b"\xe2\x82", "a form of three octets cut short"),
    ("truncated-4", b"\xf0\x9f\x98", "a form of four octets cut short"),
    ("latin-1", b"Zo\xeb", "a letter in ISO 8859-1"),
]


def utf8():
    key = ec_key("p256-1")
    suite = Suite("utf8", "Header and payload are UTF-8, without overlong forms, surrogates or code points too high.",
                  [key.jwk()], reference="RFC 3629 section 3; RFC 8259 section 8.1")
    for identifier, text, what in MALFORMED_UTF8:
        value = Raw(b'"' + text + b'"')
        suite.add(f"utf8-payload-{identifier}", token(key, claims(x=value)), "invalid_utf8",
                  f"A string in the payload has {what}.")
        suite.add(f"utf8-header-{identifier}", token(key, x=value), "invalid_utf8",
                  f"A string in the header has {what}.")
    name = Raw(b'"a\xc0\xaf"')
    suite.add("utf8-payload-name", token(key, Members([*claims().items(), (name, 1)])), "invalid_utf8",
              "A member name in the payload is not UTF-8.")
    suite.add("utf8-header-name", sign_parts(key, Members([*header_of(key).items(), (name, 1)]), claims()),
              "invalid_utf8", "A member name in the header is not UTF-8.")
    suite.add("utf8-payload-outside-of-strings", token(key, dump(claims()) + b"\xff"), "invalid_utf8",
              "The text is checked for UTF-8 before it is read as JSON.")
    suite.add("utf8-payload-before-json", token(key, b"{\"a\":01,\"b\":\"\xff\"}"), "invalid_utf8",
              "A payload that is neither UTF-8 nor JSON fails as not being UTF-8.")
    suite.add("utf8-payload-utf-16-bom", token(key, dump(claims()).decode().encode("utf-16")), "invalid_utf8",
              "A payload in UTF-16 with a byte order mark is not UTF-8.")
    for identifier, text in [("u-0080", "\u0080"), ("u-07ff", "\u07ff"), ("u-0800", "\u0800"), ("u-d7ff", "\ud7ff"),
                             ("u-e000", "\ue000"), ("u-10000", "\U00010000"), ("u-10ffff", "\U0010ffff")]:
        suite.valid(f"utf8-payload-{identifier}", token(key, claims(x=text)),
                    f"A code point at an edge of its length ({identifier.upper().replace('U-', 'U+')}) is accepted.")
    return suite


def duplicate_members():
    key = ec_key("p256-1")
    suite = Suite("duplicate-members", "A member name occurs once in an object, compared after unescaping.",
                  [key.jwk()], reference="RFC 7515 section 4; RFC 7519 section 4")
    header, payload = list(header_of(key).items()), list(claims().items())
    escaped = raw(r'"\u0073ub"')
    in_header = [
        ("alg", [("alg", "none"), *header], "alg twice, first none"),
        ("alg-last", [*header, ("alg", "none")], "alg twice, last none"),
        ("alg-same", [*header, ("alg", "ES256")], "alg twice with the same value"),
        ("alg-escaped", [*header, (raw(r'"\u0061lg"'), "none")], "alg twice, once escaped"),
        ("kid", [*header, ("kid", "other")], "kid twice"),
        ("typ", [*header, ("typ", "at+jwt")], "typ twice"),
        ("crit", [*header, ("crit", ["b64"]), ("b64", True), ("crit", ["b64"])], "crit twice"),
        ("nested", [*header, ("x", Members([("a", 1), ("a", 2)]))], "a name twice in an inner object"),
    ]
    for identifier, members, what in in_header:
        suite.add(f"duplicate-header-{identifier}", sign_parts(key, Members(members), claims()), "duplicate_member",
                  f"The header has {what}.")
    in_payload = [
        ("sub", [*payload, ("sub", "user-2")], "sub twice"),
        ("sub-escaped", [*payload, (escaped, "user-2")], "sub twice, once escaped"),
        ("exp", [("exp", 1), *payload], "exp twice"),
        ("iss", [*payload, ("iss", "https://evil.example")], "iss twice"),
        ("same-value", [*payload, ("aud", "client-1")], "aud twice with the same value"),
        ("null", [*payload, ("nonce", "n"), ("nonce", None)], "nonce twice, once null"),
        ("unread", [*payload, ("x", 1), ("y", 2), ("x", 3)], "a name that nobody reads twice"),
        ("empty-name", [*payload, ("", 1), ("", 2)], "an empty name twice"),
        ("nested", [*payload, ("x", Members([("role", "user"), ("role", "admin")]))],
         "a name twice in an inner object"),
        ("nested-in-array", [*payload, ("x", [1, [Members([("a", 1), ("b", 2), ("a", 3)])]])],
         "a name twice in an object within arrays"),
        ("slash-escaped", [*payload, ("a/b", 1), (raw(r'"a\/b"'), 2)], "a name twice, once with an escaped slash"),
        ("surrogate-pair", [*payload, ("\U0001f600", 1), (raw(r'"\ud83d\ude00"'), 2)],
         "a name twice, once as an escaped surrogate pair"),
        ("far-apart", [*payload, ("x", 0), *[(f"n{i}", i) for i in range(200)], ("x", 1)],
         "a name twice with two hundred others between"),
    ]
    for identifier, members, what in in_payload:
        suite.add(f"duplicate-payload-{identifier}", token(key, Members(members)), "duplicate_member",
                  f"The payload has {what}.")
    distinct = [
        ("case", [("SUB", "x"), ("Sub", "x")], "Names that differ in case only are different names."),
        ("normalization", [("caf\u00e9", 1), ("cafe\u0301", 2)], "Names are not normalized before they are compared."),
        ("levels", [("x", {"sub": "x", "y": {"sub": "x"}})], "The same name may occur in objects within each other."),
        ("siblings", [("x", [{"a": 1}, {"a": 1}])], "The same name may occur in objects beside each other."),
        ("nul", [("a", 1), (raw(r'"a\u0000"'), 2)], "A name is not cut at a NUL before it is compared."),
        ("value", [("x", "x"), ("y", "x")], "Equal values are no duplicate names."),
    ]
    for identifier, members, why in distinct:
        suite.valid(f"duplicate-distinct-{identifier}", token(key, Members([*payload, *members])), why)
    return suite


def nested(depth, inner=b"1", *, objects=False):
    opening, closing = (b'{"a":', b"}") if objects else (b"[", b"]")
    return Raw(opening * depth + inner + closing * depth)


def token_of_length(key, length):
    """A good token of exactly so many characters, its length made up by a claim and a header member."""
    for extra in range(3):
        overhead = len(token(key, claims(x="", y=""), x="x" * extra))
        for size in range((length - overhead) * 3 // 4 - 4, (length - overhead) * 3 // 4 + 5):
            text = token(key, claims(x="x" * (size // 2), y="y" * (size - size // 2)), x="x" * extra)
            if len(text) == length:
                return text
    raise AssertionError("no such token")


def limits():
    key = ec_key("p256-1")
    suite = Suite("limits", "What is at a limit is accepted, what is beyond is refused by its size.", [key.jwk()],
                  reference="RFC 8725 section 2.8")
    suite.valid("limit-token-16384", token_of_length(key, 16384), "A token of 16384 octets is accepted.")
    suite.add("limit-token-16385", token_of_length(key, 16385), "token_too_large",
              "A token of 16385 octets is refused.", "CVE-2025-61920")
    filler = 8192 - len(dump(header_of(key, x="", y="")))
    for size, expect in ((8192, "valid"), (8193, "token_too_large")):
        text = token(key, x="x" * (filler // 2), y="y" * (filler - filler // 2 + size - 8192))
        suite.add(f"limit-header-{size}", text, expect, f"A header of {size} octets.", "CVE-2025-61920")
    for depth, expect in ((16, "valid"), (17, "nesting_too_deep"), (5000, "nesting_too_deep")):
        suite.add(f"limit-payload-depth-{depth}", token(key, claims(x=nested(depth - 1, b""))), expect,
                  f"Arrays in the payload down to depth {depth}, the payload itself being depth one.",
                  "CVE-2025-53864")
    for depth, expect in ((16, "valid"), (17, "nesting_too_deep"), (500, "nesting_too_deep")):
        suite.add(f"limit-payload-object-depth-{depth}", token(key, claims(x=nested(depth - 1, objects=True))), expect,
                  f"Objects in the payload down to depth {depth}.", "GHSA-8wjv-2p76-3863")
    for depth, expect in ((16, "valid"), (17, "nesting_too_deep"), (2000, "nesting_too_deep")):
        suite.add(f"limit-header-depth-{depth}", token(key, x=nested(depth - 1, b"")), expect,
                  f"Arrays in the header down to depth {depth}.", "CVE-2026-116586")
    suite.add("limit-payload-unclosed-depth", token(key, b"[" * 4000), "nesting_too_deep",
              "Four thousand opening brackets and nothing else.", "CVE-2025-53864")
    suite.add("limit-payload-alternating-depth", token(key, claims(x=Raw(b'[{"a":' * 250 + b"1" + b"}]" * 250))),
              "nesting_too_deep", "Arrays and objects in turn, five hundred deep.", "CVE-2026-116586")
    for count, expect in ((32, "valid"), (33, "too_many_members")):
        members = {f"x{i}": i for i in range(count - len(header_of(key)))}
        suite.add(f"limit-header-members-{count}", token(key, **members), expect, f"A header of {count} members.")
    for count, expect in ((256, "valid"), (257, "too_many_members")):
        members = {f"x{i}": i for i in range(count - len(claims()))}
        suite.add(f"limit-payload-members-{count}", token(key, claims(**members)), expect,
                  f"A payload of {count} members.")
        suite.add(f"limit-payload-inner-members-{count}",
                  token(key, claims(x={f"x{i}": i for i in range(count)})), expect,
                  f"An object of {count} members within the payload.")
    # The payload itself, its five claims, x, and the elements of x: seven values and the elements.
    for total, expect in ((2048, "valid"), (2050, "too_many_members")):
        suite.add(f"limit-payload-values-{total}", token(key, claims(x=[0] * (total - 7))), expect,
                  f"A payload of {total} values, itself and every array counted.")
    for total, expect in ((64, "valid"), (66, "too_many_members"), (256, "too_many_members"), (258, "too_many_members")):
        suite.add(f"limit-header-values-{total}", token(key, x=[0] * (total - 5)), expect,
                  f"A header of {total} values, itself and every array counted.")
    for count, expect in ((256, "valid"), (257, "token_too_large")):
        for name, escape in (("slashes", rb"\/"), ("units", rb"\u00e9")):
            suite.add(f"limit-header-escapes-{count}-{name}", token(key, x=Raw(b'"' + escape * count + b'"')), expect,
                      f"A header of {count} escapes ({name}).")
    suite.valid("limit-payload-escapes", token(key, claims(x=Raw(b'"' + rb"\u5f20" * 1000 + b'"'))),
                "A signed payload may have any number of escapes.")
    for size, expect in ((128, "valid"), (129, "token_too_large")):
        members = [*header_of(key).items(), (Raw(rb'"\u0078"'), 0)]
        filler = size - len(dump(Members([*members, ("y", "")])))
        suite.add(f"limit-header-escaped-name-{size}", sign_parts(key, Members([*members, ("y", "y" * filler)]), claims()), expect,
                  f"A header of {size} octets in which a name has an escape.")
    suite.add("limit-audience-elements", token(key, claims(aud=["a"] * 2100)), "too_many_members",
              "An audience of 2100 elements.", "CVE-2020-26160")
    for size, expect in ((8192, "valid"), (8193, "token_too_large")):
        suite.add(f"limit-string-{size}", token(key, claims(x="x" * size)), expect, f"A string of {size} octets.")
    suite.valid("limit-string-8192-octets-of-utf8", token(key, claims(x="\u00e9" * 4096)),
                "A string of 4096 characters of two octets each.")
    suite.add("limit-string-8194-octets-of-utf8", token(key, claims(x="\u00e9" * 4097)), "token_too_large",
              "A string of 4097 characters of two octets each.")
    for size, expect in ((64, "valid"), (65, "token_too_large")):
        for name, text in (("digits", b"1" * size), ("fraction", b"0." + b"5" * (size - 2)),
                           ("exponent", b"1e-" + b"0" * (size - 4) + b"1")):
            suite.add(f"limit-number-{name}-{size}", token(key, claims(x=Raw(text))), expect,
                      f"A number of {size} characters ({name}).")
    suite.add("limit-header-number-65", token(key, x=Raw(b"1" * 65)), "token_too_large",
              "A number of 65 characters in the header.")
    suite.add("limit-kid-16-kib", token(key, kid="k" * 16384), "token_too_large", "A kid of 16 KiB.",
              "CVE-2025-61920")
    suite.add("limit-kid-4000", token(key, kid="k" * 4000), "unknown_key",
              "A kid of four thousand characters is only a key that is not there.")
    suite.add("limit-signature-of-16-kib", f"{signing_input(token(key))}.{'A' * 21830}", "token_too_large",
              "A signature long enough to overrun a buffer meant for its DER form.", "RFC 7518 section 3.4; HAProxy commit 648b0e7be")
    suite.add("limit-signature-of-10-kib", f"{signing_input(token(key))}.{'A' * 13656}", "signature_invalid",
              "A signature far too long for its algorithm, in a token of allowed length.", "RFC 7518 section 3.4; HAProxy commit 648b0e7be")
    return suite


SUITES = [token_shape, base64url_parts, json_header, json_payload, utf8, duplicate_members, limits]
