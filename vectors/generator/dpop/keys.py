"""The key in a proof, and its algorithm."""

import json

from ..encoding import base64url, dump, unbase64url, unsigned
from ..keys import HmacKey, certificate, ec_key, ed_key, hmac_key, public_forms, rsa_key
from ..suite import ABSENT, assemble
from .suite import DPOP, ISSUER, KEY, ProofSuite, access_token, proof, proof_claims, public, thumbprint

JWK, JWA, CHECKS = "RFC 7517 section", "RFC 7518 section", f"{DPOP} 4.3"
RSA = rsa_key("dpop-rsa")
SIGNERS = {"ES256": KEY, "ES384": ec_key("dpop-p384", "P-384"), "ES512": ec_key("dpop-p521", "P-521"), "EdDSA": ed_key("dpop-ed25519"),
           "Ed25519": ed_key("dpop-ed25519"), "PS256": RSA, "RS256": RSA}


def bound(key, algorithm=None, jwk=None, **header):
    """A proof, and the token that is bound to its key: a pair for `ask`."""
    jwk = jwk or public(key)
    token = access_token(jwk)
    return proof(proof_claims(token), key, algorithm, jwk=jwk, **header), token


def algorithms():
    suite = ProofSuite("algorithms", "The algorithm of a proof.", CHECKS)
    for algorithm, key in SIGNERS.items():
        text, token = bound(key, algorithm)
        suite.ask(f"good-{algorithm.lower()}", text, "valid", f"A proof with a signature of {algorithm}.", token=token)
    header, refused = {"typ": "dpop+jwt", "jwk": public(KEY)}, "proof_algorithm_not_allowed"

    def unsigned_proof(name):
        return assemble({**header, "alg": name}, proof_claims(), b"")
    for identifier, name in (("none", "none"), ("none-capital", "None"), ("none-upper", "NONE"), ("none-mixed", "nOnE"), ("alg-empty", ""),
                             ("none-space", "none ")):
        suite.ask(identifier, unsigned_proof(name), refused, f"The algorithm is {name!r}, and there is no signature.",
                  "RFC 8725 section 3.2")
    suite.ask("alg-absent", assemble(header, proof_claims(), b"x" * 64), refused, "The header has no algorithm.", CHECKS)
    suite.ask("alg-unknown", assemble({
        **header, "alg": "XS256"
    }, proof_claims(), b"x" * 64), refused, "The algorithm is not known.", CHECKS)
    suite.ask("alg-lower", assemble({**header, "alg": "es256"}, proof_claims(), b"x" * 64), refused, "Capitals count.",
              "RFC 7515 section 4.1.1")
    add_symmetric(suite)
    key = ec_key("dpop-k256", "secp256k1")
    text, token = bound(key)
    suite.ask("es256k", text, refused, "The server does not allow ES256K.", CHECKS, token=token)
    text, token = bound(RSA, "PS512")
    suite.ask("ps512", text, refused, "The server does not allow PS512.", CHECKS, token=token)
    return suite


def add_symmetric(suite):
    refused = "proof_algorithm_not_allowed"
    for algorithm in ("HS256", "HS384", "HS512"):
        secret = hmac_key("dpop-secret", 64)
        text, token = bound(secret, algorithm)
        suite.ask(f"secret-{algorithm.lower()}", text, refused, f"The key is a shared secret, and the algorithm {algorithm}.", CHECKS,
                  token=token)
    token = access_token(public(RSA))
    for identifier, secret in public_forms(RSA).items():
        suite.ask(f"confusion-{identifier}",
                  confused(token, secret),
                  refused,
                  f"An HMAC with the public key as its secret ({identifier}).",
                  "CVE-2015-9235",
                  token=token)


def confused(token, secret):
    data = f"{base64url(dump({'typ': 'dpop+jwt', 'alg': 'HS256', 'jwk': public(RSA)}))}.{base64url(dump(proof_claims(token)))}"
    return f"{data}.{base64url(HmacKey('', secret).sign('HS256', data.encode()))}"


