"""The issuer's token of a presentation: who signed it, its type, and its validity."""

from .. import envelope
from ..encoding import base64url, dump, raw
from ..keys import ec_key, hmac_key
from ..suite import ABSENT, NOW
from .suite import (AUDIENCE, ISSUER, KEY, POLICY, RFC, TYPE, SelectiveSuite, credential, digest, disclosure, issuer_claims, issuer_token,
                    listed, place, presented)

GIVEN = disclosure("s1", "given_name", "Jane")
CLAIMS = issuer_claims(_sd=listed(GIVEN))
OTHER = issuer_claims(_sd=listed(GIVEN), admin=True)


def signatures():
    suite = SelectiveSuite("signatures", "Who signed the issuer's token, and how.", envelope.JWKS, POLICY, reference=f"{RFC} 7.1")
    for identifier, text, why, reference in envelope.good(issuer_token, CLAIMS):
        suite.ask(identifier, presented(text, GIVEN), {"given_name": "Jane"}, why, reference,
                  "should" if identifier == "signed-without-name" else None)
    for identifier, text, code, why, reference, *severity in envelope.attacks(issuer_token, CLAIMS, OTHER, {"typ": TYPE}):
        if identifier not in ("empty", "tilde"):  # files of forms have them
            suite.ask(f"issuer-{identifier}", presented(text, GIVEN), f"issuer: {code}", why, reference, *severity)
    return suite


def no_keys():
    suite = SelectiveSuite("keys-not-there", "No keys could be had.", None, POLICY, reference=f"{RFC} 7.1")
    suite.ask("no-keys", presented(issuer_token(CLAIMS), GIVEN), "issuer: keys_unavailable", "Without keys, nothing can be said.")
    suite.ask("no-keys-unsecured", presented(issuer_token(CLAIMS, alg="none"), GIVEN), "issuer: unsecured_token",
              "Without keys, an unsigned token is refused for good.")
    return suite


def types():
    suite = SelectiveSuite("types", "The type of the issuer's token.", [KEY.jwk()], POLICY, reference=f"{RFC} 9.11; RFC 8725 section 3.11")
    suite.ask("type-good", credential({}), {}, "The type is that of the credential.")
    suite.ask("type-media-type", credential({}, typ=f"application/{TYPE}"), {}, "The type as a media type.", "RFC 7515 section 4.1.9",
              "should")
    suite.ask("type-capitals", credential({}, typ=TYPE.upper()), {}, "The type in capitals.", "RFC 7515 section 4.1.9", "should")
    for identifier, value in (("absent", ABSENT), ("jwt", "JWT"), ("access-token", "at+jwt"), ("key-binding", "kb+jwt"),
                              ("older", "vc+sd-jwt"), ("suffix", "sd-jwt"), ("empty", ""), ("longer", f"{TYPE}x")):
        suite.ask(f"type-{identifier}", credential({}, typ=value), "issuer: type_mismatch", f"The type is another ({identifier}).")
    for identifier, value in (("null", None), ("number", 1), ("array", [TYPE])):
        suite.ask(f"type-{identifier}", credential({}, typ=value), "issuer: invalid_header", f"The type is no string ({identifier}).",
                  "RFC 7515 section 4.1.9")
    return suite


