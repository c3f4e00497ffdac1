"""Which disclosures a presentation may have, and what comes of them (RFC 9901 section 7.1)."""

import hashlib

from ..encoding import Members, Raw, base64url, dump, raw, unused_bits_set
from ..suite import ABSENT, NOW
from .suite import (CNF, CREDENTIAL, ISSUER, KEY, POLICY, RFC, SelectiveSuite, credential, digest, disclosure, issuer_claims, issuer_token,
                    listed,
                    place, presented)

GIVEN, FAMILY = disclosure("s1", "given_name", "Jane"), disclosure("s2", "family_name", "Doe")
ELEMENT = disclosure("s3", "DE")
DECOY = digest("decoy")
INNER = disclosure("s4", "country", {"code": "DE"})
OUTER = disclosure("s5", "address", {"city": "K\u00f6ln", "_sd": listed(INNER)})
NESTED = disclosure("s6", ["a", place(ELEMENT)])
PROCESS = f"{RFC} 7.1"
NAMES = {"given_name": "Jane", "family_name": "Doe"}


def written(text):
    """A disclosure of this JSON text, as it is."""
    return base64url(text.encode())


def accepted():
    suite = SelectiveSuite("disclosures", "Disclosures that a presentation may have, and the claims that come of them.", [KEY.jwk()],
                           POLICY, reference=PROCESS)

    def good(identifier, members, texts, claims, why, *rest):
        suite.ask(identifier, credential(members, *texts), claims, why, *rest)
    good("none", {"a": 1}, [], {"a": 1}, "A token without a digest, and no disclosure.", f"{RFC} 4")
    add_names(good)
    add_elements(good)
    add_recursion(good)
    add_spellings(good)
    add_values(good)
    return suite


def add_names(good):
    both = {"_sd": listed(GIVEN, FAMILY)}
    good("one", {"_sd": listed(GIVEN)}, [GIVEN], {"given_name": "Jane"}, "One disclosure of one.")
    good("none-of-two", both, [], {}, "The holder discloses nothing.")
    good("one-of-two", both, [FAMILY], {"family_name": "Doe"}, "The holder discloses one of two.")
    good("both", both, [GIVEN, FAMILY], NAMES, "The holder discloses both.")
    good("other-order", both, [FAMILY, GIVEN], NAMES, "The order of disclosures is free.")
    good("decoy", {"_sd": [DECOY, *listed(GIVEN)]}, [GIVEN], {"given_name": "Jane"}, "A digest without a disclosure is ignored.",
         f"{RFC} 4.2.5")
    good("digests-of-no-form", {"_sd": ["", "x", "~", *listed(GIVEN)]}, [GIVEN], {"given_name": "Jane"},
         "Texts that are no digests belong to no disclosure.")
    good("empty-list", {"_sd": [], "a": {"_sd": []}}, [], {"a": {}}, "A list of digests is empty, and an object has nothing else.")
    good("only-hidden", {"a": {"_sd": [DECOY]}}, [], {"a": {}}, "An object of hidden members alone becomes an empty object.")
    good("within", {"a": {"b": 1, "_sd": listed(GIVEN)}}, [GIVEN], {"a": {"b": 1, "given_name": "Jane"}}, "A disclosure within an object.",
         f"{RFC} 6.2")
    good("within-array", {"a": [{"_sd": listed(GIVEN)}]}, [GIVEN], {"a": [{"given_name": "Jane"}]},
         "A disclosure within an object of an array.")
    good("two-levels", {"given_name": 1, "a": {"_sd": listed(GIVEN)}}, [GIVEN], {"given_name": 1, "a": {"given_name": "Jane"}},
         "The same name at two levels is no repetition.")
    for name, value in (("iss", "x"), ("exp", 1), ("cnf", {}), ("status", {}), ("vct", "x")):
        text = disclosure("s", name, value)
        good(f"{name}-within", {"a": {"_sd": listed(text)}}, [text], {"a": {name: value}},
             f"Within an object, {name} is a name as any other.", f"{RFC} 9.7")
    for name, value in (("sub", "jane"), ("iat", NOW - 60), ("jti", "1")):
        text = disclosure("s", name, value)
        good(f"discloses-{name}", {"_sd": listed(text)}, [text], {name: value}, f"A disclosure of {name}, which decides no validity.",
             f"{RFC} 9.7")


