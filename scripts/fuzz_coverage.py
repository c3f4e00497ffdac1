#!/usr/bin/env python3
"""Prints the lines that the fuzzers' corpora reach, by folder or file, and the error codes: fuzz_coverage.py COVERAGE CODES

COVERAGE is the summary of llvm-cov export, CODES a file with a reached code in each line. Fails for a folder below the threshold and for
an error code that no input reaches. scripts/fuzz_coverage.sh makes both files."""

import json
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The share of lines that the corpora must reach in each of these folders and files, in percent: texts of others are read and decided about
# here.
LEAST = 95
PLACES = [
    *(f"Sources/JWTCore/{name}" for name in ("Token", "Header", "JSON", "Claims", "Verification", "Keys")),
    *(f"Sources/CJWTKernels/json_{name}" for name in ("tape.c", "reader.h", "members.h")),
    *(f"Sources/JWKSCache/{name}" for name in ("Documents", "Fetching", "Transport", "RemoteKeySet/KeySetCore.swift")),
    *(f"Sources/Gateway/{name}" for name in ("Claims", "Decision", "Profiles", "Request", "Revocation", "Rules", "Token")),
    *(f"Sources/GatewayServer/ExternalAuthorization/{name}" for name in ("GRPC", "Messages", "Protobuf")),
    *(f"Sources/CAssay/{name}" for name in ("Results", "Keys")),
    "Sources/IDaaSFlows/Transport",
]
# These need the packages of the servers, and are measured with ASSAY_FUZZ_SERVERS=1.
SERVERS = ["Sources/GatewayServer/Configuration", "Sources/Gateway/Policy", "Sources/IDaaSServer/Requests"]
# Code that no text of others runs: descriptions for debuggers, overloads, files, doors for tests of signatures, and what asks the store.
WITHOUT_INPUT = re.compile(
    r"\+(?:Description|Fork|Bytes|Throwing)\.swift$|/(?:SignatureEngine\+\w+|KeySetStorage|RegularFile|KeySetSource)\.swift$"
    r"|/(?:SettingsFile|Caller|Services\+Bearer)\.swift$")
# Codes that no input can cause, with the reason.
UNREACHABLE = {
    "refresh.unreadable_file": "the fuzzers read no files",
}


def expected():
    """Every error code of tokens and key sets, and every failure of a fetch."""
    known = (ROOT / "Sources/JWTCore/Errors/VerificationError+Code.swift").read_text()
    codes = set(re.findall(r"^    case (\w+) = \d+$", known, re.M))
    failures = (ROOT / "Sources/JWKSCache/Status/RefreshFailure.swift").read_text()
    return codes | {f"refresh.{name}" for name in re.findall(r'^ +case \.\w+: "(\w+)"$', failures, re.M)}


def lines(summary, places):
    """The lines and the reached lines of each place."""
    counts = {place: [0, 0] for place in places}
    for file in summary["data"][0]["files"]:
        name = file["filename"]
        if not name.startswith(str(ROOT)) or WITHOUT_INPUT.search(name):
            continue
        path = pathlib.Path(name).relative_to(ROOT)
        place = str(path) if str(path) in counts else str(path.parent)
        if place in counts:
            counts[place][0] += file["summary"]["lines"]["count"]
            counts[place][1] += file["summary"]["lines"]["covered"]
    return counts


def show(place, count, covered):
    """Prints the share of reached lines. Returns whether it is enough; a place without lines is none."""
    share = 100 * covered / count if count else 0
    print(f"{'' if share >= LEAST else 'FAIL '}{place:56} {covered:6} of {count:6} lines {share:6.1f} %, at least {LEAST} %")
    return share >= LEAST


def main(coverage, reached):
    places = PLACES + (SERVERS if os.environ.get("ASSAY_FUZZ_SERVERS") else [])
    counts = lines(json.loads(pathlib.Path(coverage).read_text()), places)
    failed = sum(not show(place, *counts[place]) for place in places)
    failed += not show("all", *map(sum, zip(*counts.values())))
    codes = set(pathlib.Path(reached).read_text().split())
    missing = expected() - codes - set(UNREACHABLE)
    for code in sorted(missing):
        print(f"FAIL no input reaches {code}")
    for code in sorted(set(UNREACHABLE) & codes):
        print(f"FAIL {code} is listed as unreachable and is reached")
        failed += 1
    print(f"{len(expected() & codes)} of {len(expected())} error codes reached; {len(UNREACHABLE)} cannot be")
    failed += len(missing)
    print(f"{len(places) + 1 + len(expected()) - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2]))
