"""What the adapters in Python share: the protocol, and the choice of a key for libraries that take one key and no JWK Set.

An adapter calls `serve(accepts, …)`. accepts(case) returns whether the library takes the token; an exception means that it does not. With
`opens`, the library also decrypts: opens(sealed) returns the content, and the library then judges the token in it.
"""

import base64
import json
import sys

ASYMMETRIC = [
    "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "ES256K", "EdDSA", "Ed25519", "Ed448", "ML-DSA-44",
    "ML-DSA-65", "ML-DSA-87",
]
KNOWN = ["HS256", "HS384", "HS512", *ASYMMETRIC]
KNOWN_CURVES = ["P-256", "P-384", "P-521", "secp256k1", "Ed25519", "Ed448"]
# The algorithms that most libraries offer.
RSA = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"]
HMAC = ["HS256", "HS384", "HS512"]
ECDSA = ["ES256", "ES384", "ES512"]
# Rules of OpenID Connect and of later RFCs, which libraries for JWT alone leave to their callers.
BEYOND_JWT = ["nonce", "access_token", "code", "max_age", "maximum_age", "acr", "amr", "azp", "revoked_jti", "types"]
CLAIM_RULES = ["json", "claims", "exp", "nbf", "iat", "issuer", "audience", "required", "required-exp", *BEYOND_JWT]
LONGEST_CONTENT = 65536
REQUIRED = {
    "id_token": ["iss", "sub", "aud", "exp", "iat"], "access_token": ["iss", "exp", "aud", "sub", "client_id", "iat", "jti"],
}


class Unsupported(Exception):
    """The library has no call for what the case asks for."""


class Case:
    """A question of the protocol, with what most adapters ask of it."""

    def __init__(self, document, offered):
        self.id, self.token, self.keys, self.policy = (document[name] for name in ("id", "token", "keys", "policy"))
        self.now = document["now"]
        self.algorithms = [name for name in self.policy.get("algorithms", ASYMMETRIC) if name in offered]
        self.checks_claims = self.policy.get("claims", True)
        self.leeway = self.policy.get("leeway", 60)
        self.issuers, self.audiences = listed(self.policy.get("issuer")), listed(self.policy.get("audience"))

    @property
    def required(self):
        """The names of the claims that have to be there, each once."""
        names = REQUIRED.get(self.policy.get("preset"), []) + self.policy.get("required", [])
        names += [claim for rule, claim in (("issuer", "iss"), ("audience", "aud")) if rule in self.policy]
        return list(dict.fromkeys(names + ["exp"] * self.policy.get("require_expiration", True)))

    @property
    def header(self):
        """The header before its verification, by which a caller chooses a key."""
        part = self.token.partition(".")[0]
        value = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
        if not isinstance(value, dict):
            raise ValueError("the header is no object")
        return value

    def candidates(self):
        """The keys that a careful caller would try: the kid of the token, for signatures, for its algorithm, which is allowed."""
        header = self.header
        if header.get("alg") not in self.algorithms:
            return []
        return [key for key in self.keys["keys"] if fits(key, header)]


class Sealed:
    """A question about an encrypted token."""

    def __init__(self, document):
        self.token, self.keys, self.policy = (document[name] for name in ("encrypted", "decryption_keys", "policy"))
        self.algorithms, self.encryptions = self.policy["key_management"], self.policy["encryptions"]
        self.takes_compressed = "inflated_bytes" in self.policy

    @property
    def header(self):
        """The header before decryption, by which a caller chooses a key."""
        part = self.token.partition(".")[0]
        value = json.loads(octets(part))
        if not isinstance(value, dict):
            raise ValueError("the header is no object")
        return value

    def recipients(self):
        """The private keys that a careful caller would try: of the token's kid, for its algorithms, which are allowed."""
        header = self.header
        if header.get("alg") not in self.algorithms or header.get("enc") not in self.encryptions:
            return []
        return [key for key in self.keys["keys"] if decrypts(key, header)]


def decrypts(key, header):
    if "kid" in header and key.get("kid") not in (None, header["kid"]):
        return False
    if header["alg"] == "dir":
        return key["kty"] == "oct" and key["alg"] == header["enc"]
    if header["alg"].startswith("RSA"):
        return key["kty"] == "RSA" and key.get("alg", header["alg"]) == header["alg"]
    sender = header.get("epk") if isinstance(header.get("epk"), dict) else {}
    return key["kty"] in ("EC", "OKP") and key.get("alg", header["alg"]) == header["alg"] and key["crv"] == sender.get("crv", key["crv"])


def unbound(key):
    """A private JWK for a library that compares its alg with the header's: `alg` names an enc here, for `dir`."""
    return {name: value for name, value in key.items() if name != "alg"}


def first_opened(keys, open_with):
    """The content by the first of the keys that opens the token."""
    refusal = ValueError("no key fits the token")
    for key in keys:
        try:
            return open_with(key)
        except Exception as error:  # not this key
            refusal = error
    raise refusal


def listed(value):
    return [value] if isinstance(value, str) else value or []


def fits(key, header):
    kinds = {"HS": "oct", "RS": "RSA", "PS": "RSA", "ES": "EC", "Ed": "OKP", "ML": "AKP"}
    operations = key.get("key_ops", ["verify"]) if isinstance(key, dict) else None
    return (isinstance(operations, list) and "verify" in operations and ("kid" not in header or key.get("kid") == header["kid"])
            and key.get("kty") == kinds.get(header["alg"][:2]) and is_for(key.get("alg", header["alg"]), header["alg"], key.get("crv"))
            and key.get("use", "sig") == "sig")


