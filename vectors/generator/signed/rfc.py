"""The examples of RFC 7515, RFC 7520, RFC 7797 and RFC 8037, with their own signatures."""

from ..encoding import base64url, dump
from .suite import ALL, ONE, DocumentSuite

# RFC 7515 appendix A.6, and RFC 7520 sections 4.1 to 4.8.
PERSON_RS256 = (
    "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BA"
    "ynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1p"
    "hCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw")
PERSON_ES256 = "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
PERSON_MODULUS = (
    "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG"
    "6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT"
    "6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ")
SPEECH_RS256 = (
    "MRjdkly7_-oTPTS3AXP41iQIGKa80A0ZmTuV5MEaHoxnW2e5CZ5NlKtainoFmKZopdHM1O2U4mwzJdQx996ivp83xuglII7PNDi84wnB-BDkoBwA78185hX-Es4JIwmDLJ"
    "K3lfWRa-XtL0RnltuYv746iYTh_qHRD68BNt1uSNCrUCTJDt5aAE6x8wW1Kt9eRo4QPocSadnHXFxnt8Is9UzpERV0ePPQdLuW3IS_de3xyIrDaLGdjluPxUAhb6L2aXic"
    "1U12podGU0KLUQSE_oI-ZnmKJ3F4uOZDnd6QZWJushZ41Axf_fcIe8u9ipH84ogoree7vjbU5y18kDquDg")
SPEECH_PS384 = (
    "cu22eBqkYDKgIlTpzDXGvaFfz6WGoz7fUDcfT0kkOy42miAh2qyBzk1xEsnk2IpN6-tPid6VrklHkqsGqDqHCdP6O8TTB5dDDItllVo6_1OLPpcbUrhiUSMxbbXUvdvWXz"
    "g-UD8biiReQFlfz28zGWVsdiNAUf8ZnyPEgVFn442ZdNqiVJRmBqrYRXe8P_ijQ7p8Vdz0TTrxUeT3lm8d9shnr2lfJT8ImUjvAA2Xez2Mlp8cBE5awDzT0qI0n6uiP1aC"
    "N_2_jLAeQTlqRHtfa64QQSUmFAAjVKPbByi7xho0uTOcbH510a6GYmJUAfmWjwZ6oD4ifKo8DYM-X72Eaw")
SPEECH_ES512 = (
    "AE_R_YZCChjn4791jSQCrdPZCNYqHXCTZH0-JZGYNlaAjP2kqaluUIIUnC9qvbu9Plon7KRTzoNEuT4Va2cmL1eJAQy3mtPBu_u_sDDyYjnAMDxXPn7XrT0lw-kvAD890j"
    "l8e2puQens_IEKBpHABlsbEPX6sFY8OcGDqoRuBomu9xQ2")
SPEECH_HS256 = "s0h6KThzkfBBBkLspW1h84VsJZFTsPPqMDA7g1Md7p0"
SPEECH_HS256_SPECIFIC = "bWUSVaxorn7bEF1djytBd0kHv70Ly5pvbomzMWSOr20"
SPEECH_HS256_CONTENT = "xuLifqLGiblpv9zBpuZczWhNj1gARaLV3UxvxhJxZuk"
SPEECH_RS256_ONE_OF_THREE = (
    "MIsjqtVlOpa71KE-Mss8_Nq2YH4FGhiocsqrgi5NvyG53uoimic1tcMdSg-qptrzZc7CG6Svw2Y13TDIqHzTUrL_lR2ZFcryNFiHkSw129EghGpwkpxaTn_THJTCglNbAD"
    "ko1MZBCdwzJxwqZc-1RlpO2HibUYyXSwO97BSe0_evZKdjvvKSgsIqjytKSeAMbhMBdMma622_BG5t4sdbuCHtFjp9iJmkio47AIwqkZV1aIZsv33uPUqBBCXbYoQJwt7m"
    "xPftHmNlGoOSMxR_3thmXTCm4US-xiNOyhbm8afKK64jU6_TPtQHiJeQJxz9G3Tx-083B745_AfYOnlC9w")
