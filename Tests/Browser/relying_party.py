"""An application that logs its users in by the authorization code flow with PKCE (RFC 6749, RFC 7636, OpenID Connect Core 1.0).

It also serves pages of an attacker, on the same port under another name.
"""
import base64
import hashlib
import http.server
import json
import queue
import secrets
import threading
import urllib.error
import urllib.parse
import urllib.request


class RelyingParty:
    def __init__(self, client, port):
        self.client = client
        self.callbacks = queue.Queue()
        self.pages = {}
        party = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                path, _, query = self.path.partition("?")
                body = party.pages.get(path, "<!DOCTYPE html><title>application</title><p id=\"application\">welcome").encode()
                if path == "/callback":
                    party.callbacks.put(dict(urllib.parse.parse_qsl(query)))
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.port = port
        self.redirect = f"http://127.0.0.1:{self.port}/callback"

    def discover(self, issuer):
        self.issuer = issuer
        with urllib.request.urlopen(f"{issuer}/.well-known/openid-configuration", timeout=30) as answer:
            self.metadata = json.load(answer)

    def request(self, **changes):
        """The address of an authorization request."""
        self.verifier = secrets.token_urlsafe(32)
        self.state, self.nonce = secrets.token_urlsafe(16), secrets.token_urlsafe(16)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(self.verifier.encode()).digest()).rstrip(b"=").decode()
        parameters = {
            "response_type": "code", "client_id": self.client, "redirect_uri": self.redirect, "scope": "openid", "state": self.state,
            "nonce": self.nonce, "code_challenge": challenge, "code_challenge_method": "S256", **changes,
        }
        return f"{self.metadata['authorization_endpoint']}?{urllib.parse.urlencode(parameters)}"

    def callback(self, seconds=60):
        return self.callbacks.get(timeout=seconds)

    def redeem(self, code, verifier=None):
        """The status and the body of the token endpoint's answer."""
        form = {
            "grant_type": "authorization_code", "code": code, "redirect_uri": self.redirect, "client_id": self.client,
            "code_verifier": verifier or self.verifier,
        }
        try:
            with urllib.request.urlopen(self.metadata["token_endpoint"], urllib.parse.urlencode(form).encode(), timeout=30) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as refusal:
            return refusal.code, json.loads(refusal.read() or b"{}")

    def close(self):
        self.server.shutdown()
