"""Suites about claims: types, times, issuer, audience, ID tokens, access tokens, and the order of checks."""

from .encoding import Raw, base64url, dump, raw
from .header import with_bad_signature
from .keys import digest, ec_key, ed_key, hash_bits, rsa_key
from .suite import ABSENT, NOW, Suite, assemble, claims, header_of, sign_parts, split, token

RFC7519 = "RFC 7519 section 4.1"
OIDC = "OpenID Connect Core 1.0 section 3.1.3.7"
LAST_DATE = 253402300799
ACCESS_TOKEN = "2YotnFZFEjr1zCsicMWpAA"
CODE = "SplxlOBeZQQYbYS6WxSbIA"


def claim_types():
    key = ec_key("p256-1")
    suite = Suite("claim-types", "Registered claims have their types, whether the policy uses them or not.",
                  [key.jwk()], reference=RFC7519)
    wrong = [("number", 1), ("null", None), ("false", False), ("array", ["x"]), ("object", {"x": "x"})]
    for claim in ("iss", "sub", "jti", "azp", "nonce", "acr", "at_hash", "c_hash", "sid"):
        for identifier, value in wrong:
            suite.add(f"claim-{claim.replace('_', '-')}-{identifier}", token(key, claims(**{claim: value})),
                      "invalid_claim", f"The claim {claim} is not a string ({identifier}).",
                      "CVE-2024-53861" if claim == "iss" else None)
        suite.valid(f"claim-{claim.replace('_', '-')}-empty", token(key, claims(**{claim: ""})),
                    f"The claim {claim} may be an empty string as long as nobody asks for it.")
    dates = [("string", "1700003600"), ("empty-string", ""), ("true", True), ("false", False), ("null", None),
             ("array", [NOW]), ("object", {}), ("huge", Raw(b"1e300")), ("infinite", Raw(b"1e400")),
             ("two-to-53-plus-1", 2**53 + 1), ("two-to-62", 2**62), ("two-to-63", 2**63), ("two-to-64", 2**64),
             ("minus-two-to-63", -2**63),
             ("year-10000", LAST_DATE + 1), ("before-range", -LAST_DATE - 1), ("milliseconds", NOW * 1000 + 3600000),
             ("thirty-digits", Raw(b"1" * 30)), ("minus-infinite", Raw(b"-1e400"))]
    for claim in ("exp", "nbf", "iat", "auth_time"):
        for identifier, value in dates:
            suite.add(f"claim-{claim.replace('_', '-')}-{identifier}", token(key, claims(**{claim: value})),
                      "invalid_claim", f"The claim {claim} is not a date ({identifier.replace('-', ' ')}).",
                      "CVE-2026-25537")
    suite.valid("claim-exp-last-date", token(key, claims(exp=LAST_DATE)), "The last second of the year 9999.")
    for claim in ("nbf", "iat", "auth_time"):
        suite.valid(f"claim-{claim.replace('_', '-')}-first-date", token(key, claims(**{claim: -LAST_DATE})),
                    f"The earliest date that is taken ({claim}).")
    audiences = [("number", 1), ("null", None), ("true", True), ("object", {}), ("array-of-number", [1]),
                 ("array-of-null", [None]), ("array-mixed", ["client-1", 1]), ("array-nested", [["client-1"]]),
                 ("array-of-object", [{"aud": "client-1"}])]
    for identifier, value in audiences:
        suite.add(f"claim-aud-{identifier}", token(key, claims(aud=value)), "invalid_claim",
                  "The audience is neither a string nor an array of strings.", "CVE-2020-26160")
    for identifier, value in [("empty-array", []), ("array-of-empty", [""]), ("empty", ""), ("many", ["a"] * 1000)]:
        suite.valid(f"claim-aud-{identifier}", token(key, claims(aud=value)),
                    "An odd audience is no fault as long as nobody asks for it.", "RFC 7519 section 4.1.3")
    for identifier, value in [("string", "pwd"), ("null", None), ("array-of-number", [1]), ("object", {}),
                              ("array-mixed", ["pwd", None])]:
        suite.add(f"claim-amr-{identifier}", token(key, claims(amr=value)), "invalid_claim",
                  "The authentication methods are not an array of strings.", "OpenID Connect Core 1.0 section 2")
    suite.valid("claim-amr-array", token(key, claims(amr=["pwd", "otp"])), "An array of authentication methods.",
                "OpenID Connect Core 1.0 section 2")
    suite.valid("claim-private-any", token(key, claims(email=5, roles=None, groups={"a": []})),
                "Claims that are not registered may be of any type.", "RFC 7519 section 4.3")
    suite.add("claim-type-before-expiry", token(key, claims(exp=1, sub=5)), "invalid_claim",
              "An expired token with a claim of a wrong type.", "CVE-2026-25537")
    return suite


def date(text):
    return Raw(text.encode())