SPEECH_ES512_ONE_OF_THREE = (
    "ARcVLnaJJaUWG8fG-8t5BREVAuTY8n8YHjwDO1muhcdCoFZFFjfISu0Cdkn9Ybdlmi54ho0x924DUz8sK7ZXkhc7AFM8ObLfTvNCrqcI3Jkl2U5IX3utNhODH6v7xgy1Qa"
    "hsn0fyb4zSAkje8bAWz4vIfj5pCMYxxm4fgV3q7ZYhm5eD")
SPEECH_MODULUS = (
    "n4EPtAOCc9AlkeQHPzHStgAbgs7bTZLwUBZdR8_KuKPEHLd4rHVTeT-O-XV2jRojdNhxJWTDvNd7nqQ0VEiZQHz_AJmSCpMaJMRBSFKrKb2wqVwGU_NsYOYL-QtiWN2lbz"
    "cEe6XC0dApr5ydQLrHqkHHig3RBordaZ6Aj-oBHqFEHYpPe7Tpe-OfVfHd1E6cS6M1FZcD1NNLYD5lFHpPI9bTwJlsde3uhGqC0ZCuEHg8lhzwOHrtIQbS0FVbb9k3-tVT"
    "U4fg_3L_vniUFAKwuCLqKnS2BYwdq_mzSnbLY7h_qixoR7jig3__kRhuaxwUkRz5iaiQkqgc5gHdrNP5zw")
SPEECH_X = "AHKZLLOsCOzz5cY97ewNUajB957y-C-U88c3v13nmGZx6sYl_oJXu9A5RkTKqjqvjyekWF-7ytDyRXYgCF5cj0Kt"
SPEECH_Y = "AdymlHvOiLxXkEhayXQnNCvDX4h9htZaCJN34kfmC6pV5OhQHiraVySsUdaQkAgDPrwQrJmbnX9cwlGfP-HqHZR1"
SPEECH_SECRET = "hJtXIZ2uSN5kbQfbtTNWbpdmhkV8FJG-Onbc6mxCcYg"
BILBO, SECRET = "bilbo.baggins@hobbiton.example", "018c0ae5-4d9b-471b-bfd6-eef314bc7037"
PERSON_NAMES = ("2010-12-29", "e9bc097a-ce51-4036-9562-d2ade882db0d")
PERSON = b'{"iss":"joe",\r\n "exp":1300819380,\r\n "http://example.com/is_root":true}'
SPEECH = (
    "It\u2019s a dangerous business, Frodo, going out your door. You step onto the road, and if you don't keep your feet, there\u2019s no "
    "knowing where you might be swept off to.").encode()
