"""jwcrypto: a JWS with a JWKSet and an allow-list. One signature that holds is enough for it."""

import json

from frame import ECDSA, HMAC, RSA, importable
from jwcrypto.jwk import JWK, JWKSet
from jwcrypto.jws import JWS
from signed import serve_documents


def verify(document):
    document.needs("all", "signers", "types")
    token = JWS()
    token.allowed_algs = document.algorithms
    token.deserialize(document.text)
    token.verify(JWKSet.from_json(json.dumps(importable(document.keys, lambda key: JWK(**key)))), detached_payload=document.detached)
    return (token.payload if document.detached is None else document.detached), None


serve_documents(verify, [*HMAC, *RSA, *ECDSA, "ES256K", "EdDSA"], ["unprotected"])
