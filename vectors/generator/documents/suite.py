"""Documents and their file."""

from ..encoding import base64url, dump
from ..suite import CODES, GeneratorError, SEVERITIES, lines, written

RSA = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"]
ALGORITHMS = {"RSA": RSA, "P-256": ["ES256"], "P-384": ["ES384"], "P-521": ["ES512"], "secp256k1": ["ES256K"],
              "Ed25519": ["EdDSA", "Ed25519"], "Ed448": ["EdDSA", "Ed448"], "oct": ["HS256", "HS384", "HS512"]}


def usable(jwk, algorithms=None):
    """The expectation of a key that may verify."""
    kind = jwk["kty"] if jwk["kty"] in ("RSA", "oct") else jwk["crv"]
    if algorithms is None:
        algorithms = ALGORITHMS[kind]
        if "alg" in jwk:
            algorithms = [jwk["alg"]] if jwk["kty"] != "OKP" else algorithms
    return {"kid": jwk.get("kid"), "usable": True, "algorithms": algorithms}


def refused(kid, reason):
    """The expectation of a key that must not verify; the reason is `invalid` where a verifier may choose it."""
    return {"kid": kid, "usable": False, "reason": reason}


class DocumentSuite:
    """One file of documents, read by the rules for a set of one's own or for one that an issuer publishes."""

    def __init__(self, name, description, published=False, reference="", severity="must"):
        self.name, self.description, self.published = name, description, published
        self.reference, self.severity, self.cases = reference, severity, []

    @property
    def path(self):
        return f"jwks/{self.name}.json"

    def add(self, identifier, document, expect, keys, why, reference=None, severity=None):
        """A document as a JSON value or as octets; octets that are not UTF-8 are written in base64url."""
        octets = document if type(document) is bytes else dump(document)
        try:
            content = {"document": octets.decode("utf-8")}
        except UnicodeDecodeError:
            content = {"octets": base64url(octets)}
        case = {"id": identifier, "expect": expect, "severity": severity or self.severity, "why": why,
                "reference": reference or self.reference}
        self.cases.append({**case, **({"keys": keys} if expect == "valid" else {}), **content})

    def refuse(self, identifier, document, code, why, reference=None, severity=None):
        self.add(identifier, document, code, None, why, reference, severity)

    def check(self):
        for case in self.cases:
            reasons = [key.get("reason", "invalid") for key in case.get("keys", [])]
            unknown = {case["expect"], *reasons} - {"valid", "invalid", *CODES}
            if unknown or case["severity"] not in SEVERITIES or not case["why"].endswith(".") or not case["reference"]:
                raise GeneratorError(f"{case['id']}: {unknown or 'needs a severity, a sentence and a reference'}")

    def text(self):
        head = {"kind": "jwks", "name": self.name, "description": self.description, "published": self.published}
        return f'{written(head)[:-1]},\n"documents": {lines(self.cases)}}}\n'