def keys():
    suite = ProofSuite("keys", "The key in the header of a proof.", CHECKS)
    fault = "invalid_proof_key"

    def ask(identifier, why, *rest, **members):
        suite.ask(f"key-{identifier}", proof(**members), fault, why, *rest)
    ask("absent", "The header has no key.", jwk=ABSENT)
    ask("name-only", "The header names a key of the issuer, and has none.", jwk=ABSENT, kid=ISSUER.name)
    ask("address", "The header has the address of a key.", CHECKS, jwk=ABSENT, jku="https://client.example/jwks")
    ask("certificate", "The header has a certificate, and no key.", CHECKS, jwk=ABSENT, x5c=[certificate(RSA)])
    for identifier, value in (("null", None), ("string", json.dumps(public(KEY))), ("array", [public(KEY)]), ("set", {
            "keys": [public(KEY)]
    }), ("empty", {}), ("number", 1), ("true", True)):
        ask(identifier, f"The key is no JWK ({identifier}).", f"{JWK} 4", jwk=value)
    add_private(suite)
    add_members(suite, ask)
    add_points(suite)
    add_rsa(suite)
    add_mismatches(suite)
    return suite


def add_private(suite):
    fault, exposed = "invalid_proof_key", ec_key("dpop-exposed")
    scalar = base64url(unsigned(exposed.private.private_numbers().private_value, 32))
    for identifier, key, members in (
            ("ec", exposed, {"d": scalar}), ("ec-empty", KEY, {"d": ""}), ("ec-null", KEY, {"d": None}),
            ("okp", ed_key("dpop-ed25519"), {"d": base64url(bytes(32))}), ("rsa-d", RSA, {"d": "AQAB"}), ("rsa-p", RSA, {"p": "AQAB"}),
            ("rsa-oth", RSA, {"oth": []}), ("secret", KEY, {"k": "AQAB"})):
        jwk = public(key)
        text = proof(proof_claims(access_token(jwk)), key, jwk={**jwk, **members})
        severity = "must" if identifier in ("ec", "okp", "rsa-d") else "should"
        suite.ask(f"key-private-{identifier}", text, fault, f"The key has a private member ({identifier}).", CHECKS, severity,
                  token=access_token(jwk))
    secret = hmac_key("dpop-secret", 64)
    text = proof(proof_claims(access_token(public(secret))), jwk=public(secret))
    suite.ask("key-secret", text, fault, "The key is a shared secret, and the algorithm ES256.", CHECKS, token=access_token(public(secret)))


def add_members(suite, ask):
    jwk = public(KEY)
    for name in jwk:
        ask(f"{name}-absent", f"The key lacks {name}.", f"{JWA} 6.2.1", jwk={key: value for key, value in jwk.items() if key != name})
        for what, value in (("null", None), ("number", 1), ("array", [jwk[name]])):
            ask(f"{name}-{what}", f"The member {name} of the key is no string ({what}).", f"{JWA} 6.2.1", jwk={**jwk, name: value})
    for name, value, why, reference in (
            ("kty", "ec", "Capitals count.", f"{JWK} 4.1"), ("kty", "XYZ", "The type is not known.", f"{JWK} 4.1"),
            ("crv", "P-192", "The curve is not known.", f"{JWA} 6.2.1.1"), ("crv", "p-256", "Capitals count.", f"{JWA} 6.2.1.1"),
            ("crv", "P-521", "The coordinates are those of another curve.", f"{JWA} 6.2.1.2"),
            ("crv", "secp256k1", "The point is one of another curve.", f"{JWA} 6.2.1")):
        suite.ask(f"key-{name}-as-{value.lower()}{'-small' if value in ('ec', 'p-256') else ''}", proof(jwk={**jwk, name: value}),
                  "invalid_proof_key", why, reference)
    for identifier, members in (("use-enc", {"use": "enc"}), ("ops-sign", {"key_ops": ["sign"]}), ("ops-encrypt", {"key_ops": ["encrypt"]}),
                                ("use-null", {"use": None}), ("ops-string", {"key_ops": "verify"})):
        ask(identifier, f"The key is not for verifying ({identifier}).", f"{JWK} 4.2", "should", jwk={**jwk, **members})
    for identifier, members in (("use-sig", {"use": "sig"}), ("ops-verify", {"key_ops": ["verify"]}), ("alg-es256", {"alg": "ES256"}),
                                ("own", {"x-note": [1]}), ("named", {"kid": "client-key"})):
        suite.ask(f"key-{identifier}", proof(jwk={**jwk, **members}), "valid", f"The key says more than it has to ({identifier}).",
                  f"{JWK} 4")


