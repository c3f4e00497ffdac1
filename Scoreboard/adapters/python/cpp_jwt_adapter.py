"""cpp-jwt: one key, its algorithm, one issuer, one audience, leeway. cpp_jwt_adapter.py LIBRARY, built from cpp/cpp_jwt.cpp."""

import ctypes
import sys

from frame import BEYOND_JWT, ECDSA, HMAC, Unsupported, pem, secret, serve, usable

library = ctypes.CDLL(sys.argv[1])
TEXT, SIZE = ctypes.c_char_p, ctypes.c_size_t
library.accepts.argtypes = [TEXT, SIZE, TEXT, TEXT, SIZE, TEXT, TEXT, ctypes.c_uint]


def accepts(case):
    if not case.checks_claims:
        raise Unsupported("verifies claims only")
    if len(case.issuers) > 1 or len(case.audiences) > 1:
        raise Unsupported("takes one issuer and one audience")
    token, algorithm = case.token.encode("utf-8", "surrogatepass"), case.header["alg"]
    issuer, audience = (values[0].encode() if values else None for values in (case.issuers, case.audiences))
    keys = usable(case.candidates(), secret if algorithm.startswith("HS") else pem)
    return any(library.accepts(token, len(token), algorithm.encode(), key, len(key), issuer, audience, case.leeway) for key in keys)


LACKS = [*BEYOND_JWT, "keys", "required", "required-exp", "payload", "b64"]
serve(accepts, [*HMAC, "RS256", "RS384", "RS512", *ECDSA], LACKS, ["P-256", "P-384", "P-521"])
