"""How the module's helper fetches: certificates, addresses, redirects, limits, faulty servers. Each is a function of a lab."""
import http.server
import json
import re
import ssl
import subprocess
import threading
import time
import urllib.request

from exchange import ask, bearer
from nginx_processes import Nginx
from program import eventually

HTTP = """
    assay_authorities FOLDER/../authority.pem;
    assay_fetch_timeout 20s;
    assay_issuer ISSUER;
    assay_audiences client-1;
    assay_keys_url %s;
    %s
    server {
        listen 127.0.0.1:PORT;
        assay on;
        location / { proxy_pass http://UPSTREAM; }
    }
"""


class Keys:
    """An https server with the provider's keys at /keys, and with faults at other paths."""

    def __init__(self, lab, name):
        if not (lab.folder / f"{name}.pem").exists():
            make_certificates(lab)
        document = urllib.request.urlopen(lab.provider.issuer + "/jwks").read()
        asked = self.asked = []

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
                getattr(self, "metadata" if "/.well-known/" in self.path else self.path.strip("/").replace("-", "_"))()

            def send(self, status, body=b"", **fields):
                self.send_response(status)
                for name, value in fields.items():
                    self.send_header(name.replace("_", "-"), value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def keys(self):
                self.send(200, document)

            def chunked(self):
                self.send_response(200)
                self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()
                for byte in document:
                    self.wfile.write(b"1\r\n%c\r\n" % byte)
                self.wfile.write(b"0\r\n\r\n")

            def tagged(self):
                if self.headers["If-None-Match"] == '"one"':
                    return self.send(304, ETag='"one"', Cache_Control="max-age=0")
                self.send(200, document, ETag='"one"', Cache_Control="max-age=0")

            def any_tag(self):
                self.send(200, document, ETag="*", Cache_Control="max-age=0")

            def absent(self):
                self.send(503)

            def moved(self):
                self.send(302, Location="/keys")

            def moved_away(self):
                self.send(302, Location="https://localhost:%d/keys" % self.server.server_address[1])

            def huge(self):
                self.send(200, document[:-1] + b" " * 300_000 + document[-1:])

            def slow(self):
                self.send_response(200)
                self.send_header("Content-Length", str(len(document)))
                self.end_headers()
                for byte in document:
                    self.wfile.write(bytes([byte]))
                    time.sleep(0.05)

            def short(self):
                self.send_response(200)
                self.send_header("Content-Length", str(len(document) + 1))
                self.end_headers()
                self.wfile.write(document)
                self.close_connection = True

            def metadata(self):
                """Of an issuer whose keys are in a private network."""
                own = "https://%s:%d" % self.server.server_address
                self.send(200, json.dumps({"issuer": own, "jwks_uri": "https://10.0.0.1/keys"}).encode())

            def garbage(self):
                self.send(200, b"<html>" + document)

            def log_message(self, *arguments):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request, address):
                """Clients may cut connections off."""

        self.server = Server(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(lab.folder / f"{name}.pem", lab.folder / f"{name}.key")
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def url(self, path):
        return f"https://127.0.0.1:{self.port}/{path}"


def period(is_over):
    """OpenSSL has dates since 3.4, and refuses since then the negative number of days that earlier versions need."""
    if not is_over:
        return ["-days", "2"]
    options = subprocess.run(["openssl", "x509", "-help"], capture_output=True, text=True).stderr
    return ["-not_before", "20200101000000Z", "-not_after", "20200102000000Z"] if "-not_after" in options else ["-days", "-1"]


def make_certificates(lab):
    """An authority with a certificate for this machine, one for another name and one that has expired, and a self-signed certificate."""
    def run(*arguments):
        subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True, cwd=lab.folder)
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    run("req", "-x509", *key, "-keyout", "authority.key", "-out", "authority.pem", "-subj", "/CN=authority")
    signed = {"here": "IP:127.0.0.1", "elsewhere": "DNS:elsewhere.example", "expired": "IP:127.0.0.1"}
    for name, alternative in signed.items():
        run("req", *key[:-2], "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}")
        (lab.folder / f"{name}.ext").write_text(f"subjectAltName={alternative}\n")
        run("x509", "-req", "-in", f"{name}.csr", "-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial",
            *period(name == "expired"), "-extfile", f"{name}.ext", "-out", f"{name}.pem")
    run("req", "-x509", *key, "-keyout", "nobody.key", "-out", "nobody.pem", "-subj", "/CN=nobody",
        "-addext", "subjectAltName=IP:127.0.0.1")


# What is said of the certificates that must not be trusted.
UNTRUSTED = {
    "elsewhere": "the certificate is not for 127.0.0.1", "nobody": "self-signed certificate", "expired": "certificate has expired",
}


