"""Rhonabwy: a JWK Set, no key from the header or the network, and its checks of claims."""

import ctypes
import json

from frame import BEYOND_JWT, ECDSA, HMAC, RSA, Unsupported, serve, text

library = ctypes.CDLL("librhonabwy.so.1.1")
POINTER, INTEGER, TEXT = ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p
for name, arguments, result in (
        ("r_jwks_init", [ctypes.POINTER(POINTER)], INTEGER), ("r_jwks_free", [POINTER], None),
        ("r_jwks_import_from_json_str", [POINTER, TEXT], INTEGER),
        ("r_jwt_init", [ctypes.POINTER(POINTER)], INTEGER), ("r_jwt_free", [POINTER], None),
        ("r_jwt_advanced_parsen", [POINTER, TEXT, ctypes.c_size_t, ctypes.c_uint32, INTEGER], INTEGER),
        ("r_jwt_get_sign_alg", [POINTER], INTEGER), ("r_jwa_alg_to_str", [INTEGER], TEXT),
        ("r_jwt_add_sign_jwks", [POINTER, POINTER, POINTER], INTEGER), ("r_jwt_verify_signature", [POINTER, POINTER, INTEGER], INTEGER),
        ("r_jws_init", [ctypes.POINTER(POINTER)], INTEGER), ("r_jws_free", [POINTER], None),
        ("r_jws_advanced_compact_parsen", [POINTER, TEXT, ctypes.c_size_t, ctypes.c_uint32, INTEGER], INTEGER),
        ("r_jws_get_alg", [POINTER], INTEGER), ("r_jws_add_jwks", [POINTER, POINTER, POINTER], INTEGER),
        ("r_jws_verify_signature", [POINTER, POINTER, INTEGER], INTEGER), ("r_jwt_get_claim_json_t_value", [POINTER, TEXT], POINTER)):
    getattr(library, name).argtypes, getattr(library, name).restype = arguments, result
library.r_global_init()
OK, PARSE_NONE, IGNORE_REMOTE = 0, 0, 0x100
END, ISSUER, AUDIENCE, EXPIRATION, NOT_BEFORE, ISSUED_AT, ANY_TEXT, NOW, PRESENT = 0, 1, 3, 4, 5, 6, 8, -1, -2


def key_set(keys):
    jwks = POINTER()
    library.r_jwks_init(ctypes.byref(jwks))
    library.r_jwks_import_from_json_str(jwks, json.dumps(keys).encode())
    return jwks


def accepts(case):
    if len(case.issuers) > 1 or len(case.audiences) > 1:
        raise Unsupported("takes one issuer and one audience")
    keys, kind = key_set(case.keys), "jwt" if case.checks_claims else "jws"
    token = POINTER()
    getattr(library, f"r_{kind}_init")(ctypes.byref(token))
    try:
        return is_signed(case, kind, token, keys) and (not case.checks_claims or claims_hold(case, token))
    finally:
        getattr(library, f"r_{kind}_free")(token)
        library.r_jwks_free(keys)


def is_signed(case, kind, token, keys):
    parse, algorithm, add = {
        "jwt": (library.r_jwt_advanced_parsen, library.r_jwt_get_sign_alg, library.r_jwt_add_sign_jwks),
        "jws": (library.r_jws_advanced_compact_parsen, library.r_jws_get_alg, library.r_jws_add_jwks)}[kind]
    if parse(token, text(case), len(text(case)), PARSE_NONE, IGNORE_REMOTE) != OK:
        return False
    if (library.r_jwa_alg_to_str(algorithm(token)) or b"").decode() not in case.algorithms:
        return False
    add(token, None, keys)
    return getattr(library, f"r_{kind}_verify_signature")(token, None, IGNORE_REMOTE) == OK


def claims_hold(case, token):
    """The call takes a list of rules that ends with END. Each rule is checked by a call of its own."""
    def holds(rule, *values):
        return library.r_jwt_validate_claims(token, INTEGER(rule), *values, INTEGER(END)) == OK

    dates = ((EXPIRATION, b"exp"), (NOT_BEFORE, b"nbf"), (ISSUED_AT, b"iat"))
    given = [rule for rule, name in dates if library.r_jwt_get_claim_json_t_value(token, name)]
    required = [name for name in case.required if name not in ("exp", "nbf", "iat", "iss", "aud")]
    return (all(holds(rule, INTEGER(NOW)) for rule in given)
            and all(rule in given for rule, name in dates if name.decode() in case.required)
            and all(holds(ANY_TEXT, TEXT(name.encode()), None) for name in required)
            and all(holds(ISSUER, TEXT(issuer.encode())) for issuer in case.issuers)
            and all(holds(AUDIENCE, TEXT(audience.encode())) for audience in case.audiences))


LACKS = [*BEYOND_JWT, "leeway", "b64", "ES512", "P-521"]
serve(accepts, [*HMAC, *RSA, *ECDSA, "EdDSA"], LACKS)
