"""libjwt 1: one key in PEM or a secret. The caller compares the algorithm, and checks all claims."""

import ctypes

from frame import CLAIM_RULES, ECDSA, HMAC, Unsupported, pem, secret, serve, text, usable

library = ctypes.CDLL("libjwt.so.0")
library.jwt_decode.argtypes = [ctypes.POINTER(ctypes.c_void_p), ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int]
library.jwt_free.argtypes = library.jwt_get_alg.argtypes = [ctypes.c_void_p]
NUMBERS = {name: number for number, name in enumerate(["none", *HMAC, "RS256", "RS384", "RS512", *ECDSA])}


def accepts(case):
    if not case.checks_claims:
        raise Unsupported("verifies claims only")
    algorithm = case.header.get("alg")
    keys = usable(case.candidates(), secret if algorithm.startswith("HS") else pem)
    return any(verifies(text(case), key, NUMBERS[algorithm]) for key in keys)


def verifies(token, key, number):
    decoded = ctypes.c_void_p()
    if library.jwt_decode(ctypes.byref(decoded), token, key, len(key)) != 0:
        return False
    algorithm = library.jwt_get_alg(decoded)
    library.jwt_free(decoded)
    return algorithm == number


serve(accepts, list(NUMBERS)[1:], [*{*CLAIM_RULES} - {"json"}, "keys", "payload", "b64"], ["P-256", "P-384", "P-521"])
