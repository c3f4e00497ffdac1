"""DPoP proofs, the access tokens that they come with, and their files."""

import hashlib
import hmac
import json

from ..encoding import base64url, dump, unbase64url
from ..keys import ec_key, seeded
from ..suite import ABSENT, CODES, NOW, PRIVATE_MEMBERS, GeneratorError, Suite, sign_parts
from ..verify import verify

URL, DPOP = "https://api.example/things/7", "RFC 9449 section"
PROOF_CODES = """
missing_proof several_proofs proof_too_large malformed_proof proof_type_mismatch proof_algorithm_not_allowed invalid_proof_key
missing_proof_claim invalid_proof_claim proof_method_mismatch proof_url_mismatch proof_too_old proof_issued_in_future proof_token_mismatch
proof_key_mismatch missing_proof_nonce proof_nonce_mismatch proof_signature_invalid replayed_proof unbound_token bound_token_without_proof
invalid_confirmation
""".split()
ISSUER, KEY = ec_key("p256-1"), ec_key("dpop-p256")
POLICY = {"preset": "access_token", "issuer": "https://idp.example", "audience": "https://api.example",
          "proof_algorithms": ["ES256", "ES384", "ES512", "EdDSA", "Ed25519", "PS256", "RS256"]}
THUMBPRINT_MEMBERS = {"EC": ("crv", "kty", "x", "y"), "OKP": ("crv", "kty", "x"), "RSA": ("e", "kty", "n"), "oct": ("k", "kty")}


def public(key):
    """The JWK of a proof: no name."""
    return {name: value for name, value in key.jwk().items() if name != "kid"}


def thumbprint(jwk):
    """RFC 7638 section 3."""
    return base64url(hashlib.sha256(dump({name: jwk[name] for name in THUMBPRINT_MEMBERS[jwk["kty"]]})).digest())


def access_token(jwk=None, signer=ISSUER, **changes):
    """An access token (RFC 9068) that is bound to a key."""
    claims = {"iss": POLICY["issuer"], "sub": "user-1", "aud": POLICY["audience"], "client_id": "client-1", "iat": NOW - 60,
              "exp": NOW + 3600, "jti": "token-1", "cnf": {"jkt": thumbprint(jwk or public(KEY))}, **changes}
    members = {name: value for name, value in claims.items() if value is not ABSENT}
    return sign_parts(signer, {"alg": signer.default_algorithm, "typ": "at+jwt", "kid": signer.name}, members)


TOKEN = access_token()


def token_hash(token):
    """The value of ath."""
    return base64url(hashlib.sha256(token.encode()).digest())


def proof_claims(token=TOKEN, **changes):
    """The claims of a good proof with some of them set, or left out with ABSENT."""
    claims = {"jti": "proof-1", "htm": "GET", "htu": URL, "iat": NOW - 5, "ath": ABSENT if token is None else token_hash(token), **changes}
    return {name: value for name, value in claims.items() if value is not ABSENT}


def proof(claims=None, key=KEY, algorithm=None, **header):
    """A signed proof with an ordinary header, changed by the keyword arguments."""
    base = {"typ": "dpop+jwt", "alg": algorithm or key.default_algorithm, "jwk": public(key), **header}
    members = {name: value for name, value in base.items() if value is not ABSENT}
    return sign_parts(key, members, proof_claims() if claims is None else claims, algorithm)


def nonce(secret, label, seconds, period):
    """A nonce of Assay: an HMAC of the time's step."""
    message = b"assay dpop nonce\0" + label.encode() + b"\0" + (seconds // period).to_bytes(8, "big")
    return base64url(hmac.digest(secret, message, "sha256")[:24])


def secret(name):
    return seeded(name, 32)


class ProofSuite(Suite):
    """A file of requests. Each has an access token, or none at a token endpoint, and the values of its fields DPoP."""

    kind, member, folder, codes = "dpop", "proofs", "dpop/", [*CODES, *PROOF_CODES]
    after_signature, bad_signature = ["replayed_proof"], "proof_signature_invalid"

    def __init__(self, name, description, reference, severity="must", **policy):
        super().__init__(name, description, [ISSUER.jwk()], {**POLICY, **policy}, reference=reference, severity=severity)

    def ask(self, identifier, proofs, expect, why, reference=None, severity=None, *, token=TOKEN, method="GET", url=URL,
            scheme="DPoP", earlier=()):
        """A case. `proofs` is a proof or a list of them, and `earlier` are the proofs that were taken before, for the same request."""
        proofs = [proofs] if isinstance(proofs, str) else proofs
        self.add(f"proof-{identifier}", proofs, expect, why, reference, severity)
        self.cases[-1] |= {"method": method, "url": url}
        if token is not None:
            self.cases[-1]["authorization"] = f"{scheme} {token}"
        if earlier:
            self.cases[-1]["earlier"] = list(earlier)

    def _with_needs(self, case):
        if case["expect"] != "valid":
            return case
        header = json.loads(unbase64url(case["proofs"][0].split(".")[0])) if case["proofs"] else None
        return {**{name: case[name] for name in ("id", "expect", "severity", "why", "reference")},
                "needs": [header["alg"]] if header else [], **case}

    def _is_signed(self, proofs):
        """Whether each proof verifies with the key in it. A request without a proof has nothing to verify."""
        return all(map(is_signed, proofs))

    def check(self):
        super().check()
        for case in self.cases:
            if not all(map(is_signed, case.get("earlier", ()))):
                raise GeneratorError(f"{case['id']}: an earlier proof is not good")


def is_signed(proof):
    data, _, signature = proof.rpartition(".")
    header = json.loads(unbase64url(data.partition(".")[0]))
    if PRIVATE_MEMBERS & header["jwk"].keys():
        return False
    return verify(header["jwk"], header["alg"], data.encode(), unbase64url(signature))
