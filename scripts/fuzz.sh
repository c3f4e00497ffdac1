#!/usr/bin/env bash
# Fuzzes under AddressSanitizer and UndefinedBehaviorSanitizer, each target from its corpus in Fuzz.
#   scripts/fuzz.sh [RUNS]    all targets and the kernels: MINUTES of processor time each, by default two, or RUNS inputs
#   scripts/fuzz.sh --list    prints the targets
# TARGET=NAME selects one target or kernel. ASSAY_FUZZ_SERVERS=1 adds the targets that need the servers' packages; one build then has all
# targets. LEDGER=1 adds the runs to Fuzz/ledger.tsv, and begins with the target that has the least time there.
# ASSAY_FUZZ_BUILT=1 takes the targets as they are built. New inputs stay in .build-fuzz/corpora, for the next run. A crash stores its input
# in Fuzz/crashes and ends the script. The kernels get a twentieth of RUNS: each input has up to eight signatures, which libcrypto also
# verifies.
set -euo pipefail
cd "$(dirname "$0")/../Fuzz"
export MINUTES=${MINUTES:-} LEDGER=${LEDGER:-}

servers=(ConfigurationFuzzer RequestFuzzer)
declare -A built
kernels=(p256 p384 p521 ed25519 rsa sha)
if [[ ${1:-} = [0-9]* ]]; then runs=$1; else runs=0 MINUTES=${MINUTES:-2}; fi

# is_one_of NAME LIST…
is_one_of() { [[ " ${*:2} " == *" $1 "* ]]; }

core() { for folder in Sources/*Fuzzer; do is_one_of "${folder#*/}" "${servers[@]}" || echo "${folder#*/}"; done; }

# build SCRATCH: the fuzzers are guided by the coverage of the library's Swift and C code.
build() {
    [ -z "${ASSAY_FUZZ_BUILT:-}${built[$1]:-}" ] || return 0
    built[$1]=yes
    SWIFT_DETERMINISTIC_HASHING=1 swift build -c release --scratch-path "../$1" --sanitize=address -Xswiftc -sanitize=fuzzer \
        -Xcc -fsanitize=fuzzer-no-link -Xcc -fsanitize=undefined -Xcc -fsanitize-trap=undefined ${ASSAY_FUZZ_JOBS:+-j "$ASSAY_FUZZ_JOBS"}
    ../scripts/fuzz_ledger.py commit "../$1/release"
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

# fuzz TARGET
fuzz() {
    local scratch=.build-fuzz work=../.build-fuzz/corpora/$1 bound=$runs
    if [ -n "${ASSAY_FUZZ_SERVERS:-}" ] || is_one_of "$1" "${servers[@]}"; then scratch=.build-fuzz-servers; fi
    ASSAY_FUZZ_SERVERS=$([ $scratch = .build-fuzz ] || echo 1) build $scratch
    [ -z "$MINUTES" ] || bound=-1
    mkdir -p crashes "$work"
    echo "== $1"
    # shellcheck disable=SC2046
    ../scripts/fuzz_ledger.py run "$1" ../$scratch/release/"$1" -runs="$bound" -max_len=4096 -timeout=60 -print_final_stats=1 -verbosity=0 \
        -artifact_prefix=crashes/"$1"- $(dictionary "$1") "$work" "$1_corpus"
}

# fuzz_kernels KERNEL…
fuzz_kernels() {
    echo "== kernels $*"
    ../scripts/sanitized_kernels.sh fuzz $((runs / 20)) "$@"
}

# chosen: the targets of this run, one a line.
chosen() {
    if [ -n "${TARGET:-}" ]; then
        echo "$TARGET"
    else
        core
        [ -z "${ASSAY_FUZZ_SERVERS:-}" ] || printf '%s\n' "${servers[@]}"
        printf '%s\n' "${kernels[@]}"
    fi
}

if [ "${1:-}" = --list ]; then
    core
    printf '%s\n' "${servers[@]}" "${kernels[@]}"
    exit
fi
mapfile -t targets < <(chosen)
[ -z "${LEDGER:-}" ] || mapfile -t targets < <(../scripts/fuzz_ledger.py order "${targets[@]}")
# Kernels without a ledger run side by side at the end.
together=()
for target in "${targets[@]}"; do
    if is_one_of "$target" "${kernels[@]}"; then
        if [ -n "${LEDGER:-}" ]; then fuzz_kernels "$target"; else together+=("$target"); fi
    else
        fuzz "$target"
    fi
done
((${#together[@]} == 0)) || fuzz_kernels "${together[@]}"
