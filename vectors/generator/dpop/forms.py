"""The form of a proof: its parts, its JSON, its header and its limits."""

from ..encoding import Members, Raw, base64url, dump, raw, unused_bits_set
from ..suite import ABSENT, assemble, flipped, signature_of, split, with_signature
from .suite import DPOP, KEY, TOKEN, ProofSuite, proof, proof_claims, public

JWT, JWS = "RFC 7519 section 7.2", "RFC 7515 section"
HEADER = {"typ": "dpop+jwt", "alg": "ES256", "jwk": public(KEY)}


def good():
    suite = ProofSuite("good", "Proofs that a server takes.", f"{DPOP} 4.3")
    suite.ask("plain", proof(), "valid", "An ordinary proof.")
    suite.ask("other-order", proof(dict(reversed(proof_claims().items()))), "valid", "The claims are in another order.",
              "RFC 8259 section 4")
    suite.ask("white-space", proof(b" { " + dump(proof_claims())[1:-1].replace(b",", b" ,\n") + b" } "), "valid",
              "The payload has white space between its members.", "RFC 8259 section 2")
    suite.ask("own-claims", proof(proof_claims(client="x", data={"a": [1, 2]})), "valid", "The proof has claims that are not known.",
              "RFC 7519 section 4")
    suite.ask("own-header", proof(x="y"), "valid", "The header has a member that is not known.", f"{JWS} 4")
    suite.ask("key-id", proof(kid="client-key"), "valid", "The header also names the key.", f"{JWS} 4.1.4")
    suite.ask("empty-nonce-unasked", proof(proof_claims(nonce="x")), "valid", "The proof has a nonce that nobody asked for.", f"{DPOP} 8",
              "should")
    suite.ask("escaped-names", proof(Members([(Raw(b'"\\u006a\\u0074i"'), "proof-1"), *list(proof_claims().items())[1:]])), "valid",
              "The name of a claim has escapes.", "RFC 8259 section 8.3")
    suite.ask("escaped-type", proof(typ=raw('"dpop\\u002bjwt"')), "valid", "The type has an escape.", "RFC 8259 section 8.3", "should")
    suite.ask("unicode-jti", proof(proof_claims(jti="日本-é-😀")), "valid", "The identifier has letters beyond ASCII.", f"{DPOP} 4.2")
    suite.ask("post", proof(proof_claims(htm="POST")), "valid", "A request with another method.", method="POST")
    suite.ask("own-method", proof(proof_claims(htm="PROPFIND")), "valid", "A request with a method beyond HTTP's own.", method="PROPFIND")
    suite.ask("endpoint", proof(proof_claims(None)), "valid", "A request to a token endpoint, without an access token.", f"{DPOP} 5",
              token=None)
    return suite


