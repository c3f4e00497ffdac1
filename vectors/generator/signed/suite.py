"""Signed documents and their file."""

import json

from ..encoding import Members, base64url, dump, unbase64url
from ..keys import ec_key, ed_key, rsa_key
from ..suite import ABSENT, CODES, COMMON, GeneratorError, Suite, octets
from ..verify import verify

FIRST, SECOND, THIRD = ec_key("p256-1"), ed_key("ed25519-1"), rsa_key("rsa-1")
KEYS = [FIRST.jwk(), SECOND.jwk(), THIRD.jwk()]
STRANGER = ec_key("foreign-p-256")
PAYLOAD = b'{"version":"1.2.3"}'
ALL, ONE = {"requirement": "all"}, {"requirement": "one"}
FORM, FLAT, GENERAL, UNENCODED = "RFC 7515 section 7.2", "RFC 7515 section 7.2.2", "RFC 7515 section 7.2.1", "RFC 7797 section"
DOCUMENT_CODES = """
malformed_document no_signatures too_many_signatures header_overlap unprotected_parameter mixed_encodings payload_mismatch signer_mismatch
""".split()


def members(**values):
    return {name: value for name, value in values.items() if value is not ABSENT}


def protected_of(key, algorithm=None, **header):
    return members(**{"alg": algorithm or key.default_algorithm, "kid": key.name, **header})


def entry(key=FIRST, payload=PAYLOAD, protected=None, header=None, algorithm=None, encoded=True):
    """One signature with its headers, made of the payload as it is signed: in base64url, or not."""
    protected = protected_of(key, algorithm) if protected is None else protected
    text = base64url(octets(protected)) if protected else ""
    data = text.encode() + b"." + (base64url(payload).encode() if encoded else payload)
    signature = base64url(key.sign(algorithm or key.default_algorithm, data))
    return {**({"protected": text} if protected else {}), **({"header": header} if header is not None else {}), "signature": signature}


def flattened(signature=None, payload=PAYLOAD):
    """A document with one signature."""
    return {"payload": base64url(payload), **(entry() if signature is None else signature)}


def altered(**changes):
    """A good document with one signature, in which some members are set, or left out with ABSENT."""
    return members(**{**flattened(), **changes})


def general(*signatures, payload=PAYLOAD, **changes):
    return members(**{"payload": base64url(payload), "signatures": list(signatures), **changes})


def doubled(document, *more):
    """The document with further members, also of the same name."""
    return Members([*document.items(), *more])


class DocumentSuite(Suite):
    """A file of documents. A valid case has what is signed, and the places of the signatures that hold."""

    kind, member, folder, codes = "documents", "document", "documents/", [*CODES, *DOCUMENT_CODES]

    def ask(self, identifier, document, expect, why, reference=None, severity=None, payload=PAYLOAD, detached=None):
        """A case whose verdict is a code, perhaps after the place of the signature that is refused, or the places of those that hold."""
        place, _, code = expect.rpartition(": ") if isinstance(expect, str) else ("", "", "valid")
        text = document if isinstance(document, str) else dump(document).decode()
        self.add(f"document-{identifier}", text, code, why, reference, severity)
        if detached is not None:
            self.cases[-1]["detached"] = base64url(detached)
        if code == "valid":
            self.cases[-1] |= {"payload": base64url(payload if detached is None else detached), "signatures": list(expect)}
        elif place:
            self.cases[-1]["refused"] = int(place)

    def _with_needs(self, case):
        if case["expect"] != "valid":
            return case
        document = json.loads(case[self.member])
        parts = [joined(each) for each in signatures_of(document)]
        headers = [header for header, _, _ in parts]
        needs = [headers[place]["alg"] for place in case["signatures"]]
        needs += ["general"] * ("signatures" in document) + ["detached"] * ("detached" in case)
        needs += ["b64"] * any("b64" in header for header in headers)
        needs += ["unprotected"] * any("alg" not in json.loads(unbase64url(protected) or b"{}") for _, protected, _ in parts)
        return {**{name: case[name] for name in COMMON}, "needs": list(dict.fromkeys(needs)), **case}

    def check(self):
        cases, self.cases = self.cases, []
        super().check()
        self.cases = cases
        for case in cases:
            self.check_case(case)

    def check_case(self, case):
        """Raises unless the signatures that hold are those that the case names, and the payload is what it says."""
        identifier, expect = case["id"], case["expect"]
        if expect not in ("valid", "invalid", *self.codes) or not case["why"].endswith(".") or not case["reference"]:
            raise GeneratorError(f"{identifier}: {expect}, its sentence or its reference is wrong")
        if expect not in ("valid", "signature_invalid", "signer_mismatch"):
            return
        document = json.loads(case[self.member])
        holding, payload = self.holding(document, case.get("detached"))
        if expect == "valid" and (holding != case["signatures"] or base64url(payload) != case["payload"]):
            raise GeneratorError(f"{identifier}: {holding} hold, with {payload!r}")
        if expect == "signature_invalid" and case["refused"] in holding or expect == "signer_mismatch" and not holding:
            raise GeneratorError(f"{identifier}: {holding} hold")

    def holding(self, document, detached):
        """The places of the signatures that hold, and the payload."""
        headers = [joined(each) for each in signatures_of(document)]
        encoded = all(header.get("b64", True) for header, _, _ in headers)
        written = document.get("payload") if detached is None else detached
        payload = unbase64url(written) if encoded or detached is not None else written.encode()
        signed = written.encode() if encoded else payload
        holding = [place for place, (header, protected, signature) in enumerate(headers) if any(
            verify(key, header.get("alg"), protected.encode() + b"." + signed, unbase64url(signature))
            for key in self._keys() if header.get("kid", key.get("kid")) == key.get("kid"))]
        return [place for place in holding if self.is_allowed(headers[place][0])], payload

    def is_allowed(self, header):
        return header["alg"] in self.policy.get("algorithms", [header["alg"]]) and (
            "algorithms" in self.policy or not header["alg"].startswith("HS"))


def signatures_of(document):
    return document.get("signatures", [document])


def joined(signature):
    """Both headers of a signature together, and the texts of the protected one and of the signature."""
    protected = signature.get("protected", "")
    header = json.loads(unbase64url(protected)) if protected else {}
    return {**signature.get("header", {}), **header}, protected, signature["signature"]
