"""Poco: an allow-list, and one key in PEM or a secret; the caller checks all claims. poco_jwt_adapter.py LIBRARY, of cpp/poco_jwt.cpp."""

import ctypes
import sys

from frame import CLAIM_RULES, ECDSA, HMAC, Unsupported, pem, secret, serve, usable

library = ctypes.CDLL(sys.argv[1])
TEXT, SIZE = ctypes.c_char_p, ctypes.c_size_t
library.accepts.argtypes = [TEXT, SIZE, TEXT, TEXT, TEXT, SIZE]


def accepts(case):
    if not case.checks_claims:
        raise Unsupported("verifies claims only")
    token, algorithm = case.token.encode("utf-8", "surrogatepass"), case.header["alg"]
    allowed = " ".join(case.algorithms).encode()
    keys = usable(case.candidates(), secret if algorithm.startswith("HS") else pem)
    return any(library.accepts(token, len(token), allowed, algorithm.encode(), key, len(key)) for key in keys)


LACKS = [*{*CLAIM_RULES} - {"json"}, "keys", "payload", "b64"]
serve(accepts, [*HMAC, "RS256", "RS384", "RS512", *ECDSA], LACKS, ["P-256", "P-384", "P-521"])