def add_elements(good):
    good("element", {"a": [place(ELEMENT), "x"]}, [ELEMENT], {"a": ["DE", "x"]}, "A disclosed element of an array.", f"{RFC} 4.2.4.2")
    good("element-hidden", {"a": ["x", place(ELEMENT), "y"]}, [], {"a": ["x", "y"]}, "A hidden element leaves no gap.", PROCESS)
    good("elements-all-hidden", {"a": [place(ELEMENT)]}, [], {"a": []}, "An array of hidden elements alone becomes empty.")
    good("element-decoy", {"a": ["x", {"...": DECOY}]}, [], {"a": ["x"]}, "A decoy in an array is removed.", f"{RFC} 4.2.5")
    good("element-order", {"a": [1, place(ELEMENT), 2]}, [ELEMENT], {"a": [1, "DE", 2]}, "An element comes where its digest is.")
    for identifier, value in (("null", None), ("false", False), ("object", {"x": 1}), ("array", [[]]), ("empty", "")):
        text = disclosure("s", value)
        good(f"element-{identifier}", {"a": [place(text)]}, [text], {"a": [value]}, f"The element is {identifier}.", f"{RFC} 4.2.2")


def add_recursion(good):
    address = {"address": {"city": "K\u00f6ln", "country": {"code": "DE"}}}
    good("recursive", {"_sd": listed(OUTER)}, [OUTER, INNER], address, "A disclosure within a disclosure.", f"{RFC} 6.3")
    good("recursive-inner-first", {"_sd": listed(OUTER)}, [INNER, OUTER], address, "The inner disclosure comes first.", f"{RFC} 6.3")
    good("recursive-half", {"_sd": listed(OUTER)}, [OUTER], {"address": {"city": "K\u00f6ln"}}, "The inner disclosure is kept back.",
         f"{RFC} 6.3")
    good("element-of-element", {"a": [place(NESTED)]}, [NESTED, ELEMENT], {"a": [["a", "DE"]]}, "An element of a disclosed element.")
    good("element-of-element-hidden", {"a": [place(NESTED)]}, [NESTED], {"a": [["a"]]}, "A hidden element of a disclosed element.")
    text, chain, value = disclosure("s", "n", 1), [], 1
    for depth in range(1, 8):
        chain.append(text)
        value = value if depth == 1 else {"n": value}
        if depth in (4, 7):
            good(f"chain-{depth}", {"_sd": listed(text)}, list(chain), {"n": value}, f"A chain of {depth} disclosures.", f"{RFC} 6.3")
        text = disclosure("s", "n", {"_sd": listed(text)})


