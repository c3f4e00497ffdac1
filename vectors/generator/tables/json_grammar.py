"""Each rule of JSON's grammar, broken and kept, in the header and in the payload of a token whose signature is good."""

from ..encoding import Raw, dump
from ..keys import ed_key
from ..suite import Suite, claims, header_of, sign_parts

HEXADECIMAL = "0123456789abcdefABCDEF"
NUMBERS = {  # identifier: text, of values that are not numbers in JSON
    "plus": "+1", "plus-zero": "+0", "double-minus": "--1", "minus-space": "- 1", "minus-plus": "-+1", "zero-zero": "00",
    "minus-zero-zero": "-00", "zero-one": "01", "minus-zero-one": "-01", "dot-end": "1.", "zero-dot-end": "0.", "dot-start": ".1",
    "minus-dot": "-.1", "dot-alone": ".", "two-dots": "1..2", "two-fractions": "1.2.3", "dot-exponent": "1.e1", "exponent-start": "e1",
    "exponent-end": "1e", "exponent-capital-end": "1E", "exponent-plus-end": "1e+", "exponent-minus-end": "1e-",
    "exponent-fraction": "1e1.5", "two-exponents": "1e1e1", "exponent-double": "1ee1", "exponent-two-signs": "1e+-1",
    "exponent-space": "1 e1", "fraction-space": "1 .5", "hexadecimal": "0x10", "hexadecimal-capital": "0X1F", "octal": "0o17",
    "binary": "0b1", "underscore": "1_000", "thousands": "1,000", "suffix-l": "1L", "suffix-f": "1.5f", "suffix-n": "1n",
    "letter": "1a", "letter-in-fraction": "1.2a", "full-width": "\uff11", "arabic": "\u0661", "superscript": "2\u00b2",
    "nan": "NaN", "minus-nan": "-NaN", "nan-lower": "nan", "infinity": "Infinity", "minus-infinity": "-Infinity", "inf": "inf",
    "minus-alone": "-", "minus-letter": "-a", "percent": "1%", "minus-sign": "\u22121",
}
WORDS = {
    "true-capital": "True", "false-capital": "False", "null-capital": "Null", "true-upper": "TRUE", "null-upper": "NULL",
    "true-cut": "tru", "false-cut": "fals", "null-cut": "nul", "true-long": "truee", "null-long": "nulll", "undefined": "undefined",
    "none": "None", "nil": "nil", "yes": "yes", "word": "user", "two-words": "true false", "true-number": "true1",
    "letter-t": "t", "function": "x()", "date": "2023-11-14", "template": "`x`", "regular-expression": "/x/", "variable": "$x",
}
STRINGS = {
    "single-quotes": "'a'", "no-end": '"a', "no-start": 'a"', "quote-alone": '"', "backslash-end": '"\\"', "backslash-alone": '"\\',
    "typographic-quotes": "\u201ca\u201d", "adjacent": '"a" "b"', "joined": '"a"+"b"', "prefix": 'u"a"', "triple": '"""a"""',
    "inner-quote": '"a"b"', "escaped-quote-outside": '\\"a\\"', "line-continuation": '"a\\\nb"',
    "surrogate-braces": '"\\u{41}"', "unicode-eight": '"\\U00000041"', "unicode-capital": '"\\U0041"',
    "unicode-plus": '"\\u+041"', "unicode-minus": '"\\u-041"', "unicode-space": '"\\u 041"', "unicode-hexadecimal": '"\\u0x41"',
    "unicode-end-0": '"\\u"', "unicode-end-1": '"\\u0"', "unicode-end-2": '"\\u00"', "unicode-end-3": '"\\u004"',
    "unicode-full-width": '"\\u004\uff11"',
}
STRUCTURES = {
    "array-comma-end": "[1,]", "array-comma-start": "[,1]", "array-comma-alone": "[,]", "array-commas": "[1,,2]", "array-no-comma": "[1 2]",
    "array-semicolon": "[1;2]", "array-colon": "[1:2]", "array-open": "[1", "array-open-comma": "[1,", "array-closed-twice": "[1]]",
    "array-brace": "[1}", "array-member": '["a":1]', "array-parenthesis": "(1)", "object-comma-end": '{"a":1,}',
    "object-comma-start": '{,"a":1}', "object-comma-alone": "{,}", "object-commas": '{"a":1,,"b":2}', "object-no-comma": '{"a":1 "b":2}',
    "object-semicolon": '{"a":1;"b":2}', "object-no-colon": '{"a" 1}', "object-two-colons": '{"a"::1}', "object-equals": '{"a"=1}',
    "object-arrow": '{"a"=>1}', "object-no-value": '{"a":}', "object-no-value-comma": '{"a":,"b":1}', "object-no-name": "{:1}",
    "object-value-only": '{"a"}', "object-number-name": "{1:1}", "object-null-name": "{null:1}", "object-word-name": "{a:1}",
    "object-quoted-name": "{'a':1}", "object-array-name": "{[]:1}", "object-two-names": '{"a" "b":1}', "object-open": '{"a":1',
    "object-open-colon": '{"a":', "object-open-name": '{"a"', "object-bracket": '{"a":1]', "object-closed-twice": '{"a":1}}',
    "comment-block": "/*x*/1", "comment-block-after": "1/*x*/", "comment-line": "//x\n1", "comment-hash": "#x\n1",
    "comment-xml": "<!--x-->1",
    "comment-open": "/*1", "empty": "", "spread": "[...1]", "range": "[1..2]",
}
SPACES = {
    "vertical-tab": "\v", "form-feed": "\f", "nul": "\0", "backspace": "\b", "delete": "\x7f", "next-line": "\u0085",
    "no-break": "\u00a0", "ogham": "\u1680", "en-quad": "\u2000", "zero-width": "\u200b", "line-separator": "\u2028",
    "paragraph-separator": "\u2029", "narrow-no-break": "\u202f", "ideographic": "\u3000", "bom": "\ufeff", "escape": "\x1b",
}
# RFC 8259 section 9 lets a reader limit the characters of strings: one that refuses U+0000 breaks no rule.
GOOD = {
    "zero": "0", "minus-zero": "-0", "minus-zero-fraction": "-0.0", "integer": "123", "minus": "-123", "fraction": "0.5",
    "fraction-long": "1.000000000000000000001", "exponent": "1e2", "exponent-capital": "1E2", "exponent-plus": "1e+2",
    "exponent-minus": "1e-2", "exponent-zero": "1e0", "exponent-zeros": "1e00", "exponent-leading-zero": "1e01", "zero-exponent": "0e5",
    "zero-fraction-exponent": "0.0e-5", "all-number-parts": "-12.34E-56", "string-empty": '""', "string-space": '" "',
    "string-slash": '"/"', "string-escaped-slash": '"\\/"', "string-quote": '"\\""', "string-backslash": '"\\\\"',
    "string-two-backslashes": '"\\\\\\\\"', "string-short-escapes": '"\\b\\f\\n\\r\\t"', "string-escape-lower": '"\\u00e9"',
    "string-escape-upper": '"\\u00E9"', "string-escape-nul": '"\\u0000"', "string-escape-quote": '"\\u0022"',
    "string-escape-backslash": '"\\u005c"', "string-pair": '"\\ud834\\udd1e"', "string-last-pair": '"\\udbff\\udfff"',
    "string-raw": '"\u00e9\u4f60\U0001f600"', "string-brackets": '"[{]}"', "string-comment": '"/*//"', "string-comma": '",:"',
    "string-number": '"1"', "string-delete": '"\x7f"', "string-next-line": '"\u0085"', "string-separators": '"\u2028\u2029"',
    "string-bom": '"\ufeff"', "true": "true", "false": "false", "null": "null", "array-empty": "[]", "array-one": "[1]",
    "array-mixed": '[null,true,1,"a",[],{}]', "array-nested": "[[[[]]]]", "object-empty": "{}", "object-one": '{"a":1}',
    "object-empty-name": '{"":1}', "object-escaped-name": '{"\\u0061":1}', "object-nested": '{"a":{"a":{"a":{}}}}',
    "space-before": " 1", "space-after": "1 ", "tab": "\t1\t", "line-feed": "\n1\n", "carriage-return": "\r1\r",
    "spaces-in-array": "[ 1 , 2 ]", "spaces-in-object": '{ "a" : 1 , "b" : 2 }', "spaces-in-empty": "[ ]", "spaces-in-empty-object": "{ }",
}
LONE = {"high": "\\ud800", "low": "\\udc00", "reversed": "\\udc00\\ud800", "two-high": "\\ud800\\ud800", "high-letter": "\\ud800a",
        "high-escape": "\\ud800\\n", "high-then-unit": "\\ud800\\u0041", "low-after-pair": "\\ud834\\udd1e\\udd1e"}


