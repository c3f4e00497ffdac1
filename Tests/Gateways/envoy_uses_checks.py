"""Checks of what passes once in the Envoy module: DPoP proofs and tokens; and of encrypted tokens. Each is a function of the lab."""
import concurrent.futures
import contextlib
import json

from envoy_configuration import TYPES, cluster, configuration, listener, module_filter, module_route
from envoy_keys_checks import issuer_port, provider
from envoy_program import EnvoyProgram
from exchange import ask, bearer
from possession import Recipient
from program import eventually, free_port
from proofs import (
    PASSED, Bound, Names, asked_for_nonce, fields, no_folded_proof_is_another, nonces_are_exchanged, opens_encrypted_tokens,
    proofs_are_for_one_request, verdict)

POLICIES = [{"name": "api", "requires": "idp"}, {"name": "again", "requires": "idp", "realm": "again"}]


class Envoy:
    """Envoy whose one listener comes from a file, with a provider that has `more`."""

    def __init__(self, lab, more, workers=3, **settings):
        self.lab, self.port, self.more, self.versions = lab, free_port(), more, 0
        self.file = lab.folder / f"uses-{self.port}.json"
        self.write(**settings)
        source = {"lds_config": {"path_config_source": {"path": str(self.file)}, "resource_api_version": "V3"}}
        clusters = [cluster("idp", issuer_port(lab)), cluster("application", lab.upstream_port)]
        self.envoy = EnvoyProgram(
            lab, lambda admin: configuration(admin, [], clusters, {}, node={"id": "a", "cluster": "a"}, dynamic_resources=source),
            [self.port], workers=workers)

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.envoy.stop()

    def write(self, **settings):
        """Writes the listener anew: every filter is made again."""
        self.versions += 1
        own = provider(self.lab, **self.more)
        filters = [module_filter({"providers": [own], "policies": POLICIES, "policy": "api", "waitMilliseconds": 5000, **settings})]
        routes = [
            {"match": {"prefix": "/again", "headers": [{"name": "x-auth-name", "present_match": True}]},
             "route": {"cluster": "application"}, "typed_per_filter_config": module_route({"policy": "again"})},
            {"match": {"prefix": "/"}, "route": {"cluster": "application"}}]
        resource = {"@type": f"{TYPES}.config.listener.v3.Listener", **listener("web", self.port, filters, routes)}
        temporary = self.file.with_suffix(".new")
        temporary.write_text(json.dumps({"version_info": str(self.versions), "resources": [resource]}))
        temporary.rename(self.file)

    def lds(self, result):
        return self.envoy.stats("listener_manager.lds.update")[f"listener_manager.lds.update_{result}"]

    def rewrite(self, result, **settings):
        count = self.lds(result)
        self.write(**settings)
        eventually(lambda: self.lds(result) > count, 60, f"a listener with {result}")

    def restart(self):
        self.envoy.program.stop()
        self.envoy.program.start()


@contextlib.contextmanager
def bound_envoy(lab, terms=None, **settings):
    with Envoy(lab, {"dpop": {"tokens": "bound", **(terms or {})}}, **settings) as host:
        yield host, Bound(lab, host.port)


def a_proof_passes_once_in_all_threads(lab, long):
    with bound_envoy(lab) as (host, client), concurrent.futures.ThreadPoolExecutor(32) as pool:
        client.settle()
        for _ in range(5):
            proof = client.proof()
            found = sorted(pool.map(lambda _: client.verdict(proof), range(64)))
            assert found == [PASSED] + [(401, "replayed_proof")] * 63, found


def other_listeners_forget_nothing(lab, long):
    """A listener that replaces another has the same memory. One with another number of entries is refused."""
    with bound_envoy(lab) as (host, client):
        client.settle()
        used = client.proof()
        assert client.verdict(used) == PASSED
        for realm in ("first", "second"):
            host.rewrite("success", timings=realm == "first")
            assert client.verdict(used) == (401, "replayed_proof")
            eventually(lambda: client.verdict(client.proof()) == PASSED, 60, "a proof at the new listener")
        host.rewrite("rejected", replay={"entries": 1000})
        assert "this process remembers 262144 uses" in host.envoy.program.output()
        assert client.verdict(used) == (401, "replayed_proof")


def no_proof_passes_again_after_another_start(lab, long):
    with bound_envoy(lab) as (host, client):
        client.settle()
        used = client.proof()
        assert client.verdict(used) == PASSED
        host.restart()
        assert client.verdict(used) == (401, "proof_too_old")
        client.settle()


def envoys_proof_is_for_one_request(lab, long):
    with bound_envoy(lab, {"tokens": "any"}) as (host, client):
        client.settle()
        proofs_are_for_one_request(client)
        no_folded_proof_is_another(client)
        plain = lab.provider.token()
        assert verdict(ask(host.port, "/orders", [bearer(plain)])) == PASSED
        assert verdict(ask(host.port, "/orders", fields(plain, client.proof()))) == (401, "unbound_token")


def a_second_route_judges_with_the_same_proof(lab, long):
    """The claims lead to another route, whose policy judges the request again."""
    more = {"claims": [{"header": "x-auth-name", "claim": "sub"}], "clearRouteCache": True, "dpop": {"tokens": "bound"}}
    with Envoy(lab, more) as host:
        client = Bound(lab, host.port).settle()
        proof = client.proof("/again")
        said = client.ask(proof, path="/again")
        assert verdict(said) == PASSED, said
        assert client.verdict(proof, path="/again") == (401, "replayed_proof")


def envoy_asks_for_a_nonce_and_takes_it(lab, long):
    with bound_envoy(lab, {"nonces": {"periodSeconds": 8}}) as (host, client):
        nonces_are_exchanged(client, asked_for_nonce(client))


def a_token_passes_once_in_all_threads(lab, long):
    with Envoy(lab, {"once": True}, replay={"entries": 1000}) as host, concurrent.futures.ThreadPoolExecutor(16) as pool:
        for _ in range(3):
            token = lab.provider.token(jti=Names.next("token"))
            found = sorted(pool.map(lambda _: verdict(ask(host.port, "/orders", [bearer(token)])), range(32)))
            assert found == [PASSED] + [(401, "replayed")] * 31, found


def envoy_opens_encrypted_tokens(lab, long):
    recipient = Recipient(lab.folder)
    with Envoy(lab, {"decryptionKeys": [str(recipient.file)]}) as host:
        opens_encrypted_tokens(lab, host.port, recipient)


ALL = [
    a_proof_passes_once_in_all_threads, other_listeners_forget_nothing, no_proof_passes_again_after_another_start,
    envoys_proof_is_for_one_request, a_second_route_judges_with_the_same_proof, envoy_asks_for_a_nonce_and_takes_it,
    a_token_passes_once_in_all_threads, envoy_opens_encrypted_tokens]
