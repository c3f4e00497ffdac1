"""joserfc: deserialize_json with a KeySet and an allow-list. All signatures have to hold."""

from frame import ECDSA, HMAC, RSA, importable
from joserfc import jws
from joserfc.jwk import KeySet, import_key
from signed import serve_documents


def verify(document):
    document.needs("detached", "one", "signers", "types")
    registry = jws.JWSRegistry(algorithms=document.algorithms, strict_check_header=False)
    keys = KeySet.import_key_set(importable(document.keys, import_key))
    return jws.deserialize_json(document.value, keys, registry=registry).payload, None


serve_documents(verify, [*HMAC, *RSA, *ECDSA, "ES256K", "EdDSA", "Ed25519", "Ed448"], ["b64", "no-kid", "json"])
