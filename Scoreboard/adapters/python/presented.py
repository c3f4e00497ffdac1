"""What the adapters for presentations of SD-JWTs share: the question, and the choice of the issuer's key.

An adapter calls `serve_presentations(verify, …)`. verify(presentation) returns the claims, or None where the library does not give all of
them; an exception means that the library refuses the presentation.
"""

import json
import sys

from frame import ASYMMETRIC, KNOWN, Unsupported, fits, octets


class Presentation:
    """A question about a presentation."""

    def __init__(self, question, offered):
        self.text, self.keys, self.policy = question["presentation"], question["keys"], question["policy"]
        self.now = question["now"]
        self.binding = self.policy.get("key_binding")
        self.algorithms = [name for name in self.policy.get("algorithms", ASYMMETRIC) if name in offered]
        self.leeway = self.policy.get("leeway", 60)

    @property
    def header(self):
        """The header of the issuer's token before its verification, by which a caller chooses a key."""
        value = json.loads(octets(self.text.partition("~")[0].split(".")[0]))
        if not isinstance(value, dict):
            raise ValueError("the header is no object")
        return value

    @property
    def key(self):
        """The issuer's key that a careful caller would try: of the token's kid, for signatures, for its algorithm, which is allowed."""
        header = self.header
        found = [key for key in self.keys["keys"] if fits(key, header)] if header.get("alg") in self.algorithms else []
        if not found:
            raise ValueError("no key fits the token")
        return found[0]


def answer(question, verify, offered):
    presentation = Presentation(question, offered)
    if presentation.keys is None:
        return {"verdict": "invalid", "reason": "no keys"}
    if not presentation.algorithms or presentation.policy.get("digests", ["sha-256"]) != ["sha-256"]:
        return {"verdict": "unsupported", "reason": "none of the allowed algorithms or digests is offered"}
    try:
        claims = verify(presentation)
    except Unsupported as reason:
        return {"verdict": "unsupported", "reason": str(reason)}
    except Exception as reason:  # whatever a library raises, the presentation is not accepted
        return {"verdict": "invalid", "reason": f"{type(reason).__name__}: {reason}"[:300]}
    return {"verdict": "valid", **({} if claims is None else {"claims": claims})}


def serve_presentations(verify, algorithms, lacks=()):
    """Answers until the input ends. `lacks` are names of Docs/Scoreboard.md."""
    lacks = sorted({*lacks, *(name for name in KNOWN if name not in algorithms)})
    for line in sys.stdin:
        question = json.loads(line)
        if question.get("kind") != "selective":
            raise SystemExit("a question that is none about a presentation")
        print(json.dumps({"id": question["id"], "lacks": lacks, **answer(question, verify, algorithms)}), flush=True)
