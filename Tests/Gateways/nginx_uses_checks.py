"""Checks of what passes once in the nginx module: DPoP proofs and tokens; and of encrypted tokens. Each is a function of the lab."""
import concurrent.futures
import contextlib
import os
import signal

from exchange import ask, bearer
from http2_checks import exchange, head
from nginx_processes import Nginx
from possession import Recipient
from program import eventually
from proofs import (
    PASSED, Bound, Names, asked_for_nonce, fields, no_folded_proof_is_another, nonces_are_exchanged, opens_encrypted_tokens,
    no_proof_is_for_another_host, proofs_are_for_one_request, verdict)

HTTP = """
    assay_issuer ISSUER;
    assay_audiences client-1;
    assay_wait 20s;
    MORE
    server {
        listen 127.0.0.1:PORT reuseport;
        assay on;
        add_header X-Assay-Code $assay_code always;
        add_header X-Worker $pid always;
        location / { proxy_pass http://UPSTREAM; }
        location /redirected { try_files /none /orders; }
        location /asked { auth_request /inner; proxy_pass http://UPSTREAM; }
        location = /inner { internal; assay_realm inner; proxy_pass http://UPSTREAM; proxy_pass_request_body off;
            proxy_set_header Content-Length ""; }
        location /bearer { assay_dpop off; proxy_pass http://UPSTREAM; }
    }
"""
@contextlib.contextmanager
def nginx(lab, more, workers=2, zone="assay_replay_zone 1m;", listen=" reuseport"):
    text = HTTP.replace("MORE", f"{zone} {more}").replace(" reuseport", listen)
    with Nginx(lab, Names.next("uses"), text, f"worker_processes {workers};\n") as host:
        yield host


@contextlib.contextmanager
def bound(lab, terms="bound", workers=2):
    with nginx(lab, f"assay_dpop {terms};", workers) as host:
        yield host, Bound(lab, host.port).settle()


def at_every_worker(host, question):
    """The verdicts of every worker about the same request."""
    found = {}

    def asked():
        answer = question()
        found.setdefault(int(answer.field("x-worker")), set()).add(verdict(answer))
        return set(found) >= set(host.workers())

    eventually(asked, 60, "an answer of every worker")
    return set.union(*found.values())


def a_proof_passes_once_in_all_workers(lab, long):
    with bound(lab, workers=3) as (host, client):
        for _ in range(5):
            proof = client.proof()
            assert client.verdict(proof) == PASSED
            assert at_every_worker(host, lambda: client.ask(proof)) == {(401, "replayed_proof")}


def of_many_requests_at_once_one_passes(lab, long):
    with bound(lab, workers=4) as (host, client), concurrent.futures.ThreadPoolExecutor(32) as pool:
        for _ in range(20 if long else 5):
            proof = client.proof()
            found = sorted(pool.map(lambda _: client.verdict(proof), range(64)))
            assert found == [PASSED] + [(401, "replayed_proof")] * 63, found


def reloads_and_killed_workers_forget_nothing(lab, long):
    with bound(lab) as (host, client):
        for change in (host.reload, lambda: host.kill(host.workers()), host.reload):
            used, unused = client.proof(), client.proof()
            assert client.verdict(used) == PASSED
            change()
            assert at_every_worker(host, lambda: client.ask(used)) == {(401, "replayed_proof")}
            assert client.verdict(unused) == PASSED


def no_proof_passes_again_after_a_restart(lab, long):
    """Nonces without a secret file end with the master; without nonces a proof from before the zone is too old."""
    with bound(lab) as (host, client):
        used = client.proof()
        assert client.verdict(used) == PASSED
        host.stop()
        host.start()
        assert client.verdict(used) == (401, "proof_too_old")
        client.settle()
    with bound_with_nonces(lab, "bound nonces") as (host, client, nonce):
        used = client.proof(nonce=nonce)
        assert client.verdict(used) == PASSED
        host.stop()
        host.start()
        assert client.verdict(used) == (401, "proof_nonce_mismatch")


def a_zone_has_one_size_while_nginx_runs(lab, long):
    """A zone of another size would be empty. nginx stays with the configuration before."""
    with bound(lab) as (host, client):
        used, workers = client.proof(), host.workers()
        assert client.verdict(used) == PASSED
        host.configuration.write_text(host.configuration.read_text().replace("assay_replay_zone 1m", "assay_replay_zone 2m"))
        os.kill(host.master(), signal.SIGHUP)
        eventually(lambda: "assay_replay_zone" in host.program.output(), 60, "the refusal of the reload")
        assert host.workers() == workers and client.verdict(used) == (401, "replayed_proof")


def a_proof_is_for_one_request(lab, long):
    with bound(lab, "any leeway=10s") as (host, client):
        proofs_are_for_one_request(client)
        no_proof_is_for_another_host(client)
        no_folded_proof_is_another(client)
        plain = lab.provider.token()
        assert verdict(ask(host.port, "/orders", [bearer(plain)])) == PASSED
        assert verdict(ask(host.port, "/orders", fields(plain, client.proof()))) == (401, "unbound_token")
        assert verdict(ask(host.port, "/bearer", [bearer(client.token)])) == PASSED