def add_spellings(good):
    def spelled(identifier, text, claims, why, reference="RFC 8259 section 8.3"):
        good(f"spelled-{identifier}", {"_sd": listed(text)}, [text], claims, why, reference)
    spelled("space", written(' [ "s" , "n" , [ 1 , 2 ] ] '), {"n": [1, 2]}, "White space stands in the disclosure.", f"{RFC} 4.2.1")
    spelled("line-feeds", written('[\r\n"s",\n"n",\t1\r]'), {"n": 1}, "Line feeds stand in the disclosure.", f"{RFC} 4.2.1")
    spelled("escapes", written('["\\u0073","\\u006e\\"","\\ud83d\\ude00\\n"]'), {'n"': "\U0001f600\n"}, "Name and value have escapes.")
    spelled("utf8", written('["s","Stra\u00dfe","\u6e2f\u533a"]'), {"Stra\u00dfe": "\u6e2f\u533a"}, "Name and value are not ASCII.")
    spelled("empty", written('["","",1]'), {"": 1}, "Salt and name are empty.", f"{RFC} 4.2.1")
    escaped = f'"\\u00{ord(digest(GIVEN)[0]):02x}{digest(GIVEN)[1:]}"'
    good("digest-escaped", {"_sd": [raw(escaped)]}, [GIVEN], {"given_name": "Jane"}, "The digest has an escape of JSON.",
         "RFC 8259 section 8.3")
    good("dots-escaped", {"a": [raw(f'{{"\\u002e..":"{digest(ELEMENT)}"}}')]}, [ELEMENT], {"a": ["DE"]}, "The three dots have an escape.",
         "RFC 8259 section 8.3")
    good("list-escaped", raw(f'{{"iss":"{ISSUER}","vct":"{CREDENTIAL}","exp":{NOW + 3600},"\\u005fsd":["{digest(GIVEN)}"]}}'), [GIVEN],
         {"given_name": "Jane"},
         "The name _sd has an escape of JSON.", "RFC 8259 section 8.3")


def add_values(good):
    values = {"null": None, "true": True, "zero": 0, "minus": -1, "large": 2**53 - 1, "fraction": 0.5, "object": {"a": {"b": []}},
              "array": [[], {}], "text": "x", "empty": "", "tilde": "~", "dots": "..."}
    for identifier, value in values.items():
        text = disclosure("s", "n", value)
        good(f"value-{identifier}", {"_sd": listed(text)}, [text], {"n": value}, f"The value is {identifier}.", f"{RFC} 4.2.1")
    good("algorithm-named", {"_sd_alg": "sha-256", "_sd": listed(GIVEN)}, [GIVEN], {"given_name": "Jane"},
         "The digest is named, and the claim with its name is removed.", f"{RFC} 4.1.1")


def refused():
    suite = SelectiveSuite("attacks", "Disclosures and digests for which a presentation is refused.", [KEY.jwk()], POLICY,
                           reference=PROCESS)

    def bad(identifier, members, texts, code, why, *rest):
        suite.ask(identifier, credential(members, *texts), code, why, *rest)
    add_shadows(bad)
    add_repetitions(bad)
    add_unused(bad)
    add_misplaced(bad)
    add_shapes_of_digests(bad)
    add_hidden(bad)
    return suite


def add_shadows(bad):
    values = {"iss": ISSUER, "exp": NOW + 10**9, "nbf": NOW - 10**6, "aud": "https://verifier.example", "cnf": CNF,
              "status": {"status_list": {"idx": 0, "uri": "https://idp.example/1"}}, "vct": "urn:eudi:pid:1", "vct#integrity": "sha256-AA"}
    for name, value in values.items():
        text, identifier = disclosure("s", name, value), name.replace("#", "-")
        bad(f"shadow-{identifier}", {name: value if name != "exp" else NOW - 3600, "_sd": listed(text)}, [text], "forbidden_disclosure",
            f"A disclosure brings {name}, which the token has.")
        members = {"_sd": listed(text), name: ABSENT}
        bad(f"bring-{identifier}", members, [text], "forbidden_disclosure", f"A disclosure brings {name}, which decides validity.",
            f"{RFC} 9.7", "hardening")
    for name, value in (("_sd", []), ("...", DECOY)):
        text, spelled = disclosure("s", name, value), written(f'["s","\\u00{ord(name[0]):02x}{name[1:]}",{dump(value).decode()}]')
        kind = "list" if name == "_sd" else "dots"
        bad(f"named-{kind}", {"_sd": listed(text)}, [text], "forbidden_disclosure", f"A disclosure has the name {name}.")
        bad(f"named-{kind}-within", {"a": {"_sd": listed(text)}}, [text], "forbidden_disclosure",
            f"A disclosure within an object has the name {name}.")
        bad(f"named-{kind}-escaped", {"_sd": listed(spelled)}, [spelled], "forbidden_disclosure",
            f"A disclosure has the name {name}, with an escape.")
    for identifier, where in (("", lambda texts: {"_sd": texts}), ("-within", lambda texts: {"a": {"_sd": texts}})):
        text = disclosure("s", "_sd_alg", "sha-256")
        bad(f"named-algorithm{identifier}", where(listed(text)), [text], "forbidden_disclosure", "A disclosure has the name _sd_alg.",
            f"{RFC} 4.1.1", "hardening")
    escaped = written('["s","\\u0069ss","https://attacker.example"]')
    bad("shadow-iss-escaped", {"_sd": listed(escaped)}, [escaped], "forbidden_disclosure", "A disclosure brings iss, with an escape.")


