"""A gateway that speaks the contract of Traefik's ForwardAuth, whose binary Debian and PyPI do not have.

The contract, by Traefik's documentation: a GET to the address with the client's header fields and X-Forwarded-Method, -Proto, -Host, -Uri
and -For in place of the client's own; an answer of 2xx lets the request pass, with the fields of `authResponseHeaders` in place of the
client's own; any other answer goes to the client with its status and fields. Without an answer the client gets 500.

Usage: forward_auth.py PORT SERVICE_PORT UPSTREAM_PORT DYNAMIC_YAML
"""
import http.client
import re
import sys

from serving import AnyMethod, Server

HOP_BY_HOP = {"connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"}


def forwarded(fields, removed):
    return [(name, value) for name, value in fields if name.lower() not in HOP_BY_HOP | removed]


def exchange(port, method, target, fields, body=b""):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
    for name, value in fields:
        connection.putheader(name, value)
    connection.endheaders(body or None)
    response = connection.getresponse()
    content = response.read()
    connection.close()
    return response.status, response.getheaders(), content


class Gateway(AnyMethod):
    service = upstream = 0
    copied = []
    trusts = False

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            status, fields, content = self.ask()
        except (OSError, http.client.HTTPException):
            return self.reply(500, [], b"")
        if not 200 <= status < 300:
            return self.reply(status, forwarded(fields, {"content-length", "date", "server"}), content)
        names = {name.lower() for name in self.copied}
        copies = [(name, value) for name, value in fields if name.lower() in names]
        self.reply(*exchange(
            self.upstream, self.command, self.path, forwarded(self.headers.items(), names) + copies, body))

    def ask(self):
        """Traefik puts its own X-Forwarded fields in place of the client's, unless `trustForwardHeader` keeps those."""
        own = [
            ("Host", f"127.0.0.1:{self.service}"), ("X-Forwarded-Method", self.command), ("X-Forwarded-Proto", "http"),
            ("X-Forwarded-Host", self.headers.get("Host", "")), ("X-Forwarded-Uri", self.path), ("X-Forwarded-For", "127.0.0.1"),
        ]
        if self.trusts:
            own = own[:1] + [(name, value) for name, value in own[1:] if name not in self.headers]
        client = forwarded(self.headers.items(), {"host", "content-length"} | {name.lower() for name, _ in own})
        return exchange(self.service, "GET", "/", own + client)

    def reply(self, status, fields, content):
        self.send_response_only(status)
        for name, value in fields:
            if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)


if __name__ == "__main__":
    port, Gateway.service, Gateway.upstream = map(int, sys.argv[1:4])
    with open(sys.argv[4]) as configuration:
        text = configuration.read()
    Gateway.copied = re.search(r"authResponseHeaders: \[(.*)\]", text).group(1).split(", ")
    Gateway.trusts = "trustForwardHeader: true" in text
    Server(("127.0.0.1", port), Gateway).serve_forever()