PERSON_KEYS = [
    {"kty": "RSA", "kid": PERSON_NAMES[0], "n": PERSON_MODULUS, "e": "AQAB"},
    {"kty": "EC", "kid": PERSON_NAMES[1], "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
     "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]
RSA_KEY = {"kty": "RSA", "kid": BILBO, "use": "sig", "n": SPEECH_MODULUS, "e": "AQAB"}
EC_KEY = {"kty": "EC", "kid": BILBO, "use": "sig", "crv": "P-521", "x": SPEECH_X, "y": SPEECH_Y}
SECRET_KEY = {"kty": "oct", "kid": SECRET, "use": "sig", "alg": "HS256", "k": SPEECH_SECRET}
COOKBOOK = "RFC 7520 section"


def signed(signature, protected=None, header=None):
    document = {"protected": base64url(dump(protected))} if protected else {}
    return {**document, **({"header": header} if header else {}), "signature": signature}


def person():
    suite = DocumentSuite("rfc-7515", "The examples of RFC 7515.", PERSON_KEYS, ALL, reference="RFC 7515 appendix A.6")
    payload = base64url(PERSON)
    first, second = (signed(signature, {"alg": algorithm}, {"kid": name}) for signature, algorithm, name in (
        (PERSON_RS256, "RS256", PERSON_NAMES[0]), (PERSON_ES256, "ES256", PERSON_NAMES[1])))
    suite.ask("rfc-7515-general", {"payload": payload, "signatures": [first, second]}, [0, 1], "The document with two signatures.",
              payload=PERSON)
    suite.ask("rfc-7515-flattened", {"payload": payload, **second}, [0], "The flattened document.", "RFC 7515 appendix A.7", payload=PERSON)
    moved = [{**first, "header": second["header"]}, {**second, "header": first["header"]}]
    suite.ask("rfc-7515-names-moved", {"payload": payload, "signatures": moved}, "0: key_algorithm_mismatch",
              "The names of the keys, which are not protected, have changed places.", "RFC 7515 section 4.1.4", "should", payload=PERSON)
    return suite


def one_person():
    suite = DocumentSuite("rfc-7515-one", "The document with two signatures, for a verifier that knows one party.", PERSON_KEYS[1:], ONE,
                          reference="RFC 7515 appendix A.6")
    first, second = (signed(signature, {"alg": algorithm}, {"kid": name}) for signature, algorithm, name in (
        (PERSON_RS256, "RS256", PERSON_NAMES[0]), (PERSON_ES256, "ES256", PERSON_NAMES[1])))
    document = {"payload": base64url(PERSON), "signatures": [first, second]}
    suite.ask("rfc-7515-one-known", document, [1], "The signature of the party that is known holds.", payload=PERSON)
    return suite


def cookbook():
    for name, keys, algorithm, signature, section in (
            ("rsa", [RSA_KEY], "RS256", SPEECH_RS256, "4.1"), ("rsa", [RSA_KEY], "PS384", SPEECH_PS384, "4.2"),
            ("ec", [EC_KEY], "ES512", SPEECH_ES512, "4.3")):
        yield name, keys, algorithm, signed(signature, {"alg": algorithm, "kid": BILBO}), section


def speeches(wanted, description, keys):
    def make():
        suite = DocumentSuite(f"rfc-7520-{wanted}", description, keys, ALL, reference=f"{COOKBOOK} 4")
        for name, _, algorithm, signature, section in cookbook():
            if name == wanted:
                add_forms(suite, algorithm.lower(), signature, f"{COOKBOOK} {section}", f"A signature of {algorithm}")
        return suite
    return make


def add_forms(suite, identifier, signature, reference, what):
    payload = base64url(SPEECH)
    suite.ask(f"rfc-7520-{identifier}", {"payload": payload, **signature}, [0], f"{what}, flattened.", reference, payload=SPEECH)
    suite.ask(f"rfc-7520-{identifier}-general", {"payload": payload, "signatures": [signature]}, [0], f"{what}, in an array.", reference,
              payload=SPEECH)


def secret():
    suite = DocumentSuite("rfc-7520-secret", "The examples of RFC 7520 with an HMAC, for a verifier that allows it.", [SECRET_KEY],
                          {**ALL, "algorithms": ["HS256"]}, reference=f"{COOKBOOK} 4.4")
    whole = signed(SPEECH_HS256, {"alg": "HS256", "kid": SECRET})
    add_forms(suite, "hs256", whole, f"{COOKBOOK} 4.4", "An HMAC")
    suite.ask("rfc-7520-detached", whole, [0], "The payload comes from elsewhere, flattened.", f"{COOKBOOK} 4.5", detached=SPEECH)
    suite.ask("rfc-7520-detached-general", {"signatures": [whole]}, [0], "The payload comes from elsewhere, with an array.",
              f"{COOKBOOK} 4.5",
              detached=SPEECH)
    add_forms(suite, "specific", signed(SPEECH_HS256_SPECIFIC, {"alg": "HS256"}, {"kid": SECRET}), f"{COOKBOOK} 4.6",
              "Only alg is protected")
    content = signed(SPEECH_HS256_CONTENT, None, {"alg": "HS256", "kid": SECRET})
    suite.ask("rfc-7520-content", {"payload": base64url(SPEECH), **content}, "0: algorithm_not_allowed",
              "Nothing is protected, and the verifier wants the algorithm protected.", f"{COOKBOOK} 4.7; RFC 7515 section 10.7",
              "hardening")
    return suite


def content():
    suite = DocumentSuite("rfc-7520-content", "The example of RFC 7520 in which nothing is protected, for a verifier that allows it.",
                          [SECRET_KEY], {**ALL, "algorithms": ["HS256"], "unprotected_algorithm": True}, reference=f"{COOKBOOK} 4.7")
    add_forms(suite, "content-allowed", signed(SPEECH_HS256_CONTENT, None, {"alg": "HS256", "kid": SECRET}), f"{COOKBOOK} 4.7",
              "Nothing is protected")
    return suite


def three(name, keys, policy, verdict, why, severity=None):
    def make():
        suite = DocumentSuite(f"rfc-7520-three-{name}", "The example of RFC 7520 with three signatures.", keys, policy,
                              reference=f"{COOKBOOK} 4.8")
        signatures = [signed(SPEECH_RS256_ONE_OF_THREE, {"alg": "RS256"}, {"kid": BILBO}),
                      signed(SPEECH_ES512_ONE_OF_THREE, None, {"alg": "ES512", "kid": BILBO}),
                      signed(SPEECH_HS256, {"alg": "HS256", "kid": SECRET})]
        suite.ask(f"rfc-7520-three-{name}", {"payload": base64url(SPEECH), "signatures": signatures}, verdict, why, None, severity,
                  payload=SPEECH)
        return suite
    return make


HMAC = {"algorithms": ["HS256"]}
THREE = [
    three("rsa", [RSA_KEY], ONE, [0], "One verifier knows the RSA key alone."),
    three("ec", [EC_KEY], {**ONE, "unprotected_algorithm": True, "algorithms": ["ES512"]}, [1],
          "One verifier knows the key on P-521 alone."),
    three("secret", [SECRET_KEY], {**ONE, **HMAC}, [2], "One verifier knows the secret alone."),
    three("every", [RSA_KEY, EC_KEY, SECRET_KEY], {**ALL, "unprotected_algorithm": True, "algorithms": ["RS256", "ES512", "HS256"]},
          "2: algorithm_not_allowed", "A verifier that knows public keys takes no HMAC beside them.", "hardening"),
    three("public", [RSA_KEY, EC_KEY], {**ALL, "unprotected_algorithm": True}, "2: algorithm_not_allowed",
          "One verifier knows two of three, and wants all.")]


def unencoded():
    key = {"kty": "oct", "alg": "HS256",
           "k": "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"}
    suite = DocumentSuite("rfc-7797", "The examples of RFC 7797.", [key], {**ALL, **HMAC}, reference="RFC 7797 section 4")
    encoded = signed("5mvfOroL-g7HyqJoozehmsaqmvTYGEq5jTI1gVvoEoQ", {"alg": "HS256"})
    suite.ask("rfc-7797-encoded", {"payload": base64url(b"$.02"), **encoded}, [0], "The payload is encoded.", "RFC 7797 section 4.1",
              payload=b"$.02")
    plain = signed("A5dxf2s96_n5FLueVuW1Z_vh161FwXZC4YLPff6dmDY", {"alg": "HS256", "b64": False, "crit": ["b64"]})
    suite.ask("rfc-7797-plain", {"payload": "$.02", **plain}, [0], "The payload is not encoded.", "RFC 7797 section 4.2", payload=b"$.02")
    suite.ask("rfc-7797-plain-detached", plain, [0], "The payload is not encoded, and comes from elsewhere.", "RFC 7797 section 4.2",
              detached=b"$.02")
    return suite


def edwards():
    key = {"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}
    suite = DocumentSuite("rfc-8037", "The example of RFC 8037.", [key], ALL, reference="RFC 8037 appendix A.4")
    signature = signed("hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg", {"alg": "EdDSA"})
    payload = b"Example of Ed25519 signing"
    suite.ask("rfc-8037-flattened", {"payload": base64url(payload), **signature}, [0], "A signature of Ed25519.", payload=payload)
    return suite


SUITES = [person, one_person, speeches("rsa", "The examples of RFC 7520 with an RSA key.", [RSA_KEY]),
          speeches("ec", "The example of RFC 7520 with a key on P-521.", [EC_KEY]), secret, content, *THREE, unencoded, edwards]