def add_repetitions(bad):
    again = disclosure("s9", "given_name", 2)
    bad("claim-there", {"given_name": "X", "_sd": listed(GIVEN)}, [GIVEN], "duplicate_claim", "The token has a claim of this name.")
    bad("claim-there-after", {"_sd": listed(GIVEN), "given_name": "X"}, [GIVEN], "duplicate_claim",
        "The token has a claim of this name, after the digests.")
    bad("claim-there-null", {"given_name": None, "_sd": listed(GIVEN)}, [GIVEN], "duplicate_claim",
        "The token has a claim of this name, which is null.")
    members = {**issuer_claims(), "_sd": listed(GIVEN)}
    spelled = Members([*members.items(), (raw('"given\\u005fname"'), "X")])
    bad("claim-there-escaped", Raw(dump(spelled)), [GIVEN], "duplicate_claim", "The token has a claim of this name, with an escape.")
    bad("claim-there-within", {"a": {"given_name": 1, "_sd": listed(GIVEN)}}, [GIVEN], "duplicate_claim",
        "An object within has a claim of this name.")
    bad("two-of-a-name", {"_sd": listed(GIVEN, again)}, [GIVEN, again], "duplicate_claim", "Two disclosures have the same name.")
    bad("two-of-a-name-within", {"a": {"_sd": listed(GIVEN, again)}}, [GIVEN, again], "duplicate_claim",
        "Two disclosures within an object have the same name.")
    shadow = disclosure("s7", "a", {"given_name": 1, "_sd": listed(GIVEN)})
    bad("claim-there-disclosed", {"_sd": listed(shadow)}, [shadow, GIVEN], "duplicate_claim",
        "A disclosed object has a claim of this name beside its digest.")
    escaped = f'"\\u00{ord(DECOY[0]):02x}{DECOY[1:]}"'
    twice = {
        "list": ({"_sd": listed(GIVEN, GIVEN)}, [GIVEN]), "levels": ({"_sd": listed(GIVEN), "a": {"_sd": listed(GIVEN)}}, [GIVEN]),
        "elements": ({"a": [place(ELEMENT), place(ELEMENT)]}, [ELEMENT]), "decoys": ({"_sd": [DECOY, DECOY]}, []),
        "arrays": ({"a": [{"...": DECOY}], "b": [{"...": DECOY}]}, []), "kinds": ({"a": [{"...": DECOY}], "_sd": [DECOY]}, []),
        "escaped": ({"_sd": [DECOY, raw(escaped)]}, []), "disclosed": ({"_sd": listed(OUTER, INNER)}, [OUTER, INNER]),
        "hidden": ({"_sd": listed(GIVEN, GIVEN)}, []),
        "far": ({"_sd": [*listed(GIVEN), *(f"d{n}" for n in range(9)), *listed(GIVEN)]}, [GIVEN]),
    }
    for identifier, (members, texts) in twice.items():
        bad(f"digest-twice-{identifier}", members, texts, "duplicate_digest", f"A digest is there twice ({identifier}).")
    bad("disclosure-twice", {"_sd": listed(GIVEN)}, [GIVEN, GIVEN], "duplicate_disclosure", "A disclosure is there twice.", f"{RFC} 4")
    bad("element-twice", {"a": [place(ELEMENT)]}, [ELEMENT, ELEMENT], "duplicate_disclosure",
        "The disclosure of an element is there twice.", f"{RFC} 4")
    for name in ("_sd", "_sd_alg"):
        value = {"_sd": [], "_sd_alg": "sha-256"}[name]
        for spelling, second in (("plain", name), ("escaped", raw(f'"\\u005f{name[1:]}"'))):
            members = Members([*issuer_claims().items(), (name, value), (second, value)])
            bad(f"{name[1:].replace('_', '-')}-twice-{spelling}", Raw(dump(members)), [], "issuer: duplicate_member",
                f"The token has {name} twice.", "RFC 7519 section 4", "should")
    doubled = written('["s","n",{"a":1,"a":2}]')
    bad("value-members-twice", {"_sd": listed(doubled)}, [doubled], "invalid_disclosure", "The disclosed value has a name twice.",
        "RFC 8259 section 4", "should")


