#!/usr/bin/env bash
# Measures which lines the committed corpora of the fuzzers reach, and which error codes. Fails below the thresholds of fuzz_coverage.py.
# ASSAY_FUZZ_SERVERS=1 includes the targets that need the servers' packages.
set -euo pipefail
cd "$(dirname "$0")/../Fuzz"

scratch=../.build-fuzz-coverage${ASSAY_FUZZ_SERVERS:+-servers}
tools=$(dirname "$(../scripts/clang.sh)")
SWIFT_DETERMINISTIC_HASHING=1 swift build -c release --scratch-path "$scratch" \
    -Xswiftc -profile-generate -Xswiftc -profile-coverage-mapping -Xcc -fprofile-instr-generate -Xcc -fcoverage-mapping \
    ${ASSAY_FUZZ_JOBS:+-j "$ASSAY_FUZZ_JOBS"}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
objects=()
for target in $(../scripts/fuzz.sh --list | grep Fuzzer); do
    program=$scratch/release/$target
    if [ ! -x "$program" ]; then
        [ -n "${ASSAY_FUZZ_SERVERS:-}" ] || continue
        echo "$target is not built" >&2
        exit 1
    fi
    objects+=(-object "$program")
    if ! LLVM_PROFILE_FILE="$work/$target.profraw" ASSAY_FUZZ_CODES="$work/$target.codes" \
        "$program" -timeout=60 $(find "${target}_corpus" -type f | sort) >"$work/log" 2>&1; then
        cat "$work/log"
        exit 1
    fi
done
"$tools/llvm-profdata" merge -sparse "$work"/*.profraw -o "$work/profile"
"$tools/llvm-cov" export -summary-only -instr-profile "$work/profile" "${objects[@]:1:1}" "${objects[@]:2}" >"$work/coverage.json"
cat "$work"/*.codes | sort -u >"$work/codes"
python3 ../scripts/fuzz_coverage.py "$work/coverage.json" "$work/codes"
