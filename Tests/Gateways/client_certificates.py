"""Certificates of clients and of a server, made by openssl, and a client that connects with one."""
import base64
import hashlib
import http.client
import json
import re
import ssl
import subprocess
import urllib.parse

from exchange import Answer


class Certificates:
    """An authority in a folder, with a server and the clients `right` and `other`. Each NAME has NAME.pem, NAME.key, and both in NAME.both."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()
        self.openssl("req", "-x509", *self.key("authority"), "-days", "2", "-subj", "/CN=authority", "-out", "authority.pem")
        for name in ("server", "right", "other"):
            self.openssl("req", "-new", *self.key(name), "-subj", f"/CN={name}", "-out", f"{name}.csr")
            self.openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial",
                "-days", "2", "-out", f"{name}.pem")
            (folder / f"{name}.both").write_text((folder / f"{name}.pem").read_text() + (folder / f"{name}.key").read_text())

    def openssl(self, *arguments):
        subprocess.run(["openssl", *arguments], check=True, capture_output=True, cwd=self.folder)

    @staticmethod
    def key(name):
        return "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", f"{name}.key"

    def path(self, name):
        return self.folder / name

    def der(self, name):
        return ssl.PEM_cert_to_DER_cert((self.folder / f"{name}.pem").read_text())

    def confirmation(self, name):
        """The claim `cnf` of a token that is bound to a certificate."""
        digest = hashlib.sha256(self.der(name)).digest()
        return {"x5t#S256": base64.urlsafe_b64encode(digest).rstrip(b"=").decode()}

    def forged_fields(self, name):
        """A certificate in every field and form of every gateway, as a client may send it."""
        der, pem = self.der(name), (self.folder / f"{name}.pem").read_text()
        plain, escaped = base64.b64encode(der).decode(), urllib.parse.quote(pem, safe="")
        hashed = f"Hash={hashlib.sha256(der).hexdigest()}"
        return [
            ("X-Client-Cert", escaped), ("X-Client-Cert", plain), ("x-client-cert", f":{plain}:"), ("Client-Cert", f":{plain}:"),
            ("X_Client_Cert", plain), ("X-Forwarded-Client-Cert", hashed), ("X-Forwarded-Client-Cert", f'{hashed};Cert="{escaped}"'),
            ("X-Forwarded-Tls-Client-Cert", plain), ("SSL-Client-Escaped-Cert", escaped), ("X-SSL-Client-Cert", escaped),
        ]

    def ask(self, port, target, fields, name=None):
        """One request over TLS, with the certificate of `name`."""
        context = ssl.create_default_context(cafile=str(self.folder / "authority.pem"))
        context.check_hostname = False
        if name:
            context.load_cert_chain(self.folder / f"{name}.pem", self.folder / f"{name}.key")
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.connect()
        try:
            # Caddy wants the host of the request in the handshake, where it asks for certificates.
            connection.sock = context.wrap_socket(connection.sock, server_hostname="app.example")
            connection.putrequest("GET", target, skip_host=True, skip_accept_encoding=True)
            for field, value in [("Host", "app.example"), *fields]:
                connection.putheader(field, value)
            connection.endheaders()
            response = connection.getresponse()
            return Answer(response.status, response.getheaders(), response.read())
        finally:
            connection.close()


class TLS:
    """What a gateway's file needs so that it asks its clients for a certificate, and takes those of the authority or none."""

    def __init__(self, certificates):
        self.path = certificates.path

    def nginx(self, text):
        directives = (f"ssl_certificate {self.path('server.pem')}; ssl_certificate_key {self.path('server.key')};\n"
            f"ssl_client_certificate {self.path('authority.pem')}; ssl_verify_client optional;\n")
        return re.sub(r"listen (127\.0\.0\.1:\d+);", r"listen \1 ssl;", text).replace("http {\n", "http {\n" + directives, 1)

    def haproxy(self, text):
        options = f"ssl crt {self.path('server.both')} ca-file {self.path('authority.pem')} verify optional"
        return re.sub(r"(bind 127\.0\.0\.1:\d+)", rf"\1 {options}", text)

    def caddy(self, text):
        options = (f"tls {self.path('server.pem')} {self.path('server.key')} {{\nclient_auth {{\nmode verify_if_given\n"
            f"trusted_ca_cert_file {self.path('authority.pem')}\n}}\n}}\n")
        return re.sub(r"http://(second\.example)?:(\d+) \{\n", lambda found: f"https://{found[1] or ''}:{found[2]} {{\n{options}", text)

    def envoy(self, text):
        return text.replace("        - filters:", f"        - transport_socket: {json.dumps(self.envoys_socket())}\n          filters:", 1)

    def envoys_socket(self):
        kind = "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext"
        own = {"certificate_chain": {"filename": str(self.path("server.pem"))}, "private_key": {"filename": str(self.path("server.key"))}}
        trusted = {"trusted_ca": {"filename": str(self.path("authority.pem"))}}
        context = {"tls_certificates": [own], "validation_context": trusted}
        return {"name": "envoy.transport_sockets.tls", "typed_config": {"@type": kind, "common_tls_context": context}}