def forms():
    suite = ProofSuite("forms", "What is no well-formed JWT in the field DPoP.", JWT)
    token, fault = proof(), "malformed_proof"
    head, payload, signature = split(token)

    def ask(identifier, text, why, *rest, expect=fault):
        suite.ask(identifier, text, expect, why, *rest)
    ask("empty", "", "The field is empty.")
    ask("word", "x", "The field has a word.")
    ask("two-parts", f"{head}.{payload}", "The signature and its dot are missing.")
    ask("four-parts", f"{token}.x", "The proof has a fourth part.")
    ask("five-parts", f"{head}..AAAA.AAAA.AAAA", "The proof has the five parts of an encrypted token.", "RFC 7516 section 7.1")
    ask("json", dump({"payload": payload, "protected": head, "signature": signature}).decode(), "The proof is in the JSON serialization.",
        f"{DPOP} 4.2", expect="invalid")
    ask("access-token", TOKEN, "The access token itself is in the field.", f"{DPOP} 4.3", expect="proof_type_mismatch")
    ask("scheme-before", f"DPoP {token}", "A scheme stands before the proof.", f"{DPOP} 4.1")
    ask("quotes", f'"{token}"', "The proof is in quotation marks.", f"{DPOP} 4.1")
    ask("no-payload", f"{head}..{signature}", "The payload is empty.")
    ask("no-header", f".{payload}.{signature}", "The header is empty.")
    ask("padded", f"{head}.{payload}.{signature}==", "The signature is padded.", f"{JWS} 2")
    ask("plus", f"{head}.{payload}.+{signature[1:]}", "The signature has a character of plain base64.", f"{JWS} 2")
    ask("space-within", f"{head}. {payload}.{signature}", "A space is within the proof.", f"{JWS} 2")
    ask("unused-bits", f"{head}.{payload}.{unused_bits_set(signature)}", "Unused bits of the last character are set.",
        "RFC 4648 section 3.5", "hardening")
    ask("header-no-json", f"{base64url(b'x')}.{payload}.{signature}", "The header is no JSON.")
    ask("header-array", assemble([HEADER], proof_claims(), b"x" * 64), "The header is an array.")
    ask("header-comma", assemble(dump(HEADER)[:-1] + b",}", proof_claims(), b"x" * 64), "The header ends with a comma.")
    ask("payload-no-json", proof(b"x"), "The payload is no JSON.")
    ask("payload-array", proof([proof_claims()]), "The payload is an array.")
    ask("payload-null", proof(b"null"), "The payload is null.")
    ask("payload-string", proof(b'"x"'), "The payload is a string.")
    ask("payload-cut", proof(dump(proof_claims())[:-1]), "The payload ends early.")
    ask("payload-more", proof(dump(proof_claims()) + b"{}"), "Something follows the payload's object.")
    ask("payload-octets", proof(dump(proof_claims()).replace(b"proof-1", b"proof-\xff")), "The payload is no UTF-8.",
        "RFC 8259 section 8.1")
    for name, value in (("jti", "proof-2"), ("htm", "GET"), ("htu", "https://api.example/other"), ("iat", 1), ("ath", "x")):
        ask(f"{name}-twice", proof(Members([*proof_claims().items(), (name, value)])), f"The claim {name} is there twice.",
            "RFC 7519 section 4", "should")
    ask("jwk-twice", proof(jwk=raw('{"kty":"EC"},"jwk":' + dump(public(KEY)).decode())),
        "The header has two keys.", f"{JWS} 4", "should")
    ask("typ-twice", proof(typ=raw('"JWT","typ":"dpop+jwt"')), "The header has two types.", f"{JWS} 4", "should")
    ask("alg-twice", proof(alg=raw('"none","alg":"ES256"')), "The header has two algorithms.", f"{JWS} 4", "should")
    ask("jwk-member-twice", proof(jwk=Members([*public(KEY).items(), ("kty", "EC")])), "The key has a member twice.",
        "RFC 7517 section 4", "should")
    return suite




