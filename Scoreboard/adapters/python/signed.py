"""What the adapters for signed documents share: the question, and the choice of keys for libraries that take one key.

An adapter calls `serve_documents(verify, …)`. verify(document) returns the payload and the places of the signatures that hold, or None
where the library does not tell; an exception means that the library refuses the document.
"""

import base64
import json
import sys

from frame import ASYMMETRIC, KNOWN, Unsupported, fits, octets


class Document:
    """A question about a document."""

    def __init__(self, question, offered):
        self.text, self.keys, self.policy = question["document"], question["keys"], question["policy"]
        self.detached = octets(question["detached"]) if "detached" in question else None
        self.algorithms = [name for name in self.policy.get("algorithms", ASYMMETRIC) if name in offered]
        self.wants_all = self.policy["requirement"] == "all"

    @property
    def value(self):
        """The document for a library that reads no text."""
        value = json.loads(self.text)
        if not isinstance(value, dict):
            raise ValueError("the document is no object")
        return value

    @property
    def has_several(self):
        """Whether there is more than one signature, as far as the text can be read."""
        try:
            return len(json.loads(self.text)["signatures"]) > 1
        except (ValueError, TypeError, KeyError):
            return False

    def candidates(self, header):
        """The keys that a careful caller would try for a signature: of its kid, for signatures, for its algorithm, which is allowed."""
        if header.get("alg") not in self.algorithms:
            return []
        return [key for key in self.keys["keys"] if fits(key, header)]

    def needs(self, *rules):
        """For a library that does not have these rules: what the caller would write itself."""
        asked = {"detached": self.detached is not None, "signers": "signers" in self.policy, "types": "types" in self.policy,
                 "one": not self.wants_all, "all": self.wants_all and self.has_several}
        for rule in rules:
            if asked[rule]:
                raise Unsupported(f"has no rule for {rule}")


def joined(signature):
    """The protected and the unprotected header of a signature, by which a caller chooses a key."""
    protected = json.loads(octets(signature["protected"])) if signature.get("protected") else {}
    return {**signature.get("header", {}), **protected}


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def answer(question, verify, offered):
    document = Document(question, offered)
    if document.keys is None:
        return {"verdict": "invalid", "reason": "no keys"}
    if not document.algorithms:
        return {"verdict": "unsupported", "reason": "none of the allowed algorithms is offered"}
    try:
        payload, places = verify(document)
    except Unsupported as reason:
        return {"verdict": "unsupported", "reason": str(reason)}
    except Exception as reason:  # whatever a library raises, the document is not accepted
        return {"verdict": "invalid", "reason": f"{type(reason).__name__}: {reason}"[:300]}
    found = {} if payload is None else {"payload": base64url(payload.encode() if isinstance(payload, str) else bytes(payload))}
    return {"verdict": "valid", **found, **({} if places is None else {"signatures": places})}


def serve_documents(verify, algorithms, lacks=()):
    """Answers until the input ends. `lacks` are names of Docs/Scoreboard.md."""
    lacks = sorted({*lacks, *(name for name in KNOWN if name not in algorithms)})
    for line in sys.stdin:
        question = json.loads(line)
        if question.get("kind") != "documents":
            raise SystemExit("a question that is none about a document")
        print(json.dumps({"id": question["id"], "lacks": lacks, **answer(question, verify, algorithms)}), flush=True)
