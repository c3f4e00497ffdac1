#!/usr/bin/env bash
# The verification kernels under AddressSanitizer and UndefinedBehaviorSanitizer, by clang alone, with libcrypto as the oracle.
#   scripts/sanitized_kernels.sh check [CASES]           kernel-differential, 20,000 cases a check unless told otherwise
#   scripts/sanitized_kernels.sh fuzz [RUNS [FUZZER…]]   each fuzzer of Fuzz/Kernels for RUNS inputs, 100,000 unless told otherwise
# ASSAY_FUZZ_SECONDS bounds each fuzzer by time, too. An input that makes a kernel and libcrypto differ, or a sanitizer speak, is left in
# Fuzz/crashes.
set -euo pipefail
cd "$(dirname "$0")/.."

build=.build-kernels-asan
clang=$(scripts/clang.sh)
sanitizers=(-fsanitize=address,undefined -fno-sanitize-recover=undefined)
jobs=$(getconf _NPROCESSORS_ONLN)

# compile FOLDER…: the C files below that are older than their objects, or whose headers may be. Coverage of kernels guides the fuzzers.
compile() {
    mkdir -p "$build"
    find "$@" -name '*.c' | while read -r file; do
        object=$build/$(tr / _ <<<"${file%.c}").o
        if [ ! "$object" -nt "$file" ] || [ -n "$(find Sources/CJWTKernels "$@" -name '*.h' -newer "$object")" ]; then
            printf '%s\0%s\0' "$object" "$file"
        fi
    done | xargs -0 -r -n 2 -P "$jobs" "$clang" -std=gnu17 -O1 -g -fno-omit-frame-pointer "${sanitizers[@]}" \
        -fsanitize=fuzzer-no-link -I Sources/CJWTKernels/include -I Sources/COpenSSL/include -c -o
}

check() {
    compile Sources/CJWTKernels Sources/COpenSSL Tests/KernelDifferential
    "$clang" "${sanitizers[@]}" -fuse-ld=lld "$build"/{Sources,Tests}_*.o -lcrypto -o "$build/kernel-differential"
    "$build/kernel-differential" "${1:-20000}"
}

fuzz() {
    local runs=${1:-100000}
    shift || true
    [ $# -gt 0 ] || set -- p256 p384 ed25519 rsa sha
    compile Sources/CJWTKernels Fuzz/Kernels
    mkdir -p Fuzz/crashes
    printf '%s\0' "$@" | xargs -0 -n 1 -P "$jobs" scripts/sanitized_kernels.sh fuzz_one "$runs"
}

# fuzz_one RUNS FUZZER: its closing numbers, or all that it said.
fuzz_one() {
    local program=$build/$2-fuzzer executed
    "$clang" "${sanitizers[@]}" -fsanitize=fuzzer -fuse-ld=lld "$build"/Sources_*.o "$build/Fuzz_Kernels_$2.o" -lcrypto -o "$program"
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    mkdir "$work/corpus"
    if "$program" -runs="$1" -max_len=4096 -print_final_stats=1 -verbosity=0 -artifact_prefix=Fuzz/crashes/"$2"-kernels- \
        ${ASSAY_FUZZ_SECONDS:+-max_total_time="$ASSAY_FUZZ_SECONDS"} "$work/corpus" "Fuzz/Kernels/$2_corpus" >"$work/log" 2>&1; then
        executed=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log")
        # Without numbers it has said why there is nothing to fuzz here.
        [ -n "$executed" ] || { tail -n 1 "$work/log"; return; }
        echo "$2 kernels: $executed inputs," \
            "$(sed -n 's/^stat::new_units_added: *//p' "$work/log") of them new to the coverage, no difference"
    else
        cat "$work/log"
        return 1
    fi
}

case ${1:-} in
    check | fuzz | fuzz_one) "$@" ;;
    *)
        sed -n '3,4s/^# *//p' scripts/sanitized_kernels.sh >&2
        exit 2
        ;;
esac