def add_unused(bad):
    bad("unused", {"_sd": listed(GIVEN)}, [GIVEN, FAMILY], "unused_disclosure", "A disclosure has no digest in the token.")
    bad("unused-alone", {"a": 1}, [GIVEN], "unused_disclosure", "The token has no digest.")
    bad("unused-element", {"a": ["DE"]}, [ELEMENT], "unused_disclosure", "The disclosure of an element has no digest in the token.")
    bad("unused-inner", {"_sd": listed(OUTER)}, [INNER], "unused_disclosure", "The disclosure around it is kept back.", f"{RFC} 6.3")
    bad("unused-space", {"_sd": listed(GIVEN)}, [written('["s1", "given_name", "Jane"]')], "unused_disclosure",
        "White space makes another disclosure of the same values.", f"{RFC} 4.2.3")
    bad("unused-other-value", {"_sd": listed(GIVEN)}, [disclosure("s1", "given_name", "John")], "unused_disclosure",
        "The value is another than was signed.", f"{RFC} 9.2")
    bad("unused-other-salt", {"_sd": listed(GIVEN)}, [disclosure("s0", "given_name", "Jane")], "unused_disclosure",
        "The salt is another than was signed.", f"{RFC} 9.2")
    for identifier, text in (("plain-text", "given_name"), ("claim", digest(GIVEN))):
        bad(f"unused-digest-as-{identifier}", {"x": [text], "y": {"z": text}}, [GIVEN], "unused_disclosure",
            f"The digest stands where no digest belongs ({identifier}).")
    bad("unused-in-other-array", {"_sds": listed(GIVEN), "sd": listed(GIVEN)}, [GIVEN], "unused_disclosure",
        "The digest is in a list of another name.", f"{RFC} 4.2.4.1")
    hexadecimal = {"_sd": [hashlib.sha256(GIVEN.encode()).hexdigest()]}
    bad("unused-hexadecimal", hexadecimal, [GIVEN], "unused_disclosure", "The digest is hexadecimal.", f"{RFC} 4.2.3")
    bad("unused-padded", {"_sd": [digest(GIVEN) + "="]}, [GIVEN], "unused_disclosure", "The digest is padded.", f"{RFC} 4.2.3")
    decoded = {"_sd": [base64url(hashlib.sha256(b'["s1","given_name","Jane"]').digest())]}
    bad("unused-of-octets", decoded, [GIVEN], "unused_disclosure", "The digest is that of the octets, and not of their text.",
        f"{RFC} 4.2.3")
    bad("unused-capitals", {"_sd": [digest(GIVEN).upper()]}, [GIVEN], "unused_disclosure", "The digest is in capitals.", f"{RFC} 4.2.3")


