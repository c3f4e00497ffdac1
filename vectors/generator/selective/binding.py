"""The key binding token: whose key, for which verifier, transaction and presentation (RFC 9901 sections 4.3 and 7.3)."""

from .. import envelope
from ..encoding import Members, Raw, base64url, dump, unbase64url
from ..keys import ec_key, ed_key, hmac_key, rsa_key
from ..suite import ABSENT, NOW, assemble
from .suite import (AUDIENCE, BINDING, BOUND, CNF, HOLDER, ISSUER, KEY, NONCE, POLICY, RFC, SelectiveSuite, binding_claims, binding_token,
                    bound, credential, digest, disclosure, issuer_claims, issuer_token, listed, presented)

GIVEN, FAMILY = disclosure("s1", "given_name", "Jane"), disclosure("s2", "family_name", "Doe")
MEMBERS = {"cnf": CNF, "_sd": listed(GIVEN, FAMILY)}
SHOWN = credential(MEMBERS, GIVEN)
OUT = {"cnf": CNF, "given_name": "Jane"}
VERIFY = f"{RFC} 7.3"


def suite_of(name, description, policy=None, **more):
    return SelectiveSuite(name, description, [KEY.jwk()], policy or BOUND, reference=VERIFY, **more)


def presence():
    suite = suite_of("binding-required", "Key binding is required.")
    suite.ask("binding-good", bound(SHOWN), OUT, "The holder proves its key.")
    suite.ask("binding-absent", SHOWN, "missing_key_binding", "The proof is missing.")
    suite.ask("binding-no-disclosure", bound(presented(issuer_token(issuer_claims(**MEMBERS)))), {"cnf": CNF},
              "The holder proves its key and discloses nothing.")
    suite.ask("binding-as-disclosure", f"{bound(SHOWN)}~", "missing_key_binding", "A tilde after the proof makes it a disclosure.",
              f"{RFC} 4")
    suite.ask("binding-alone", f"~{binding_token(binding_claims('~'))}", "issuer: malformed_token", "The issuer's token is missing.")
    suite.ask("binding-twice", f"{bound(SHOWN)}~{bound(SHOWN).rpartition('~')[2]}", "invalid_disclosure", "Two proofs follow each other.",
              f"{RFC} 4")
    suite.ask("binding-token-for-proof", SHOWN + SHOWN.partition("~")[0], "holder: type_mismatch",
              "The issuer's token stands in the place of the proof.")
    return suite


def absence():
    suite = suite_of("binding-not-asked", "Key binding is not asked for, and nobody verifies a proof.", POLICY, severity="should")
    suite.ask("unasked-absent", SHOWN, OUT, "No proof is there.", None, "must")
    suite.ask("unasked-good", bound(SHOWN), "unexpected_key_binding", "A proof is there that nobody would verify.")
    suite.ask("unasked-forged", bound(SHOWN, key=ec_key("foreign-p-256")), "unexpected_key_binding", "A forged proof is there.")
    return suite


