"""The application behind the gateways: it answers with the request as it arrived, and remembers all of them.

It gives an attacker every chance: it takes every request, agrees to every upgrade, and reads what follows as further requests.
"""
import base64
import hashlib
import json
import threading

from serving import AnyMethod, Server


def accepted(key):
    """What a server of WebSocket answers to the client's key (RFC 6455, 4.2.2). HAProxy wants it."""
    return base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()


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
                if key := self.headers.get("Sec-WebSocket-Key"):
                    self.send_header("Sec-WebSocket-Accept", accepted(key))
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