def add_misplaced(bad):
    bad("element-as-claim", {"_sd": listed(ELEMENT)}, [ELEMENT], "invalid_disclosure", "A disclosure without a name stands for a claim.")
    bad("claim-as-element", {"a": [place(GIVEN)]}, [GIVEN], "invalid_disclosure", "A disclosure with a name stands for an element.")
    shapes = {"empty-array": "[]", "salt-alone": '["s"]', "four": '["s","n",1,2]', "name-number": '["s",1,2]', "name-null": '["s",null,2]',
              "name-object": '["s",{},2]', "object": '{"s":1}', "string": '"s"', "number": "7", "null": "null", "no-json": "x",
              "open": "[", "trailing": '["s","n",1]x', "two-values": '["s","n",1]["s","n",1]', "leading-zero": '["s","n",01]',
              "single-quotes": "['s','n',1]", "comma": '["s","n",1,]', "byte-order": '\ufeff["s","n",1]'}
    for identifier, text in shapes.items():
        one = written(text)
        bad(f"disclosure-{identifier}", {"_sd": listed(one)}, [one], "invalid_disclosure",
            f"The disclosure is no array of a salt, a name and a value ({identifier}).", f"{RFC} 4.2.1")
    for identifier, text in (("number", '[1,"n",2]'), ("null", '[null,"n",2]'), ("object", '[{},"n",2]')):
        one = written(text)
        bad(f"salt-{identifier}", {"_sd": listed(one)}, [one], "invalid_disclosure", f"The salt is no string ({identifier}).",
            f"{RFC} 4.2.1", "hardening")
    octets = base64url(b'["s","n","\xff"]')
    bad("disclosure-not-utf8", {"_sd": listed(octets)}, [octets], "invalid_disclosure", "The disclosure is not UTF-8.",
        f"{RFC} 4.2.1; RFC 8259 section 8.1")
    for identifier, suffix in (("padded", "="), ("padded-twice", "=="), ("plus", "+"), ("slash", "/"), ("space", " "), ("line-feed", "\n"),
                               ("dot", "."), ("percent", "%"), ("length", "A" * (1 + -len(GIVEN) % 4))):
        text = GIVEN + suffix
        bad(f"encoding-{identifier}", {"_sd": listed(text)}, [text], "invalid_disclosure",
            f"The disclosure is not base64url ({identifier}).", f"{RFC} 4.2.1; RFC 7515 section 2")
    loose = unused_bits_set(disclosure("s1", "given_name", "Jan"))
    bad("encoding-unused-bits", {"_sd": listed(loose)}, [loose], "invalid_disclosure", "The unused bits of the last character are set.",
        "RFC 4648 section 3.5", "hardening")


