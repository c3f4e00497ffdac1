"""cryptojwt: verify_json with the keys of a KeyBundle and an allow-list. All signatures have to hold, or those whose keys are known."""

from cryptojwt.jws.jws import JWS
from cryptojwt.key_bundle import KeyBundle
from frame import ECDSA, HMAC, RSA, importable
from signed import serve_documents


def verify(document):
    document.needs("detached", "signers", "types")
    keys = importable(document.keys, lambda key: KeyBundle([key]).keys()[0])
    keys = [key for key in KeyBundle(keys["keys"]).keys() if key.appropriate_for("verify")]
    found = JWS(alg=document.algorithms).verify_json(document.text, keys, at_least_one=not document.wants_all)
    # A payload of JSON comes as a value.
    return (found if isinstance(found, (bytes, str)) else None), None


serve_documents(verify, [*HMAC, *RSA, *ECDSA, "EdDSA"], ["b64"])
