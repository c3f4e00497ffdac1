"""The tokens of a run: keys that are made for it, good tokens of 600 to 800 bytes, and tokens that must be refused."""
import json
import struct
import time

from joserfc import jwt

import grpc_checks
import tokens

ALGORITHMS = ("RS256", "ES256")
ISSUER = tokens.ISSUER
# An ES256 signature is 256 bytes shorter than one of RS256 with 2048 bits; more claims make up for it.
MORE = {
    "RS256": {},
    "ES256": {
        "email": "jane.doe@example.org", "email_verified": True, "scope": "openid profile orders.read orders.write",
        "groups": ["engineering", "release", "on-call"], "sid": "08a5019c-17e1-4977-8f42-65a12843ea02",
    },
}
TARGET = "/orders/1042?page=2"
CLIENT = (("Host", "app.example"), ("User-Agent", "openloop/1.0"), ("Accept", "*/*"))


class Stock:
    """Good tokens (`many` of each algorithm) and bad ones, and the requests that carry them, as files of a folder."""

    def __init__(self, folder, many):
        self.folder, self.good, self.bad, self.files = folder, {}, {}, {}
        published = []
        for algorithm in ALGORITHMS:
            key, name = tokens.KEYS[algorithm](), f"{algorithm.lower()}-key"
            members = {member: value for member, value in key.as_dict(private=False).items() if member in tokens.MEMBERS}
            published.append(members | {"kid": name, "alg": algorithm, "use": "sig"})
            (folder / f"{algorithm}.pem").write_bytes(key.as_pem(private=False))
            self.sign(algorithm, key, name, many)
        (folder / "jwks.json").write_text(json.dumps({"keys": published}))
        for file in folder.iterdir():
            file.chmod(0o644)

    def sign(self, algorithm, key, name, many):
        now = int(time.time())

        def token(ordinal=0, **changed):
            claims = tokens.claims(ordinal, now, tenant="acme", **MORE[algorithm], **changed)
            return jwt.encode({"alg": algorithm, "typ": "JWT", "kid": name}, claims, key, algorithms=[algorithm])

        good = [token(ordinal) for ordinal in range(many)]
        self.good[algorithm] = good
        self.bad[algorithm] = [
            *tokens.tampered(good[0], good[1]), token(exp=now - 3600), token(iss="https://other.example"), token(aud="client-2"),
        ]

    def sizes(self):
        return {algorithm: len(self.good[algorithm][0]) for algorithm in ALGORITHMS}

    def requests(self, protocol, algorithm, kind, question=()):
        """A file of requests for openloop with `many` tokens, the same `one`, or those that are `bad`."""
        key = (protocol, algorithm, kind, question)
        if key not in self.files:
            written = {"http1": lambda token: http1(token, *question), "grpc": lambda token: check(token)}[protocol]
            self.files[key] = path = self.folder / f"requests-{len(self.files)}"
            with open(path, "wb") as file:
                for token in self.chosen(algorithm, kind):
                    request = written(token)
                    file.write(struct.pack("<I", len(request)) + request)
        return self.files[key]

    def lines(self, algorithm, kind):
        """A file with a token a line, for wrk."""
        path = self.folder / f"tokens-{algorithm}-{kind}"
        path.write_text("".join(f"{token}\n" for token in self.chosen(algorithm, kind)))
        return path

    def chosen(self, algorithm, kind):
        good = self.good[algorithm]
        return {"many": good, "one": good[:1], "bad": self.bad[algorithm]}[kind]


def http1(token, target=TARGET, *fields):
    """A client's request, or with further fields a gateway's question."""
    lines = [f"{name}: {value}" for name, value in (*CLIENT, ("Authorization", f"Bearer {token}"), *fields)]
    return "\r\n".join([f"GET {target} HTTP/1.1", *lines, "", ""]).encode()


def check(token):
    """What Envoy asks about the same request: a CheckRequest behind gRPC's prefix."""
    field, path = grpc_checks.field, TARGET
    client = [(":method", "GET"), (":path", path), (":authority", "app.example"), (":scheme", "http"),
              *((name.lower(), value) for name, value in CLIENT[1:]), ("authorization", f"Bearer {token}"),
              ("x-forwarded-proto", "http"), ("x-request-id", "f7c1b5c8-62a5-4b3b-9f36-0a3a1f0b1a55")]
    headers = b"".join(field(3, field(1, name) + field(2, value)) for name, value in client)
    return grpc_checks.framed(grpc_checks.message(
        field(1, "14214525249128351337"), field(2, "GET"), headers, field(4, path), field(5, "app.example"), field(6, "http"),
        field(10, "HTTP/1.1")))
