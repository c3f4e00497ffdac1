#!/usr/bin/env python3
"""Prints the lines that the fuzzers' corpora reach, by folder or file, and the error codes: fuzz_coverage.py COVERAGE CODES

COVERAGE is the summary of llvm-cov export, CODES a file with a reached code in each line. Fails for a folder below the threshold and for
an error code that no input reaches. scripts/fuzz_coverage.sh makes both files.

fuzz_coverage.py --names measures nothing, and takes a moment: it fails where the lists of this file name what does not exist, where a
source is in none of them, and for a target without a corpus."""

import json
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CPU = pathlib.Path("/proc/cpuinfo")
# The share of lines that the corpora must reach in each of these folders and files, in percent: texts of others are read and decided about
# here.
LEAST = 95
PLACES = [
    *(f"Sources/JWTCore/{name}" for name in ("Bytes", "Token", "Header", "JSON", "Claims", "Verification", "Keys", "Time")),
    *(f"Sources/CJWTKernels/json_{name}" for name in ("tape.c", "reader.h", "compact.h", "runs.h", "issuer.c")),
    *(f"Sources/CJWTKernels/{name}" for name in ("base64url_generic.c", "text_generic.c", "utf8.c")),
    *(f"Sources/CJWTKernels/{name}" for name in ("names.h", "known_names.h", "keyed_hash.c")),
    *(f"Sources/JWKSCache/{name}" for name in ("Documents", "Fetching", "Issuers", "Refresh", "Transport", "UnknownKey")),
    "Sources/JWKSCache/RemoteKeySet/KeySetCore.swift",
    *(f"Sources/Gateway/{name}" for name in ("Claims", "Decision", "Profiles", "Request", "Revocation", "Rules", "Token")),
    *(f"Sources/GatewayServer/ExternalAuthorization/{name}" for name in ("GRPC", "Messages", "Protobuf")),
    *(f"Sources/CAssay/{name}" for name in ("Results", "Keys", "Policies", "Verifying")),
    "Sources/IDaaSFlows/Transport",
    *("Sources/JWTCore/Introspection", "Sources/JWSDocuments/Reading", "Sources/SelectiveDisclosure/Disclosures"),
]
# Forms of the kernels, by the name that Linux has for what they need of a processor. JSONFuzzer and TokenFuzzer run each that can run.
FORMS = {
    "avx2": ("base64url_avx2.c", "base64url_nibbles.h", "text_avx2.c", "utf8_avx2.c"),
    "avx512_vbmi2": (
        "base64url_avx512.c", "followed_stops_avx512.c", "json_run_names.h", "json_runs_avx512.c", "text_avx512.c", "text_avx512.h"),
}
# The libraries whose folders are all either measured or here, with the reason.
COMPLETE = ("Sources/JWTCore/", "Sources/CJWTKernels/", "Sources/JWKSCache/", "Sources/CAssay/", "Sources/Gateway/")
NEON = "no such code on this processor; the stage `neon` compares both forms"
SIGNATURES = "signatures: the kernels' own fuzzers reach them"
MEMORY = "memory and locks; no text of others decides here"
HOST = "the operator's settings, what a host calls, and what operators are told"
LATER = "no run of this script has measured it yet: its corpora may lack inputs"
LEFT_OUT = {
    **dict.fromkeys((f"Sources/CJWTKernels/name_set.{kind}" for kind in "ch"), "its other lines are a system without memory or entropy"),
    "Sources/CJWTKernels/dispatch.c": "chooses the kernels by the processor alone",
    "Sources/CJWTKernels/cpu.c": "says what the processor can do",
    **dict.fromkeys((f"Sources/CJWTKernels/{name}_neon.c" for name in ("base64url", "text")), NEON),
    **dict.fromkeys((f"Sources/CJWTKernels/{name}" for name in ("nist", "nistifma", "ed25519", "p256ifma", "rsa", "sha", "transpose.h")), SIGNATURES),
    **dict.fromkeys((f"Sources/CJWTKernels/{name}" for name in ("kept.c", "scratch.c")), MEMORY),
    "Sources/CJWTKernels/internal.h": "short functions of the other files",
    "Sources/CJWTKernels/include": "Swift compiles these functions into its own, where their lines are not counted",
    "Sources/CJWTKernels/self_test.h": "reads the texts of the library's own test",
    "Sources/CJWTKernels/unavailable.c": "empty where there are kernels",
    "Sources/JWTCore/Algorithms": "names and numbers",
    "Sources/JWTCore/Cache": "its other lines make room in a full cache",
    "Sources/JWTCore/Engine": SIGNATURES,
    "Sources/JWTCore/Errors": "names and sentences",
    "Sources/JWTCore/Sharing": MEMORY,
    "Sources/JWKSCache/RemoteKeySet": "tasks and locks around KeySetCore, which decides",
    "Sources/JWKSCache/Status": "numbers for an operator",
    "Sources/JWKSCache/Verifying": "waits for keys and for company; TokenVerifier judges",
    "Sources/CAssay/Calling": MEMORY,
    "Sources/CAssay/Codes": "names of codes",
    "Sources/Gateway/Sharing": MEMORY,
    **dict.fromkeys((f"Sources/Gateway/{name}" for name in ("Settings", "Status", "Keys", "Replays")), HOST),
    **dict.fromkeys(("Sources/CAssay/Gateways", "Sources/CAssay/Replays", "Sources/JWKSCache/Hosted"), HOST),
    **dict.fromkeys((f"Sources/Gateway/{name}" for name in ("Bytes", "Certificates", "Introspection", "Metadata")), LATER),
    **dict.fromkeys((f"Sources/Gateway/{name}" for name in ("Proofs", "TokenStatuses")), LATER),
    **dict.fromkeys((f"Sources/JWTCore/{name}" for name in ("Possession", "Status")), LATER),
}
# These need the packages of the servers, and are measured with ASSAY_FUZZ_SERVERS=1.
SERVERS = ["Sources/GatewayServer/Configuration", "Sources/Gateway/Policy", "Sources/IDaaSServer/Requests"]
# Code that no text of others runs: descriptions for debuggers, overloads, files, doors for tests of signatures, the memory of key sets, and
# what asks the store.
WITHOUT_INPUT = re.compile(
    r"\+(?:Description|Fork|Bytes|Throwing)\.swift$|/(?:SignatureEngine\+\w+|KeySetStorage|RegularFile|KeySetSource)\.swift$"
    r"|/(?:DocumentBudget|SettingsFile|Caller|Services\+Bearer)\.swift$")
