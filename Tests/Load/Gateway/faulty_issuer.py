"""Stands between the service and the provider, and passes its keys on, or breaks them: faulty_issuer.py PROVIDER_URL

Prints its port. Each line of standard input is a mode, and is repeated on standard output once it counts. A process of its own: its answers
must not wait for the threads of a test.
"""
import http.client
import sys
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

JSON = "application/json"


class Issuer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    mode, provider = "right", ""

    def do_GET(self):
        getattr(self, self.mode)()

    def right(self):
        connection = http.client.HTTPConnection(self.provider, timeout=5)
        tag = self.headers.get("If-None-Match")
        connection.request("GET", self.path, headers={"If-None-Match": tag} if tag else {})
        answer = connection.getresponse()
        body = answer.read()
        kept = {name: answer.getheader(name) for name in ("Content-Type", "ETag", "Cache-Control") if answer.getheader(name)}
        connection.close()
        self.reply(answer.status, body, kept)

    def down(self):
        self.reply(503, b"")

    def reset(self):
        self.close_connection = True
        self.connection.close()

    def garbage(self):
        self.connection.sendall(b"\x00\xff\x13" * 500)
        self.close_connection = True

    def page(self):
        self.reply(200, b"<html><title>Sign in</title></html>", {"Content-Type": "text/html"})

    def half(self):
        self.reply(200, b'{"keys":[{"kty":"EC","crv":"P-256","x":"', {"Content-Type": JSON})

    def cut(self):
        self.connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n" + b'{"keys":[')
        self.close_connection = True

    def empty(self):
        self.reply(200, b'{"keys":[]}', {"Content-Type": JSON})

    def huge(self):
        self.reply(200, b'{"keys":[' + b"[" * 3_000_000, {"Content-Type": JSON})

    def slow(self):
        time.sleep(4)
        self.right()

    def drip(self):
        """A byte each 200 ms."""
        self.connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n")
        for _ in range(100):
            self.connection.sendall(b" ")
            time.sleep(0.2)
        self.close_connection = True

    def loop(self):
        self.reply(302, b"", {"Location": self.path})

    def reply(self, status, body, fields={}):
        self.send_response_only(status)
        for name, value in fields.items():
            self.send_header(name, value)
        if status != 304:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


# Envoy keeps the memory of a huge answer, so it comes early.
MODES = ["huge", "down", "reset", "garbage", "page", "half", "cut", "empty", "slow", "drip", "loop"]


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, address):
        """The service may cut connections off."""


if __name__ == "__main__":
    Issuer.provider = urllib.parse.urlsplit(sys.argv[1]).netloc
    server = Server(("127.0.0.1", 0), Issuer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_port, flush=True)
    for line in sys.stdin:
        Issuer.mode = line.strip()
        print(Issuer.mode, flush=True)