def keys():
    suite = suite_of("binding-keys", "Whose key signs the proof: the one in the issuer's token, and no other.")

    def ask(identifier, cnf, code, why, *rest, key=HOLDER, algorithm=None, hidden="decoy", **header):
        members = {"_sd": listed(GIVEN, hidden), "cnf": cnf}
        text = credential(members, GIVEN)
        verdict = {"cnf": cnf, "given_name": "Jane"} if code == "valid" else code
        suite.ask(f"binding-key-{identifier}", bound(text, key=key, algorithm=algorithm, **header), verdict, why, *rest)
    others = {"p384": (ec_key("p384-1", "P-384"), None), "ed25519": (ed_key("ed25519-2"), None), "rsa": (rsa_key("rsa-1"), "PS256")}
    for identifier, (key, algorithm) in others.items():
        ask(identifier, {"jwk": key.jwk()}, "valid", f"The holder's key is of another kind ({identifier}).", "RFC 7800 section 3.2",
            key=key,
            algorithm=algorithm)
    named = {"kty": "EC", **{name: CNF["jwk"][name] for name in ("crv", "x", "y")}}
    ask("without-name", {"jwk": named}, "valid", "The holder's key has no name.", "RFC 7800 section 3.2")
    ask("other-members", {"jwk": named, "x": 1}, "valid", "Members of cnf that are not known are ignored.", "RFC 7800 section 3.1",
        "should")
    ask("named-in-header", CNF, "valid", "The proof names the key.", "RFC 7515 section 4.1.4", "should", kid=HOLDER.name)
    add_confirmations(ask)
    stranger, signature = ec_key("foreign-p-256"), "holder: signature_invalid"
    ask("stranger", CNF, signature, "Another key signed the proof.", key=stranger)
    ask("stranger-named", CNF, signature, "Another key signed the proof, under the name of the holder's.", key=stranger, kid=HOLDER.name)
    ask("stranger-offered", CNF, signature, "Another key signed the proof, and its header offers it.", "CVE-2018-0114", key=stranger,
        jwk=stranger.jwk())
    ask("stranger-linked", CNF, signature, "Another key signed the proof, and its header has a link to it.", "CVE-2018-0114", key=stranger,
        jku="https://attacker.example/jwks")
    ask("issuer", CNF, signature, "The issuer's key signed the proof.", key=KEY)
    ask("issuer-other-kind", {"jwk": ed_key("ed25519-2").jwk()}, "holder: key_algorithm_mismatch",
        "The issuer's key, of another kind than the holder's, signed the proof.", key=KEY)
    ask("unknown-name", CNF, "holder: unknown_key", "The proof names another key.", "RFC 7515 section 4.1.4", "should", kid="other")
    ask("other-curve", CNF, "holder: key_algorithm_mismatch", "The proof has another algorithm than the holder's key.",
        key=ec_key("p384-1", "P-384"))
    return suite


def add_confirmations(ask):
    unusable = "unusable_confirmation"
    ask("absent", ABSENT, "missing_confirmation", "The issuer's token has no cnf.")
    ask("hidden", ABSENT, "missing_confirmation", "The holder hides cnf, and proves another key.", f"{RFC} 9.7",
        hidden=disclosure("s", "cnf", CNF), key=ec_key("foreign-p-256"))
    for identifier, value in (("null", None), ("text", "x"), ("array", [CNF]), ("empty", {}), ("jwk-null", {"jwk": None}),
                              ("jwk-text", {"jwk": dump(CNF["jwk"]).decode()}), ("jwk-array", {"jwk": [CNF["jwk"]]}),
                              ("jwk-empty", {"jwk": {}}), ("jwk-capital", {"JWK": CNF["jwk"]}), ("key-itself", CNF["jwk"])):
        ask(f"cnf-{identifier}", value, unusable, f"The claim cnf has no key in jwk ({identifier}).", "RFC 7800 section 3.2")
    ask("set", {"jwk": {"keys": [CNF["jwk"]]}}, unusable, "The member jwk has a set of keys.", "RFC 7800 section 3.2")
    for identifier, value in (("kid", {"kid": HOLDER.name}), ("jku", {"jku": "https://attacker.example/jwks"}),
                              ("jkt", {"jkt": "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"})):
        ask(f"cnf-{identifier}", value, unusable, f"The claim cnf has a reference to a key ({identifier}).", "RFC 7800 section 3",
            "hardening")
    off = {**CNF["jwk"], "y": base64url(bytes(31) + b"\1")}
    ask("off-curve", {"jwk": off}, unusable, "The holder's key is no point of its curve.", "RFC 7518 section 6.2.1")
    ask("identity", {"jwk": {**CNF["jwk"], "x": base64url(bytes(32)), "y": base64url(bytes(32))}}, unusable,
        "The coordinates of the holder's key are zero.", "RFC 7518 section 6.2.1")
    small = rsa_key("rsa-1024", (512, 512))
    ask("weak", {"jwk": small.jwk()}, unusable, "The holder's RSA key has 1024 bits.", "RFC 7518 section 3.3", key=small, algorithm="RS256")
    ask("encryption", {"jwk": {**CNF["jwk"], "use": "enc"}}, unusable, "The holder's key is for encryption.", "RFC 7517 section 4.2",
        "should")
    ask("operations", {"jwk": {**CNF["jwk"], "key_ops": ["deriveKey"]}}, unusable, "The holder's key is not for signatures.",
        "RFC 7517 section 4.3", "should")
    private = {**CNF["jwk"], "d": base64url(HOLDER.private.private_numbers().private_value.to_bytes(32, "big"))}
    ask("private", {"jwk": private}, unusable, "The issuer's token has the holder's private key.", "RFC 7800 section 3.2", "should")
    secret = hmac_key("hmac-32")
    ask("secret", {"jwk": secret.jwk()}, unusable, "The holder's key is a shared secret in plain text.", "RFC 7800 section 3.2", key=secret)


