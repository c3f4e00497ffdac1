"""José for C: a JWS in its JSON form under one JWK. One signature that holds is enough for it.

The caller names the algorithm in the JWK, so that the library refuses every other one.
"""

import ctypes
import json

from frame import ECDSA, HMAC, RSA, Unsupported
from signed import joined, serve_documents

jansson = ctypes.CDLL("libjansson.so.4")
jansson.json_loads.argtypes, jansson.json_loads.restype = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p], ctypes.c_void_p
library = ctypes.CDLL("libjose.so.0")
library.jose_jws_ver.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_bool]
library.jose_jws_ver.restype = ctypes.c_bool
REJECT_DUPLICATES = 1


def parsed(text):
    """A document of jansson. The process keeps it: an adapter does not live long."""
    if "\0" in text:
        raise Unsupported("takes zero-terminated text")
    return jansson.json_loads(text.encode("utf-8", "surrogatepass"), REJECT_DUPLICATES, None)


def verify(document):
    document.needs("detached", "all", "signers", "types")
    value, read = document.value, parsed(document.text)
    headers = [joined(signature) for signature in value.get("signatures", [value])]
    keys = [parsed(json.dumps(key | {"alg": header["alg"]})) for header in headers for key in document.candidates(header)]
    if not any(read and key and library.jose_jws_ver(None, read, None, key, False) for key in keys):
        raise ValueError("no signature holds")
    return None, None


serve_documents(verify, [*HMAC, *RSA, *ECDSA], ["b64", "keys"])
