"""assay.testing: what a program's own tests make of it."""

import pytest

import assay
from assay.testing import SigningKey, TestIssuer


class Orders:
    """A handler as a program has one."""

    def __init__(self, verifier):
        self.verifier = verifier

    def status(self, token):
        try:
            return 200 if self.verifier.verify_waiting(token).get("sub") else 403
        except assay.VerificationError as refusal:
            return refusal.status


def test_a_handler_answers_by_the_token(assay_issuer):
    keys = assay_issuer.remote_keys()
    orders = Orders(assay.Verifier(assay_issuer.identifier, "client-1", keys))
    token = assay_issuer.token()
    assert orders.status(token) == 200
    assert orders.status(assay_issuer.token(audience="another")) == 401
    assert orders.status(assay_issuer.token({"sub": None})) == 403
    assay_issuer.rotate()
    assert orders.status(assay_issuer.token()) == 200 == orders.status(token)
    assert orders.status(assay_issuer.token(lifetime=-100)) == 401


@pytest.mark.parametrize("algorithm", ["HS256", "HS512", "RS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519", "Ed448"])
def test_each_algorithm_signs(algorithm):
    key = SigningKey(algorithm, "key-1")
    token = key.sign({"sub": "x"}, header={"typ": None})
    verifier = assay.Verifier(None, None, {"keys": [key.jwk]}, algorithms=[algorithm], expiration_required=False)
    claims = verifier.verify(token)
    assert claims.header == {"alg": algorithm, "kid": "key-1"} and claims.key_id == "key-1"


def test_an_issuer_without_a_server_has_a_clock():
    now = [1_700_000_000.0]
    issuer = TestIssuer("RS256", clock=lambda: now[0])
    verifier = assay.Verifier(issuer.identifier, "client-1", issuer.keys, clock=lambda: now[0])
    token = issuer.token()
    assert verifier.verify(token)["iat"] == 1_700_000_000
    now[0] += 3600
    with pytest.raises(assay.VerificationError) as refused:
        verifier.verify(token)
    assert refused.value.code == assay.Code.EXPIRED
    issuer.rotate(keeps=False)
    assert len(issuer.jwks["keys"]) == 1
    with pytest.raises(ValueError):
        SigningKey("none")
