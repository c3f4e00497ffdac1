"""DPoP behind every gateway: bound tokens of the provider, proofs of a client of joserfc. Each check is a function of the lab."""
import base64
import contextlib
import hashlib
import json
import pathlib
import secrets
import shutil
import signal
import tempfile
import time

import joserfc.jws
import replay_checks
from exchange import ask
from expectations import JANE, identity
from joserfc.jwk import ECKey
from program import Program, eventually, free_port

PROVIDERS = """\
  - name: bound
    issuer: ISSUER
    audiences: [client-1]
    dpop: {tokens: bound, algorithms: [ES256]}
    claims: [{header: x-auth-subject, claim: sub}, {header: x-auth-name, claim: name}]
  - {name: asking, issuer: ISSUER, audiences: [client-1], dpop: {tokens: bound, nonces: {periodSeconds: 60}}}
"""
POLICIES = "  - {name: bound, requires: bound}\n  - {name: asking, requires: asking}\n"
ROUTES = "  - {path: /bound, policy: bound}\n  - {path: /asking, policy: asking}\n"
HOST = "app.example"


class Client:
    """A key, tokens that are bound to it, and proofs."""

    def __init__(self, lab):
        self.lab, self.key = lab, ECKey.generate_key("P-256", private=True)
        # A coordinate with a leading zero byte keeps it.
        self.public = {name: value for name, value in self.key.as_dict(private=False).items() if name in ("kty", "crv", "x", "y")}

    def token(self):
        return self.lab.provider.token(cnf={"jkt": self.key.thumbprint()}, jti=secrets.token_urlsafe(8))

    def proof(self, token, url, **changes):
        digest = base64.urlsafe_b64encode(hashlib.sha256(token.encode()).digest()).decode().rstrip("=")
        claims = {"jti": secrets.token_urlsafe(12), "htm": "GET", "htu": url, "iat": int(time.time()), "ath": digest, **changes}
        header = {"typ": "dpop+jwt", "alg": "ES256", "jwk": self.public}
        return joserfc.jws.serialize_compact(header, json.dumps(claims), self.key, algorithms=["ES256"])


def fields(token, *proofs, scheme="DPoP"):
    return [("Authorization", f"{scheme} {token}")] + [("DPoP", proof) for proof in proofs]


URL = f"http://{HOST}/bound"


@contextlib.contextmanager
def asked(gateway):
    """The gateway; of one whose file names the fields that the service looks at, another with a new file."""
    if gateway.name != "apisix":
        yield gateway
        return
    place = f"apisix-{secrets.token_hex(4)}"
    other = type("Asked", (type(gateway),), {"place": place})(gateway.lab)
    try:
        yield other
    finally:
        other.stop()


@contextlib.contextmanager
def asking_for_proofs(lab):
    """The service of the lab with two providers of bound tokens, until the block ends."""
    text = lab.service.text
    parts = (("\npolicies:", PROVIDERS), ("\n# The first route", POLICIES), ("\n  - {path: /public", ROUTES))
    for place, part in parts:
        assert text.count(place) == 1, place
        text = text.replace(place, "\n" + part.replace("ISSUER", lab.provider.issuer).rstrip("\n") + place)
    lab.service.configure(text)
    lab.service.reload("succeeded")
    try:
        with contextlib.ExitStack() as stack:
            client = Client(lab)
            client.gateways = [stack.enter_context(asked(gateway)) for gateway in lab.gateways]
            yield client
    finally:
        lab.service.configure(lab.service.text)
        lab.service.reload("succeeded")


def outcome(gateway, path, sent, method="GET"):
    answer = ask(gateway.port, path, sent, method=method)
    return answer.status, answer.field("x-assay-code") if answer.status != 200 else None


