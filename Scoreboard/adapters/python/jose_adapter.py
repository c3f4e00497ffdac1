"""José for C: the signature of a JWS in its JSON form under one JWK. The caller splits the token, and checks all claims.

The caller names the algorithm in the JWK, so that the library refuses every other one.
"""

import ctypes
import json

from frame import CLAIM_RULES, ECDSA, HMAC, RSA, serve

jansson = ctypes.CDLL("libjansson.so.4")
jansson.json_loads.argtypes, jansson.json_loads.restype = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p], ctypes.c_void_p
library = ctypes.CDLL("libjose.so.0")
library.jose_jws_ver.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_bool]
library.jose_jws_ver.restype = ctypes.c_bool


def parsed(value):
    """A document of jansson. The process keeps it: an adapter does not live long."""
    return jansson.json_loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"), 0, None)


def accepts(case):
    parts = case.token.split(".")
    if len(parts) != 3:
        return False
    flattened = parsed(dict(zip(("protected", "payload", "signature"), parts)))
    keys = [parsed(key | {"alg": case.header["alg"]}) for key in case.candidates()]
    return any(flattened and key and library.jose_jws_ver(None, flattened, None, key, False) for key in keys)


serve(accepts, [*HMAC, *RSA, *ECDSA], [*CLAIM_RULES, "keys", "b64"], ["P-256", "P-384", "P-521"])
