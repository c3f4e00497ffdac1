#!/usr/bin/env python3
"""An issuer for issuer.h: issuer.py FOLDER.

Writes ca.pem into the folder, prints the port on 127.0.0.1, and serves https until its standard input ends. The keys are those of served.json
in the folder, and at /second those of second.json, read for each request; /gated answers with the first ones when there is a file `gate`. At
/list is the status list of the file `list`, and at /sized?N are N bytes. The file `requests` gets a line for each request: the path, then what makes it conditional.
"""

import hashlib
import http.server
import pathlib
import ssl
import subprocess
import sys
import threading
import time

CURVE = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-batch"]


def openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def certify(folder):
    """A certificate for localhost, of an authority that only this folder knows."""
    (folder / "names").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
    openssl("req", "-x509", *CURVE, "-keyout", folder / "ca.key", "-out", folder / "ca.pem", "-days", 2, "-subj", "/CN=test authority")
    openssl("req", *CURVE, "-keyout", folder / "server.key", "-out", folder / "server.csr", "-subj", "/CN=localhost")
    openssl("x509", "-req", "-in", folder / "server.csr", "-CA", folder / "ca.pem", "-CAkey", folder / "ca.key", "-CAcreateserial", "-days",
            2, "-extfile", folder / "names", "-out", folder / "server.pem")


class Issuer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    folder = None

    def do_GET(self):
        with open(self.folder / "requests", "a", encoding="utf-8") as log:
            log.write(f"{self.path} {self.headers.get('If-None-Match', '-')} {self.headers.get('Cache-Control', '-')}\n")
        name = {"/.well-known/openid-configuration": "metadata"}.get(self.path, self.path[1:].partition("?")[0])
        getattr(self, "send_" + name, self.send_nothing)()

    def send_metadata(self):
        origin = f"https://localhost:{self.server.server_port}"
        self.reply(200, f'{{"issuer": "{origin}", "jwks_uri": "{origin}/keys"}}'.encode())

    def send_keys(self, file="served.json"):
        body = (self.folder / file).read_bytes()
        tag = '"' + hashlib.sha256(body).hexdigest()[:16] + '"'
        if self.headers.get("If-None-Match") == tag:
            self.reply(304, b"", ETag=tag)
        else:
            self.reply(200, body, ETag=tag, Cache_Control="max-age=600")

    def send_second(self):
        self.send_keys("second.json")

    def send_gated(self):
        while not (self.folder / "gate").exists():
            time.sleep(0.01)
        self.send_keys()

    def send_list(self):
        is_asked = self.headers.get("Accept") == "application/statuslist+jwt"
        self.reply(200, (self.folder / "list").read_bytes()) if is_asked else self.send_nothing()

    def send_large(self):
        self.reply(200, b" " * 300_000)

    def send_sized(self):
        self.reply(200, b" " * int(self.path.partition("?")[2]))

    def send_garbage(self):
        self.reply(200, b"<html></html>")

    def send_redirect(self):
        self.reply(302, b"", Location="https://other.example/keys")

    def send_slow(self):
        time.sleep(30)

    def send_close(self):
        self.close_connection = True

    def send_nothing(self):
        self.reply(404, b"")

    def reply(self, status, body, **fields):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        if status != 304:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    """Makes the TLS handshake in the connection's own thread."""
    daemon_threads = True
    request_queue_size = 128
    context = None

    def finish_request(self, request, client_address):
        with self.context.wrap_socket(request, server_side=True) as secure:
            super().finish_request(secure, client_address)

    def handle_error(self, request, client_address):
        """Clients that refuse the certificate or go away are part of the tests."""


def main(folder):
    certify(folder)
    Issuer.folder = folder
    server = Server(("127.0.0.1", 0), Issuer)
    server.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.context.load_cert_chain(folder / "server.pem", folder / "server.key")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_port, flush=True)
    sys.stdin.read()


main(pathlib.Path(sys.argv[1]))
