"""Random requests, good and hostile, for hosts that must agree about each."""
import base64
import json
import random
import time

METHODS = ["GET"] * 8 + ["HEAD", "POST", "DELETE", "OPTIONS", "PUT"]
PATHS = ["/orders", "/reports", "/reports/7", "/admin", "/admin/x", "/public", "/public/a", "/places", "/places/a", "/"]
ODD_PATHS = [
    "/public/../admin", "/public/%2e%2e/admin", "//public", "/public;x/..", "/public%2f..%2fadmin", "/a//b", "/.", "/..", "/%ff", "/a%00b",
    "/Public", "/public%20", "/publicx", "/%70ublic", "/public\\..\\admin", "/admin%2fx", "/a%zz", "/%252e%252e/admin", "/places/", "/p;a=b",
]
PARAMETERS = [
    "access_token", "access_token", "access_token", "access.token", "Access_Token", "access_token[]", "access%5ftoken", "access_token%00",
    "a;access_token", "access_token%zz", "b", "+access_token",
]
COOKIES = ["session", "session", "Session", "session[]", "se.ssion", "a=1,session", "other", '"session"']
SCHEMES = ["Bearer "] * 6 + ["bearer ", "BEARER  ", "Basic ", "Bearer", "DPoP ", "", "Bearer x, Bearer ", "Basic a, Bearer "]
FIELDS = ["X-Auth-Subject", "X-Auth-Tenant", "X-Other", "Accept", "Origin", "Access-Control-Request-Method"]
# A gateway may drop such a field, or read it as another one, before it asks.
ODD_FIELDS = ["X-HTTP-Method-Override", "x_auth_subject", "X.Auth.Name", "x_token", "Connection", "Proxy-Connection", "Authorization", "Cookie"]
VALUES = ["evil", "", "close", "x-auth-subject", "keep-alive, x-auth-name", "PUT", "GET", "a, b", '"a"']
CLAIMS = {
    "scope": ["admin", "read", "admin read", "", "ADMIN", "admin  x", 7, ["admin"]], "scp": [["admin"], "admin", [1]],
    "name": ["Jane", "J\u00e4ne", "a,b", " x ", "%41", "a\r\nX-Auth-Tenant: b", "", 5, None, ["a", "b"], {"a": 1}, "x" * 5_000],
    "tenant": ["one", True, 2.5, [], ["t"], "\u4e2d"], "sub": ["", "other", 1], "aud": ["client-1", ["client-1", "b"], "other", [], 5],
    "iss": ["https://other.example"], "email": ["a@example.com"],
}


class Requests:
    """A stream of requests that a seed determines, but for the tokens' signatures and times."""

    def __init__(self, provider, seed, count=120):
        self.random = random.Random(seed)
        self.tokens = [provider.token(**self.claims()) for _ in range(count)]

    def claims(self):
        claims = {name: self.random.choice(values) for name, values in CLAIMS.items() if self.random.random() < 0.12}
        now = int(time.time())
        if self.random.random() < 0.1:
            claims |= self.random.choice([{"exp": now - 300}, {"exp": "x"}, {"nbf": now + 900}, {"nbf": now - 9}, {"iat": now + 900}, {"exp": None}])
        return claims

    def token(self):
        token = self.random.choice(self.tokens)
        return token if self.random.random() < 0.75 else self.broken(token)

    def broken(self, token):
        head, payload, signature = token.split(".")
        none = base64.urlsafe_b64encode(json.dumps({"alg": "none"}).encode()).decode().rstrip("=")
        return self.random.choice([
            head, f"{head}.{payload}", token + ".", token + "=", token[:-2], token[:60] + "A" + token[61:], f"{head}.{payload[:20]}.{signature}",
            "", "a.b.c", token.upper(), f"{none}.{payload}.", token + "," + token, f'"{token}"', "x" * 3_000 + ".a.b",
        ])

    def target(self, is_odd):
        path = self.random.choice(ODD_PATHS if is_odd and self.random.random() < 0.5 else PATHS)
        parts = [
            self.random.choice(PARAMETERS) + self.random.choice(["=", "=", "=", "", "%3d"])
            + self.random.choice([self.token(), self.token().replace(".", "%2E"), "", "x", "1;access_token=2"])
            for _ in range(self.random.choice([0, 0, 0, 0, 1, 1, 2]))
        ]
        return path + ("?" + "&".join(parts) if parts else "")

    def cookie(self):
        pairs = [
            self.random.choice(COOKIES) + "=" + self.random.choice([self.token(), f'"{self.token()}"', "", "1"])
            for _ in range(self.random.choice([1, 1, 2]))
        ]
        return "; ".join(pairs)

    def fields(self, is_odd):
        fields = [("Host", self.random.choice(["app.example", "APP.example", "app.example:80"]))]
        if self.random.random() < 0.75:
            fields.append((self.random.choice(["Authorization", "authorization"]), self.random.choice(SCHEMES) + self.token()))
        if self.random.random() < 0.25:
            fields.append(("Cookie", self.cookie()))
        if self.random.random() < 0.15:
            fields.append(("X-Token", self.random.choice([self.token(), "", self.token() + "," + self.token()])))
        for _ in range(self.random.choice([0, 0, 0, 1, 2])):
            fields.append((self.random.choice(FIELDS), self.random.choice(VALUES)))
        for _ in range(self.random.choice([1, 1, 2]) if is_odd else 0):
            name = self.random.choice(ODD_FIELDS)
            fields.append((name, self.random.choice([*VALUES, "Bearer " + self.token(), self.cookie()])))
        return fields

    def __iter__(self):
        return self

    def __next__(self):
        """Whether gateways hand the request on as it is, and a method, a target and fields."""
        is_odd = self.random.random() < 0.3
        return not is_odd, (self.random.choice(METHODS), self.target(is_odd), self.fields(is_odd))
