"""josepy: JWS.json_loads, and each signature under a key that the caller chooses. It takes no list of algorithms."""

import josepy
from frame import ECDSA, HMAC, RSA
from signed import joined, serve_documents


def verify(document):
    document.needs("detached", "signers", "types")
    whole, value = josepy.JWS.json_loads(document.text), document.value
    headers = [joined(signature) for signature in value.get("signatures", [value])]
    held = [place for place, (signature, header) in enumerate(zip(whole.signatures, headers)) if any(
        signature.verify(whole.payload, josepy.JWK.from_json(key)) for key in document.candidates(header))]
    if len(held) != (len(headers) if document.wants_all else 1) or not held:
        raise ValueError("other signatures hold than have to")
    return whole.payload, held


serve_documents(verify, [*HMAC, *RSA, *ECDSA], ["b64", "keys", "algorithms"])
