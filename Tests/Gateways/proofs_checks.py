"""Checks of DPoP proofs behind the gateways of the service. Each is a function of a gateway."""
from proofs import PASSED, Bound, asked_for_nonce, nonces_are_exchanged, verdict

# Those that hand a field of an admission to the client.
CARRYING = ["nginx", "haproxy", "envoy-http", "envoy-grpc"]


def a_proof_with_its_nonce_passes_once(gateway):
    client = Bound(gateway.lab, gateway.port, "/proofs")
    proof = client.proof(nonce=asked_for_nonce(client))
    answer = client.ask(proof)
    assert verdict(answer) == PASSED, answer
    names = [name for name, _ in answer.arrived()["fields"]]
    assert "dpop-nonce" not in names, names
    assert client.verdict(proof) == (401, "replayed_proof")


def the_nonce_before_brings_the_next_one(gateway):
    client = Bound(gateway.lab, gateway.port, "/proofs")
    nonces_are_exchanged(client, asked_for_nonce(client))


ALL = [a_proof_with_its_nonce_passes_once]
NEXT = [the_nonce_before_brings_the_next_one]