def keys_come_from_where_they_may_and_as_they_must(lab):
    """The certificate, the path, further settings, and what nginx says about the fetch, as a pattern; None: it succeeds."""
    servers = {name: Keys(lab, name) for name in ("here", "elsewhere", "expired", "nobody")}
    rows = [
        ("here", "keys", "", None), ("here", "chunked", "", None),
        *((name, "keys", "", f"tls: .*{words}") for name, words in UNTRUSTED.items()),
        ("here", "moved", "", None), ("here", "moved-away", "", "redirect: "), ("here", "huge", "", "too large"), ("here", "slow", "", "timed out"),
        ("here", "short", "", "connection"), ("here", "garbage", "", "assay has not got the keys"),
        ("here", "keys", "assay_allow_private_addresses on;", None),
    ]
    for number, (name, path, more, fault) in enumerate(rows):
        http = HTTP.replace("timeout 20s", "timeout 1s") if path == "slow" else HTTP
        with Nginx(lab, f"transport-{number}", http % (servers[name].url(path), more)) as nginx:
            token = lab.provider.token()
            if fault is None:
                eventually(lambda: ask(nginx.port, "/", [bearer(token)]).status == 200, 60, f"keys from {name}/{path}")
            else:
                eventually(lambda: re.search(fault, nginx.program.output()), 60, f"`{fault}` for {name}/{path}")
                assert ask(nginx.port, "/", [bearer(token)]).status == 503, (name, path)
    field = dict(servers["here"].asked)["/keys"]
    assert field["accept"] == "application/jwk-set+json, application/json" and field["user-agent"] == "assay", field
    return f"{len(rows)} rows"


def a_worker_says_too_why_a_certificate_is_not_trusted(lab):
    """At the level `error`: the helper's own line is a warning, which nginx does not log by default."""
    for name, words in UNTRUSTED.items():
        server = Keys(lab, name)
        with Nginx(lab, f"untrusted-{name}", HTTP % (server.url("keys"), "")) as nginx:
            line = re.compile(rf'\[error\] .* assay has not got the keys of ".*": fetch_tls, for the 1\. time; .*/keys": .*{words}')
            eventually(lambda: line.search(nginx.program.output()), 60, f"the line of {name}: {words}")


def an_issuer_names_no_address_of_another_network(lab):
    """The directives permit this machine alone: what the issuer's metadata names is known only to the helper."""
    server = Keys(lab, "here")
    http = HTTP.replace("ISSUER", f"https://127.0.0.1:{server.port}").replace("    assay_keys_url %s;\n    %s\n", "")
    with Nginx(lab, "forbidden", http) as nginx:
        eventually(lambda: 'fetch "https://10.0.0.1/keys": forbidden address' in nginx.program.output(), 60, "the refusal of the address")
        assert {path for path, _ in server.asked} == {"/.well-known/openid-configuration"}, server.asked


def keys_that_are_known_are_confirmed(lab):
    """A second fetch is conditional, and a 304 keeps the keys: a token of an unknown key makes it happen."""
    server = Keys(lab, "here")
    with Nginx(lab, "confirmed", HTTP % (server.url("tagged"), "assay_wait 20s;")) as nginx:
        token = lab.provider.token()
        eventually(lambda: ask(nginx.port, "/", [bearer(token)]).status == 200, 60, "the keys")
        header, rest = token.split(".", 1)
        junk = "eyJhbGciOiJFUzI1NiIsImtpZCI6Imp1bmsifQ." + rest
        assert ask(nginx.port, "/", [bearer(junk)]).status == 401
        assert [fields.get("if-none-match") for _, fields in server.asked] == [None, '"one"'], server.asked
        assert server.asked[1][1]["cache-control"] == "no-cache"
        assert ask(nginx.port, "/", [bearer(token)]).status == 200


def an_entity_tag_that_matches_all_is_not_sent_back(lab):
    """`If-None-Match: *` would confirm every document."""
    server = Keys(lab, "here")
    with Nginx(lab, "any-tag", HTTP % (server.url("any-tag"), "assay_wait 20s;")) as nginx:
        token = lab.provider.token()
        eventually(lambda: ask(nginx.port, "/", [bearer(token)]).status == 200, 60, "the keys")
        junk = "eyJhbGciOiJFUzI1NiIsImtpZCI6Imp1bmsifQ." + token.split(".", 1)[1]
        assert ask(nginx.port, "/", [bearer(junk)]).status == 401
        assert [fields.get("if-none-match") for _, fields in server.asked] == [None, None], server.asked


def a_source_that_fails_is_asked_twice_in_ten_seconds(lab):
    """Each of eight workers tries again after one or two seconds, and all of them together get two requests."""
    server = Keys(lab, "here")
    with Nginx(lab, "absent", HTTP % (server.url("absent"), ""), "worker_processes 8;\n"):
        start = time.monotonic()
        eventually(lambda: len(server.asked) >= 2, 60, "the first two requests")
        time.sleep(max(0, start + 7 - time.monotonic()))
        windows = 1 + (time.monotonic() - start) / 10
        assert len(server.asked) <= 2 * windows, (server.asked, windows)


ALL = [
    keys_come_from_where_they_may_and_as_they_must, a_worker_says_too_why_a_certificate_is_not_trusted,
    an_issuer_names_no_address_of_another_network, keys_that_are_known_are_confirmed,
    an_entity_tag_that_matches_all_is_not_sent_back, a_source_that_fails_is_asked_twice_in_ten_seconds,
]
