#!/usr/bin/env python3
"""Writes fixtures.h, certificates.h, jwks.json and tokens into a folder: key sets and tokens, signed by the openssl command with keys that
are new in each run.

With an issuer's URL as the second argument: writes into its folder `issuer` a status list of that issuer, which is larger than a document with
keys may be, and tokens that name it, signed with the keys of the first run."""

import base64
import hashlib
import json
import pathlib
import random
import subprocess
import sys
import time
import zlib

NOW = 1_800_000_000
ISSUER = "https://idp.example"
LIST_URL = ISSUER + "/lists/1"
# Before the system's date, by which lists are judged.
LIST_TIME = 1_700_000_000
CLAIMS = {
    "iss": ISSUER, "sub": "user-1", "aud": ["client-1", "client-2"], "exp": NOW + 300, "iat": NOW, "nbf": NOW - 5,
    "jti": "token-1", "auth_time": NOW - 60, "nonce": "n-1", "email": "a@b.example", "empty": "", "yes": True, "no": False,
    "nothing": None, "big": 9223372036854775807, "ratio": 0.25, "realm_access": {"roles": ["admin", "user"]},
    "https://example.com/roles": ["x"], "a/b": {"m~n": 7}, "list": [], "object": {}, "scope": "orders offers",
}
# Written by hand, because json.dumps chooses escapes itself.
ESCAPED = ',"text":"line\\nnext \\u00fc \\ud83d\\ude00 \\"quoted\\" nul:\\u0000.","n\\u0061me":"value"}'


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def run(*command, text=None):
    return subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True).stdout


class Key:
    def __init__(self, folder, kid):
        self.kid = kid
        self.path = str(pathlib.Path(folder, kid + ".pem"))
        if not pathlib.Path(self.path).exists():
            run("openssl", "genrsa", "-out", self.path, "2048")
        self.pem = run("openssl", "rsa", "-in", self.path, "-pubout").decode()
        modulus = run("openssl", "rsa", "-in", self.path, "-noout", "-modulus").decode().split("=")[1].strip()
        self.jwk = {"kty": "RSA", "kid": kid, "n": encoded(bytes.fromhex(modulus)), "e": "AQAB"}

    def sign(self, payload, header=None):
        header = {"alg": "RS256", "kid": self.kid, "typ": "JWT"} if header is None else header
        header, payload = (part if isinstance(part, str) else json.dumps(part) for part in (header, payload))
        message = encoded(header.encode()) + "." + encoded(payload.encode())
        return message + "." + encoded(run("openssl", "dgst", "-sha256", "-sign", self.path, text=message.encode()))


def bound(key, **more):
    """The claims of a token that is bound to a key by its thumbprint (RFC 7638)."""
    public = json.dumps({name: key.jwk[name] for name in ("e", "kty", "n")}, separators=(",", ":"))
    return {**CLAIMS, **more, "cnf": {"jkt": encoded(hashlib.sha256(public.encode()).digest())}}


def proof(key, token, name, issued=NOW):
    """A proof for GET https://api.example/a (RFC 9449 section 4.2)."""
    public = {member: key.jwk[member] for member in ("kty", "n", "e")}
    claims = {"jti": name, "htm": "GET", "htu": "https://api.example/a", "iat": issued,
              "ath": encoded(hashlib.sha256(token.encode()).digest())}
    return key.sign(claims, {"typ": "dpop+jwt", "alg": "RS256", "jwk": public})


def named(index, url=LIST_URL):
    """The claims of a token with a place in a list."""
    return {**CLAIMS, "status": {"status_list": {"idx": index, "uri": url}}}


