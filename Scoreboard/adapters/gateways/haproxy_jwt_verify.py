"""HAProxy's jwt_verify with a file for each key, and rules for the algorithm, the kid and the claims.

There is no JWK Set: this code writes each usable key of the policy's algorithms as PEM, and a rule for each key and algorithm.
"""

import re
import shutil

from gateway import Unsupported, serve_by

from frame import BEYOND_JWT, ECDSA, fits, pem, usable

WORD = re.compile(r"[\x20-\x7e]+")
# mjson reads one value. An array of audiences is looked at from its first element to its last that is compared.
PLACES = ["$.aud", "$.aud[0]", "$.aud[1]", "$.aud[2]"]


def word(text):
    if not WORD.fullmatch(text):
        raise Unsupported("not a text of a rule")
    return '"' + re.sub(r'(["\\$])', r"\\\1", text) + '"'


def key_rules(case, folder):
    word(case.header.get("kid", "-"))
    for algorithm in case.algorithms:
        fitting = [key for key in case.keys["keys"] if isinstance(key, dict) and fits(key, {"alg": algorithm})]
        for place, (kid, text) in enumerate(usable(fitting, lambda key: (word(key["kid"]) if "kid" in key else None, pem(key)))):
            path = folder / f"{algorithm}-{place}.pem"
            path.write_bytes(text)
            named = f"{{ var(txn.kid) -m str {kid} }} or !{{ var(txn.kid) -m found }}" if kid else "!{ var(txn.kid) -m found }"
            for condition in named.split(" or "):
                yield (f"http-request set-var(txn.signed) bool(true) if {condition} {{ var(txn.alg) -m str {algorithm} }} "
                       f'{{ var(txn.token),jwt_verify("{algorithm}","{path}") -m int 1 }}')


def claim_rules(case):
    deny = "http-request deny deny_status 401"
    if case.issuers:
        issuers = " ".join(word(issuer) for issuer in case.issuers)
        yield f"{deny} unless {{ var(txn.token),jwt_payload_query('$.iss') -m str {issuers} }}"
    if case.audiences:
        audiences = " ".join(word(audience) for audience in case.audiences)
        for place in PLACES:
            yield (f"http-request set-var(txn.meant) bool(true) if {{ var(txn.token),jwt_payload_query('{place}') -m str {audiences} }}")
        yield f"{deny} unless {{ var(txn.meant) -m bool }}"
    yield "http-request set-var(txn.now) date()"
    yield "http-request set-var(txn.exp) var(txn.token),jwt_payload_query('$.exp','int')"
    yield "http-request set-var(txn.nbf) var(txn.token),jwt_payload_query('$.nbf','int')"
    if case.policy.get("require_expiration", True):
        yield f"{deny} unless {{ var(txn.exp) -m found }}"
    yield f"{deny} if {{ var(txn.exp) -m found }} {{ var(txn.exp),sub(txn.now) -m int le -{case.leeway} }}"
    yield f"{deny} if {{ var(txn.nbf) -m found }} {{ var(txn.nbf),sub(txn.now) -m int gt {case.leeway} }}"


def command(case, folder, port):
    rules = [
        "http-request deny deny_status 401 unless { http_auth_bearer -m found }",
        "http-request set-var(txn.token) http_auth_bearer",
        "http-request set-var(txn.alg) var(txn.token),jwt_header_query('$.alg')",
        "http-request set-var(txn.kid) var(txn.token),jwt_header_query('$.kid')",
        *key_rules(case, folder), "http-request deny deny_status 401 unless { var(txn.signed) -m bool }",
        *claim_rules(case), "http-request return status 200"]
    (folder / "haproxy.cfg").write_text("\n    ".join([
        "global", "nbthread 1", "tune.bufsize 131072", "tune.maxrewrite 1024"]) + "\n" + "\n    ".join([
            "defaults", "mode http", "timeout client 30s", "timeout server 30s", "timeout connect 5s"]) + "\n" + "\n    ".join([
                "frontend web", f"bind 127.0.0.1:{port}", *rules]) + "\n")
    return [shutil.which("haproxy") or "/usr/sbin/haproxy", "-db", "-f", folder / "haproxy.cfg"]


LACKS = [*BEYOND_JWT, "keys", "iat", "required", "payload", "b64", "json"]
serve_by(command, ["RS256", "RS384", "RS512", *ECDSA], LACKS, ["P-256", "P-384", "P-521"])
