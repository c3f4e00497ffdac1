"""Opaque tokens behind every gateway, which an authorization server of another project judges. Each check is a function of the lab."""
import contextlib
import threading

from authorization_server import SECRET, AuthorizationServer
from exchange import ask, bearer
from expectations import JANE, identity, passed, refused
from joserfc.jwk import ECKey
from program import eventually

PROVIDER = """\
  - name: opaque
    issuer: URL
    audiences: [api]
    introspection: {clientID: gateway, secretFile: "SECRET", requestsPerSecond: 1000, MORE}
    claims: [{header: x-auth-subject, claim: sub}, {header: x-auth-name, claim: username}]
    required: false
"""
POLICY = "  - {name: opaque, requires: opaque, scopes: [orders]}\n"
ROUTE = "  - {path: /opaque, policy: opaque}\n"


@contextlib.contextmanager
def introspecting(lab, more="activeSeconds: 1, inactiveSeconds: 1"):
    """The service of the lab, with a provider of opaque tokens and its route, until the block ends."""
    secret = lab.folder / "introspection-secret"
    secret.write_text(SECRET + "\n")
    secret.chmod(0o600)
    with AuthorizationServer() as server:
        text = lab.service.text
        provider = PROVIDER.replace("URL", server.url).replace("SECRET", str(secret)).replace("MORE", more)
        for place, part in (("\npolicies:", provider), ("\n# The first route", POLICY), ("\n  - {path: /public", ROUTE)):
            assert text.count(place) == 1, place
            text = text.replace(place, "\n" + part.rstrip("\n") + place)
        lab.service.configure(text)
        lab.service.reload("succeeded")
        try:
            yield server
        finally:
            lab.service.configure(lab.service.text)
            lab.service.reload("succeeded")


def unavailable(gateway, code, token):
    """A refusal for now. Not every gateway can carry the status 503 of the service."""
    answer = ask(gateway.port, "/opaque", [bearer(token)])
    assert answer.status >= 400 and answer.field("x-assay-code") == code, (gateway.name, token, answer)


def the_server_judges_opaque_tokens(lab, long):
    """One question for all gateways, whose requests come at once."""
    with introspecting(lab, "activeSeconds: 60, inactiveSeconds: 60") as server:
        good = server.issue("2YotnFZFEjr1zCsicMWpAA", scope="orders more", username="Jane Doe")
        other = server.issue("for-another-audience", scope="orders", aud="another")
        poor = server.issue("without-the-scope", scope="more")
        answers, threads = [], []
        for gateway in lab.gateways:
            threads += [threading.Thread(target=lambda port=gateway.port: answers.append(ask(port, "/opaque", [bearer(good)]))) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [answer and answer.status for answer in answers] == [200] * 20 * len(lab.gateways), answers
        for gateway in lab.gateways:
            assert identity(passed(gateway, "/opaque", [bearer(good)])) == JANE, gateway.name
            answer = refused(gateway, 401, "inactive_token", "/opaque", [bearer("nobody-knows-this-one")])
            assert 'error="invalid_token"' in answer.field("www-authenticate"), answer
            refused(gateway, 401, "audience_mismatch", "/opaque", [bearer(other)])
            refused(gateway, 403, "insufficient_scope", "/opaque", [bearer(poor)])
            # A JWT is verified by its keys, and the server never sees it.
            refused(gateway, 401, "issuer_mismatch", "/opaque", [bearer(lab.provider.token())])
        assert [server.asked(token) for token in (good, other, poor)] == [1, 1, 1], server.questions
        assert len(server.questions) == 4, server.questions
        log = lab.service.program.output()
        assert good not in log and "nobody-knows-this-one" not in log, "the log has a token"
        return f"{len(threads)} requests at once, one question"


def a_revocation_at_the_server_counts_when_the_answer_ends(lab, long):
    with introspecting(lab) as server:
        token = server.issue("to-be-revoked", scope="orders")
        gateway = lab.gateways[0]
        passed(gateway, "/opaque", [bearer(token)])
        server.tokens[token].is_gone = True
        eventually(lambda: ask(gateway.port, "/opaque", [bearer(token)]).status == 401, 60, "the revocation")
        refused(gateway, 401, "inactive_token", "/opaque", [bearer(token)])


def in_an_outage_tokens_are_refused(lab, long):
    with introspecting(lab) as server:
        gateway, token = lab.gateways[0], server.issue("in-an-outage", scope="orders")
        passed(gateway, "/opaque", [bearer(token)])
        for status in (500, 401, 429):
            server.status = status
            eventually(lambda: ask(gateway.port, "/opaque", [bearer(token)]).status != 200, 60, "the refusal")
            unavailable(gateway, "introspection_unavailable", token)
            server.status = None
            eventually(lambda: ask(gateway.port, "/opaque", [bearer(token)]).status == 200, 60, "the admission")


def an_old_answer_counts_only_where_the_settings_say_so(lab, long):
    with introspecting(lab, "activeSeconds: 1, staleSeconds: 3600") as server:
        gateway, token = lab.gateways[0], server.issue("stale", scope="orders")
        passed(gateway, "/opaque", [bearer(token)])
        server.status = 503
        asked = server.asked(token)
        eventually(lambda: ask(gateway.port, "/opaque", [bearer(token)]).status == 200 and server.asked(token) > asked + 1, 60, "two failures")
        passed(gateway, "/opaque", [bearer(token)])
        unavailable(gateway, "introspection_unavailable", "another")


def a_signed_answer_counts_only_for_this_client_and_now(lab, long):
    with introspecting(lab, "signed: true, activeSeconds: 60, inactiveSeconds: 60") as server:
        gateway = lab.gateways[0]
        # The first one orders the server's keys, for which it waits only a certain time.
        token = server.issue("signed", scope="orders")
        eventually(lambda: ask(gateway.port, "/opaque", [bearer(token)]).status == 200, 60, "the first signed answer")
        refused(gateway, 401, "inactive_token", "/opaque", [bearer("unknown")])
        other = ECKey.generate_key("P-256", {"kid": "signer", "use": "sig", "alg": "ES256"})
        for place, (name, value) in enumerate((("signer", other), ("audience", "another-client"), ("age", 120), ("age", -120))):
            right = getattr(server, name)
            setattr(server, name, value)
            unavailable(gateway, "invalid_introspection", server.issue(f"signed-wrongly-{place}", scope="orders"))
            setattr(server, name, right)


ALL = [
    the_server_judges_opaque_tokens, a_revocation_at_the_server_counts_when_the_answer_ends, in_an_outage_tokens_are_refused,
    an_old_answer_counts_only_where_the_settings_say_so, a_signed_answer_counts_only_for_this_client_and_now,
]