def status_list(key, statuses, url=LIST_URL, issued=LIST_TIME):
    """A Status List Token (draft-ietf-oauth-status-list) of statuses of two bits, the first one in the lowest bits."""
    packed = bytearray((len(statuses) + 3) // 4)
    for index, status in enumerate(statuses):
        packed[index // 4] |= status << 2 * (index % 4)
    claims = {"sub": url, "iat": issued, "status_list": {"bits": 2, "lst": encoded(zlib.compress(bytes(packed), 9))}}
    return key.sign(claims, {"alg": "RS256", "kid": key.kid, "typ": "statuslist+jwt"})


def define(name, text):
    pieces = [text[start:start + 1000] for start in range(0, len(text), 1000)] or [""]
    literals = " \\\n    ".join(json.dumps(piece) for piece in pieces)
    return f"#define {name} {literals}\n"


def define_bytes(name, data):
    """A literal of octal escapes, so that a digit behind one belongs to the next byte."""
    lines = [data[start:start + 32] for start in range(0, len(data), 32)]
    return f"#define {name} " + " \\\n    ".join('"' + "".join(f"\\{byte:03o}" for byte in line) + '"' for line in lines) + "\n"


def certificate(folder, name):
    """A certificate in DER, signed by its own key."""
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", folder / "client.key",
               "-subj", f"/CN={name}", "-outform", "DER"]
    return subprocess.run(command, capture_output=True, check=True).stdout


def keys(target):
    folder = pathlib.Path(target, "keys")
    folder.mkdir(exist_ok=True)
    return Key(folder, "key-1"), Key(folder, "key-2")


def write_listed(target, origin):
    first, _ = keys(target)
    folder, url = pathlib.Path(target, "issuer"), origin + "/list"
    statuses = [0, 1] + random.choices(range(4), k=1_000_000)
    (folder / "list").write_text(status_list(first, statuses, url))
    for index, name in enumerate(["valid", "revoked"]):
        (folder / name).write_text(first.sign(named(index, url)))


def main(target):
    certificates = {name: certificate(pathlib.Path(target), name) for name in ("CERTIFICATE", "CERTIFICATE_OTHER")}
    digest = hashlib.sha256(certificates["CERTIFICATE"])
    first, second = keys(target)
    token = first.sign(CLAIMS)
    client = Key(pathlib.Path(target, "keys"), "client")
    bound_token = first.sign(bound(client))
    # Judged by the system's date, at which no other token is valid yet.
    now = int(time.time())
    token_today = first.sign(bound(client, exp=now + 3_600, nbf=now - 60, iat=now - 60))
    texts = {
        "TOKEN_OF_CERTIFICATE": first.sign({**CLAIMS, "cnf": {"x5t#S256": encoded(digest.digest())}}),
        "CERTIFICATE_DIGEST": digest.hexdigest(),
        "ISSUER": ISSUER,
        "JWKS": json.dumps({"keys": [first.jwk]}),
        "JWKS_BOTH": json.dumps({"keys": [first.jwk, second.jwk]}),
        "JWKS_SECOND": json.dumps({"keys": [second.jwk]}),
        "PEM": first.pem,
        "METADATA": json.dumps({"issuer": ISSUER, "jwks_uri": ISSUER + "/keys"}),
        "METADATA_UNSAFE": json.dumps({"issuer": ISSUER, "jwks_uri": ISSUER + "/a\r\nHost: evil"}),
        "TOKEN": token,
        "TOKEN_SECOND": second.sign(CLAIMS),
        "TOKEN_TAMPERED": token[:-8] + ("A" if token[-8] != "A" else "B") + token[-7:],
        "TOKEN_ESCAPED": first.sign(json.dumps(CLAIMS)[:-1] + ESCAPED),
        "TOKEN_OTHER_ISSUER": second.sign({**CLAIMS, "iss": "https://other.example"}),
        "TOKEN_UNKNOWN_ISSUER": first.sign({**CLAIMS, "iss": "https://nobody.example"}),
        "TOKEN_WITHOUT_ISSUER": first.sign({name: value for name, value in CLAIMS.items() if name != "iss"}),
        "TOKEN_PAYLOAD": first.sign("any bytes at all", {"alg": "RS256", "kid": "key-1"}),
        "LIST_URL": LIST_URL,
        "LIST": status_list(first, [0, 1, 2, 3]),
        "LIST_LATER": status_list(first, [1, 1, 0, 3], issued=LIST_TIME + 1),
        "LIST_SECOND": status_list(second, [0, 1, 2, 3]),
        "TOKEN_LISTED": first.sign(named(0)),
        "TOKEN_REVOKED": first.sign(named(1)),
        "TOKEN_SUSPENDED": first.sign(named(2)),
        "TOKEN_OF_APPLICATION": first.sign(named(3)),
        "TOKEN_BEYOND": first.sign(named(4)),
        "TOKEN_ELSEWHERE": first.sign(named(0, "https://elsewhere.example/lists/1")),
        "TOKEN_BOUND": bound_token,
        "PROOF": proof(client, bound_token, "proof-1"),
        "PROOF_SECOND": proof(client, bound_token, "proof-2"),
        "TOKEN_TODAY": token_today,
        "PROOF_TODAY": proof(client, token_today, "proof-3", now - 10),
        "TOKEN_ESCAPED_KID": first.sign(CLAIMS, '{"alg":"RS256","kid":"key\\u002d1"}'),
    }
    lines = [define(name, text) for name, text in texts.items()]
    others = ", ".join(json.dumps(first.sign({**CLAIMS, "jti": f"other-{number}"})) for number in range(12))
    lines.append(f"#define TOKENS {others}\n")
    folder = pathlib.Path(target)
    (folder / "fixtures.h").write_text(f"/* Written by fixtures.py. */\n#define NOW {NOW}.0\n" + "".join(lines))
    (folder / "certificates.h").write_text("".join(define_bytes(name, data) for name, data in certificates.items()))
    (folder / "jwks.json").write_text(texts["JWKS"])
    (folder / "tokens").write_text(f"{texts['TOKEN']}\n{texts['TOKEN_TAMPERED']}\n")


write_listed(*sys.argv[1:]) if len(sys.argv) > 2 else main(sys.argv[1])