def add_shapes_of_digests(bad):
    for identifier, value in (("null", None), ("text", DECOY), ("object", {}), ("number", 1), ("true", True), ("of-number", [1]),
                              ("of-null", [None]), ("of-array", [[DECOY]]), ("of-objects", [{"...": DECOY}])):
        bad(f"list-{identifier}", {"_sd": value}, [], "invalid_digests", f"The member _sd is no array of strings ({identifier}).",
            f"{RFC} 4.1", "should")
    bad("list-within-text", {"a": [{"_sd": "x"}]}, [], "invalid_digests", "The member _sd of an object within is a text.", f"{RFC} 4.1",
        "should")
    value = disclosure("s", "a", {"_sd": 7})
    bad("list-disclosed-number", {"_sd": listed(value)}, [value], "invalid_digests", "The member _sd of a disclosed value is a number.",
        f"{RFC} 4.1", "should")
    marked = disclosure("s9", place(ELEMENT))
    dots = {"beside-another": {"a": [{"...": DECOY, "b": 1}]}, "beside-list": {"a": [{"...": DECOY, "_sd": []}]},
            "number": {"a": [{"...": 1}]}, "array": {"a": [{"...": []}]}, "null": {"a": [{"...": None}]}}
    for identifier, members in dots.items():
        bad(f"dots-{identifier}", members, [], "invalid_digests", f"An element with three dots is no digest alone ({identifier}).",
            f"{RFC} 4.2.4.2", "should")
    bad("dots-in-object", {"a": {"...": DECOY}}, [], "invalid_digests", "Three dots are the name of a member of an object.", f"{RFC} 4.1",
        "hardening")
    bad("dots-at-top", {"...": DECOY}, [], "invalid_digests", "Three dots are the name of a claim.", f"{RFC} 4.1", "hardening")
    value = disclosure("s8", "a", place(ELEMENT))
    bad("dots-as-value", {"_sd": listed(value)}, [value, ELEMENT], "invalid_digests", "A disclosed value is a digest of an element.",
        f"{RFC} 4.1", "hardening")
    bad("dots-as-element", {"a": [place(marked)]}, [marked, ELEMENT], "invalid_digests", "A disclosed element is a digest of an element.",
        f"{RFC} 4.1", "hardening")
    bad("algorithm-within", {"a": {"_sd_alg": "sha-256"}}, [], "invalid_digests", "An object within has _sd_alg.", f"{RFC} 4.1.1",
        "hardening")
    value = disclosure("s", "a", {"_sd_alg": "sha-256"})
    bad("algorithm-disclosed", {"_sd": listed(value)}, [value], "invalid_digests", "A disclosed object has _sd_alg.", f"{RFC} 4.1.1",
        "hardening")
    for identifier, value in (("sha-512", "sha-512"), ("md5", "md5"), ("sha-1", "sha-1"), ("none", "none"), ("empty", ""),
                              ("capitals", "SHA-256"), ("jose", "S256"), ("without-dash", "sha256"), ("cut", "sha-256-32"),
                              ("space", "sha-256 "), ("null", None), ("number", 256), ("array", ["sha-256"]), ("object", {})):
        bad(f"algorithm-{identifier}", {"_sd_alg": value, "_sd": listed(GIVEN)}, [GIVEN], "unsupported_digest",
            f"The digest is {value!r}, and SHA-256 alone is allowed.", f"{RFC} 4.1.1",
            "should" if value in ("sha-512",) else None)


def add_hidden(bad):
    key, status = disclosure("s", "jwk", CNF["jwk"]), disclosure("s", "status_list", {"idx": 1, "uri": "https://idp.example/1"})
    for identifier, members, texts in (
            ("key", {"cnf": {"_sd": listed(key)}}, []), ("key-disclosed", {"cnf": {"_sd": listed(key)}}, [key]),
            ("status", {"status": {"_sd": listed(status), "other": {}}}, []),
            ("status-disclosed", {"status": {"_sd": listed(status)}}, [status]),
            ("status-place", {"status": {"status_list": {"_sd": [DECOY]}}}, []),
            ("status-element", {"status": {"a": [{"...": DECOY}]}}, [])):
        bad(f"hidden-{identifier}", members, texts, "invalid_digests", f"Part of a claim that decides validity is hidden ({identifier}).",
            f"{RFC} 9.7", "hardening")


def digests():
    """Other digests than SHA-256, where the verifier allows them."""
    suite = SelectiveSuite("digests", "Disclosures with other digests, where the verifier allows them.", [KEY.jwk()],
                           {**POLICY, "digests": ["sha-384", "sha-512"]}, reference=f"{RFC} 4.1.1")

    def text(bits, name, **members):
        return credential({"_sd_alg": name, "_sd": [digest(GIVEN, bits)], **members}, GIVEN)
    for bits in (384, 512):
        suite.ask(f"digest-sha-{bits}", text(bits, f"sha-{bits}"), {"given_name": "Jane"}, f"The digests are of SHA-{bits}.")
        suite.ask(f"digest-not-sha-{bits}", text(256, f"sha-{bits}"), "unused_disclosure",
                  f"The digests are of SHA-256, under the name sha-{bits}.")
    suite.ask("digest-sha-256-refused", text(256, "sha-256"), "unsupported_digest", "SHA-256 is not allowed.", None, "should")
    suite.ask("digest-default-refused", credential({"_sd": listed(GIVEN)}, GIVEN), "unsupported_digest",
              "SHA-256, the default, is not allowed.", None, "should")
    suite.ask("digest-confused", text(384, "sha-512"), "unused_disclosure", "The digests are of SHA-384, under the name sha-512.")
    return suite