# Codes that no input can cause, with the reason.
UNREACHABLE = {
    "refresh.unreadable_file": "the fuzzers read no files",
    "settings.unreadable": "the fuzzers read no files",
    "settings.too_large": "a file above a mebibyte; an input has at most 4,096 bytes",
    "service.unknownClient": "the fuzzers have no store",
    "grpc.ok": "no refusal",
    "grpc.deadlineExceeded": "time ends a call, not a message",
    "grpc.resourceExhausted": "other calls cause it, not a message",
    **dict.fromkeys(("grpc.unauthenticated", "grpc.permissionDenied", "grpc.unavailable"), "a decision has it, not a message"),
}
DENIALS = "Sources/Gateway/Decision/DenialReason.swift"
SETTINGS = "Sources/Gateway/Settings/SettingsFault.swift"
AUTHORIZATION = "Sources/GatewayServer/ExternalAuthorization"


def found(file, pattern, before=""):
    """The codes in a file, which must have some."""
    names = re.findall(pattern, (ROOT / file).read_text(), re.M)
    assert names, f"{file} has no code in the form that this script knows"
    return {before + name.replace('"', "") for name in names}


def expected():
    """Every code of a token, a key set, a fetch, a denial, and a fault of Envoy's messages; of the servers' texts, if they are measured."""
    codes = found("Sources/JWTCore/Errors/VerificationError+Code.swift", r"^    case (\w+) = \d+$")
    codes |= found("Sources/JWKSCache/Status/RefreshFailure.swift", r'^ +case \.\w+: "(\w+)"$', "refresh.")
    codes |= found(DENIALS, r'^ +case \.\w+: "(\w+)"$')
    codes |= found(f"{AUTHORIZATION}/Protobuf/ProtobufFault.swift", r"^    case (\w+)", "protobuf.")
    codes |= found(f"{AUTHORIZATION}/GRPC/GRPCStatus.swift", r"^    case `?(\w+)`? = \d+$", "grpc.")
    return codes | (of_servers() if with_servers() else set())


def of_servers():
    """Every fault of a configuration, and what a request of the IDaaS can be refused for while it is read."""
    codes = found(SETTINGS, r'^        case (?:\w+ = )?("?\w+"?)$', "settings.")
    requests = "".join(file.read_text() for file in (ROOT / "Sources/IDaaSServer/Requests").glob("*.swift"))
    refusals = re.findall(r"ServiceError\(\.(\w+)", requests)
    assert refusals, "the requests of the IDaaS are refused in another form than this script knows"
    return codes | {f"service.{name}" for name in refusals}


def with_servers():
    return bool(os.environ.get("ASSAY_FUZZ_SERVERS"))