def is_for(bound, algorithm, curve):
    """Whether a key that is bound to one algorithm is for another. EdDSA stands for the algorithm of each curve (RFC 9864)."""
    return bound == algorithm or (bound, algorithm) in (("EdDSA", curve), (curve, "EdDSA"))


def verdict(accepts, case):
    if case.keys is None:
        return "invalid", "no keys"
    if not case.algorithms:
        return "unsupported", "none of the allowed algorithms is offered"
    try:
        return ("valid" if accepts(case) else "invalid"), ""
    except Unsupported as reason:
        return "unsupported", str(reason)
    except Exception as reason:  # whatever a library raises, the token is not accepted
        return "invalid", f"{type(reason).__name__}: {reason}"[:300]


def serve(accepts, algorithms, lacks=(), curves=KNOWN_CURVES, opens=None, unopened=()):
    """Answers until the input ends. `lacks` are names of Docs/Scoreboard.md; `unopened` are those for encrypted tokens."""
    absent = [name for name in KNOWN if name not in algorithms] + [name for name in KNOWN_CURVES if name not in curves]
    lacks = sorted({*lacks, *absent})
    for line in sys.stdin:
        document = json.loads(line)
        if "kind" in document:
            answer(document, lambda: opened(document, accepts, algorithms, opens), sorted({*lacks, *unopened}))
            continue
        case = Case(document, algorithms)
        said, reason = verdict(accepts, case)
        print(json.dumps({"id": case.id, "verdict": said, "lacks": lacks, "reason": reason}), flush=True)


def opened(document, accepts, algorithms, opens):
    """The content of an encrypted token, with the token in it judged."""
    if document["kind"] != "encrypted" or opens is None:
        raise Unsupported(f"knows no {document['kind']}")
    content = opens(Sealed(document))
    content = content.decode("utf-8") if isinstance(content, bytes) else content
    if document["policy"].get("nested", True):
        policy = {name: document["policy"][name] for name in ("issuer", "audience")}
        said, reason = verdict(accepts, Case({**document, "token": content, "policy": policy}, algorithms))
        if said != "valid":
            raise ValueError(f"the token inside: {reason}")
    return content


def answer(document, judge, lacks):
    """Answers a question of a kind of its own. What `judge` returns is the content, or None."""
    found = {"id": document["id"], "verdict": "valid", "lacks": lacks, "reason": ""}
    try:
        content = judge()
        # An answer has a line, and no runner wants one that is longer than its question.
        found |= {} if content is None or len(content) > LONGEST_CONTENT else {"content": content}
    except Unsupported as reason:
        found |= {"verdict": "unsupported", "reason": str(reason)}
    except Exception as reason:  # whatever a library raises, the request or the token is not accepted
        found |= {"verdict": "invalid", "reason": f"{type(reason).__name__}: {reason}"[:300]}
    print(json.dumps(found), flush=True)


class Request:
    """A question about a request with a DPoP proof."""

    def __init__(self, document):
        self.method, self.url, self.policy, self.now = (document[name] for name in ("method", "url", "policy", "now"))
        self.scheme, _, self.token = document.get("authorization", "").partition(" ")
        self.proofs, self.earlier = document["proofs"], document["earlier"]

    @property
    def thumbprint(self):
        """The key that the access token names. None without a token."""
        if not self.token:
            return None
        return json.loads(octets(self.token.split(".")[1]))["cnf"]["jkt"]


def serve_requests(takes, lacks):
    """Answers until the input ends, for a library that verifies proofs. takes(request, proof) returns the thumbprint of the proof's key; an
    exception means that the library refuses. The caller takes the only proof from its field, and compares the thumbprints."""
    def judge(document):
        request = Request(document)
        for proof in [*request.earlier, *only(request.proofs)]:
            if takes(request, proof) != request.thumbprint and request.token:
                raise ValueError("the token is bound to another key")

    for line in sys.stdin:
        document = json.loads(line)
        if document.get("kind") != "dpop":
            raise SystemExit("a question that is none about a proof")
        answer(document, lambda document=document: judge(document), sorted(lacks))


def only(proofs):
    if len(proofs) != 1:
        raise ValueError(f"{len(proofs)} proofs")
    return proofs


def text(case):
    """The token for a function of C that takes zero-terminated text."""
    if "\0" in case.token:
        raise Unsupported("takes zero-terminated text")
    return case.token.encode("utf-8", "surrogatepass")


def pem(key):
    """A public key of a JWK Set in PEM, for libraries that read no JWK."""
    from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, rsa
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
    if key["kty"] == "RSA":
        public = rsa.RSAPublicNumbers(integer(key["e"]), integer(key["n"])).public_key()
    elif key["kty"] == "EC":
        curve = {"P-256": ec.SECP256R1, "P-384": ec.SECP384R1, "P-521": ec.SECP521R1, "secp256k1": ec.SECP256K1}[key["crv"]]()
        public = ec.EllipticCurvePublicNumbers(integer(key["x"]), integer(key["y"]), curve).public_key()
    else:
        curve = {"Ed25519": ed25519.Ed25519PublicKey, "Ed448": ed448.Ed448PublicKey}[key["crv"]]
        public = curve.from_public_bytes(octets(key["x"]))
    return public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def octets(value):
    return base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))


def integer(value):
    return int.from_bytes(octets(value), "big")


def secret(key):
    return octets(key["k"])


def importable(keys, convert):
    """The JWK Set without the keys that the library cannot read, for libraries that would refuse the whole set."""
    return {"keys": [key for key, _ in usable(keys["keys"], lambda key: (key, convert(key)))]}


def usable(keys, convert):
    """The keys that can be converted: one that is broken does not stand in the way of the others (RFC 7517 section 5)."""
    for key in keys:
        try:
            yield convert(key)
        except Exception:  # this key cannot be used
            continue