def forms():
    suite = SelectiveSuite("forms", "The form of a presentation: a token and disclosures, with a tilde after each.", [KEY.jwk()], POLICY,
                           reference=f"{RFC} 4")
    token = issuer_token(issuer_claims(_sd=listed(GIVEN)))
    suite.ask("form-token", f"{token}~", {}, "The token and its tilde.")
    suite.ask("form-one", f"{token}~{GIVEN}~", {"given_name": "Jane"}, "The token and a disclosure.")
    bad = {"empty": ("", "malformed_presentation"), "tilde": ("~", "issuer: malformed_token"), "tildes": ("~~", "invalid"),
           "no-tilde": (token, "malformed_presentation"), "two-tildes": (f"{token}~~", "malformed_presentation"),
           "gap-before": (f"{token}~~{GIVEN}~", "malformed_presentation"), "gap-after": (f"{token}~{GIVEN}~~", "malformed_presentation"),
           "tilde-before": (f"~{token}~", "invalid"), "no-last-tilde": (f"{token}~{GIVEN}", "unexpected_key_binding"),
           "space-before": (f" {token}~", "issuer: invalid_base64url"), "line-feed-after": (f"{token}~\n", "unexpected_key_binding"),
           "other-order": (f"{GIVEN}~{token}~", "invalid"), "token-twice": (f"{token}~{token}~", "invalid_disclosure"),
           "percent": (f"{token}%7E{GIVEN}%7E", "malformed_presentation"), "comma": (f"{token},{GIVEN},", "malformed_presentation"),
           "digest-for-disclosure": (f"{token}~{digest(GIVEN)}~", "invalid_disclosure")}
    for identifier, (text, code) in bad.items():
        suite.ask(f"form-{identifier}", text, code, f"The form is another ({identifier}).")
    return suite


def limits():
    suite = SelectiveSuite("limits", "Presentations that are long, deep, or many.", [KEY.jwk()], POLICY, reference="RFC 8725 section 2.4",
                           severity="hardening")
    long = disclosure("s", "n", "x" * 12300)
    suite.ask("limit-disclosure", credential({"_sd": listed(long)}, long), "presentation_too_large", "A disclosure is longer than 16 KiB.")
    many = [disclosure("s", f"n{number}", number) for number in range(129)]
    suite.ask("limit-disclosures-alike", presented(issuer_token(), *[GIVEN] * 600), "too_many_disclosures",
              "The same disclosure is there six hundred times.")
    text = credential({"_sd": listed(GIVEN)}, *many)
    suite.ask("limit-disclosures", text, "too_many_disclosures", "There are 129 disclosures.")
    chunks = [disclosure("s", f"n{number}", "x" * 8000) for number in range(7)]
    suite.ask("limit-presentation", credential({"_sd": listed(*chunks)}, *chunks), "presentation_too_large",
              "The presentation is longer than 64 KiB.")
    for identifier, opening, closing in (("arrays", "[", "]"), ("objects", '{"a":', "}")):
        deep = written(f'["s","n",{opening * 40}1{closing * 40}]')
        suite.ask(f"limit-deep-{identifier}", credential({"_sd": listed(deep)}, deep), "invalid_disclosure",
                  f"A disclosed value has forty {identifier} within each other.")
    chain = [disclosure("s", "n", 1)]
    while len(chain) < 40:
        chain.append(disclosure("s", "n", {"_sd": listed(chain[-1])}))
    suite.ask("limit-chain", credential({"_sd": listed(chain[-1])}, *chain), "issuer: nesting_too_deep",
              "A chain of forty disclosures makes claims that are deeper than any part of it.")
    wide = [disclosure("s", f"n{number}", [1] * 700) for number in range(4)]
    suite.ask("limit-values", credential({"_sd": listed(*wide)}, *wide), "issuer: too_many_members",
              "Many values of four disclosures count together.")
    return suite


SUITES = [accepted, refused, digests, forms, limits]
