"""The manifest of the vectors: their version, and each file with its kind, its number of cases and its SHA-256."""

import hashlib
import json
from collections import Counter

VERSION = "3.2.0"  # major: a verdict or a severity changed; minor: cases were added; patch: only words changed
CASES = {"tokens": "cases", "jwks": "documents", "cache": "scenarios", "statuslists": "cases", "events": "cases",
         "dpop": "cases", "encrypted": "cases", "certificates": "cases", "selective": "cases", "documents": "cases"}


def cases(document):
    """The cases of a file of any kind; of a manifest, none."""
    return document.get(CASES.get(document.get("kind", "tokens")), [])


def entry(name, octets):
    document = json.loads(octets)
    severities = Counter(case["severity"] for case in cases(document))
    return {"path": name, "kind": document["kind"], "count": len(cases(document)),
            "severities": {severity: severities[severity] for severity in ("must", "should", "hardening")},
            "sha256": hashlib.sha256(octets).hexdigest()}


def numbers(files):
    """The number of all cases, and that of each kind, as texts with commas."""
    counts = Counter()
    for octets in files.values():
        document = json.loads(octets)
        counts[document["kind"]] += len(cases(document))
    return [f"{number:,}" for number in (counts.total(), *(counts[kind] for kind in CASES))]


def text(files):
    entries = [entry(name, octets) for name, octets in sorted(files.items())]
    head = json.dumps({"kind": "manifest", "version": VERSION, "count": sum(item["count"] for item in entries)})
    return head[:-1] + ',\n"files": [' + ",".join("\n" + json.dumps(item) for item in entries) + "]}\n"