def time_claims():
    key = ec_key("p256-1")
    suite = Suite("time-claims", "Expiration, not-before and issued-at at their limits, with the leeway of 60 seconds.",
                  [key.jwk()], reference="RFC 7519 section 4.1.4")
    expirations = [("at-leeway", NOW - 60, "expired"), ("before-leeway", NOW - 61, "expired"),
                   ("within-leeway", NOW - 59, "valid"), ("now", NOW, "valid"), ("past", NOW - 3600, "expired"),
                   ("zero", 0, "expired"), ("minus-zero", date("-0"), "expired"), ("minus-one", -1, "expired"),
                   ("far-past", -LAST_DATE, "expired"), ("far-future", LAST_DATE, "valid"),
                   ("beyond-32-bit", 9900000000, "valid"), ("fraction-within", date("1699999940.5"), "valid"),
                   ("fraction-outside", date("1699999939.5"), "expired"), ("tiny", date("1e-10"), "expired"),
                   ("fraction", date("1700003600.25"), "valid"), ("fraction-zero", date("1700003600.0"), "valid"),
                   ("exponent", date("1.7000036e9"), "valid"), ("exponent-capital", date("17000036E+2"), "valid"),
                   ("exponent-negative", date("170000360000e-2"), "valid"),
                   ("exponent-at-leeway", date("1.69999994e9"), "expired"),
                   ("exponent-past", date("1.6e9"), "expired"), ("ten-to-ten", date("1e10"), "valid")]
    for identifier, value, code in expirations:
        suite.add(f"exp-{identifier}", token(key, claims(exp=value)), code,
                  f"Expiration at {dump(value).decode()}, seen at {NOW}.")
    suite.add("exp-absent", token(key, claims(exp=ABSENT)), "missing_claim", "No expiration time.")
    suite.add("exp-other-case", token(key, claims(exp=ABSENT, Exp=NOW + 60)), "missing_claim",
              "The expiration time under a name in another case.")
    suite.add("exp-nested", token(key, claims(exp=ABSENT, x={"exp": NOW + 60})), "missing_claim",
              "The expiration time within another claim.")
    begins = [("past", NOW - 3600, "valid"), ("now", NOW, "valid"), ("within-leeway", NOW + 59, "valid"),
              ("at-leeway", NOW + 60, "valid"), ("beyond-leeway", NOW + 61, "not_yet_valid"),
              ("fraction-beyond", date("1700000060.5"), "not_yet_valid"),
              ("exponent-beyond", date("1.700000061e9"), "not_yet_valid"), ("zero", 0, "valid"),
              ("minus-one", -1, "valid"), ("beyond-2262", 9999999999, "not_yet_valid"),
              ("last-date", LAST_DATE, "not_yet_valid"), ("exponent", date("1.7e9"), "valid")]
    for identifier, value, code in begins:
        suite.add(f"nbf-{identifier}", token(key, claims(nbf=value)), code,
                  f"Not before {dump(value).decode()}, seen at {NOW}.", "RFC 7519 section 4.1.5")
    issued = [("past", NOW - 86400 * 365, "valid"), ("now", NOW, "valid"), ("within-leeway", NOW + 59, "valid"),
              ("at-leeway", NOW + 60, "valid"), ("beyond-leeway", NOW + 61, "issued_in_future"),
              ("fraction-beyond", date("1700000060.25"), "issued_in_future"),
              ("last-date", LAST_DATE, "issued_in_future"), ("zero", 0, "valid"), ("absent", ABSENT, "valid"),
              ("exponent", date("17e8"), "valid")]
    for identifier, value, code in issued:
        suite.add(f"iat-{identifier}", token(key, claims(iat=value)), code,
                  f"Issued {'nobody knows when' if value is ABSENT else 'at ' + dump(value).decode()}, seen at {NOW}.",
                  "RFC 7519 section 4.1.6")
    return suite


def time_without_leeway():
    key = ec_key("p256-1")
    suite = Suite("time-without-leeway", "The same limits without leeway, at a time with a fraction.", [key.jwk()],
                  {"leeway": 0}, now=NOW + 0.5, reference="RFC 7519 section 4.1.4")
    for claim, code, cases in [
        ("exp", "expired", [("1700000000", False), ("1700000000.25", False), ("1700000000.5", False),
                            ("1700000000.75", True), ("1700000001", True), ("17000000005e-1", False)]),
        ("nbf", "not_yet_valid", [("1700000000", True), ("1700000000.5", True), ("1700000000.75", False),
                                  ("1700000001", False)]),
        ("iat", "issued_in_future", [("1700000000", True), ("1700000000.5", True), ("1700000000.75", False),
                                     ("1700000001", False)]),
    ]:
        for text, good in cases:
            identifier = text.replace(".", "-").replace("e-", "-e")
            suite.add(f"no-leeway-{claim}-{identifier}", token(key, claims(**{claim: date(text)})),
                      "valid" if good else code, f"The claim {claim} is {text} at 1700000000.5.")
    return suite


