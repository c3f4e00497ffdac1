"""The load of the soak: requests of every kind whose answers are compared, and many more from openloop."""
import itertools
import threading
import time
import types

import clients
import grpc_checks
from exchange import bearer
from soak_lab import UNIX

PATHS = ["nginx", "envoy-grpc", UNIX]
# Of openloop: requests a second at the Unix socket, and by gRPC.
RATES = {"http1": 1_000, "grpc": 500}


class Identity:
    """A token, and the user that the application must be told."""

    def __init__(self, lab, subject):
        self.subject, self.token = subject, lab.provider.token(sub=subject, exp=int(time.time()) + 7_200)
        self.forged = lab.forged(self.token)


class Checked:
    """Requests of every kind over one path, until the block ends."""

    # Requests of a connection. An nginx that reloads closes idle connections, whatever the client is about to send.
    in_one_connection = {"nginx-module": 1}

    def __init__(self, lab, path, number):
        self.lab, self.path, self.number, self.count, self.failures = lab, path, number, 0, []
        self.turns = itertools.cycle(self.kinds())
        self.identity = Identity(lab, f"person-{number}-0")
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.run)

    def renew(self, generation):
        """From now on with a token under the current key."""
        self.identity = Identity(self.lab, f"person-{self.number}-{generation}")

    def run(self):
        while not self.ended.is_set():
            try:
                with self.lab.connect(self.path) as connection:
                    for target, kind, expected in itertools.islice(self.turns, self.in_one_connection.get(self.path, 800)):
                        if self.ended.is_set() or not self.ask(connection, target, kind, expected):
                            break
            except OSError as failure:
                self.failed(repr(failure))

    def failed(self, what):
        self.failures.append((time.monotonic(), f"{self.path}: {what}"))

    @staticmethod
    def kinds():
        return [("/orders", "token", 200), ("/orders", "token", 200), ("/public", "none", 200), ("/orders", "forged", 401),
                ("/orders", "none", 401), ("/admin", "token", 403), ("/reports", "token", 200), ("/a/../b", "token", 400)]

    def ask(self, connection, target, kind, expected):
        """Asks and compares. False if the connection ends."""
        identity = self.identity
        fields = {"token": [bearer(identity.token)], "forged": [bearer(identity.forged)], "none": []}[kind]
        answer = connection.ask(target, [*fields, ("X-Auth-Subject", "mallory")])
        self.count += 1
        if answer is None:
            self.failed("no answer")
            return False
        if answer.status not in self.statuses(expected):
            self.failed(f"{target} with {kind}: {answer.status} {answer.field('x-assay-code')}")
        elif answer.status == 200 and self.subject(answer) != (identity.subject if kind == "token" else ""):
            self.failed(f"{target} with {kind}: {self.subject(answer)!r} instead of {identity.subject!r}")
        self.ended.wait(0.004)
        return (answer.field("connection") or "").lower() != "close"

    def statuses(self, expected):
        """The profile of nginx answers 403 for 400, which nginx's page turns back. Envoy resolves `..` first."""
        if expected != 400:
            return (expected,)
        return {UNIX: (403,), "envoy-grpc": (200,), "envoy-module": (200,)}.get(self.path, (400,))

    def subject(self, answer):
        """The user that the application was told; for the Unix socket, the user that nginx would be told."""
        if self.path == UNIX:
            return answer.field("x-auth-subject") or ""
        return {name.lower(): value for name, value in answer.arrived()["fields"]}.get("x-auth-subject", "")

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *failure):
        self.ended.set()
        self.thread.join()


class Background:
    """openloop with a token under a key that stays."""

    def __init__(self, lab, protocol, seconds):
        token, port = Identity(lab, "steady").token, lab.listener_ports["9196"]
        address = f"127.0.0.1:{port}" if protocol == "grpc" else f"unix:{lab.service.socket}"
        lines = ["GET / HTTP/1.1", "Host: app.example", "X-Original-Method: GET", "X-Original-URI: /orders",
                 f"Authorization: Bearer {token}", "", ""]
        content = grpc_checks.request(token) if protocol == "grpc" else "\r\n".join(lines).encode()
        file = lab.folder / f"requests-{protocol}"
        file.write_bytes(len(content).to_bytes(4, "little") + content)
        self.target = types.SimpleNamespace(protocol=protocol, address=address)
        self.file, self.seconds, self.rate = file, seconds, RATES[protocol]
        self.thread = threading.Thread(target=self.run)
        self.result = {"failed": 1}

    def run(self):
        self.result = clients.openloop(self.program, self.target, self.file, self.seconds, self.rate)
