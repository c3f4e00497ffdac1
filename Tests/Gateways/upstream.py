"""The application behind the gateways: it answers with the request as it arrived, and remembers all of them.

It is what an attacker wishes for: it takes every request, agrees to every upgrade, and reads what follows as further requests.
"""
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Upstream:
    def __init__(self, port):
        arrived = self.arrived = []

        class Echo(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # One write for each answer.
            wbufsize = -1

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

            def __getattr__(self, name):
                if name.startswith("do_"):
                    return self.answer
                raise AttributeError(name)

            def log_message(self, *arguments):
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 1024

            def handle_error(self, request, address):
                """Gateways may cut connections off."""

        self.server = Server(("127.0.0.1", port), Echo)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