def transactions():
    suite = suite_of("binding-transactions", "For which verifier and transaction the holder signed, and when.")

    def ask(identifier, expect, why, *rest, **changes):
        text = bound(SHOWN, binding_claims(SHOWN, **changes))
        suite.ask(f"binding-{identifier}", text, OUT if expect == "valid" else expect, why, *rest)
    for identifier, value in (("slash", f"{AUDIENCE}/"), ("other", "https://other.example"), ("empty", ""), ("capitals", AUDIENCE.upper()),
                              ("issuer", ISSUER), ("prefix", AUDIENCE[:-1]), ("longer", f"{AUDIENCE}.attacker.example"),
                              ("space", f" {AUDIENCE}"), ("nul", f"{AUDIENCE}\0")):
        ask(f"audience-{identifier}", "holder: audience_mismatch", f"The proof is for another verifier ({identifier}).", aud=value)
    for identifier, value in (("array", [AUDIENCE]), ("several", [AUDIENCE, "https://other.example"])):
        ask(f"audience-{identifier}", "holder: invalid_claim", f"The proof has an array of audiences ({identifier}).", f"{RFC} 4.3",
            "should",
            aud=value)
    for identifier, value in (("null", None), ("number", 7), ("object", {})):
        ask(f"audience-{identifier}", "holder: invalid_claim", f"The audience is no string ({identifier}).", f"{RFC} 4.3", aud=value)
    for identifier, value in (("other", "n-2"), ("empty", ""), ("capitals", NONCE.upper()), ("prefix", NONCE[:-1]), ("space", f"{NONCE} ")):
        ask(f"nonce-{identifier}", "holder: nonce_mismatch", f"The proof is for another transaction ({identifier}).", nonce=value)
    for identifier, value in (("null", None), ("number", 1), ("array", [NONCE]), ("object", {"nonce": NONCE})):
        ask(f"nonce-{identifier}", "holder: invalid_claim", f"The nonce is no string ({identifier}).", f"{RFC} 4.3", nonce=value)
    for name in ("aud", "nonce", "iat"):
        ask(f"without-{name}", "holder: missing_claim", f"The proof has no {name}.", f"{RFC} 4.3", **{name: ABSENT})
    add_dates(ask)
    ask("more-claims", "valid", "The proof has further claims.", f"{RFC} 4.3", "should", jti="1", other={"a": []})
    twice = Members([*binding_claims(SHOWN).items(), ("nonce", "n-2")])
    suite.ask("binding-nonce-twice", bound(SHOWN, dump(twice)), "holder: duplicate_member", "The proof has two nonces.",
              "RFC 7519 section 4", "should")
    return suite


