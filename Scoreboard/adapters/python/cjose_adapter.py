"""cjose: the signature of a compact JWS under one JWK. The caller compares the algorithm, and checks all claims."""

import ctypes
import json

from frame import CLAIM_RULES, ECDSA, HMAC, RSA, serve, text

library = ctypes.CDLL("libcjose.so.0")
for name, arguments, result in (
        ("cjose_jwk_import", [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p], ctypes.c_void_p),
        ("cjose_jwk_release", [ctypes.c_void_p], ctypes.c_bool),
        ("cjose_jws_import", [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p], ctypes.c_void_p),
        ("cjose_jws_verify", [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p], ctypes.c_bool),
        ("cjose_jws_get_protected", [ctypes.c_void_p], ctypes.c_void_p),
        ("cjose_header_get", [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p], ctypes.c_char_p),
        ("cjose_jws_release", [ctypes.c_void_p], ctypes.c_bool)):
    getattr(library, name).argtypes, getattr(library, name).restype = arguments, result


def accepts(case):
    return any(verifies(text(case), json.dumps(key).encode(), case.algorithms) for key in case.candidates())


def verifies(token, jwk, algorithms):
    key = library.cjose_jwk_import(jwk, len(jwk), None)
    if not key:
        return False
    jws = library.cjose_jws_import(token, len(token), None)
    verified = False
    if jws:
        algorithm = library.cjose_header_get(library.cjose_jws_get_protected(jws), b"alg", None)
        verified = algorithm is not None and algorithm.decode() in algorithms and library.cjose_jws_verify(jws, key, None)
        library.cjose_jws_release(jws)
    library.cjose_jwk_release(key)
    return verified


serve(accepts, [*HMAC, *RSA, *ECDSA], [*CLAIM_RULES, "keys", "b64"], ["P-256", "P-384", "P-521"])
