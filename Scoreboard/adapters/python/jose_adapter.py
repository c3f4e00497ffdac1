"""José for C: the signature of a JWS in its JSON form under one JWK. The caller splits the token, and checks all claims.

The caller names the algorithm in the JWK, so that the library refuses every other one.
"""

import ctypes
import json

from frame import CLAIM_RULES, ECDSA, HMAC, RSA, first_opened, serve

jansson = ctypes.CDLL("libjansson.so.4")
jansson.json_loads.argtypes, jansson.json_loads.restype = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p], ctypes.c_void_p
library = ctypes.CDLL("libjose.so.0")
library.jose_jws_ver.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_bool]
library.jose_jws_ver.restype = ctypes.c_bool
library.jose_jwe_dec.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_size_t)]
library.jose_jwe_dec.restype = ctypes.c_void_p


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


def opens(sealed):
    parts = sealed.token.split(".")
    if len(parts) != 5:
        raise ValueError("not five parts")
    # The form of JSON has no member for a part that is empty.
    members = dict(zip(("protected", "encrypted_key", "iv", "ciphertext", "tag"), parts))
    token = parsed({name: part for name, part in members.items() if part or name != "encrypted_key"})

    def by(key):
        size = ctypes.c_size_t()
        names = {"alg": sealed.header["alg"]} if key["kty"] != "oct" else {"alg": sealed.header["enc"]}
        found = library.jose_jwe_dec(None, token, None, parsed(key | names), ctypes.byref(size))
        if not found:
            raise ValueError("it does not decrypt")
        return ctypes.string_at(found, size.value)
    return first_opened(sealed.recipients(), by)


serve(accepts, [*HMAC, *RSA, *ECDSA], [*CLAIM_RULES, "keys", "b64"], ["P-256", "P-384", "P-521"], opens=opens,
      unopened=["RSA-OAEP", "RSA-OAEP-256", "X25519", "cty", "no-zip"])  # Debian's build decrypts nothing with RSA