def add_dates(ask):
    ask("date-now", "valid", "The holder has signed this very moment.", iat=NOW)
    ask("date-minutes", "valid", "The holder has signed four minutes ago.", iat=NOW - 240)
    ask("date-limit", "valid", "The age and the leeway just suffice.", None, "should", iat=NOW - 359)
    ask("date-past-limit", "holder: too_old", "The age and the leeway just do not suffice.", None, "should", iat=NOW - 361)
    ask("date-fraction", "valid", "The time has a fraction.", "RFC 7519 section 2", "should", iat=NOW - 9.5)
    for identifier, value in (("hour", NOW - 3600), ("year", NOW - 31536000), ("zero", 0)):
        ask(f"date-{identifier}", "holder: too_old", f"The holder has signed long ago ({identifier}).", iat=value)
    for identifier, value in (("future", NOW + 3600), ("milliseconds", (NOW - 10) * 1000)):
        code = "holder: issued_in_future" if identifier == "future" else "invalid"
        ask(f"date-{identifier}", code, f"The holder has signed in the future ({identifier}).", iat=value)
    for identifier, value in (("text", str(NOW)), ("null", None), ("array", [NOW]), ("true", True)):
        ask(f"date-{identifier}", "holder: invalid_claim", f"The time is no number ({identifier}).", f"{RFC} 4.3", iat=value)
    ask("expired", "holder: expired", "The proof has an expiry, which is past.", "RFC 7519 section 4.1.4", exp=NOW - 3600)
    ask("not-yet", "holder: not_yet_valid", "The proof is not valid yet.", "RFC 7519 section 4.1.5", nbf=NOW + 3600)


def presentations():
    suite = suite_of("binding-presentations", "For which presentation the holder signed: token, disclosures, and their order.")
    both = credential(MEMBERS, GIVEN, FAMILY)
    token, proof = SHOWN.partition("~")[0], bound(SHOWN).rpartition("~")[2]
    moved = {
        "one-less": presented(token), "one-more": both, "other": presented(token, FAMILY),
        "other-token": credential({**MEMBERS, "x": 1}, GIVEN),
        "other-person": credential({"cnf": CNF, "_sd": listed(GIVEN, FAMILY), "sub": "other"}, GIVEN),
    }
    for identifier, text in moved.items():
        suite.ask(f"binding-moved-{identifier}", text + proof, "presentation_mismatch",
                  f"The proof belongs to another presentation ({identifier}).")
    suite.ask("binding-moved-order", presented(token, FAMILY, GIVEN) + bound(both).rpartition("~")[2], "presentation_mismatch",
              "The disclosures have another order since the holder signed.")
    stranger = credential({"cnf": {"jwk": ec_key("foreign-p-256").jwk()}, "_sd": listed(GIVEN)}, GIVEN)
    suite.ask("binding-moved-holder", stranger + bound(stranger).rpartition("~")[2], "holder: signature_invalid",
              "The presentation is another's, and the proof is by our key.")
    hashes = {
        "absent": ABSENT, "null": None, "empty": "", "of-nothing": digest(""), "token-alone": digest(token),
        "without-last-tilde": digest(SHOWN[:-1]), "of-octets": digest(GIVEN), "padded": digest(SHOWN) + "=",
        "of-sha-512": digest(SHOWN, 512),
        "hexadecimal": unbase64url(digest(SHOWN)).hex(), "array": [digest(SHOWN)], "capitals": digest(SHOWN).swapcase(),
        "cut": digest(SHOWN)[:-1], "space": f" {digest(SHOWN)}", "with-proof": digest(bound(SHOWN)),
    }
    for identifier, value in hashes.items():
        suite.ask(f"binding-hash-{identifier}", bound(SHOWN, binding_claims(SHOWN, sd_hash=value)), "presentation_mismatch",
                  f"The claim sd_hash has another value ({identifier}).", f"{RFC} 4.3.1")
    value = digest(SHOWN)
    spelled = Raw(f'"\\u{ord(value[0]):04x}{value[1:]}"'.encode())
    suite.ask("binding-hash-escaped", bound(SHOWN, binding_claims(SHOWN, sd_hash=spelled)), OUT, "The claim sd_hash has an escape of JSON.",
              "RFC 8259 section 8.3")
    suite.ask("binding-hash-other-name", bound(SHOWN, binding_claims(SHOWN, sd_hash=ABSENT, _sd_hash=digest(SHOWN))),
              "presentation_mismatch", "The claim sd_hash has the name of an older draft.", f"{RFC} 4.3")
    return suite


