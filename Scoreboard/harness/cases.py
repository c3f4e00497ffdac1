"""The cases: the vector files of the repository, and Wycheproof's files of compact JWS."""

import json
from dataclasses import dataclass, field
from pathlib import Path

SEVERITIES = ("must", "should", "hardening")
WYCHEPROOF_SCHEMAS = ("json_web_signature", "json_web_key")
WYCHEPROOF_ALGORITHMS = [
    "HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "ES256K", "EdDSA",
]


@dataclass(frozen=True)
class Case:
    id: str
    file: str
    token: str
    expect: str  # valid, an error code, or invalid
    severity: str
    why: str
    reference: str
    keys: object = field(repr=False)  # a JWK Set, or None
    policy: dict = field(repr=False)
    now: float

    @property
    def is_valid(self):
        return self.expect == "valid"

    def question(self):
        """What an adapter reads. It says nothing of the verdict that is expected."""
        return {"id": self.id, "token": self.token, "keys": self.keys, "policy": self.policy, "now": self.now}


def own(path, document):
    for case in document["cases"]:
        yield Case(case["id"], path.stem, case["token"], case["expect"], case.get("severity", "must"), case["why"], case["reference"],
                   document["keys"], document["policy"], document["now"])


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


def read(path):
    document = json.loads(path.read_text())
    if "cases" in document and document.get("kind", "tokens") == "tokens":
        return list(own(path, document))
    if str(document.get("schema", "")).startswith(WYCHEPROOF_SCHEMAS):
        return list(wycheproof(path, document))
    return []


def load(folders):
    """All cases below the folders, ordered by time, so that a verifier with a fixed clock starts once for each time."""
    cases = [case for folder in folders for path in sorted(Path(folder).glob("*.json")) for case in read(path)]
    return sorted(cases, key=lambda case: case.now)