def validity():
    suite = SelectiveSuite("validity", "The claims that decide whether the issuer's token is valid.", [KEY.jwk()],
                           {**POLICY, "audience": AUDIENCE}, reference=f"{RFC} 7.1; RFC 7519 section 4.1")

    def ask(identifier, members, expect, why, *rest, texts=()):
        verdict = {"aud": AUDIENCE, **expect} if isinstance(expect, dict) else f"issuer: {expect}"
        suite.ask(f"validity-{identifier}", credential({"aud": AUDIENCE, **members}, *texts), verdict, why, *rest)
    ask("good", {}, {}, "Issuer, audience and expiry are right.")
    ask("expired", {"exp": NOW - 3600}, "expired", "The token has expired.")
    ask("expiry-absent", {"exp": ABSENT}, "missing_claim", "The token does not expire.", f"{RFC} 9.7", "should")
    ask("expiry-text", {"exp": "2050-01-01"}, "invalid_claim", "The expiry is a text.")
    ask("not-yet", {"nbf": NOW + 3600}, "not_yet_valid", "The token is not valid yet.")
    ask("issued-in-future", {"iat": NOW + 3600}, "issued_in_future", "The token was issued in the future.", "RFC 7519 section 4.1.6",
        "should")
    ask("issuer-other", {"iss": "https://attacker.example"}, "issuer_mismatch", "The issuer is another.")
    ask("issuer-absent", {"iss": ABSENT}, "missing_claim", "The token has no issuer.")
    ask("audience-other", {"aud": "https://other.example"}, "audience_mismatch", "The token is for another verifier.")
    ask("audience-absent", {"aud": ABSENT}, "missing_claim", "The token is for nobody.")
    part, other = disclosure("s", AUDIENCE), disclosure("s", "https://other.example")
    ask("audience-disclosed", {"aud": ["a", place(part)]}, {"aud": ["a", AUDIENCE]}, "The holder discloses our name among the audiences.",
        f"{RFC} 9.7", texts=[part])
    ask("audience-hidden", {"aud": ["a", place(part)]}, "audience_mismatch", "The holder hides our name among the audiences.", f"{RFC} 9.7")
    ask("audience-other-disclosed", {"aud": ["a", place(other)]}, "audience_mismatch", "The holder discloses another audience.",
        f"{RFC} 9.7", texts=[other])
    for name, value in (("exp", NOW + 3600), ("iss", ISSUER), ("aud", AUDIENCE)):
        text = disclosure("s", name, value)
        ask(f"hidden-{name}", {name: ABSENT, "_sd": listed(text)}, "missing_claim", f"The holder hides {name}, which is required.",
            f"{RFC} 9.7")
    for name, value in (("iat", NOW + 3600), ("sub", 7)):
        text, code = disclosure("s", name, value), {"iat": "issued_in_future", "sub": "invalid_claim"}[name]
        ask(f"disclosed-{name}", {"_sd": listed(text)}, code, f"A disclosed claim is judged as any other ({name}).", None,
            "should", texts=[text])
    return suite


def secrets():
    key = hmac_key("hmac-32")
    suite = SelectiveSuite("secrets", "Tokens with an HMAC, where the verifier allows it.", [key.jwk()],
                           {**POLICY, "algorithms": ["HS256"]}, reference=f"{RFC} 7.1")
    suite.ask("secret-good", presented(issuer_token(CLAIMS, key), GIVEN), {"given_name": "Jane"}, "The HMAC is good.")
    suite.ask("secret-other", presented(issuer_token(CLAIMS, hmac_key("hmac-other"), kid=key.name), GIVEN), "issuer: signature_invalid",
              "The HMAC has another secret.")
    suite.ask("secret-algorithm", presented(issuer_token(CLAIMS, ec_key("p256-1"), kid=key.name), GIVEN), "issuer: algorithm_not_allowed",
              "The algorithm is not allowed.")
    return suite


def payloads():
    suite = SelectiveSuite("payloads", "What the payload of the issuer's token is.", [KEY.jwk()], POLICY, reference=f"{RFC} 4.1")
    for identifier, text in (("array", b"[]"), ("string", b'"x"'), ("null", b"null"), ("empty", b""), ("text", b"x"),
                             ("digest", digest(GIVEN).encode()), ("nested", b'[{"_sd":[]}]')):
        suite.ask(f"payload-{identifier}", presented(issuer_token(text), GIVEN), "invalid", f"The payload is no object ({identifier}).",
                  "RFC 7519 section 7.2")
    twice = raw(f'{{"iss":"{ISSUER}","exp":{NOW + 3600},"iss":"https://attacker.example"}}')
    suite.ask("payload-twice", presented(issuer_token(twice)), "issuer: duplicate_member", "The token has iss twice.", "RFC 7519 section 4",
              "should")
    inner = base64url(dump(CLAIMS))
    suite.ask("payload-encoded", presented(issuer_token(inner.encode()), GIVEN), "issuer: invalid_json",
              "The payload is in base64url twice.", "RFC 7515 section 5.2")
    return suite


SUITES = [signatures, no_keys, types, validity, secrets, payloads]
