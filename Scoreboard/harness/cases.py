"""The cases: the vector files of the repository, and Wycheproof's files of compact JWS.

Tokens are one kind. The other kinds that verifiers are judged by have a folder each, and questions of their own.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path

SEVERITIES = ("must", "should", "hardening")
# For each kind the members of a case that make the question.
KINDS = {"tokens": ("token",), "dpop": ("method", "url", "authorization", "proofs", "earlier"), "encrypted": ("encrypted",),
         "selective": ("presentation",), "documents": ("document", "detached")}
# What a case expects beside the verdict.
EXPECTED = ("content", "refused", "claims", "payload", "signatures")
WYCHEPROOF_SCHEMAS = ("json_web_signature", "json_web_key")
WYCHEPROOF_ALGORITHMS = [
    "HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "ES256K", "EdDSA",
]


@dataclass(frozen=True)
class Case:
    id: str
    file: str
    token: str  # of other kinds: the one that the verdict is about, to be shown
    expect: str  # valid, an error code, or invalid
    severity: str
    why: str
    reference: str
    keys: object = field(repr=False)  # a JWK Set, or None
    policy: dict = field(repr=False)
    now: float
    kind: str = "tokens"
    asked: dict = field(default_factory=dict, repr=False)  # what the question of another kind has besides
    needs: tuple = ()
    content: str = None  # what a valid answer may say, if it says a content
    expected: dict = field(default_factory=dict, repr=False)  # the members of the vector that say it

    @property
    def is_valid(self):
        return self.expect == "valid"

    def question(self):
        """What an adapter reads. It says nothing of the verdict that is expected."""
        shared = {"keys": self.keys, "policy": self.policy, "now": self.now}
        if self.kind == "tokens":
            return {"id": self.id, "token": self.token, **shared}
        return {"id": self.id, "kind": self.kind, **self.asked, **shared}


def own(path, document):
    for case in document["cases"]:
        yield Case(case["id"], path.stem, case["token"], case["expect"], case.get("severity", "must"), case["why"], case["reference"],
                   document["keys"], document["policy"], document["now"])


def of_kind(path, document):
    """The cases of another kind than tokens."""
    kind = document["kind"]
    for case in document["cases"]:
        asked = {name: case[name] for name in KINDS[kind] if name in case}
        if "decryption_keys" in document:
            asked |= {"encrypted": whole(case), "decryption_keys": document["decryption_keys"]}
        if kind == "dpop":
            asked.setdefault("earlier", [])
        token = {"encrypted": asked.get("encrypted"), "selective": asked.get("presentation", "").partition("~")[0],
                 "documents": ""}.get(kind, "".join(asked.get("proofs", ())[:1]))
        yield Case(case["id"], path.stem, token, case["expect"], case["severity"], case["why"], case["reference"], document["keys"],
                   document["policy"], document["now"], kind, asked, tuple(case.get("needs", ())), content_of(case),
                   {name: case[name] for name in EXPECTED if name in case})


def content_of(said):
    """What a valid case or a valid answer has read, as a text that can be compared; None if it does not say."""
    if "claims" in said:
        return json.dumps(said["claims"], sort_keys=True)
    return said.get("payload", said.get("content"))


def whole(case):
    """The encrypted token, with what repeats in it."""
    text = case["encrypted"]
    if "repeat" not in case:
        return text
    start, end = case["repeat"]["at"], case["repeat"]["at"] + case["repeat"]["length"]
    return text[:start] + text[start:end] * case["repeat"]["count"] + text[end:]


def corrections(folder, section):
    """Labels that contradict RFC 7515 or the file itself, with the strict reading: json_web_errata.json beside the files."""
    path = folder / "json_web_errata.json"
    lists = json.loads(path.read_text()).get(section, {}) if path.exists() else {}
    entries = [entry for entries in lists.values() if isinstance(entries, list) for entry in entries]
    return {number: entry["strictExpected"] for entry in entries for number in entry.get("tcIds", [entry.get("tcId")])}


def wycheproof(path, document):
    section = "jwk" if document["schema"].startswith("json_web_key") else "jws"
    labels = corrections(path.parent, section)
    policy = {"claims": False, "algorithms": WYCHEPROOF_ALGORITHMS}
    for group in document["testGroups"]:
        keys = group.get("public", group.get("private"))
        keys = keys if "keys" in keys else {"keys": [keys]}
        for test in group["tests"]:
            label = labels.get(test["tcId"], test["result"])
            # The label `policy` is for a policy about moduli that the vectors do not have: the signature is valid.
            expect = "valid" if label in ("valid", "policy") else "invalid"
            yield Case(f"wycheproof-{section}-{test['tcId']}", path.stem, test["jws"], expect, "must",
                       test["comment"], "Wycheproof", keys, policy, 0)


def read(path, kind):
    document = json.loads(path.read_text())
    if kind != "tokens":
        return list(of_kind(path, document)) if document.get("kind") == kind else []
    if "cases" in document and document.get("kind", "tokens") == "tokens":
        return list(own(path, document))
    if str(document.get("schema", "")).startswith(WYCHEPROOF_SCHEMAS):
        return list(wycheproof(path, document))
    return []


def load(folders, kind="tokens"):
    """All cases of a kind in the folders, ordered by time, so that a verifier with a fixed clock starts once for each time."""
    names = "*.json" if kind == "tokens" else f"{kind}/*.json"
    cases = [case for folder in folders for path in sorted(Path(folder).glob(names)) for case in read(path, kind)]
    return sorted(cases, key=lambda case: case.now)