def maximum_age():
    key = ec_key("p256-1")
    suite = Suite("maximum-age", "A maximum age of one hour, whatever exp says, with a leeway of 30 seconds.",
                  [key.jwk()], {"maximum_age": 3600, "leeway": 30}, reference="RFC 7519 section 4.1.6")
    for identifier, value, code in [("fresh", NOW, "valid"), ("within", NOW - 3629, "valid"),
                                    ("at", NOW - 3630, "too_old"), ("beyond", NOW - 3631, "too_old"),
                                    ("fraction-within", date("1699996370.5"), "valid"),
                                    ("fraction-beyond", date("1699996369.5"), "too_old"), ("zero", 0, "too_old"),
                                    ("future", NOW + 31, "issued_in_future"), ("absent", ABSENT, "missing_claim")]:
        suite.add(f"maximum-age-{identifier}", token(key, claims(iat=value)), code,
                  "The age of a token, counted from its iat.")
    return suite


def optional_expiration():
    key = ec_key("p256-1")
    suite = Suite("optional-expiration", "The policy does not ask for exp, but minds it where it is.", [key.jwk()],
                  {"require_expiration": False}, reference="RFC 7519 section 4.1.4")
    suite.valid("optional-exp-absent", token(key, claims(exp=ABSENT)), "No expiration time.")
    suite.valid("optional-exp-empty-claims", token(key, {}), "No claims at all.")
    suite.valid("optional-exp-future", token(key), "An expiration time in the future.")
    suite.add("optional-exp-past", token(key, claims(exp=NOW - 60)), "expired", "An expiration time in the past.")
    suite.add("optional-exp-null", token(key, claims(exp=None)), "invalid_claim", "An expiration time of null.")
    return suite


def issuer():
    key = ec_key("p256-1")
    suite = Suite("issuer", "The issuer is one of the list, octet for octet.", [key.jwk()],
                  {"issuer": ["https://idp.example", "https://caf\u00e9.example/tenant/1"]},
                  reference="RFC 7519 section 4.1.1; RFC 8725 section 3.8")
    suite.valid("issuer-first", token(key), "The first issuer of the list.")
    suite.valid("issuer-second", token(key, claims(iss="https://caf\u00e9.example/tenant/1")),
                "The second issuer of the list, outside of ASCII.")
    suite.valid("issuer-escaped", token(key, claims(iss=raw(r'"https:\/\/idp\u002eexample"'))),
                "The issuer is written with escapes.")
    wrong = [
        ("other", "https://evil.example", None), ("prefix", "https://idp.exampl", "CVE-2024-53861"),
        ("single-letter", "h", "CVE-2024-53861"), ("empty", "", "CVE-2024-53861"),
        ("suffix", "https://idp.example.evil.example", None), ("trailing-slash", "https://idp.example/", None),
        ("upper", "https://IDP.example", None), ("scheme", "http://idp.example", None),
        ("port", "https://idp.example:443", None), ("path", "https://idp.example/../idp.example", "CVE-2026-32301"),
        ("user", "https://idp.example@evil.example", "CVE-2026-32301"),
        ("fragment", "https://idp.example#x", "CVE-2026-32301"), ("nul", "https://idp.example\0", None),
        ("nul-more", "https://idp.example\0.evil.example", None), ("trailing-space", "https://idp.example ", None),
        ("leading-space", " https://idp.example", None), ("newline", "https://idp.example\n", None),
        ("decomposed", "https://cafe\u0301.example/tenant/1", None), ("substring", "idp.example", "CVE-2024-53861"),
        ("joined", "https://idp.example https://caf\u00e9.example/tenant/1", None),
        ("list-text", '["https://idp.example"]', "CVE-2025-30144"), ("fake-dot", "https://idp\uff0eexample", None),
    ]
    for identifier, value, reference in wrong:
        suite.add(f"issuer-{identifier}", token(key, claims(iss=value)), "issuer_mismatch",
                  "An issuer that only resembles one of the list.", reference)
    suite.add("issuer-absent", token(key, claims(iss=ABSENT)), "missing_claim", "No issuer.")
    suite.add("issuer-array", token(key, claims(iss=["https://evil.example", "https://idp.example"])), "invalid_claim",
              "An array of issuers, the right one among them.", "CVE-2025-30144")
    suite.add("issuer-array-single", token(key, claims(iss=["https://idp.example"])), "invalid_claim",
              "An array with the right issuer.", "CVE-2025-30144")
    return suite


