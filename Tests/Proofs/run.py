"""DPoP proofs of three libraries of PyPI: `assay verify --dpop-proof` and `assay serve` accept them once, and refuse them for another method,
URL, token, time or key. Proofs of `assay prove` pass at three libraries: run.py PROGRAMS FOLDER"""
import base64
import hashlib
import http.client
import json
import pathlib
import secrets
import socket
import subprocess
import sys
import time

from idpyoidc.message import Message
from idpyoidc.server.oauth2.add_on.dpop import token_post_parse_request
from joserfc import jws
from joserfc.jwk import import_key
from jwcrypto import jwk, jwt
from pydpop import MemoryJtiStore, verify_proof

from clients import ALGORITHMS, CLIENTS

programs, work = map(pathlib.Path, sys.argv[1:])
URL = "https://api.example/orders"
issuer_key = jwk.JWK.generate(kty="EC", crv="P-256", kid="issuer-1", alg="ES256", use="sig")
passed, failed = 0, 0


def expect(what, found, wanted):
    global passed, failed
    if found == wanted:
        passed += 1
    else:
        failed += 1
        print(f"FAIL {what}: {found}, not {wanted}")


def bound_token(thumbprint):
    claims = {"iss": "https://idp.example", "aud": "orders", "exp": int(time.time()) + 600}
    if thumbprint:
        claims["cnf"] = {"jkt": thumbprint}
    token = jwt.JWT({"alg": "ES256", "kid": "issuer-1"}, claims)
    token.make_signed_token(issuer_key)
    return token.serialize()


def claims(token, **changes):
    digest = hashlib.sha256(token.encode()).digest()
    found = {
        "jti": secrets.token_urlsafe(12), "htm": "GET", "htu": URL, "iat": int(time.time()),
        "ath": base64.urlsafe_b64encode(digest).decode().rstrip("=")}
    found.update(changes)
    return {name: value for name, value in found.items() if value is not None}


def command(token, proof, method="GET", url=URL):
    """The code of a refusal, or "accepted"."""
    run = subprocess.run(
        [programs / "assay", "verify", "--keys", work / "jwks.json", "--issuer", "https://idp.example", "--audience", "orders", "--json",
         "--dpop-proof", proof, "--method", method, "--url", url], input=token, capture_output=True, text=True, timeout=60)
    if run.returncode not in (0, 1):
        return f"exit {run.returncode}: {run.stderr.strip()}"
    return "accepted" if run.returncode == 0 else json.loads(run.stdout)["code"]


def verified_by_the_command():
    (work / "jwks.json").write_text(json.dumps({"keys": [issuer_key.export_public(as_dict=True)]}))
    for name, make in CLIENTS.items():
        for algorithm in ALGORITHMS:
            client, what = make(algorithm), f"{name} {algorithm}"
            token = bound_token(client.thumbprint)
            expect(what, command(token, client.sign(claims(token))), "accepted")
        other = make("ES256")
        for change, code in [
                ({"htm": "POST"}, "proof_method_mismatch"), ({"htu": URL + "/1"}, "proof_url_mismatch"),
                ({"ath": "x"}, "proof_token_mismatch"), ({"iat": int(time.time()) - 100}, "proof_too_old"),
                ({"iat": int(time.time()) + 100}, "proof_issued_in_future"), ({"jti": None}, "missing_proof_claim")]:
            expect(f"{name} {change}", command(token, client.sign(claims(token, **change))), code)
        expect(f"{name} URL", command(token, client.sign(claims(token, htu="HTTPS://API.example:443/./orders?a#b"))), "accepted")
        expect(f"{name} key", command(token, other.sign(claims(token))), "proof_key_mismatch")
        unbound = bound_token(None)
        expect(f"{name} unbound", command(unbound, client.sign(claims(unbound))), "unbound_token")
    file = work / "proof.txt"
    file.write_text(client.sign(claims(token)) + "\n")
    expect("a file", command(token, file), "accepted")


SETTINGS = """
listeners:
  - {{name: main, profile: caddy, unix: {socket}}}
administration: {{unix: {administration}}}
providers:
  - name: main
    issuer: https://idp.example
    audiences: [orders]
    keys: {{file: {keys}}}
    dpop: {{tokens: bound{more}}}
policies:
  - {{name: api, requires: main}}
routes:
  - {{policy: api}}
"""


class Service:
    """`assay serve`, asked as Caddy asks it."""

    def __init__(self, name, more=""):
        self.socket = work / f"{name}.sock"
        settings = work / f"{name}.yaml"
        settings.write_text(SETTINGS.format(
            socket=self.socket, administration=work / f"{name}-administration.sock", keys=work / "jwks.json", more=more))
        self.log = open(work / f"{name}.log", "w")
        self.process = subprocess.Popen([programs / "assay", "serve", "--config", settings], stdout=self.log, stderr=self.log)

    def __enter__(self):
        end = time.monotonic() + 30
        while time.monotonic() < end and self.process.poll() is None:
            try:
                if self.ask([])[0]:
                    return self
            except OSError:
                time.sleep(0.05)
        sys.exit(f"assay serve did not start: {(work / self.log.name).read_text()[-2000:]}")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(30)
        self.log.close()

    def ask(self, fields, method="GET", target="/orders"):
        """The status, the code and the fields of the answer."""
        connection = http.client.HTTPConnection("localhost", timeout=30)
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.settimeout(30)
        connection.sock.connect(str(self.socket))
        connection.putrequest("GET", "/", skip_host=True, skip_accept_encoding=True)
        described = [("Host", "api.example"), ("X-Forwarded-Method", method), ("X-Forwarded-Uri", target),
                     ("X-Forwarded-Host", "api.example"), ("X-Forwarded-Proto", "https"), ("X-Assay-Fields", "*")]
        for field, value in described + fields:
            connection.putheader(field, value)
        connection.endheaders()
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer.status, answer.headers.get("x-assay-code"), answer.headers

    def verdict(self, *arguments, **named):
        status, code, _ = self.ask(*arguments, **named)
        return f"{status} {code}" if code else str(status)