def add_points(suite):
    """Coordinates that are no point of the curve, or the point in another spelling."""
    for key in (KEY, SIGNERS["ES384"], SIGNERS["ES512"]):
        jwk, size, name = public(key), key.size, key.crv.lower()
        prime = {"P-256": 2**256 - 2**224 + 2**192 + 2**96 - 1, "P-384": 2**384 - 2**128 - 2**96 + 2**32 - 1, "P-521": 2**521 - 1}[key.crv]
        zero = base64url(bytes(size))
        spellings = {
            "off-curve": {"y": base64url(unsigned(key.y ^ 1, size))}, "swapped": {"x": jwk["y"], "y": jwk["x"]},
            "zero": {"x": zero, "y": zero}, "beyond-prime": {"x": base64url(unsigned(prime, size)), "y": jwk["y"]},
            "short": {"x": base64url(unbase64url(jwk["x"])[1:])}, "long": {"x": base64url(b"\0" + unbase64url(jwk["x"]))},
            "standard": {"x": jwk["x"].replace("-", "+").replace("_", "/") + "="}}
        for identifier, members in spellings.items():
            value = {**jwk, **members}
            token = access_token(value)
            suite.ask(f"key-{name}-{identifier}", proof(proof_claims(token), key, jwk=value), "invalid_proof_key",
                      f"The coordinates are no point of {key.crv} in its only form ({identifier}).", f"{JWA} 6.2.1.2",
                      "should" if identifier in ("long", "standard") else "must", token=token)
    key = ed_key("dpop-ed25519")
    for identifier, x in (("short", key.public[1:]), ("long", key.public + b"\0"), ("off-curve", b"\x02" + bytes(31))):
        value = {**public(key), "x": base64url(x)}
        token = access_token(value)
        suite.ask(f"key-ed25519-{identifier}", proof(proof_claims(token), key, jwk=value), "invalid",
                  f"The key is no point of the curve ({identifier}).", "RFC 8032 section 5.1.3", token=token)


