"""Attacks by which a client tries to send an identity itself, to each of several servers.

Each attack makes bytes of a request: of the server, of the target with the fields of its token, and of the field that shall arrive.
"""
from dataclasses import dataclass

from expectations import FIELDS, plain

# The servers of the gateways' files. The first gets requests for every other name.
SERVERS = ("app.example", "second.example")
# The fields of `claims`: those of integrations/, and one more.
NAMES = ("X-User", "X-Auth-Subject", "X-Auth-Name", "X-Auth-Tenant")
PROTECTED = {*FIELDS, "x-user"}


@dataclass(frozen=True)
class Aim:
    """What an attack is aimed at."""

    server: str
    target: str
    own: tuple
    name: str

    @property
    def other(self):
        return next(server for server in SERVERS if server != self.server)

    def request(self, *fields, line=None, host=True, body=""):
        own = ([f"Host: {self.server}"] if host is True else [f"Host: {host}"] if host else []) + list(self.own)
        return "\r\n".join([line or f"GET {self.target} HTTP/1.1", *own, *fields, "", body]).encode("latin-1")

    def chunked(self, *fields):
        body = f"1\r\nx\r\n0\r\n{self.name}: evil\r\n\r\n"
        return self.request("Transfer-Encoding: chunked", *fields, line=f"POST {self.target} HTTP/1.1", body=body)


# What each attack sends.
ATTACKS = {
    "the name": lambda aim: aim.request(f"{aim.name}: evil"),
    "small letters": lambda aim: aim.request(f"{aim.name.lower()}: evil"),
    "capital letters": lambda aim: aim.request(f"{aim.name.upper()}: evil"),
    "twice": lambda aim: aim.request(f"{aim.name}: evil", f"{aim.name.lower()}: evil"),
    "an empty one before": lambda aim: aim.request(f"{aim.name}:", f"{aim.name}: evil"),
    "underscores": lambda aim: aim.request(f"{aim.name.replace('-', '_')}: evil"),
    "one underscore": lambda aim: aim.request(f"{aim.name.replace('-', '_', 1)}: evil"),
    "dots": lambda aim: aim.request(f"{aim.name.replace('-', '.')}: evil"),
    "another sign": lambda aim: aim.request(f"{aim.name.replace('-', '!')}: evil", f"{aim.name.replace('-', '~')}: evil"),
    "Connection": lambda aim: aim.request(f"Connection: {aim.name}", f"{aim.name}: evil"),
    "Connection behind": lambda aim: aim.request(f"{aim.name}: evil", f"Connection: close, {aim.name.lower()}"),
    "a trailer": lambda aim: aim.chunked(),
    "an announced trailer": lambda aim: aim.chunked(f"Trailer: {aim.name}"),
    "several cookies": lambda aim: aim.request("Cookie: a=1", f"{aim.name}: evil", "Cookie: session=evil", "Cookie: b=2"),
    "HTTP/1.0": lambda aim: aim.request(f"{aim.name}: evil", line=f"GET {aim.target} HTTP/1.0"),
    "HTTP/1.0 without a host": lambda aim: aim.request(f"{aim.name}: evil", line=f"GET {aim.target} HTTP/1.0", host=None),
    "HTTP/1.0 with an underscore": lambda aim: aim.request(f"{aim.name.replace('-', '_')}: evil", line=f"GET {aim.target} HTTP/1.0"),
    "no host": lambda aim: aim.request(f"{aim.name}: evil", host=None),
    "an absolute target": lambda aim: aim.request(f"{aim.name}: evil", line=f"GET http://{aim.server}{aim.target} HTTP/1.1"),
    "an absolute target of the other server": lambda aim: aim.request(
        f"{aim.name}: evil", line=f"GET http://{aim.server}{aim.target} HTTP/1.1", host=aim.other),
    "an absolute target of HTTP/1.0": lambda aim: aim.request(
        f"{aim.name}: evil", line=f"GET http://{aim.server}{aim.target} HTTP/1.0", host=None),
    "the list of fields": lambda aim: aim.request(f"{aim.name}: evil", "X-Assay-Fields: none", "X-Assay-Fields: *"),
}


def requests(token):
    """Each attack on each server and each field, with a token and on an open route."""
    for server in SERVERS:
        for target, own in (("/orders", (f"Authorization: Bearer {token}",)), ("/public", ())):
            for name in NAMES:
                aim = Aim(server, target, own, name)
                for title, attack in ATTACKS.items():
                    yield (title, aim), attack(aim)


def http2_requests(token):
    """The same over HTTP/2, as arguments of ``http2_checks.exchange``: a head, a body and trailers."""
    for server in SERVERS:
        for target, own in (("/orders", [("authorization", f"Bearer {token}")]), ("/public", [])):
            pseudo = [(":method", "POST"), (":scheme", "http"), (":authority", server), (":path", target), *own]
            for name in map(str.lower, NAMES):
                evil = (name, "evil")
                for fields in (
                    [evil], [evil, evil], [(name.upper(), "evil")], [(name.replace("-", "_"), "evil")], [(name.replace("-", "."), "evil")],
                    [("connection", name), evil], [("cookie", "a=1"), evil, ("cookie", "session=evil")], [("x-a", f"b\r\n{name}: evil")],
                    [("host", SERVERS[0]), evil],
                ):
                    yield [*pseudo, ("content-length", "0"), *fields],
                yield [*pseudo, ("content-length", "1")], b"x", [evil]
                yield pseudo, b"x", [evil]


def forged(seen):
    """The identity that a request brought from its client to an application, in fields and behind the body."""
    return [(name, value) for name, value in [*seen["fields"], *seen["trailers"]] if plain(name) in PROTECTED and "evil" in value]