def fields(token, *proofs, scheme="DPoP"):
    return [("Authorization", f"{scheme} {token}")] + [("DPoP", proof) for proof in proofs]


def verified_by_the_service():
    with Service("plain") as service:
        for name, make in CLIENTS.items():
            client = make("ES256")
            token = bound_token(client.thumbprint)
            for _ in range(20):
                proof = client.sign(claims(token))
                expect(name, service.verdict(fields(token, proof)), "200")
                expect(f"{name} again", service.verdict(fields(token, proof)), "401 replayed_proof")
            proof = client.sign(claims(token))
            expect(f"{name} several", service.verdict(fields(token, proof, client.sign(claims(token)))), "401 several_proofs")
            expect(f"{name} method", service.verdict(fields(token, proof), method="POST"), "401 proof_method_mismatch")
            expect(f"{name} target", service.verdict(fields(token, proof), target="/other"), "401 proof_url_mismatch")
            expect(f"{name} bearer", service.verdict(fields(token, proof, scheme="Bearer")), "401 bound_token_without_proof")
            expect(f"{name} none", service.verdict(fields(token)), "401 missing_proof")
            expect(f"{name} query", service.verdict(fields(token, proof), target="/orders?page=2"), "200")
        _, _, answer = service.ask(fields(token))
        expect("challenge", answer["www-authenticate"].startswith('DPoP error="invalid_dpop_proof"'), True)
    with Service("nonces", ", nonces: {periodSeconds: 60}") as service:
        status, code, answer = service.ask(fields(token, client.sign(claims(token))))
        expect("nonce asked for", (status, code), (401, "missing_proof_nonce"))
        expect("use_dpop_nonce", "use_dpop_nonce" in answer["www-authenticate"], True)
        nonce = answer["dpop-nonce"]
        expect("nonce taken", service.verdict(fields(token, client.sign(claims(token, nonce=nonce)))), "200")
    with Service("nonces", ", nonces: {periodSeconds: 60}") as service:
        proof = client.sign(claims(token, nonce=nonce))
        expect("a nonce from before a restart", service.verdict(fields(token, proof)), "401 proof_nonce_mismatch")


def made_by_the_command(algorithm, token):
    """A key of `assay keys new` and a proof of `assay prove`, for a request with the token or, if it is None, for one that asks for a token."""
    file = work / f"client-{algorithm}.jwk"
    if not file.exists():
        subprocess.run([programs / "assay", "keys", "new", "--algorithm", algorithm, file], capture_output=True, check=True)
    prove = [programs / "assay", "prove", "--key", file, "--method", "POST", "--url", URL + "?page=2"] + ([] if token else ["--no-token"])
    return subprocess.run(prove, input=token, capture_output=True, text=True, check=True).stdout.strip()


def verified_by_joserfc(proof):
    header = json.loads(base64.urlsafe_b64decode(proof.split(".")[0] + "=="))
    registry = jws.JWSRegistry(algorithms=[header["alg"]])
    registry.max_header_length = 1024  # an RSA key is longer than its own limit
    content = jws.deserialize_compact(proof, import_key(header["jwk"]), registry=registry)
    return import_key(header["jwk"]).thumbprint(), json.loads(content.payload)


def taken_by_others():
    for algorithm in ALGORITHMS:
        proof = made_by_the_command(algorithm, None)
        thumbprint, said = verified_by_joserfc(proof)
        expect(f"joserfc takes {algorithm}", {name: said[name] for name in ("htm", "htu")}, {"htm": "POST", "htu": URL})
        # At a protected resource idpyoidc compares `ath` with a digest in hexadecimal digits.
        request = {"headers": {"dpop": proof}, "url": URL, "method": "POST"}
        taken = token_post_parse_request(Message(), "client-1", None, http_info=request)
        expect(f"idpyoidc takes {algorithm}", taken.get("dpop_jkt"), thumbprint)
    thumbprint, _ = verified_by_joserfc(made_by_the_command("ES256", bound_token(None)))
    token = bound_token(thumbprint)
    taken = verify_proof(proof=made_by_the_command("ES256", token), htm="POST", htu=URL, access_token=token, jti_store=MemoryJtiStore())
    expect("pydpop takes ES256", taken["jwk_thumbprint"], thumbprint)


verified_by_the_command()
verified_by_the_service()
taken_by_others()
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed or passed < 100 else 0)
