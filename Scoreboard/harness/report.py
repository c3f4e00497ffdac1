"""What a run says: a line for each verifier, the cases, the JSON document and the tables of the page."""

import datetime
import hashlib
import json
import platform
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import judging
import notions
import page
from building import ROOT
from cases import SEVERITIES
from verifiers import ABSENT, HELD_BACK, RELEASED


@dataclass(frozen=True)
class Row:
    verifier: object
    counts: dict = None  # None if the verifier could not be started
    reason: str = ""
    judgements: list = field(default_factory=list, repr=False)

    def count(self, *outcomes, severity="all"):
        return sum(self.counts[outcome][severity] for outcome in outcomes)


def row(verifier, judgements):
    return Row(verifier, judging.counts(judgements), judgements=judgements)


def absent(verifier, reason):
    return Row(verifier, reason=reason)


def line(row):
    if row.counts is None:
        return f"{row.verifier.name:24} skipped: {row.reason}"
    accepts, refusals = ("/".join(str(row.count(outcome, severity=severity)) for severity in SEVERITIES)
                         for outcome in ("wrong_accept", "wrong_refusal"))
    broken = row.count("crash", "hang", "garbage")
    return (f"{row.verifier.name:24} {row.count('right'):5} right, wrong accepts {accepts:>11}, wrong refusals {refusals:>11}, "
            f"{broken:3} crashes or hangs, {row.count('unsupported'):4} unsupported")


def details(row):
    """The cases without a right verdict. They stay on this machine: Docs/Disclosure.md."""
    for judgement in row.judgements:
        if judgement.outcome != "right":
            case = judgement.case
            yield (f"{row.verifier.name}: {judgement.outcome} ({case.severity}) {case.id}: expected {case.expect}. {case.why} "
                   f"[{case.reference}] {judgement.reason}").rstrip()


def explain(case, rows):
    header, payload = (notions.decoded(part) for part in notions.parts(case.token))
    print(json.dumps({"case": case.id, "file": case.file, "expected": case.expect, "severity": case.severity, "why": case.why,
                      "reference": case.reference, "policy": case.policy, "now": case.now, "token": case.token, "header": header,
                      "payload": payload, "keys": case.keys, **case.asked}, indent=2))
    for row in rows:
        for judgement in row.judgements:
            print(f"{row.verifier.name}: {judgement.outcome} {judgement.reason}".rstrip())


def processor():
    path = Path("/proc/cpuinfo")
    lines = path.read_text().splitlines() if path.exists() else []
    return next((text.partition(":")[2].strip() for text in lines if text.startswith("model name")), platform.machine())


def revision():
    said = subprocess.run(["git", "-C", ROOT, "describe", "--always"], capture_output=True, text=True)
    return said.stdout.strip() or None


def digest(selection):
    """Names the cases of a run, whatever their order."""
    lines = sorted(json.dumps([case.question(), case.expect, case.severity], sort_keys=True) for case in selection)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def is_held_back(row, kind="tokens"):
    """Whether a report to the maker comes first. A crash may be news to its maker even before the case has been looked at."""
    name, broken = row.verifier.name, row.count("crash", "hang", "garbage") > 0
    return not row.verifier.is_ours and name not in RELEASED[kind] and (broken or name in HELD_BACK[kind])


def document(rows, selection, kind="tokens"):
    judged = [row for row in rows if row.counts is not None]
    system = platform.freedesktop_os_release().get("PRETTY_NAME", platform.system()) if hasattr(platform, "freedesktop_os_release") else ""
    return {
        "date": datetime.date.today().isoformat(), "machine": processor(), "system": system, "revision": revision(),
        "cases": {"all": len(selection), "digest": digest(selection), "valid": sum(case.is_valid for case in selection)} | {
            severity: sum(case.severity == severity for case in selection) for severity in SEVERITIES},
        "verifiers": [
            {"name": row.verifier.name, "language": row.verifier.language, "version": row.verifier.version(), **row.counts}
            for row in judged if not is_held_back(row, kind)],
        "held_back": [row.verifier.name for row in judged if is_held_back(row, kind)],
        "not_judged": {row.verifier.name: row.reason for row in rows if row.counts is None} | ABSENT[kind],
    }


def with_other_kinds(whole, path, kind):
    """The file of the tokens, which has the other kinds in its member `kinds`: a run replaces its own kind alone."""
    before = json.loads(path.read_text()) if path.exists() else {}
    if kind == "tokens":
        return whole | {"kinds": before.get("kinds", {})}
    return before | {"kinds": before.get("kinds", {}) | {kind: whole}}


def close(rows, selection, options):
    """Writes what was asked for. The exit code is 1 if Assay itself has a wrong verdict, or if no verifier was judged."""
    lines = [text for row in rows for text in details(row)]
    if options.case:
        explain(selection[0], rows)
    else:
        (options.work / "cases.txt").write_text("\n".join(lines) + "\n")
    if options.list:
        print("\n".join(lines))
    whole = document(rows, selection, options.kind)
    if options.json:
        options.json.write_text(json.dumps(with_other_kinds(whole, options.json, options.kind), indent=1) + "\n")
    if options.page:
        page.write(options.page, whole, options.kind)
    judged = [row for row in rows if row.counts is not None]
    ours = [row for row in judged if row.verifier.is_ours and row.count(*judging.FAULTS)]
    print(f"{len(judged) - len(ours)} passed, {len(ours)} failed, {len(rows) - len(judged)} skipped")
    return 1 if ours or not judged else 0
