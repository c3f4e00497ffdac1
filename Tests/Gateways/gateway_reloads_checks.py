"""Reloads of the gateways in front of the service. Each check is a function of the lab, and looks at those that a reload concerns.

Envoy's files are read at its start alone. Traefik reads its file by itself, and APISIX is an nginx. Caddy's own reload loses requests: its
page says why, and what helps.
"""
import contextlib

import gateways
import haproxy_master
from clients import Clients, status
from exchange import Connection, bearer
from nginx_processes import Processes
from program import eventually


class HAProxy(gateways.HAProxy):
    place = "haproxy-reloads"
    # The connections without a request that a reload leaves open: those that have carried one, and those that have not.
    keeps = ("used", "unused")

    def arguments(self):
        return [*super().arguments(), "-W"]

    def reload(self):
        haproxy_master.reload(self.program)


class Nginx(Processes, gateways.Nginx):
    place, keeps = "nginx-reloads", ("unused",)


@contextlib.contextmanager
def reloaded(lab, kind):
    gateway = kind(lab)
    try:
        eventually(lambda: status(gateway, lab.provider.token()) == 200, 60, "the first request")
        yield gateway
    finally:
        gateway.stop()


def a_reload_loses_no_request(gateway, count):
    """Nor one on a connection that was opened before the reload, and whose client is about to send it."""
    token = gateway.lab.provider.token()
    clients = Clients(gateway, token)
    try:
        for _ in range(count):
            with Connection(gateway.port) as unused, Connection(gateway.port) as used:
                connections = {"used": used, "unused": unused}
                assert used.ask("/reports", [bearer(token)]).status == 200
                gateway.reload()
                asked = len(clients.statuses)
                eventually(lambda: len(clients.statuses) > asked + 20, 60, "requests after a reload")
                for name in gateway.keeps:
                    answer = connections[name].ask("/reports", [bearer(token)])
                    assert answer and answer.status == 200, (gateway.name, name, answer)
    finally:
        statuses = clients.end()
    assert set(statuses) == {200}, (gateway.name, {code: statuses.count(code) for code in set(statuses)})
    return f"{gateway.name} {len(statuses)}"


def reloads_lose_no_request(lab, long):
    kinds = [kind for kind in (HAProxy, Nginx) if kind.name in {gateway.name for gateway in lab.gateways}]
    seen = []
    for kind in kinds:
        with reloaded(lab, kind) as gateway:
            seen.append(a_reload_loses_no_request(gateway, 10 if long else 2))
    return f"requests: {', '.join(seen)}" if seen else "skipped"


ALL = [reloads_lose_no_request]
