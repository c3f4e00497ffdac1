"""An issuer for tests."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, Mapping, Optional

from ..keys import Client, Keys, RemoteKeys
from .keys import SigningKey


class TestIssuer:
    """An issuer with keys. Until `serve` it is at `https://issuer.example` and answers nobody: `keys` are fixed.

    As a context manager, or after `serve`, it answers at http on this machine with its metadata and its keys, and `remote_keys` fetches
    them. `clock` gives the time in seconds since 1970 that its tokens are made at.
    """

    __test__ = False  # pytest takes a class of this name for tests

    def __init__(self, algorithm: str = "ES256", *, clock: Callable[[], float] = time.time):
        self.identifier = "https://issuer.example"
        self.clock = clock
        self.requests: List[str] = []
        """The paths that were asked for, in their order."""
        self.is_available = True
        """False: it answers with 503."""
        self._signing = [SigningKey(algorithm)]
        self._server: Optional[ThreadingHTTPServer] = None

    @property
    def key(self) -> SigningKey:
        """The key that signs."""
        return self._signing[-1]

    @property
    def jwks(self) -> Dict[str, Any]:
        return {"keys": [key.jwk for key in self._signing]}

    @property
    def keys(self) -> Keys:
        """The keys of now, which no rotation changes."""
        return Keys(self.jwks)

    def rotate(self, *, keeps: bool = True) -> None:
        """Signs with a new key from now on. The keys before stay in the set, unless `keeps` is False."""
        new = SigningKey(self.key.algorithm)
        self._signing = [*self._signing, new] if keeps else [new]

    def token(
        self, claims: Mapping[str, Any] = {}, *, audience: Any = "client-1", lifetime: float = 300, header: Mapping[str, Any] = {}
    ) -> str:
        """A token with `iss`, `sub`, `aud`, `iat` and `exp`. `claims` adds and replaces; None takes a claim away."""
        now = int(self.clock())
        members = {"iss": self.identifier, "sub": "user-1", "aud": audience, "iat": now, "exp": now + int(lifetime), **claims}
        return self.key.sign({name: value for name, value in members.items() if value is not None}, header=header)

    def access_token(self, claims: Mapping[str, Any] = {}, *, audience: Any = "https://api.example", scope: str = "") -> str:
        """A token as RFC 9068 section 2 asks for it."""
        members = {"client_id": "client-1", "jti": SigningKey("HS256").key_id, **({"scope": scope} if scope else {}), **claims}
        return self.token(members, audience=audience, header={"typ": "at+jwt"})

    def serve(self) -> "TestIssuer":
        """Begins to answer, at a port that the kernel chooses. `identifier` becomes its address."""
        if self._server is None:
            self._server = ThreadingHTTPServer(("127.0.0.1", 0), _answerer(self))
            self._server.daemon_threads = True
            self.identifier = f"http://127.0.0.1:{self._server.server_port}"
            threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def remote_keys(self, **options: Any) -> RemoteKeys:
        """The keys, fetched from this issuer. Wait for the first ones with `wait`."""
        return RemoteKeys(self.identifier, client=Client(addresses=("loopback", "plain_loopback")), **options)

    def close(self) -> None:
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def __enter__(self) -> "TestIssuer":
        return self.serve()

    def __exit__(self, *_: Any) -> None:
        self.close()


def _answerer(issuer: TestIssuer) -> type:
    class Answerer(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            issuer.requests.append(self.path)
            documents = {
                "/.well-known/openid-configuration": {"issuer": issuer.identifier, "jwks_uri": issuer.identifier + "/jwks"},
                "/jwks": issuer.jwks,
            }
            document = documents.get(self.path)
            self._reply(503 if not issuer.is_available else 404 if document is None else 200, json.dumps(document or {}).encode())

        def _reply(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    return Answerer
