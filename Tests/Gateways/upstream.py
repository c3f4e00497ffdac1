"""The application behind the gateways: it answers with the request as it arrived, and remembers all of them.

It gives an attacker every chance: it takes every request, agrees to every upgrade, and reads what follows as further requests.
"""
import json
import threading

from serving import AnyMethod, Server


class Upstream:
    def __init__(self, port):
        arrived = self.arrived = []

        class Echo(AnyMethod):
            def answer(self):
                body, trailers = self.content()
                seen = {
                    "method": self.command, "target": self.path, "fields": self.headers.items(), "bytes": len(body),
                    "trailers": trailers,
                }
                arrived.append(seen)
                if protocol := self.headers.get("Upgrade"):
                    return self.agree(protocol)
                body = json.dumps(seen).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(body)

            def agree(self, protocol):
                self.send_response(101)
                self.send_header("Connection", "Upgrade")
                self.send_header("Upgrade", protocol)
                self.end_headers()
                self.close_connection = False

            def content(self):
                """The body and the fields behind it."""
                if "chunked" not in (self.headers.get("Transfer-Encoding") or "").lower():
                    return self.rfile.read(int(self.headers.get("Content-Length") or 0)), []
                body = b""
                while (size := int(self.rfile.readline().split(b";")[0], 16)):
                    body += self.rfile.read(size)
                    self.rfile.readline()
                trailers = []
                while (line := self.rfile.readline().strip()):
                    name, _, value = line.decode("latin-1").partition(":")
                    trailers.append([name, value.strip()])
                return body, trailers

        self.server = Server(("127.0.0.1", port), Echo)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