def a_proof_passes_once_behind_every_gateway(lab):
    with asking_for_proofs(lab) as client:
        for gateway in client.gateways:
            token = client.token()
            proof = client.proof(token, URL)
            answer = ask(gateway.port, "/bound?page=2", fields(token, proof))
            assert answer.status == 200, (gateway.name, answer)
            arrived = answer.arrived()
            assert identity(arrived) == JANE, (gateway.name, arrived)
            sent = {name.lower(): value for name, value in arrived["fields"]}
            assert sent["dpop"] == proof and sent["authorization"] == f"DPoP {token}", (gateway.name, sent)
            # The service has one memory of uses, whatever gateway asks.
            for other in client.gateways:
                assert outcome(other, "/bound", fields(token, proof)) == (401, "replayed_proof"), (gateway.name, other.name)


def the_request_is_that_of_the_gateways_facts(lab):
    with asking_for_proofs(lab) as client:
        token, other, own = client.token(), Client(lab), URL
        for gateway in client.gateways:
            found = {
                "path": (client.proof(token, own + "/1"), "proof_url_mismatch"),
                "host": (client.proof(token, own.replace(HOST, "other.example")), "proof_url_mismatch"),
                "scheme": (client.proof(token, own.replace("http:", "https:")), "proof_url_mismatch"),
                "method": (client.proof(token, own, htm="POST"), "proof_method_mismatch"),
                "time": (client.proof(token, own, iat=int(time.time()) - 100), "proof_too_old"),
                "token": (client.proof(client.token(), own), "proof_token_mismatch"),
                "key": (other.proof(token, own), "proof_key_mismatch"),
            }
            for what, (proof, code) in found.items():
                assert outcome(gateway, "/bound", fields(token, proof)) == (401, code), (gateway.name, what)
            assert outcome(gateway, "/bound", fields(token, client.proof(token, own)), "POST") == (401, "proof_method_mismatch")
            assert outcome(gateway, "/bound", fields(token, client.proof(token, own, htm="POST")), "POST") == (200, None), gateway.name


def a_bound_token_is_no_bearer_token(lab):
    with asking_for_proofs(lab) as client:
        token = client.token()
        for gateway in client.gateways:
            proof = client.proof(token, URL)
            assert outcome(gateway, "/bound", fields(token, scheme="Bearer")) == (401, "bound_token_without_proof"), gateway.name
            assert outcome(gateway, "/bound", fields(token, proof, scheme="Bearer")) == (401, "bound_token_without_proof"), gateway.name
            assert outcome(gateway, "/bound", fields(lab.provider.token(), scheme="Bearer"))[0] == 401, gateway.name


def challenges_reach_the_client(lab):
    with asking_for_proofs(lab) as client:
        token = client.token()
        for gateway in client.gateways:
            answer = ask(gateway.port, "/bound", fields(token))
            challenge = answer.field("www-authenticate") or ""
            assert answer.status == 401 and challenge.startswith('DPoP error="invalid_dpop_proof"'), (gateway.name, answer)
            assert 'algs="ES256"' in challenge and answer.field("dpop-nonce") is None, (gateway.name, answer)
            address = URL.replace("bound", "asking")
            answer = ask(gateway.port, "/asking", fields(token, client.proof(token, address)))
            nonce = answer.field("dpop-nonce")
            assert answer.status == 401 and 'error="use_dpop_nonce"' in answer.field("www-authenticate"), (gateway.name, answer)
            assert nonce and "," not in nonce, (gateway.name, answer)
            assert outcome(gateway, "/asking", fields(token, client.proof(token, address, nonce=nonce))) == (200, None), gateway.name
            forged = nonce[:-1] + ("A" if nonce[-1] != "A" else "B")
            assert outcome(gateway, "/asking", fields(token, client.proof(token, address, nonce=forged))) == (401, "proof_nonce_mismatch")


def of_several_proofs_none_counts(lab):
    """Two fields, a list in one, a folded line, and an empty field. APISIX answers 400 to a second field itself."""
    with asking_for_proofs(lab) as client:
        token = client.token()
        for gateway in client.gateways:
            def proof():
                return client.proof(token, URL)
            joined = [("Authorization", f"DPoP {token}"), ("DPoP", f"{proof()}, {proof()}")]
            folded = [("Authorization", f"DPoP {token}"), ("DPoP", f"{proof()}\r\n {proof()}")]
            empty = [("Authorization", f"DPoP {token}"), ("DPoP", "")]
            again = proof()
            for sent in (fields(token, proof(), proof()), fields(token, again, again), joined, folded, empty):
                answer = ask(gateway.port, "/bound", sent)
                assert answer is None or answer.status in (400, 401), (gateway.name, answer)
                if answer and answer.status == 401:
                    codes = ("several_proofs", "malformed_proof", "missing_proof")
                    assert answer.field("x-assay-code") in codes, (gateway.name, answer)