def audience():
    key = ec_key("p256-1")
    suite = Suite("audience", "One of the audiences of the policy is among those of the token.", [key.jwk()],
                  {"audience": ["client-1", "https://api.example"]}, reference="RFC 7519 section 4.1.3")
    for identifier, value in [("string", "client-1"), ("second", "https://api.example"), ("array", ["client-1"]),
                              ("array-last", ["x", "y", "client-1"]),
                              ("array-both", ["client-1", "https://api.example"]),
                              ("array-repeated", ["client-1", "client-1"]), ("array-with-empty", ["", "client-1"]),
                              ("many", [f"a{i}" for i in range(500)] + ["client-1"])]:
        suite.valid(f"audience-{identifier}", token(key, claims(aud=value)), "The right audience is there.")
    suite.valid("audience-escaped", token(key, claims(aud=raw(r'"client\u002d1"'))),
                "The audience is written with an escape.")
    for identifier, value in [("other", "client-2"), ("empty-array", []), ("empty", ""), ("array-of-empty", [""]),
                              ("prefix", "client"), ("longer", "client-10"), ("upper", "CLIENT-1"),
                              ("trailing-slash", "https://api.example/"), ("joined", "client-1 https://api.example"),
                              ("comma", "client-1,x"), ("nul", "client-1\0"), ("list-text", '["client-1"]'),
                              ("array-other", ["client-2", "client-3"]), ("space", " client-1")]:
        suite.add(f"audience-{identifier}", token(key, claims(aud=value)), "audience_mismatch",
                  "The right audience is not there.", "CVE-2020-26160")
    suite.add("audience-absent", token(key, claims(aud=ABSENT)), "missing_claim", "No audience.")
    for identifier, value in [("number", 1), ("null", None), ("object", {"client-1": True}), ("array-number", [1]),
                              ("array-mixed", ["client-1", 1]), ("array-nested", [["client-1"]])]:
        suite.add(f"audience-type-{identifier}", token(key, claims(aud=value)), "invalid_claim",
                  "An audience of a wrong type.", "CVE-2020-26160")
    suite.valid("audience-azp-not-minded", token(key, claims(azp="client-2")),
                "Without the preset for ID tokens azp is only checked for its type.", "RFC 7519 section 4.1.3")
    return suite


def id_token():
    key, edwards = rsa_key("rsa-1"), ed_key("ed25519-1")
    suite = Suite("id-token", "ID tokens with issuer, audience, trusted audiences and nonce.",
                  [key.jwk(use="sig", alg="RS256"), edwards.jwk(use="sig")],
                  {"preset": "id_token", "issuer": "https://idp.example", "audience": "client-1",
                   "trusted_audiences": ["https://api.example"], "nonce": "n-0S6_WzA2Mj"}, reference=OIDC)

    def id_claims(**changes):
        return claims(**{"nonce": "n-0S6_WzA2Mj", "auth_time": NOW - 120, **changes})
    suite.valid("id-token-good", token(key, id_claims()), "An ordinary ID token.")
    suite.valid("id-token-eddsa", token(edwards, id_claims()), "An ordinary ID token signed with Ed25519.")
    suite.valid("id-token-profile", token(key, id_claims(name="Zo\u00eb M\u00fcller", email="zoe@example.com",
                                                         email_verified=True, address={"country": "NL"})),
                "An ID token with claims about the user.", "OpenID Connect Core 1.0 section 5.1")
    for identifier, value in [("absent", ABSENT), ("jwt", "JWT"), ("lower", "jwt"), ("media-type", "application/jwt")]:
        suite.valid(f"id-token-typ-{identifier}", token(key, id_claims(), typ=value),
                    "A type that an ID token may have.", "RFC 7519 section 5.1")
    for value in ("at+jwt", "application/at+jwt", "logout+jwt", "JOSE", "dpop+jwt"):
        suite.add(f"id-token-typ-{value.lower().replace('/', '-').replace('+', '-')}",
                  token(key, id_claims(), typ=value), "type_mismatch", "A token of another type.",
                  "RFC 8725 section 3.11")
    for claim in ("iss", "sub", "aud", "exp", "iat", "nonce"):
        suite.add(f"id-token-no-{claim}", token(key, id_claims(**{claim: ABSENT})), "missing_claim",
                  f"The claim {claim} is missing.", "OpenID Connect Core 1.0 section 2")
    suite.valid("id-token-trusted-audience",
                token(key, id_claims(aud=["client-1", "https://api.example"], azp="client-1")),
                "A second audience that is trusted, and azp.")
    suite.valid("id-token-trusted-audience-first",
                token(key, id_claims(aud=["https://api.example", "client-1"], azp="client-1")),
                "The order of audiences is of no concern.")
    suite.valid("id-token-single-audience-array", token(key, id_claims(aud=["client-1"])),
                "A single audience in an array needs no azp.")
    suite.valid("id-token-azp", token(key, id_claims(azp="client-1")), "An azp beside a single audience.")
    suite.add("id-token-untrusted-audience", token(key, id_claims(aud=["client-1", "client-2"], azp="client-1")),
              "audience_mismatch", "A second audience that is not trusted.")
    suite.add("id-token-trusted-audience-only", token(key, id_claims(aud="https://api.example")), "audience_mismatch",
              "Only the audience that is trusted beside ours.")
    suite.add("id-token-no-azp", token(key, id_claims(aud=["client-1", "https://api.example"])), "missing_claim",
              "Two audiences and no azp.")
    for identifier, value in [("other", "client-2"), ("trusted", "https://api.example"), ("empty", ""),
                              ("case", "Client-1")]:
        suite.add(f"id-token-azp-{identifier}", token(key, id_claims(azp=value)), "authorized_party_mismatch",
                  "The token was issued to another party.")
    suite.add("id-token-azp-other-two-audiences",
              token(key, id_claims(aud=["client-1", "https://api.example"], azp="https://api.example")),
              "authorized_party_mismatch", "Two audiences, and issued to the other one.")
    for identifier, value in [("other", "n-other"), ("empty", ""), ("prefix", "n-0S6_WzA2M"), ("case", "N-0s6_wZa2mJ"),
                              ("nul", "n-0S6_WzA2Mj\0")]:
        suite.add(f"id-token-nonce-{identifier}", token(key, id_claims(nonce=value)), "nonce_mismatch",
                  "The nonce is not the one that was sent.", "OpenID Connect Core 1.0 section 15.5.2")
    suite.valid("id-token-nonce-escaped", token(key, id_claims(nonce=raw(r'"n-0S6\u005fWzA2Mj"'))),
                "The nonce is written with an escape.")
    failing = [("issuer", {"iss": "https://idp.example/"}, "issuer_mismatch"),
               ("expired", {"exp": NOW - 60}, "expired"), ("not-yet", {"nbf": NOW + 61}, "not_yet_valid"),
               ("future", {"iat": NOW + 61}, "issued_in_future"),
               ("audience", {"aud": "client-2"}, "audience_mismatch"),
               ("no-audiences", {"aud": []}, "audience_mismatch"), ("sub-number", {"sub": 5}, "invalid_claim")]
    for identifier, changes, code in failing:
        suite.add(f"id-token-{identifier}", token(key, id_claims(**changes)), code,
                  f"An ID token that fails with {code.replace('_', ' ')}.")
    return suite


