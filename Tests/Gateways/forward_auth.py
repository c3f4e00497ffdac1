"""A gateway that speaks the contract of Traefik's ForwardAuth, whose binary Debian and PyPI do not have.

The contract, by Traefik's documentation: a GET to the address with the client's header fields and X-Forwarded-Method, -Proto, -Host, -Uri
and -For in place of the client's own; an answer of 2xx lets the request pass, with the fields of `authResponseHeaders` in place of the
client's own; any other answer goes to the client with its status and fields. Without an answer the client gets 500. The router with the highest
priority of those that match decides, and the priority is the length of its rule unless it has one.

Usage: forward_auth.py PORT DYNAMIC_YAML
"""
import http.client
import re
import sys

import yaml

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


def port_of(url):
    return int(re.search(r":(\d+)/?$", url)[1])


class Router:
    """A router of the file: a rule about a host or about the beginning of a path, the port of its service, and whether it asks."""

    def __init__(self, settings, services):
        self.kind, self.value = re.fullmatch(r"(Host|PathPrefix)\(`(.*)`\)", settings["rule"]).groups()
        self.priority = settings.get("priority", len(settings["rule"]))
        self.port = port_of(services[settings["service"]]["loadBalancer"]["servers"][0]["url"])
        self.asks = settings.get("middlewares", []) == ["assay"]

    def matches(self, host, path):
        return host.partition(":")[0].lower() == self.value if self.kind == "Host" else path.startswith(self.value)


class Gateway(AnyMethod):
    service = 0
    routers = []
    copied = []
    trusts = False

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        router = next((one for one in self.routers if one.matches(self.headers.get("Host", ""), self.path)), None)
        if router is None:
            return self.reply(404, [], b"")
        if not router.asks:
            return self.reply(*exchange(router.port, self.command, self.path, forwarded(self.headers.items(), {"content-length"}), body))
        try:
            status, fields, content = self.ask()
        except (OSError, http.client.HTTPException):
            return self.reply(500, [], b"")
        if not 200 <= status < 300:
            return self.reply(status, forwarded(fields, {"content-length", "date", "server"}), content)
        names = {name.lower() for name in self.copied}
        copies = [(name, value) for name, value in fields if name.lower() in names]
        self.reply(*exchange(
            router.port, self.command, self.path, forwarded(self.headers.items(), names) + copies, body))

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
        # An answer to HEAD has the length of the content that it does not have.
        lengths = [value for name, value in fields if name.lower() == "content-length" and self.command == "HEAD"]
        self.send_header("Content-Length", lengths[0] if lengths else str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)


if __name__ == "__main__":
    with open(sys.argv[2]) as configuration:
        settings = yaml.safe_load(configuration)["http"]
    middleware = settings["middlewares"]["assay"]["forwardAuth"]
    Gateway.service, Gateway.copied = port_of(middleware["address"]), middleware["authResponseHeaders"]
    Gateway.trusts = middleware.get("trustForwardHeader", False)
    routers = [Router(one, settings["services"]) for one in settings["routers"].values()]
    Gateway.routers = sorted(routers, key=lambda router: -router.priority)
    Server(("127.0.0.1", int(sys.argv[1])), Gateway).serve_forever()
