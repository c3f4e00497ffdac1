"""An authorization server with opaque tokens. Its introspection endpoint (RFC 7662) is Authlib's own; its answers may be signed (RFC 9701)."""
import logging
import os
import threading
import time

from authlib.integrations.flask_oauth2 import AuthorizationServer as Server
from authlib.oauth2.rfc6749 import ClientMixin
from authlib.oauth2.rfc7662 import IntrospectionEndpoint
from flask import Flask, Response, jsonify, request
from joserfc import jwt
from joserfc.jwk import ECKey
from werkzeug.serving import make_server

from program import free_port

logging.getLogger("werkzeug").disabled = True
# Authlib wants TLS, and this one is on loopback.
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

# A secret is encoded before it goes into `Authorization` (RFC 6749 section 2.3.1).
CLIENT, SECRET = "gateway", "s3cret: of/the+gateway %41"
PLAIN, SIGNED = "application/json", "application/token-introspection+jwt"


class Client(ClientMixin):
    def get_client_id(self):
        return CLIENT

    def check_client_secret(self, secret):
        return secret == SECRET

    def check_endpoint_auth_method(self, method, endpoint):
        return method in ("client_secret_basic", "client_secret_post")


class Token:
    def __init__(self, subject, seconds, **claims):
        self.subject, self.end, self.claims, self.is_gone = subject, time.time() + seconds, claims, False

    def is_expired(self):
        return time.time() >= self.end

    def is_revoked(self):
        return self.is_gone


class AuthorizationServer:
    """Serves until the block ends. `tokens` are those that it knows, by their text; `questions` what it was asked about."""

    def __init__(self):
        self.port, self.tokens, self.questions = free_port(), {}, []
        self.url = f"http://127.0.0.1:{self.port}"
        self.status = None
        self.key = ECKey.generate_key("P-256", {"kid": "signer", "use": "sig", "alg": "ES256"})
        # What signs the answers, for whom, and how many seconds they were kept.
        self.signer, self.audience, self.age = self.key, CLIENT, 0

    def issue(self, text, subject="jane", seconds=600, **claims):
        self.tokens[text] = Token(subject, seconds, **claims)
        return text

    def asked(self, text):
        return self.questions.count(text)

    def __enter__(self):
        self.server = make_server("127.0.0.1", self.port, self.application(), threaded=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *failure):
        self.server.shutdown()
        self.server.server_close()

    def application(self):
        app = Flask("authorization-server")
        oauth = Server(app, lambda name: Client() if name == CLIENT else None, lambda token, request: None)
        oauth.register_endpoint(self.endpoint())

        @app.get("/.well-known/oauth-authorization-server")
        def metadata():
            return jsonify({"issuer": self.url, "jwks_uri": f"{self.url}/jwks", "introspection_endpoint": f"{self.url}/introspect"})

        @app.get("/jwks")
        def keys():
            return jsonify({"keys": [self.key.as_dict(private=False)]})

        @app.post("/introspect")
        def introspect():
            self.questions.append(request.form.get("token"))
            if self.status:
                return Response("", self.status)
            answer = oauth.create_endpoint_response("introspection")
            return self.signed(answer) if request.headers.get("Accept") == SIGNED and answer.status_code == 200 else answer

        return app

    def endpoint(server):
        class Endpoint(IntrospectionEndpoint):
            SUPPORTED_TOKEN_TYPES = ("access_token",)
            CLIENT_AUTH_METHODS = ["client_secret_basic", "client_secret_post"]

            def query_token(self, text, hint):
                return server.tokens.get(text)

            def check_permission(self, token, client, request):
                return True

            def introspect_token(self, token):
                return {"iss": server.url, "aud": "api", "sub": token.subject, "exp": int(token.end), **token.claims}

        return Endpoint

    def signed(self, answer):
        claims = {"iss": self.url, "aud": self.audience, "iat": int(time.time()) - self.age, "token_introspection": answer.get_json()}
        text = jwt.encode({"alg": "ES256", "kid": "signer", "typ": "token-introspection+jwt"}, claims, self.signer)
        return Response(text, 200, content_type=SIGNED)
