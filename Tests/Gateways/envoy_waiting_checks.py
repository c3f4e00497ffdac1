"""Checks of requests that wait for a fetch which their token has ordered. Each is a function of the lab."""
import json
import threading
import urllib.request
from concurrent.futures import ThreadPoolExecutor

from documents import Documents
from envoy_configuration import cluster, configuration, listener, module_filter, module_route
from envoy_program import EnvoyProgram
from exchange import Connection, ask, bearer
from program import eventually, free_port


class Held:
    """Envoy with an issuer that holds its keys back after the first answer."""

    def __init__(self, lab, milliseconds):
        self.lab, self.port, self.keys, self.release = lab, free_port(), Documents(), threading.Event()
        issuer = lab.provider.issuer
        # A fetch may ask for metadata first. A request of a client waits for the end of the whole fetch.
        self.keys.documents["/.well-known/openid-configuration"] = json.dumps({"issuer": issuer, "jwks_uri": f"{issuer}/jwks"})
        self.keys.documents["/jwks"] = self.published()
        own = {"name": "idp", "issuer": issuer, "audiences": ["client-1"], "keys": {"cluster": "idp", "timeoutSeconds": 60}}
        filters = [module_filter({
            "providers": [own], "policies": [{"name": "api", "requires": "idp"}], "policy": "api", "waitMilliseconds": milliseconds})]
        routes = [{"match": {"prefix": "/"}, "route": {"cluster": "application"}}]
        clusters = [cluster("idp", self.keys.port), cluster("application", lab.upstream_port)]
        listeners = [listener("web", self.port, filters, routes)]
        self.envoy = EnvoyProgram(lab, lambda admin: configuration(admin, listeners, clusters, {}), [self.port])

    def published(self):
        return urllib.request.urlopen(f"{self.lab.provider.issuer}/jwks", timeout=30).read().decode()

    def rotate(self):
        """Publishes another key, which arrives when `release` is set."""
        self.release.clear()
        self.lab.provider.ask("rotate")
        self.keys.documents["/jwks"] = self.published()
        self.keys.answers["/jwks"] = self.answer
        return self.lab.provider.token()

    def answer(self, handler):
        self.release.wait(60)
        handler.reply(200, self.keys.documents["/jwks"])

    def wait_until_asked(self, times):
        eventually(lambda: self.asked() == times, 60, "the fetch that the token orders")

    def asked(self):
        return sum(path == "/jwks" for path, _ in self.keys.asked)

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.release.set()
        self.envoy.stop()
        self.keys.__exit__()


def waiting_requests_pass_with_their_bodies(lab, long):
    with Held(lab, 5_000) as held, ThreadPoolExecutor(20) as pool:
        token = held.rotate()
        count = len(lab.upstream.arrived)
        answers = [
            pool.submit(ask, held.port, "/orders", [bearer(token)], "POST", b"x" * size, 60) for size in [0, 1, 70_000, 400_000] * 5]
        held.wait_until_asked(2)
        assert len(lab.upstream.arrived) == count, "a request passed before its key was there"
        held.release.set()
        seen = sorted(answer.result().arrived()["bytes"] for answer in answers)
        assert seen == sorted([0, 1, 70_000, 400_000] * 5), seen
        assert held.asked() == 2, "one fetch serves all"


def a_client_may_leave_while_it_waits(lab, long):
    with Held(lab, 5_000) as held:
        token = held.rotate()
        for _ in range(5):
            with Connection(held.port) as connection:
                connection.send("/orders", [bearer(token)])
                held.wait_until_asked(2)
        held.release.set()
        eventually(lambda: ask(held.port, "/orders", [bearer(token)]).status == 200, 60, "the new key")


def the_time_to_wait_ends(lab, long):
    with Held(lab, 200) as held:
        old = lab.provider.token()
        token = held.rotate()
        answer = ask(held.port, "/orders", [bearer(token)], timeout=60)
        assert (answer.status, answer.field("x-assay-code")) == (503, "keys_unavailable"), answer
        assert int(answer.field("retry-after")) > 0, answer
        assert ask(held.port, "/orders", [bearer(old)]).status == 200, "others do not wait"
        held.release.set()
        eventually(lambda: ask(held.port, "/orders", [bearer(token)]).status == 200, 60, "the new key")


class ManySources:
    """Envoy with many issuers, each with an address of its own for the same keys, and so each with fetches of its own."""

    COUNT = 60

    def __init__(self, lab):
        self.lab, self.port, self.keys = lab, free_port(), Documents()
        self.names = [f"idp{number}" for number in range(self.COUNT)]
        self.publish()
        providers = [{
            "name": name, "issuer": self.issuer(name), "audiences": ["client-1"],
            "keys": {"url": f"{self.keys.url}/{name}", "cluster": "idp"}} for name in self.names]
        policies = [{"name": name, "requires": name} for name in self.names]
        filters = [module_filter({"providers": providers, "policies": policies, "policy": "idp0", "waitMilliseconds": 5_000})]
        routes = [{
            "match": {"path": f"/{name}"}, "direct_response": {"status": 200}, "typed_per_filter_config": module_route({"policy": name})}
            for name in self.names]
        listeners, clusters = [listener("web", self.port, filters, routes)], [cluster("idp", self.keys.port)]
        self.envoy = EnvoyProgram(lab, lambda admin: configuration(admin, listeners, clusters, {}), [self.port])

    @staticmethod
    def issuer(name):
        return f"https://{name}.example"

    def publish(self):
        document = urllib.request.urlopen(f"{self.lab.provider.issuer}/jwks", timeout=30).read().decode()
        self.keys.documents.update({f"/{name}": document for name in self.names})

    def statuses(self, tokens, together):
        """Asks with the token of each issuer in turn."""
        found = []
        with Connection(self.port, 60) as connection:
            for name, token in zip(self.names, tokens):
                together.wait(60)
                connection.send(f"/{name}", [bearer(token)])
                found.append(connection.receive().status)
        return found

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.envoy.stop()
        self.keys.__exit__()


def a_fetch_that_ends_before_the_wait_begins_is_noticed(lab, long):
    """A verdict says that keys are being fetched, and the fetch ends on another thread before the request waits for it."""
    clients = 24
    with ManySources(lab) as sources, ThreadPoolExecutor(clients) as pool:
        lab.provider.ask("rotate")
        sources.publish()
        tokens = [lab.provider.token(iss=sources.issuer(name)) for name in sources.names]
        together = threading.Barrier(clients)
        rows = [pool.submit(sources.statuses, tokens, together) for _ in range(clients)]
        wrong = [f"{name}: {status}" for row in rows for name, status in zip(sources.names, row.result()) if status != 200]
        assert not wrong, wrong


ALL = [
    waiting_requests_pass_with_their_bodies, a_client_may_leave_while_it_waits, the_time_to_wait_ends,
    a_fetch_that_ends_before_the_wait_begins_is_noticed,
]
