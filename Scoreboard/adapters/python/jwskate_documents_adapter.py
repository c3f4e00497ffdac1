"""jwskate: JwsJsonFlat, and each signature of a JwsJsonGeneral, with an allow-list. The caller chooses the key, and counts."""

from frame import ECDSA, HMAC, RSA
from jwskate import Jwk, JwsJsonFlat, JwsJsonGeneral
from signed import joined, serve_documents


def verify(document):
    document.needs("detached", "signers", "types")
    value = document.value
    whole = JwsJsonGeneral(value) if "signatures" in value else JwsJsonFlat(value)
    signatures = whole.signatures if "signatures" in value else [whole.jws_signature]
    held = [place for place, signature in enumerate(signatures) if any(
        signature.verify(whole.payload, Jwk(key), alg=joined(signature)["alg"]) for key in document.candidates(joined(signature)))]
    if len(held) != (len(signatures) if document.wants_all else 1) or not held:
        raise ValueError("other signatures hold than have to")
    return whole.payload, held


serve_documents(verify, [*HMAC, *RSA, *ECDSA, "ES256K", "EdDSA"], ["b64", "unprotected", "keys", "json"])