# Services of their own, with a memory of uses that they share, or each with its own.

SETTINGS = """
listeners: [{name: edge, profile: caddy, tcp: "127.0.0.1:PORT"}]
administration: {tcp: "127.0.0.1:ADMINISTRATION"}
providers: [{name: idp, issuer: "ISSUER", audiences: [client-1], dpop: {tokens: bound}}]
policies: [{name: bound, requires: idp}]
routes: [{policy: bound}]
transport: {allowLoopback: true}
replay: {REPLAY}
"""
FORWARDED = [("X-Forwarded-Uri", "/bound"), ("X-Forwarded-Method", "GET"), ("X-Forwarded-Proto", "http"), ("X-Forwarded-Host", HOST)]


@contextlib.contextmanager
def services(lab, replay, count):
    running = []
    try:
        for _ in range(count):
            port, administration = free_port(), free_port()
            file = lab.folder / f"proofs-{port}.yaml"
            text = SETTINGS.replace("PORT", str(port), 1).replace("ADMINISTRATION", str(administration))
            file.write_text(text.replace("ISSUER", lab.provider.issuer).replace("REPLAY", replay))
            service = Program([lab.assay, "serve", "--config", file], lab.folder / f"proofs-{port}.log", [port, administration])
            service.port, service.administration = port, administration
            running.append(service)
        for service in running:
            wait_until_ready(service)
        yield running
    finally:
        for service in running:
            service.stop(signal.SIGKILL)


def wait_until_ready(service):
    eventually(lambda: replay_checks.operate(service, "/readyz").status == 200, 60, "readiness of the service")


def judged(service, token, proof):
    answer = ask(service.port, "/", FORWARDED + fields(token, proof))
    return answer.status, answer.field("x-assay-code")


def a_used_proof_is_refused_at_another_service_and_after_a_restart(lab):
    """The memory of uses is a server that both services share. One of them is killed and starts again."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="proofs-"))
    store = replay_checks.Redis(folder)
    try:
        with services(lab, store.replay, 2) as both:
            client = Client(lab)
            token = client.token()
            for first in both:
                proof = client.proof(token, URL)
                assert judged(first, token, proof) == (200, None)
                for service in both * 2:
                    assert judged(service, token, proof) == (401, "replayed_proof")
                first.stop(signal.SIGKILL)
                first.start()
                wait_until_ready(first)
                for service in both:
                    assert judged(service, token, proof) == (401, "replayed_proof")
                    assert judged(service, token, client.proof(token, URL)) == (200, None)
    finally:
        store.stop()
        shutil.rmtree(folder)


def a_memory_in_the_process_forgets_at_a_restart(lab):
    """Docs/DPoP.md says so: a proof that is young enough passes once more, and once only."""
    with services(lab, "memory: {entries: 1000}", 1) as [service]:
        client = Client(lab)
        token = client.token()
        proof = client.proof(token, URL)
        assert [judged(service, token, proof) for _ in range(2)] == [(200, None), (401, "replayed_proof")]
        service.stop(signal.SIGKILL)
        service.start()
        wait_until_ready(service)
        assert [judged(service, token, proof) for _ in range(2)] == [(200, None), (401, "replayed_proof")]


ALL = [
    a_proof_passes_once_behind_every_gateway, the_request_is_that_of_the_gateways_facts, a_bound_token_is_no_bearer_token,
    challenges_reach_the_client, of_several_proofs_none_counts, a_used_proof_is_refused_at_another_service_and_after_a_restart,
    a_memory_in_the_process_forgets_at_a_restart]
