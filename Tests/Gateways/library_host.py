"""A gateway that has libassay inside: a plain proxy that asks the library about each request and does what it says.

    library_host.py LIBRARY SETTINGS PORT UPSTREAM_PORT
"""
import json
import pathlib
import sys
import threading
import time
import urllib.error
import urllib.request

import library
from exchange import Connection
from serving import AnyMethod, Server

# Fields of one connection (RFC 9110 section 7.6.1), and those that frame a body.
OF_THE_CONNECTION = {b"connection", b"proxy-connection", b"keep-alive", b"te", b"trailer", b"transfer-encoding", b"upgrade", b"content-length"}


def get(url):
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as failure:
        return failure.code, failure.read()


def drive(gateway):
    """Fetches keys whenever they are due. A token may make a fetch due at any time."""
    while True:
        gateway.fetch(get)
        time.sleep(min(max(gateway.next_due, 0), 0.02))


def changed(target, fields, operations):
    """A request after the operations of its decision."""
    for kind, name, value in operations:
        if kind in (library.SET_FIELD, library.REMOVE_FIELD):
            fields = [pair for pair in fields if pair[0].lower() != name]
        if kind == library.SET_FIELD:
            fields.append((name, value))
        if kind == library.SET_TARGET:
            target = value
    return target, fields


class Proxy(AnyMethod):
    gateway = upstream_port = None

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        fields = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in self.headers.items()]
        hosts = [value for name, value in fields if name.lower() == b"host"]
        target = self.path.encode("latin-1")
        question = (self.command.encode(), hosts[0] if len(hosts) == 1 else b"", target, fields)
        metadata = self.gateway.resource_metadata(question[1], target)
        if metadata:
            return self.describe(metadata)
        decision = self.gateway.decide(*question, may_wait=True)
        end = time.monotonic() + 5
        while decision.code == library.AWAITING_KEYS and time.monotonic() < end:
            time.sleep(0.01)
            decision = self.gateway.decide(*question, may_wait=True)
        if decision.code == library.AWAITING_KEYS:
            decision = self.gateway.decide(*question)
        if decision.code == library.OK:
            return self.forward(*changed(target, fields, decision.operations), body)
        self.refuse(decision)

    def describe(self, metadata):
        """The metadata of a protected resource, which needs no token."""
        is_read = self.command in ("GET", "HEAD")
        self.send_response(200 if is_read else 204 if self.command == "OPTIONS" else 405)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Access-Control-Allow-Headers", "*")
        self.send_header("Cache-Control", "max-age=300")
        self.send_header("Content-Type", "application/json")
        if not is_read and self.command != "OPTIONS":
            self.send_header("Allow", "GET, HEAD, OPTIONS")
        if is_read or self.command != "OPTIONS":
            self.send_header("Content-Length", str(len(metadata) if is_read else 0))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(metadata)

    def refuse(self, decision):
        self.send_response(302 if decision.location else decision.status)
        self.send_header("X-Assay-Code", decision.name)
        if decision.location:
            self.send_header("Location", decision.location.decode())
            self.send_header("Cache-Control", "no-store")
            self.send_header("Vary", "Accept, Sec-Fetch-Mode")
        elif decision.challenge is not None:
            self.send_header("WWW-Authenticate", decision.challenge.decode())
        if decision.retry_after >= 0:
            self.send_header("Retry-After", str(decision.retry_after))
        self.send_header("Content-Length", "0")
        self.end_headers()

    def forward(self, target, fields, body):
        pairs = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in fields if name.lower() not in OF_THE_CONNECTION]
        with Connection(self.upstream_port) as connection:
            answer = connection.ask(target.decode("latin-1"), pairs, self.command, body)
        self.send_response(answer.status)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)


if __name__ == "__main__":
    path, settings, port, Proxy.upstream_port = sys.argv[1:5]
    Proxy.gateway = library.Gateway(path, json.loads(pathlib.Path(settings).read_text()))
    threading.Thread(target=drive, args=(Proxy.gateway,), daemon=True).start()
    while not Proxy.gateway.is_ready:
        time.sleep(0.01)
    Server(("127.0.0.1", int(port)), Proxy).serve_forever()
