"""What every host of the decision core does with DPoP proofs, tokens that pass once and encrypted tokens."""
from exchange import Connection, ask, bearer
from possession import Client
from program import eventually

PASSED = (200, "ok")
HOST = "app.example"


class Names:
    count = 0

    @classmethod
    def next(cls, kind):
        cls.count += 1
        return f"{kind}-{cls.count}"


def fields(token, *proofs, scheme="DPoP"):
    return [("Authorization", f"{scheme} {token}")] + [("DPoP", proof) for proof in proofs]


def verdict(answer):
    return answer and (answer.status, answer.field("x-assay-code") or ("ok" if answer.status == 200 else None))


class Bound:
    """A host that takes bound tokens, a client, and its requests."""

    def __init__(self, lab, port, path="/orders"):
        self.port, self.path, self.client = port, path, Client()
        self.token = self.client.token(lab)

    def proof(self, path=None, method="GET", host=HOST, **claims):
        return self.client.proof(self.token, f"http://{host}{path or self.path}", method, **claims)

    def ask(self, *proofs, path=None, method="GET", scheme="DPoP", **named):
        return ask(self.port, path or self.path, fields(self.token, *proofs, scheme=scheme), method, **named)

    def verdict(self, *proofs, **named):
        return verdict(self.ask(*proofs, **named))

    def settle(self):
        """Until the host has keys, and a second has begun since its memory began."""
        eventually(lambda: self.verdict(self.proof()) == PASSED, 60, "the first proof")
        return self


def proofs_are_for_one_request(client):
    other = Client()
    for said, code in [
            (client.ask(client.proof(), scheme="Bearer"), "bound_token_without_proof"),
            (client.ask(scheme="Bearer"), "bound_token_without_proof"),
            (client.ask(), "missing_proof"), (client.ask(client.proof(), client.proof()), "several_proofs"),
            (client.ask(", ".join([client.proof(), client.proof()])), "several_proofs"), (client.ask(""), "malformed_proof"),
            (client.ask(client.proof(), method="POST"), "proof_method_mismatch"),
            (client.ask(client.proof(), method="get"), "proof_method_mismatch"),
            (client.ask(client.proof(), path="/other"), "proof_url_mismatch"),
            (client.ask(client.proof(host="other.example")), "proof_url_mismatch"),
            (client.ask(client.client.proof(client.token, "https://app.example/orders")), "proof_url_mismatch"),
            (client.ask(other.proof(client.token, "http://app.example/orders")), "proof_key_mismatch"),
            (client.ask(client.proof(iat=1_700_000_000)), "proof_too_old"), (client.ask(client.proof(jti=None)), "missing_proof_claim")]:
        assert said.status in (400, 401, 405) and said.field("x-assay-code") in (code, None), (code, said)
        assert said.status != 401 or said.field("x-assay-code") == code, (code, said)
    for passing in (client.proof(), client.proof("/orders?page=1"), client.client.proof(client.token, "HTTP://APP.example:80/./orders")):
        assert client.verdict(passing) == PASSED
    assert client.verdict(client.proof(), path="/orders?page=2") == PASSED
    assert client.verdict(client.proof(method="POST"), method="POST") == PASSED
    assert client.verdict(client.proof(), scheme="dpop") == PASSED


def no_folded_proof_is_another(client):
    """A line that begins with a blank (RFC 9112 section 5.2), and names that are not the field's. A host refuses such a line, forgets it,
    or reads the blank: then only a proof that is whole on its line passes."""
    whole, split, other = client.proof(), client.proof(), client.proof()
    lines = [f"DPoP:\r\n {whole}", f"DPoP: {split[:20]}\r\n {split[20:]}", f"DPoP: {client.proof()}\r\n\t{other}",
             f"DPoP : {client.proof()}", f"DPoP\t: {client.proof()}", f" DPoP: {client.proof()}"]
    for number, line in enumerate(lines):
        with Connection(client.port) as connection:
            head = f"GET /orders HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: DPoP {client.token}\r\n{line}\r\n\r\n"
            connection.socket.sendall(head.encode())
            said = connection.receive()
        assert said is None or said.status in (400, 401) or number == 0 and verdict(said) == PASSED, (line, said)


def no_proof_is_for_another_host(client):
    """By an absolute target nginx serves the host of the target, whatever `Host` says (RFC 9112 section 3.2.2)."""
    for host, passes in ((HOST, True), (HOST.upper() + ":80", True), ("other.example", False)):
        said = ask(client.port, f"http://{host}/orders", fields(client.token, client.proof()))
        assert (verdict(said) == PASSED) == passes and said.status in (200, 400, 401), (host, said)


def asked_for_nonce(client):
    refusals = []

    def refused():
        refusals.append(client.ask(client.proof()))
        return verdict(refusals[-1]) == (401, "missing_proof_nonce")

    eventually(refused, 60, "the question for a nonce")
    assert "use_dpop_nonce" in refusals[-1].field("www-authenticate")
    return refusals[-1].field("dpop-nonce")


def nonces_are_exchanged(client, first):
    """The nonces of the host have a short period: one is asked for and taken; that of the step before brings the next."""
    answer = client.ask(client.proof(nonce=first))
    assert verdict(answer) == PASSED
    eventually(lambda: client.ask().field("dpop-nonce") != first, 60, "the next nonce")
    answer = client.ask(client.proof(nonce=first))
    second = answer.field("dpop-nonce")
    assert verdict(answer) == PASSED and second not in (None, first), answer
    answer = client.ask(client.proof(nonce=second))
    assert verdict(answer) == PASSED and answer.field("dpop-nonce") in (None, asked_for_nonce(client)), answer


def opens_encrypted_tokens(lab, port, recipient):
    sealed, token = recipient.encrypted(lab.provider.token()), lab.provider.token()
    eventually(lambda: verdict(ask(port, "/orders", [bearer(sealed)])) == PASSED, 60, "the first encrypted token")
    head, _, tag = sealed.rpartition(".")
    for other, code in [
            (token, "unencrypted_token"), (f"{head}.{'B' if tag[0] == 'A' else 'A'}{tag[1:]}", "decryption_failed"),
            (recipient.encrypted(lab.forged(token)), "signature_invalid")]:
        assert verdict(ask(port, "/orders", [bearer(other)])) == (401, code), code