def headers():
    suite = ProofSuite("headers", "The header of a proof.", f"{DPOP} 4.3")

    def ask(identifier, expect, why, *rest, **members):
        suite.ask(f"header-{identifier}", proof(**members), expect, why, *rest)
    kind = "proof_type_mismatch"
    for identifier, value in (("absent", ABSENT), ("jwt", "JWT"), ("access-token", "at+jwt"), ("id-token", "id_token"), ("empty", ""),
                              ("shorter", "dpop"), ("longer", "dpop+jwt2"), ("prefixed", "xdpop+jwt"), ("space", "dpop+jwt "),
                              ("minus", "dpop-jwt"), ("set", "secevent+jwt"), ("logout", "logout+jwt")):
        ask(f"typ-{identifier}", kind, f"The type is not dpop+jwt ({identifier}).", typ=value)
    for identifier, value in (("null", None), ("number", 1), ("array", ["dpop+jwt"]), ("object", {}), ("true", True)):
        ask(f"typ-{identifier}", "malformed_proof", f"The type is no string ({identifier}).", typ=value)
    ask("crit", "malformed_proof", "An extension is critical and not known.", f"{JWS} 4.1.11", crit=["x"], x=1)
    ask("crit-jwk", "malformed_proof", "The key is said to be critical.", f"{JWS} 4.1.11", "should", crit=["jwk"])
    ask("crit-empty", "malformed_proof", "The list of critical extensions is empty.", f"{JWS} 4.1.11", "should", crit=[])
    ask("crit-b64", "malformed_proof", "The payload would not be encoded.", "RFC 7797 section 7", crit=["b64"], b64=False)
    ask("zip", "malformed_proof", "The header says that the payload is compressed.", "CVE-2024-28180", "hardening", zip="DEF")
    ask("cty", "malformed_proof", "The header says that the payload is a JWT.", "RFC 7519 section 5.2", "should", cty="JWT")
    for identifier, value in (("number", 256), ("null", None), ("array", ["ES256"])):
        ask(f"alg-{identifier}", "malformed_proof", f"The algorithm is no string ({identifier}).", f"{JWS} 4.1.1", alg=value)
    return suite


def signatures():
    suite = ProofSuite("signatures", "The signature of a proof.", f"{DPOP} 4.3")
    token, fault = proof(), "proof_signature_invalid"
    head, _, text = split(token)
    octets = signature_of(token)

    def ask(identifier, text, why, *rest, expect=fault):
        suite.ask(f"signature-{identifier}", text, expect, why, *rest)
    for place in (0, 31, 32, 63):
        ask(f"bit-{place}", with_signature(token, flipped(octets, place)), f"One bit of the signature is wrong, in octet {place}.")
    ask("empty", f"{token.rpartition('.')[0]}.", "The signature is empty.")
    ask("zero", with_signature(token, bytes(64)), "The numbers in the signature are zero.", "CVE-2022-21449")
    ask("cut", with_signature(token, octets[:-1]), "The signature lacks an octet.")
    ask("longer", with_signature(token, octets + b"\0"), "The signature has an octet too many.")
    ask("swapped", with_signature(token, octets[32:] + octets[:32]), "The numbers of the signature are swapped.")
    payload = base64url(dump(proof_claims(jti="proof-2")))
    ask("payload-changed", f"{head}.{payload}.{text}", "The identifier is another than was signed.")
    header = base64url(dump({"typ": "dpop+jwt", "alg": "ES256", "jwk": public(KEY), "x": 1}))
    ask("header-changed", f"{header}.{split(token)[1]}.{text}", "The header is another than was signed.")
    return suite


def limits():
    suite = ProofSuite("limits", "The limits of proofs.", f"{DPOP} 4.3", "hardening")

    def ask(identifier, text, why, expect="proof_too_large"):
        suite.ask(f"limit-{identifier}", text, expect, why, f"{DPOP} 11.1")
    ask("jti-256", proof(proof_claims(jti="j" * 256)), "The identifier has 256 characters.", "valid")
    ask("jti-257", proof(proof_claims(jti="j" * 257)), "The identifier has 257 characters.")
    ask("jti-4096", proof(proof_claims(jti="j" * 4096)), "The identifier has 4,096 characters.")
    ask("proof-bytes", proof(proof_claims(x="x" * 7000)), "The proof is longer than 8 KiB.")
    ask("header-bytes", proof(x="x" * 4096), "The header is longer than 4 KiB.")
    ask("members", proof(proof_claims(**{f"m{number}": 1 for number in range(28)})), "The payload has 33 members.")
    ask("members-32", proof(proof_claims(**{f"m{number}": 1 for number in range(27)})), "The payload has 32 members.", "valid")
    ask("depth", proof(proof_claims(x=[[[[[1]]]]])), "The payload is nested deeply.")
    return suite


SUITES = [good, forms, headers, signatures, limits]