def proof_tokens():
    suite = suite_of("binding-tokens", "How the proof is signed, and its header.")
    claims, other = binding_claims(SHOWN), binding_claims(SHOWN, nonce="n-2")

    def make(payload, key, algorithm=None, **header):
        return binding_token(payload, key, algorithm, **{"kid": HOLDER.name, **header})
    proof = make(claims, HOLDER)
    attacks = [*envelope.unsecured(proof, claims, {"typ": "kb+jwt"}), *envelope.changed(make, proof, other, HOLDER),
               *envelope.shapes(proof), *envelope.headers(make, claims, HOLDER)]
    for identifier, text, code, why, reference, *severity in attacks:
        if identifier not in ("empty", "tilde"):  # then there is no proof
            suite.ask(f"proof-{identifier}", SHOWN + text, f"holder: {code}", why, reference, *severity)
    for identifier, value in (("jwt", "JWT"), ("absent", ABSENT), ("empty", ""), ("credential", "dc+sd-jwt"), ("dash", "kb-jwt"),
                              ("dpop", "dpop+jwt"), ("longer", "kb+jwtx")):
        suite.ask(f"proof-type-{identifier}", bound(SHOWN, typ=value), "holder: type_mismatch", f"The type is another ({identifier}).")
    for identifier, value in (("null", None), ("array", ["kb+jwt"])):
        suite.ask(f"proof-type-{identifier}", bound(SHOWN, typ=value), "holder: invalid_header", f"The type is no string ({identifier}).")
    suite.ask("proof-type-media-type", bound(SHOWN, typ="application/kb+jwt"), OUT, "The type as a media type.", "RFC 7515 section 4.1.9",
              "should")
    suite.ask("proof-type-capitals", bound(SHOWN, typ="KB+JWT"), OUT, "The type in capitals.", "RFC 7515 section 4.1.9", "should")
    for identifier, text in (("array", b"[]"), ("text", b"x"), ("empty", b""), ("null", b"null")):
        suite.ask(f"proof-payload-{identifier}", bound(SHOWN, text), "invalid", f"The payload is no object ({identifier}).",
                  "RFC 7519 section 7.2")
    confused = assemble({"alg": "HS256", "typ": "kb+jwt"}, claims, hmac_key("hmac-32").sign("HS256", b"x"))
    suite.ask("proof-secret", SHOWN + confused, "holder: algorithm_not_allowed", "The proof has an HMAC.", "CVE-2015-9235")
    return suite


def digests():
    suite = SelectiveSuite("binding-digests", "Key binding with SHA-512, which the verifier allows.", [KEY.jwk()],
                           {**BOUND, "digests": ["sha-512"]}, reference=f"{RFC} 4.3.1")
    text = credential({"cnf": CNF, "_sd_alg": "sha-512", "_sd": [digest(GIVEN, 512)]}, GIVEN)
    suite.ask("binding-sha-512", bound(text, binding_claims(text, 512)), OUT, "The proof has the digest of the disclosures.")
    suite.ask("binding-sha-512-not", bound(text), "presentation_mismatch", "The proof has another digest than the disclosures.")
    return suite


def empty():
    """Verifiers that do not say for whom, or for which transaction: nobody can have signed for them."""
    def make(name, binding, code, **changes):
        suite = suite_of(f"binding-empty-{name}", "The verifier expects an empty text.", {**POLICY, "key_binding": binding},
                         severity="hardening")
        suite.ask(f"binding-empty-{name}", bound(SHOWN, binding_claims(SHOWN, **changes)), f"holder: {code}",
                  "The holder has signed for an empty text, which a lost session has too.", f"{RFC} 9.5")
        return suite
    return (lambda: make("nonce", {**BINDING, "nonce": ""}, "nonce_mismatch", nonce=""),
            lambda: make("audience", {**BINDING, "audience": ""}, "audience_mismatch", aud=""))


SUITES = [presence, absence, keys, transactions, presentations, proof_tokens, digests, *empty()]