def kernels(names):
    return [f"Sources/CJWTKernels/{name}" for name in names]


def places():
    flags = set(re.findall(r"\w+", CPU.read_text() if CPU.exists() else ""))
    forms = [place for flag, names in FORMS.items() if flag in flags for place in kernels(names)]
    return PLACES + forms + (SERVERS if with_servers() else [])


def lines(summary, places):
    """The lines and the reached lines of each place."""
    counts = {place: [0, 0] for place in places}
    for path, numbers in files(summary):
        place = place_of(path, counts)
        if place:
            counts[place][0] += numbers["count"]
            counts[place][1] += numbers["covered"]
    return counts


def files(summary):
    """The path of each source file that texts of others run, with the numbers of its lines."""
    for file in summary["data"][0]["files"]:
        name = file["filename"]
        if name.startswith(str(ROOT)) and not WITHOUT_INPUT.search(name):
            yield str(pathlib.Path(name).relative_to(ROOT)), file["summary"]["lines"]


def place_of(path, places):
    """The file itself or its folder, if it is one of `places`."""
    return next((place for place in (path, path.rpartition("/")[0]) if place in places), None)


def show(place, count, covered):
    """Prints the share of reached lines. Returns whether it is enough; a place without lines is none."""
    share = 100 * covered / count if count else 0
    print(f"{'' if share >= LEAST else 'FAIL '}{place:56} {covered:6} of {count:6} lines {share:6.1f} %, at least {LEAST} %")
    return share >= LEAST


def listed():
    """All that the lists above name, on every processor."""
    return [*PLACES, *LEFT_OUT, *SERVERS, *(place for names in FORMS.values() for place in kernels(names))]


def is_known(path):
    return place_of(path, listed()) is not None


def show_others(summary):
    """Prints the lines of what is left out. Returns how many folders and files are neither measured nor left out."""
    for place, (count, covered) in lines(summary, LEFT_OUT).items():
        if count:
            print(f"{place:56} {covered:6} of {count:6} lines, left out: {LEFT_OUT[place]}")
    forgotten = sorted(path for path, numbers in files(summary) if path.startswith(COMPLETE) and numbers["count"] and not is_known(path))
    for path in forgotten:
        print(f"FAIL {path} is neither measured nor left out")
    return len(forgotten)


def show_codes(codes):
    """Prints the codes that no input reaches, and those whose exception is not true. Returns how many there are."""
    wanted = expected()
    exceptions = wanted & set(UNREACHABLE)
    faults = [f"no input reaches {code}" for code in sorted(wanted - codes - exceptions)]
    faults += [f"{code} is listed as unreachable and is reached" for code in sorted(exceptions & codes)]
    for fault in faults:
        print(f"FAIL {fault}")
    print(f"{len(wanted & codes)} of {len(wanted)} error codes reached; {len(exceptions)} cannot be")
    return len(faults)


def main(coverage, reached):
    summary = json.loads(pathlib.Path(coverage).read_text())
    counts = lines(summary, places())
    failed = sum(not show(place, *numbers) for place, numbers in counts.items())
    failed += not show("all", *map(sum, zip(*counts.values())))
    failed += show_others(summary)
    failed += show_codes(set(pathlib.Path(reached).read_text().split()))
    print(f"{len(counts) + 1 + len(expected()) - failed} passed, {failed} failed")
    return failed > 0


def check_names():
    """Prints what is named and does not exist, what exists and is not named, and targets without a corpus. Returns whether there is any."""
    paths = [path for folder in COMPLETE for path in (ROOT / folder).rglob("*.*") if path.suffix in (".c", ".h", ".swift")]
    sources = sorted(name for name in (str(path.relative_to(ROOT)) for path in paths) if not WITHOUT_INPUT.search(name))
    targets = [path.name for path in (ROOT / "Fuzz/Sources").glob("*Fuzzer")]
    faults = [f"{place} does not exist" for place in listed() if not (ROOT / place).exists()]
    faults += [f"{path} is neither measured nor left out" for path in sources if not is_known(path)]
    faults += [f"{target} has no corpus" for target in sorted(targets) if not any((ROOT / f"Fuzz/{target}_corpus").glob("*"))]
    faults += [f"{code} is no code" for code in sorted(set(UNREACHABLE) - expected() - of_servers())]
    for fault in faults:
        print(f"FAIL {fault}")
    print(f"{len(listed()) + len(sources) + len(targets) + len(UNREACHABLE) - len(faults)} passed, {len(faults)} failed")
    return len(faults) > 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--names"]:
        sys.exit(check_names())
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2]))