def add_rsa(suite):
    fault = "invalid_proof_key"
    for bits, severity in ((512, "must"), (1024, "must"), (2032, "must"), (8192, "hardening")):
        key = rsa_key(f"dpop-rsa-{bits}", (bits // 2, bits // 2) if bits < 8000 else (1024,) * 8)
        text, token = bound(key, "RS256")
        suite.ask(f"key-rsa-{bits}", text, fault, f"The modulus has {bits:,} bits.", f"{JWA} 3.3" if bits < 8000 else f"{DPOP} 11.1",
                  severity, token=token)
    jwk = public(RSA)
    for identifier, members, severity in (
            ("exponent-one", {"e": base64url(b"\x01")}, "must"), ("exponent-even", {"e": base64url(b"\x01\x00\x00")}, "must"),
            ("exponent-empty", {"e": ""}, "must"), ("modulus-zero", {"n": base64url(bytes(256))}, "must"),
            ("modulus-leading-zero", {"n": base64url(b"\0" + unbase64url(jwk["n"]))}, "should"),
            ("exponent-leading-zero", {"e": base64url(b"\0\x01\0\x01")}, "should")):
        value = {**jwk, **members}
        token = access_token(value)
        suite.ask(f"key-rsa-{identifier}", proof(proof_claims(token), RSA, jwk=value), fault, f"The numbers are no key ({identifier}).",
                  f"{JWA} 6.3.1", severity, token=token)


def add_mismatches(suite):
    """A key that does not fit the algorithm."""
    fault, p384, ed = "invalid_proof_key", SIGNERS["ES384"], SIGNERS["EdDSA"]
    for identifier, key, jwk, algorithm in (("es256-p384", KEY, public(p384), "ES256"), ("es384-p256", p384, public(KEY), "ES384"),
                                            ("es256-rsa", KEY, public(RSA), "ES256"), ("rs256-ec", RSA, public(KEY), "RS256"),
                                            ("es256-okp", KEY, public(ed), "ES256"), ("eddsa-ec", ed, public(KEY),
                                                                                      "EdDSA"), ("alg-es384", KEY, {
                                                                                          **public(KEY), "alg": "ES384"
                                                                                      }, "ES256"), ("alg-ps256", RSA, {
                                                                                          **public(RSA), "alg": "PS256"
                                                                                      }, "RS256"), ("alg-none", KEY, {
                                                                                          **public(KEY), "alg": "none"
                                                                                      }, "ES256")):
        token = access_token({name: value for name, value in jwk.items() if name != "alg"})
        suite.ask(f"key-misfit-{identifier}", proof(proof_claims(token), key, algorithm, jwk=jwk), fault,
                  f"The key is not one for the algorithm ({identifier}).", "RFC 8725 section 3.1",
                  "should" if identifier.startswith("alg-") else "must", token=token)


def bindings():
    suite = ProofSuite("bindings", "The key that an access token is bound to.", f"{DPOP} 6.1")
    stranger = ec_key("dpop-stranger")
    fault = "proof_key_mismatch"

    def ask(identifier, text, expect, why, *rest, **options):
        suite.ask(f"binding-{identifier}", text, expect, why, *rest, **options)
    ask("other-key", proof(key=stranger), fault, "Another key signed, and the proof has it.")
    ask("other-key-named", proof(key=stranger, jwk={**public(stranger), "kid": ISSUER.name}, kid=ISSUER.name), fault,
        "Another key signed. It has the name of the issuer's key.")
    ask("issuer-key", proof(key=ISSUER, kid=ISSUER.name), fault, "The issuer's key signed.")
    ask("swapped-key", proof(key=stranger, jwk=public(KEY)), "proof_signature_invalid", "Another key signed, and the proof has ours.")
    ask("swapped-key-named", proof(key=stranger, jwk=public(KEY), kid="stranger"), "proof_signature_invalid",
        "Another key signed, under its own name, and the proof has ours.")
    for identifier, claim in (("null", None), ("string", thumbprint(public(KEY))), ("array", [thumbprint(public(KEY))]), ("empty", {}),
                              ("number", 1), ("jkt-null", {"jkt": None}), ("jkt-number", {"jkt": 1}), ("jkt-empty", {"jkt": ""}),
                              ("jkt-short", {"jkt": thumbprint(public(KEY))[:-1]}), ("jkt-padded", {"jkt": thumbprint(public(KEY)) + "="}),
                              ("jkt-array", {"jkt": [thumbprint(public(KEY))]}),
                              ("jkt-sha1", {"jkt": base64url(bytes(20))}), ("jkt-sha512", {"jkt": base64url(bytes(64))})):
        token = access_token(cnf=claim)
        ask(f"cnf-{identifier}", proof(proof_claims(token)), "invalid_confirmation", f"The claim cnf names no key ({identifier}).",
            "RFC 7800 section 3", token=token)
    token = access_token(cnf=ABSENT)
    ask("cnf-absent", proof(proof_claims(token)), "unbound_token", "The access token is bound to no key.", f"{DPOP} 7.1", token=token)
    token = access_token(cnf={"kid": "x"})
    ask("cnf-other", proof(proof_claims(token)), "invalid", "The access token is bound in another way.", f"{DPOP} 7.1", "should",
        token=token)
    jwk = {**public(KEY), "kid": "x", "use": "sig"}
    ask("thumbprint-required-only", proof(jwk=jwk), "valid", "The thumbprint has the required members alone.", "RFC 7638 section 3.2")
    return suite


SUITES = [algorithms, keys, bindings]
