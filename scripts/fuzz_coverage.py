#!/usr/bin/env python3
"""Prints the lines that the fuzzers' corpora reach, by folder, and the error codes: fuzz_coverage.py COVERAGE CODES

COVERAGE is the summary of llvm-cov export, CODES a file with a reached code in each line. Fails for a folder below its threshold and for
an error code that no input reaches. scripts/fuzz_coverage.sh makes both files."""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The share of lines that corpora must reach, in percent, where texts of others are read and decided about. Below 95, what is left are
# overloads, properties that nothing reads here, and waiting for keys.
THRESHOLDS = {
    "Sources/JWTCore/Token": 92,
    "Sources/JWTCore/Header": 95,
    "Sources/JWTCore/JSON": 95,
    "Sources/JWTCore/Claims": 94,
    "Sources/JWTCore/Verification": 95,
    "Sources/JWTCore/Keys": 92,
    "Sources/JWKSCache/Documents": 95,
    "Sources/JWKSCache/Fetching": 91,
    "Sources/JWKSCache/Transport": 95,
    "Sources/Gateway/Claims": 95,
    "Sources/Gateway/Decision": 85,
    "Sources/Gateway/Profiles": 95,
    "Sources/Gateway/Request": 95,
    "Sources/Gateway/Token": 95,
    "Sources/GatewayServer/ExternalAuthorization/Messages": 95,
    "Sources/GatewayServer/ExternalAuthorization/Protobuf": 95,
    "Sources/IDaaSFlows/Transport": 93,
}
# Code that no text of others runs: descriptions for debuggers, overloads, files, and doors for tests of signatures.
WITHOUT_INPUT = re.compile(
    r"\+(?:Description|Fork|Bytes|Throwing)\.swift$|/(?:SignatureEngine\+\w+|KeySetStorage|RegularFile|KeySetSource)\.swift$")
# Codes that no input can cause, with the reason.
UNREACHABLE = {
    "refresh.unreadable_file": "the fuzzers read no files",
    "refresh.fetch_invalid_field": "the C interface has no such failure",
    "refresh.held": "the C interface sets no limit for keys that disappear",
    "refresh.older_sequence": "only SPIFFE bundles have a sequence; the C interface fetches none",
}


def expected():
    """Every error code of tokens and key sets, and every failure of a fetch."""
    known = (ROOT / "Sources/JWTCore/Errors/VerificationError+Code.swift").read_text()
    codes = set(re.findall(r"^    case (\w+) = \d+$", known, re.M))
    failures = (ROOT / "Sources/JWKSCache/Status/RefreshFailure.swift").read_text()
    return codes | {f"refresh.{name}" for name in re.findall(r'^ +case \.\w+: "(\w+)"$', failures, re.M)}


def folders(summary):
    """The lines and the reached lines of each folder with a threshold."""
    counts = {folder: [0, 0] for folder in THRESHOLDS}
    for file in summary["data"][0]["files"]:
        name = file["filename"]
        if not name.startswith(str(ROOT)) or WITHOUT_INPUT.search(name):
            continue
        folder = str(pathlib.Path(name).parent.relative_to(ROOT))
        if folder in counts:
            lines = file["summary"]["lines"]
            counts[folder][0] += lines["count"]
            counts[folder][1] += lines["covered"]
    return counts


def main(coverage, reached):
    failed = 0
    for folder, (count, covered) in folders(json.loads(pathlib.Path(coverage).read_text())).items():
        share = 100 * covered / count if count else 0
        is_enough = share >= THRESHOLDS[folder]
        failed += not is_enough
        print(f"{'' if is_enough else 'FAIL '}{folder:56} {covered:6} of {count:6} lines {share:6.1f} %, at least {THRESHOLDS[folder]} %")
    codes = set(pathlib.Path(reached).read_text().split())
    missing = expected() - codes - set(UNREACHABLE)
    for code in sorted(missing):
        print(f"FAIL no input reaches {code}")
    for code in sorted(set(UNREACHABLE) & codes):
        print(f"FAIL {code} is listed as unreachable and is reached")
        failed += 1
    print(f"{len(expected() & codes)} of {len(expected())} error codes reached; {len(UNREACHABLE)} cannot be")
    failed += len(missing)
    print(f"{len(THRESHOLDS) + len(expected()) - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2]))