def malformed():
    """Identifier, text of a value, what it is, severity."""
    for group, table in (("number", NUMBERS), ("word", WORDS), ("string", STRINGS), ("structure", STRUCTURES)):
        for identifier, text in table.items():
            yield f"{group}-{identifier}", text, f"is not JSON ({identifier.replace('-', ' ')})", "must"
    for identifier, text in SPACES.items():
        yield f"space-{identifier}", f"[1,{text}2]", f"has white space that JSON does not know ({identifier.replace('-', ' ')})", "must"
    for code in range(0x20):
        yield f"control-{code:02x}", f'"a{chr(code)}b"', f"is a string with U+{code:04X} in it, not escaped", "must"
    for character in "acdeghijklmopqsvwxyzABU0123'`@ ":
        name = f"{ord(character):02x}"
        yield f"escape-{name}", f'"\\{character}"', f"is a string with a backslash before U+{ord(character):04X}", "must"
    for place in range(4):
        digits = "0041"[:place] + "g" + "0041"[place + 1:]
        yield f"unicode-letter-{place + 1}", f'"\\u{digits}"', f"is a string with an escape whose digit {place + 1} is none", "must"
    for identifier, text in LONE.items():
        yield f"surrogate-{identifier}", f'"{text}"', f"is a string with a lone surrogate ({identifier.replace('-', ' ')})", "hardening"


def grammar(place, in_document):
    """The suite for one place of a value; `in_document` makes the token that has the value there."""
    suite = Suite(f"json-grammar-{place}", f"Each rule of JSON's grammar, broken and kept, in the {place}.", [ed_key("ed25519-1").jwk()],
                  reference="RFC 8259")
    for identifier, text, what, severity in malformed():
        suite.add(f"grammar-{place}-{identifier}", in_document(Raw(text.encode())), "invalid_json", f"A value in the {place} {what}.",
                  "RFC 7493 section 2.1" if severity == "hardening" else None, severity)
    for identifier, text in GOOD.items():
        suite.valid(f"grammar-{place}-good-{identifier}", in_document(Raw(text.encode())),
                    f"A value in the {place} is JSON ({identifier.replace('-', ' ')}).",
                    severity="should" if identifier == "string-escape-nul" else "must")
    return suite


def in_header():
    key = ed_key("ed25519-1")
    return grammar("header", lambda value: sign_parts(key, dump({**header_of(key), "x": value}), claims()))


def in_payload():
    key = ed_key("ed25519-1")
    return grammar("payload", lambda value: sign_parts(key, header_of(key), dump({"x": value, **claims()})))


SUITES = [in_header, in_payload]