def a_request_is_judged_again_with_its_own_proof(lab, long):
    """After an internal redirect, and in a subrequest under another policy."""
    with bound(lab) as (host, client):
        for path, method in (("/redirected", "GET"), ("/asked", "GET"), ("/asked", "POST")):
            proof = client.proof(path, method)
            assert client.verdict(proof, path=path, method=method) == PASSED, (path, method)
            assert client.verdict(proof, path=path, method=method) == (401, "replayed_proof")


def the_same_over_http2(lab, long):
    with nginx(lab, "assay_dpop bound;", listen=" http2") as host:
        client = Bound(lab, host.port)

        def status(path, method, proof):
            fields = [("authorization", f"DPoP {client.token}"), ("dpop", proof)]
            return exchange(host.port, head(path, method=method, more=fields))

        eventually(lambda: status("/orders", "GET", client.proof()) == 200, 60, "the first proof")
        for path, method in (("/orders", "GET"), ("/redirected", "POST"), ("/asked", "PUT")):
            proof = client.proof(path, method)
            assert [status(path, method, proof) for _ in range(2)] == [200, 401], (path, method)


@contextlib.contextmanager
def bound_with_nonces(lab, terms):
    """With a first nonce, which a refusal has."""
    with nginx(lab, f"assay_dpop {terms};") as host:
        client = Bound(lab, host.port)
        yield host, client, asked_for_nonce(client)


def a_nonce_is_asked_for_and_taken(lab, long):
    with bound_with_nonces(lab, "bound nonce_period=8s") as (host, client, first):
        assert at_every_worker(host, lambda: client.ask(client.proof(nonce=first))) == {PASSED}
        nonces_are_exchanged(client, first)


def an_answer_has_one_nonce(lab, long):
    """Also where the same request is judged several times."""
    with bound_with_nonces(lab, "bound nonce_period=8s") as (host, client, first):
        eventually(lambda: client.ask().field("dpop-nonce") != first, 60, "the next nonce")
        for path in ("/asked", "/redirected"):
            answer = client.ask(client.proof(path, nonce=first), path=path)
            nonces = [value for name, value in answer.fields if name.lower() == "dpop-nonce"]
            assert verdict(answer) == PASSED and len(nonces) == 1 and nonces != [first], answer


def a_token_passes_once_in_all_workers(lab, long):
    with nginx(lab, "assay_once on;") as host:
        for _ in range(3):
            token = lab.provider.token(jti=Names.next("token"))
            assert verdict(ask(host.port, "/redirected", [bearer(token)])) == PASSED
            assert at_every_worker(host, lambda: ask(host.port, "/orders", [bearer(token)])) == {(401, "replayed")}
        assert verdict(ask(host.port, "/orders", [bearer(lab.provider.token())])) == (401, "missing_claim")


def nginx_opens_encrypted_tokens(lab, long):
    recipient = Recipient(lab.folder)
    with nginx(lab, f"assay_decryption_keys {recipient.file};", zone="") as host:
        opens_encrypted_tokens(lab, host.port, recipient)
    with nginx(lab, f"assay_decryption_keys {recipient.file}; assay_accept_unencrypted on;", zone="") as host:
        assert verdict(ask(host.port, "/orders", [bearer(lab.provider.token())])) == PASSED
    recipient.file.chmod(0o644)
    with refused(lab, f"assay_decryption_keys {recipient.file};") as said:
        assert "others may use the private key" in said, said


@contextlib.contextmanager
def refused(lab, more):
    """What nginx says about a configuration that it does not take."""
    host = Nginx(lab, Names.next("refused"), HTTP.replace("MORE", more))
    said, code = host.tested()
    assert code != 0, said
    yield said


def faults_of_the_directives_have_a_message(lab, long):
    zone = "assay_replay_zone 1m; "
    for more, message in [
            ("assay_dpop bound;", 'need "assay_replay_zone"'), ("assay_once on;", 'need "assay_replay_zone"'),
            ("assay_replay_zone 10k;", "is not from 64k to 16g"), (zone + "assay_dpop all;", 'none of "bound", "any" and "off" alone'),
            (zone + "assay_dpop off nonces;", 'none of "bound", "any" and "off" alone'), (zone + "assay_dpop bound age=1s;", "none of"),
            (zone + "assay_dpop bound leeway=1s leeway=2s;", "twice"), (zone + "assay_dpop bound leeway=1y;", '"assay_dpop" directive'),
            (zone + "assay_dpop bound leeway=x;", "invalid value"), (zone + "assay_dpop bound algorithms=HS256;", "HS256"),
            (zone + "assay_dpop bound origin=app.example;", "origin"), (zone + "assay_dpop bound nonce_secret=none;", "cannot be read"),
            ("assay_decryption_keys none;", "cannot be read"), ("assay_accept_unencrypted on;", '"assay_decryption_keys"')]:
        with refused(lab, more) as said:
            assert message in said, (more, said)


ALL = [
    a_proof_passes_once_in_all_workers, of_many_requests_at_once_one_passes, reloads_and_killed_workers_forget_nothing,
    no_proof_passes_again_after_a_restart, a_zone_has_one_size_while_nginx_runs, a_proof_is_for_one_request,
    a_request_is_judged_again_with_its_own_proof, the_same_over_http2, a_nonce_is_asked_for_and_taken, an_answer_has_one_nonce,
    a_token_passes_once_in_all_workers, nginx_opens_encrypted_tokens, faults_of_the_directives_have_a_message]
