"""Checks of encrypted tokens and of what passes once in the C interface, with real tokens and proofs. Each is a function of a gateway."""
import json
import urllib.request

import library
from library_gateway import LIBRARY
from possession import Client, Recipient


def new_gateway(lab, **more):
    keys = json.loads(urllib.request.urlopen(lab.provider.issuer + "/jwks").read())
    own = {"name": "idp", "issuer": lab.provider.issuer, "audiences": ["client-1"], "keys": {"inline": keys}, **more}
    return library.Gateway(LIBRARY, {"providers": [own], "policies": [{"name": "api", "requires": "idp"}], "policy": "api"})


def code(gateway, *fields, method=b"GET"):
    return gateway.decide(method, b"app.example", b"/orders", [(name, value.encode()) for name, value in fields]).name


def the_library_opens_encrypted_tokens(gateway):
    lab, recipient = gateway.lab, Recipient(gateway.lab.folder)
    own, plain = new_gateway(lab, decryptionKeys=[str(recipient.file)]), lab.provider.token()
    for token, said in [
            (recipient.encrypted(plain), "ok"), (plain, "unencrypted_token"), (recipient.encrypted(lab.forged(plain)), "signature_invalid"),
            (recipient.encrypted(plain)[:-4] + "AAAA", "decryption_failed")]:
        assert code(own, (b"Authorization", f"Bearer {token}")) == said, said
    assert code(new_gateway(lab), (b"Authorization", f"Bearer {recipient.encrypted(plain)}")) == "encrypted_token"


def the_library_takes_a_proof_once(gateway):
    """Also in an encrypted token, whose proof is for the token as it was sent."""
    lab, client, recipient = gateway.lab, Client(), Recipient(gateway.lab.folder)
    own = new_gateway(lab, dpop={"tokens": "bound", "leewaySeconds": 60}, decryptionKeys=[str(recipient.file)], acceptUnencrypted=True)
    token = client.token(lab)
    for sent in (token, recipient.encrypted(token)):
        # A second later than now: the memory began within this one.
        proof = client.proof(sent, "http://app.example/orders", iat=client.now() + 1)
        fields = [(b"Authorization", f"DPoP {sent}"), (b"DPoP", proof)]
        assert code(own, *fields, method=b"POST") == "proof_method_mismatch"
        assert code(own, *fields) == "ok"
        assert code(own, *fields) == "replayed_proof"
        assert code(own, (b"Authorization", f"Bearer {sent}")) == "bound_token_without_proof"


ALL = [the_library_opens_encrypted_tokens, the_library_takes_a_proof_once]
