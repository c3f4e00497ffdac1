#!/usr/bin/env bash
# Fuzzes under AddressSanitizer and UndefinedBehaviorSanitizer, each target from its corpus in Fuzz.
#   scripts/fuzz.sh [RUNS]    all targets and the kernels, RUNS inputs each (default one million; the kernels a twentieth)
#   scripts/fuzz.sh --list    prints the targets
# TARGET=NAME selects one target or kernel, MINUTES=60 bounds each by time and not by RUNS. ASSAY_FUZZ_SERVERS=1 adds the targets that need
# the servers' packages. New inputs stay in .build-fuzz/corpora, for the next run. A crash stores its input in Fuzz/crashes and ends the
# script. The kernels get fewer inputs: each has up to eight signatures, which libcrypto also verifies.
set -euo pipefail
cd "$(dirname "$0")/../Fuzz"

servers=(ConfigurationFuzzer RequestFuzzer)
kernels=(p256 p384 ed25519 rsa sha)
runs=1000000
[[ ${1:-} != [0-9]* ]] || runs=$1

# is_one_of NAME LIST…
is_one_of() { [[ " ${*:2} " == *" $1 "* ]]; }

core() { for folder in Sources/*Fuzzer; do is_one_of "${folder#*/}" "${servers[@]}" || echo "${folder#*/}"; done; }

# build SCRATCH: the fuzzers are guided by the coverage of the library's Swift and C code.
build() {
    SWIFT_DETERMINISTIC_HASHING=1 swift build -c release --scratch-path "../$1" --sanitize=address -Xswiftc -sanitize=fuzzer \
        -Xcc -fsanitize=fuzzer-no-link -Xcc -fsanitize=undefined -Xcc -fsanitize-trap=undefined ${ASSAY_FUZZ_JOBS:+-j "$ASSAY_FUZZ_JOBS"}
}

# dictionary TARGET: the option for its words.
dictionary() {
    case $1 in
        CheckRequestFuzzer) ;;
        ResponseFuzzer | FetchFuzzer) echo "-dict=Dictionaries/response.dict" ;;
        DecisionFuzzer) echo "-dict=Dictionaries/request.dict" ;;
        ConfigurationFuzzer) echo "-dict=Dictionaries/configuration.dict" ;;
        *) echo "-dict=Dictionaries/json.dict" ;;
    esac
}

# fuzz SCRATCH TARGET
fuzz() {
    local program=../$1/release/$2 work=../.build-fuzz/corpora/$2 bound=-runs=$runs
    [ -z "${MINUTES:-}" ] || bound=-max_total_time=$((MINUTES * 60))
    mkdir -p crashes "$work"
    echo "== $2"
    # shellcheck disable=SC2046
    "$program" "$bound" -max_len=4096 -timeout=20 -print_final_stats=1 -verbosity=0 -artifact_prefix=crashes/"$2"- $(dictionary "$2") \
        "$work" "$2_corpus" 2>&1 | grep -vE '^stat::(slowest|peak)|^Dictionary:'
}

fuzz_kernels() {
    echo "== kernels"
    [ -z "${MINUTES:-}" ] || export ASSAY_FUZZ_SECONDS=$((MINUTES * 60))
    ../scripts/sanitized_kernels.sh fuzz $((${MINUTES:+1000000000} + runs / 20)) "$@"
}

if [ "${1:-}" = --list ]; then
    core
    printf '%s\n' "${servers[@]}" "${kernels[@]}"
    exit
fi
if [ -n "${TARGET:-}" ] && is_one_of "$TARGET" "${kernels[@]}"; then
    fuzz_kernels "$TARGET"
    exit
fi
if [ -z "${TARGET:-}" ] || is_one_of "$TARGET" $(core); then
    build .build-fuzz
    for target in ${TARGET:-$(core)}; do fuzz .build-fuzz "$target"; done
fi
if [ -n "${ASSAY_FUZZ_SERVERS:-}" ] || is_one_of "${TARGET:-}" "${servers[@]}"; then
    export ASSAY_FUZZ_SERVERS=1
    build .build-fuzz-servers
    for target in ${TARGET:-"${servers[@]}"}; do ! is_one_of "$target" "${servers[@]}" || fuzz .build-fuzz-servers "$target"; done
fi
[ -n "${TARGET:-}" ] || fuzz_kernels