def authorized_party():
    key = ec_key("p256-1")
    suite = Suite("authorized-party", "The policy names the authorized party, which is not the audience.", [key.jwk()],
                  {"preset": "id_token", "audience": ["https://api.example"], "authorized_party": "app-1",
                   "trusted_audiences": ["other"]}, reference=OIDC)
    good = claims(aud="https://api.example")
    suite.valid("party-good", token(key, {**good, "azp": "app-1"}), "The token was issued to the party of the policy.")
    suite.valid("party-two-audiences", token(key, {**good, "aud": ["https://api.example", "other"], "azp": "app-1"}),
                "Two audiences, and issued to the party of the policy.")
    suite.add("party-other", token(key, {**good, "azp": "app-2"}), "authorized_party_mismatch",
              "The token was issued to another party.")
    suite.add("party-prefix", token(key, {**good, "azp": "app-"}), "authorized_party_mismatch",
              "The party is only the beginning of the right one.")
    suite.add("party-missing", token(key, {**good, "aud": ["https://api.example", "other"]}), "missing_claim",
              "Two audiences and no party.")
    return suite


def half_hash(text, bits):
    hashed = digest(bits, text.encode())
    return base64url(hashed[:len(hashed) // 2])


def id_token_hashes():
    keys = {"RS256": rsa_key("rsa-1"), "PS384": rsa_key("rsa-1"), "ES256": ec_key("p256-1"),
            "ES384": ec_key("p384-1", "P-384"), "ES512": ec_key("p521-1", "P-521"),
            "ES256K": ec_key("k256-1", "secp256k1"), "RS384": rsa_key("rsa-1"), "PS512": rsa_key("rsa-1"),
            "EdDSA": ed_key("ed25519-1"), "Ed25519": ed_key("ed25519-1")}
    jwks = {key.name: key.jwk() for key in keys.values()}
    suite = Suite("id-token-hashes", "The ID token is bound to an access token and a code by half of their hashes.",
                  list(jwks.values()), {"preset": "id_token", "issuer": "https://idp.example", "audience": "client-1",
                                        "access_token": ACCESS_TOKEN, "code": CODE},
                  reference="OpenID Connect Core 1.0 section 3.3.2.11")

    def bound(algorithm, bits=None, **changes):
        bits = bits or {"Ed": "512"}.get(algorithm[:2], hash_bits(algorithm))
        hashes = {"at_hash": half_hash(ACCESS_TOKEN, bits), "c_hash": half_hash(CODE, bits)}
        return token(keys[algorithm], claims(**{**hashes, **changes}), algorithm)
    for algorithm in keys:
        suite.valid(f"hashes-{algorithm.lower()}", bound(algorithm), f"The hashes that go with {algorithm}.")
    for algorithm, bits in [("RS256", "384"), ("RS256", "512"), ("PS384", "256"), ("ES512", "256"), ("EdDSA", "256"),
                            ("Ed25519", "384"), ("ES256K", "512")]:
        suite.add(f"hashes-{algorithm.lower()}-sha{bits}", bound(algorithm, bits), "token_hash_mismatch",
                  f"Hashes made with SHA-{bits} beside {algorithm}.")
    for claim, own, other in (("at_hash", ACCESS_TOKEN, CODE), ("c_hash", CODE, ACCESS_TOKEN)):
        name, whole = claim.replace("_", "-"), digest("256", own.encode())
        suite.add(f"hashes-no-{name}", bound("RS256", **{claim: ABSENT}), "missing_claim", f"No {claim}.")
        wrong = [
            ("other", half_hash("other", "256"), "is of another value"),
            ("swapped", half_hash(other, "256"), "is of the other value of the two"),
            ("whole", base64url(whole), "is the whole hash"),
            ("right-half", base64url(whole[16:]), "is the right half"),
            ("padded", half_hash(own, "256") + "==", "is padded"), ("empty", "", "is empty"),
            ("hexadecimal", whole[:16].hex(), "is in hexadecimal"), ("plain", own, "is the value itself"),
            ("cut", half_hash(own, "256")[:-1], "is a character short"),
        ]
        for identifier, value, what in wrong:
            suite.add(f"hashes-{name}-{identifier}", bound("RS256", **{claim: value}), "token_hash_mismatch",
                      f"The {claim} {what}.")
    return suite


def authentication():
    key = ec_key("p256-1")
    policy = {"max_age": 600, "acr": ["urn:example:gold", "urn:example:silver"], "amr": ["pwd", "otp"]}
    suite = Suite("authentication", "How long ago, in what class and by which methods the user has authenticated.",
                  [key.jwk()], {"preset": "id_token", "audience": "client-1", **policy}, reference=OIDC)

    def authenticated(**changes):
        usual = {"auth_time": NOW - 60, "acr": "urn:example:gold", "amr": ["otp", "pwd"]}
        return token(key, claims(**{**usual, **changes}))
    suite.valid("auth-good", authenticated(), "Recent, of the first class, by both methods.")
    suite.valid("auth-second-class", authenticated(acr="urn:example:silver"), "Of the second class.")
    suite.valid("auth-more-methods", authenticated(amr=["pwd", "mfa", "otp"]), "By more methods than were asked for.")
    for identifier, value, code in [("within", NOW - 659, "valid"), ("at", NOW - 660, "authentication_too_old"),
                                    ("beyond", NOW - 661, "authentication_too_old"),
                                    ("zero", 0, "authentication_too_old"),
                                    ("fraction-within", date("1699999340.5"), "valid"),
                                    ("fraction-beyond", date("1699999339.5"), "authentication_too_old"),
                                    ("exponent", date("1.69999995e9"), "valid"),
                                    ("ahead-within", NOW + 60, "valid"), ("ahead", NOW + 61, "issued_in_future"),
                                    ("last-date", LAST_DATE, "issued_in_future")]:
        suite.add(f"auth-time-{identifier}", authenticated(auth_time=value), code,
                  f"Authenticated at {dump(value).decode()}, seen at {NOW}.")
    for claim in ("auth_time", "acr", "amr"):
        suite.add(f"auth-no-{claim.replace('_', '-')}", authenticated(**{claim: ABSENT}), "missing_claim",
                  f"The claim {claim} is missing.")
    for identifier, changes in [("other-class", {"acr": "urn:example:bronze"}), ("empty-class", {"acr": ""}),
                                ("joined-classes", {"acr": "urn:example:gold urn:example:silver"}),
                                ("one-method", {"amr": ["pwd"]}), ("no-methods", {"amr": []}),
                                ("other-methods", {"amr": ["face", "fpt"]}),
                                ("joined-methods", {"amr": ["pwd otp"]}), ("upper-method", {"amr": ["PWD", "otp"]})]:
        suite.add(f"auth-{identifier}", authenticated(**changes), "context_class_mismatch",
                  "Not of a class, or not by all the methods, that were asked for.")
    return suite


def access_token():
    key = rsa_key("rsa-1")
    suite = Suite("access-token", "JWT access tokens of RFC 9068.", [key.jwk(use="sig")],
                  {"preset": "access_token", "issuer": "https://idp.example", "audience": "https://api.example"},
                  reference="RFC 9068 section 4")

    def access(typ="at+jwt", **changes):
        return token(key, claims(**{"aud": "https://api.example", "client_id": "client-1", "jti": "jti-1",
                                    "scope": "read write", **changes}), typ=typ)
    suite.valid("access-good", access(), "An ordinary access token.")
    for identifier, value in [("media-type", "application/at+jwt"), ("upper", "AT+JWT"),
                              ("media-type-mixed", "Application/At+Jwt")]:
        suite.valid(f"access-typ-at-{identifier}", access(value), "The type in another spelling.")
    suite.valid("access-two-audiences", access(aud=["https://api.example", "https://other.example"]),
                "A second audience is of no concern.")
    for identifier, value in [("jwt", "JWT"), ("absent", ABSENT), ("empty", ""), ("at", "at"), ("id", "id+jwt"),
                              ("media-type", "application/jwt")]:
        suite.add(f"access-typ-{identifier}", access(value), "type_mismatch",
                  "Not called an access token, perhaps an ID token.", "RFC 9068 section 2.1")
    for claim in ("iss", "exp", "aud", "sub", "client_id", "iat", "jti"):
        suite.add(f"access-no-{claim.replace('_', '-')}", access(**{claim: ABSENT}), "missing_claim",
                  f"The claim {claim} is missing.", "RFC 9068 section 2.2")
    for identifier, changes, code in [("audience", {"aud": "client-1"}, "audience_mismatch"),
                                      ("issuer", {"iss": "https://evil.example"}, "issuer_mismatch"),
                                      ("expired", {"exp": NOW - 60}, "expired"),
                                      ("not-yet", {"nbf": NOW + 61}, "not_yet_valid"),
                                      ("future", {"iat": NOW + 61}, "issued_in_future"),
                                      ("jti-array", {"jti": ["jti-1"]}, "invalid_claim")]:
        suite.add(f"access-{identifier}", access(**changes), code,
                  f"An access token that fails with {code.replace('_', ' ')}.")
    return suite


def required_claims():
    key = ec_key("p256-1")
    suite = Suite("required-claims", "The policy asks for claims by name, whatever their value.", [key.jwk()],
                  {"required": ["jti", "tenant", "https://example.com/role"]}, reference="RFC 7519 section 4")
    good = claims(jti="jti-1", tenant="t-1", **{"https://example.com/role": "admin"})
    suite.valid("required-good", token(key, good), "All of them are there.")
    suite.valid("required-odd-values", token(key, {**good, "jti": "", "tenant": {}, "https://example.com/role": 0}),
                "All of them are there, with odd values.")
    for claim in ("jti", "tenant", "https://example.com/role"):
        suite.add(f"required-no-{claim.rpartition('/')[2]}",
                  token(key, {name: value for name, value in good.items() if name != claim}), "missing_claim",
                  f"The claim {claim} is missing.")
    suite.add("required-other-case", token(key, claims(jti="x", Tenant="t-1", **{"https://example.com/role": 1})),
              "missing_claim", "One is there in another case only.")
    suite.add("required-nested", token(key, claims(jti="x", x={"tenant": 1}, **{"https://example.com/role": 1})),
              "missing_claim", "One is there within another claim only.")
    suite.add("required-in-header", token(key, claims(jti="x", **{"https://example.com/role": 1}), tenant="t-1"),
              "missing_claim", "One is there in the header only.")
    return suite


def revoked():
    key = ec_key("p256-1")
    suite = Suite("revoked", "Tokens whose jti is on a list are refused.", [key.jwk()],
                  {"revoked_jti": ["jti-1", "caf\u00e9", ""]}, reference="RFC 7519 section 4.1.7")
    suite.valid("revoked-other", token(key, claims(jti="jti-2")), "A jti that is not on the list.")
    for identifier, value in [("case", "JTI-1"), ("longer", "jti-10"), ("prefix", "jti-"), ("space", "jti-1 "),
                              ("normalization", "cafe\u0301")]:
        suite.valid(f"revoked-{identifier}", token(key, claims(jti=value)),
                    "A jti that only resembles one of the list.")
    for identifier, value in [("first", "jti-1"), ("unicode", "caf\u00e9"), ("empty", ""),
                              ("escaped", raw(r'"jti\u002d1"')), ("escaped-unicode", raw(r'"caf\u00e9"'))]:
        suite.add(f"revoked-{identifier}", token(key, claims(jti=value)), "revoked", "A jti that is on the list.")
    suite.add("revoked-and-expired", token(key, claims(jti="jti-1", exp=1)), "expired",
              "A token that is revoked and has expired: the time is checked first.")
    suite.add("revoked-bad-signature", with_bad_signature(token(key, claims(jti="jti-1"))), "signature_invalid",
              "A jti in a token with a wrong signature is not believed.")
    suite.add("revoked-signature-variant", token(key, claims(jti="jti-1")) + "=", "invalid_base64url",
              "Another spelling of a revoked token is refused by its form.", "CVE-2026-102269")
    return suite


def check_order():
    key = ec_key("p256-1")
    policy = {"preset": "id_token", "issuer": "https://idp.example", "audience": "client-1", "algorithms": ["ES256"],
              "nonce": "n-1", "access_token": ACCESS_TOKEN, "max_age": 600, "maximum_age": 3600,
              "acr": ["gold"], "required": ["tenant"], "revoked_jti": ["jti-1"]}
    suite = Suite("check-order", "Tokens with several faults: the first check that fails names the reason.",
                  [key.jwk(), ec_key("p256-enc").jwk(use="enc")], policy, reference="RFC 7519 section 7.2")
    full = claims(nonce="n-1", at_hash=half_hash(ACCESS_TOKEN, "256"), auth_time=NOW - 60, acr="gold", tenant="t-1",
                  jti="jti-2")
    steps = [  # each fault is combined with all later faults in the order
        ("invalid_claim", {"sid": 5}), ("issuer_mismatch", {"iss": "https://evil.example"}),
        ("audience_mismatch", {"aud": "client-2"}), ("authorized_party_mismatch", {"azp": "client-2"}),
        ("expired", {"exp": NOW - 60}), ("not_yet_valid", {"nbf": NOW + 61}), ("too_old", {"iat": NOW - 3660}),
        ("missing_claim", {"tenant": ABSENT}), ("nonce_mismatch", {"nonce": "n-2"}),
        ("token_hash_mismatch", {"at_hash": "x"}), ("authentication_too_old", {"auth_time": NOW - 660}),
        ("context_class_mismatch", {"acr": "bronze"}), ("revoked", {"jti": "jti-1"}),
    ]
    suite.valid("order-good", token(key, full), "A token without any fault.")
    for index, (code, _) in enumerate(steps):
        faults = {name: value for _, changes in steps[index:] for name, value in changes.items()}
        payload = {name: value for name, value in {**full, **faults}.items() if value is not ABSENT}
        suite.add(f"order-from-{code.replace('_', '-')}", token(key, payload), code,
                  "This fault, and every fault that is checked for later.")
    everything = {name: value for name, value in {**full, **{n: v for _, c in steps for n, v in c.items()}}.items()
                  if value is not ABSENT}
    suite.add("order-issued-in-future", token(key, {**everything, "sid": "s", "iss": full["iss"], "aud": "client-1",
                                                    "azp": "client-1", "exp": NOW + 60, "nbf": NOW, "iat": NOW + 61}),
              "issued_in_future", "Issued in the future, and every fault that is checked for later.")
    bad_header = base64url(dump({"alg": "none", "kid": "x"}))
    expired = token(key, {**full, "exp": 1})
    forms = [
        ("signature-before-expiry", with_bad_signature(expired), "signature_invalid",
         "A wrong signature and expired: only the signature is told of.", "CVE-2024-51744"),
        ("signature-before-json", with_bad_signature(token(key, b"{")), "signature_invalid",
         "A wrong signature and a payload that is not JSON.", None),
        ("signature-before-duplicates", with_bad_signature(token(key, b'{"a":1,"a":2}')), "signature_invalid",
         "A wrong signature and a payload with a name twice.", None),
        ("json-before-claims", token(key, dump(full)[:-1]), "invalid_json", "A broken payload.", None),
        ("key-before-signature", with_bad_signature(token(key, full, kid="x")), "unknown_key",
         "An unknown key and a wrong signature.", None),
        ("use-before-signature", with_bad_signature(token(ec_key("p256-enc"), full)), "key_use_mismatch",
         "A key for encryption and a wrong signature.", None),
        ("type-before-key", token(key, full, kid="x", typ="at+jwt"), "type_mismatch",
         "A wrong type and an unknown key.", None),
        ("algorithm-before-type", token(key, full, alg="RS256", typ="at+jwt"), "algorithm_not_allowed",
         "An algorithm that is not allowed and a wrong type.", None),
        ("critical-before-algorithm", token(key, full, alg="RS256", crit=["x"], x=1), "unsupported_critical",
         "A critical extension and an algorithm that is not allowed.", None),
        ("kid-type-before-critical", token(key, full, kid=5, crit=["x"], x=1), "invalid_header",
         "A kid that is a number and a critical extension.", None),
        ("algorithm-before-kid-type", token(key, full, alg="none", kid=5), "unsecured_token",
         "The algorithm none and a kid that is a number.", None),
        ("critical-before-cty", token(key, full, cty="JWT", crit=["x"], x=1), "unsupported_critical",
         "A critical extension and a nested token.", None),
        ("encryption-before-algorithm", token(key, full, alg="none", enc="A128GCM"), "encrypted_token",
         "The member enc and the algorithm none.", None),
        ("base64url-before-header", f"{bad_header}.{split(expired)[1]}=.", "invalid_base64url",
         "A padded payload and the algorithm none.", None),
        ("signature-base64url-before-header", f"{bad_header}.{split(expired)[1]}.A", "invalid_base64url",
         "A signature of one character and the algorithm none.", None),
        ("header-json-before-members", assemble(b'{"alg":"none","alg":1,}', full, b""), "invalid", "A header "
         "that has a name twice and is not JSON.", None),
        ("utf8-before-json", sign_parts(key, b'{"alg":"none\xff",}', full), "invalid_utf8",
         "A header that is neither UTF-8 nor JSON.", None),
        ("header-before-payload-json", sign_parts(key, header_of(key, alg="none"), b"{"), "unsecured_token",
         "The algorithm none and a payload that is not JSON.", None),
        ("dots-before-base64url", "!.!.!.!.!", "encrypted_token", "Five parts, none of them base64url.", None),
        ("parts-before-base64url", "!.!", "malformed_token", "Two parts, neither of them base64url.", None),
    ]
    for identifier, text, code, why, reference in forms:
        suite.add(f"order-{identifier}", text, code, why, reference or "RFC 7515 section 5.2")
    return suite


SUITES = [claim_types, time_claims, time_without_leeway, maximum_age, optional_expiration, issuer, audience, id_token,
          authorized_party, id_token_hashes, authentication, access_token, required_claims, revoked, check_order]
