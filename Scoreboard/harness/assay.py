"""Assay by its command, in one engine tier: `assay conformance --engine`, which verifies each token alone and in a batch with the kernels
of the tier, and compares each of their verdicts with OpenSSL's.

The command gets the cases with the expectation `valid` for all of them, so that what it reports are its own verdicts.
"""

import json
import subprocess
import tempfile
from pathlib import Path

import notions
from building import ROOT, Unavailable
from session import Answer, Failure

COMMAND = ROOT / ".build/release/assay"
LIMIT = 600
# libcrypto has ML-DSA from 3.5 on. The command skips those tokens where it has none.
MLDSA = frozenset({"ML-DSA-44", "ML-DSA-65", "ML-DSA-87"})


def grouped(selection):
    """The cases as vector files: those with the same keys, policy and time together."""
    groups = {}
    for case in selection:
        key = json.dumps([case.keys, case.policy, case.now])
        groups.setdefault(key, []).append(case)
    for cases in groups.values():
        yield {"keys": cases[0].keys, "policy": cases[0].policy, "now": cases[0].now,
               "cases": [{"id": case.id, "token": case.token, "expect": "valid"} for case in cases]}


class AssayRun:
    """All verdicts of one run of the command, under the methods of a Session."""

    def __init__(self, tier, selection):
        if not COMMAND.exists():
            raise Unavailable("not built: scripts/build.sh assay")
        self.verdicts, self.skips, self.failure = {}, False, None
        with tempfile.TemporaryDirectory(dir=ROOT / ".build-scoreboard") as folder:
            for number, document in enumerate(grouped(selection)):
                (Path(folder) / f"{number}.json").write_text(json.dumps(document))
            self.run([COMMAND, "conformance", "--json", "--engine", tier, folder])

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        pass

    def run(self, command):
        try:
            answer = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            self.failure = Failure("hang", f"no end within {LIMIT} seconds")
            return
        if "does not run on this machine" in answer.stderr:
            raise Unavailable("the tier does not run on this machine")
        try:
            document = json.loads(answer.stdout)
            self.verdicts = {failure["id"]: failure["got"] for failure in document["failures"]}
            self.skips = document["skipped"] > 0
        except (ValueError, KeyError):
            self.failure = Failure("crash", f"exit code {answer.returncode}: {answer.stderr[-200:]}")

    def ask(self, question):
        if self.failure:
            raise self.failure
        if f"{question['id']}, in a batch" in self.verdicts:
            raise Failure("garbage", "another verdict in a batch")
        code = self.verdicts.get(question["id"], "valid")
        if self.skips and code == "valid" and MLDSA & {(notions.decoded(notions.parts(question["token"])[0]) or {}).get("alg")}:
            return Answer("unsupported", MLDSA, "this libcrypto has no ML-DSA")
        return Answer("valid" if code == "valid" else "invalid", MLDSA, "" if code == "valid" else code)


class AssayKindRun(AssayRun):
    """All verdicts on the cases of another kind. They are compared by code, so a case is right or what was said instead is known."""

    def __init__(self, selection):
        if not COMMAND.exists():
            raise Unavailable("not built: scripts/build.sh assay")
        self.valid = {case.id for case in selection if case.is_valid}
        self.verdicts, self.skips, self.failure = {}, False, None
        with tempfile.TemporaryDirectory(dir=ROOT / ".build-scoreboard") as folder:
            for number, document in enumerate(documents(selection)):
                (Path(folder) / f"{number}.json").write_text(json.dumps(document))
            self.run([COMMAND, "conformance", "--json", folder])

    def ask(self, question):
        if self.failure:
            raise self.failure
        code = self.verdicts.get(question["id"])
        if code is None:
            return Answer("valid" if question["id"] in self.valid else "invalid")
        return Answer("invalid" if question["id"] in self.valid else "valid" if code == "valid" else "invalid", reason=code)


def documents(selection):
    """The cases as vector files of their kind, one for each policy."""
    groups = {}
    for case in selection:
        shared = {name: case.asked[name] for name in ("decryption_keys",) if name in case.asked}
        head = {"kind": case.kind, "keys": case.keys, "policy": case.policy, "now": case.now, **shared}
        asked = {name: value for name, value in case.asked.items() if name not in shared}
        groups.setdefault(json.dumps(head), []).append(
            {"id": case.id, "expect": case.expect, "severity": case.severity, **asked, **case.expected})
    for head, cases in groups.items():
        yield json.loads(head) | {"cases": cases}
