"""Authlib: JsonWebSignature.deserialize_json with an allow-list, and a function that chooses the key. All signatures have to hold."""

import warnings

warnings.simplefilter("ignore")
from authlib.jose import JsonWebKey, JsonWebSignature  # noqa: E402
from frame import ECDSA, HMAC, RSA  # noqa: E402
from signed import serve_documents  # noqa: E402


def verify(document):
    document.needs("detached", "one", "signers", "types")

    def key(header, payload):
        return JsonWebKey.import_key(document.candidates(header)[0])
    return JsonWebSignature(document.algorithms).deserialize_json(document.text, key)["payload"], None


serve_documents(verify, [*HMAC, *RSA, *ECDSA, "ES256K", "EdDSA"], ["b64", "unprotected", "keys"])
