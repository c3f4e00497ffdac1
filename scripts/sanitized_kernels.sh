#!/usr/bin/env bash
# Tests the verification kernels under AddressSanitizer and UndefinedBehaviorSanitizer, using only clang, with libcrypto as the oracle.
#   scripts/sanitized_kernels.sh check [CASES]           runs kernel-differential with CASES cases per check (default 20,000)
#   scripts/sanitized_kernels.sh fuzz [RUNS [FUZZER…]]   runs each fuzzer of Tests/Kernels/Fuzz for RUNS inputs (default 100,000)
# MINUTES bounds each fuzzer by processor time and not by RUNS; its new inputs then stay in .build-fuzz/corpora. LEDGER=1 adds the runs to
# Fuzz/ledger.tsv. An input that causes a difference from libcrypto or a sanitizer report is stored in Fuzz/crashes.
set -euo pipefail
cd "$(dirname "$0")/.."

build=.build-kernels-asan
clang=$(scripts/clang.sh)
sanitizers=(-fsanitize=address,undefined -fno-sanitize-recover=undefined)
jobs=$(getconf _NPROCESSORS_ONLN)

object_of() { local name=${1%.c}; echo "$build/${name//\//_}.o"; }

# compile FOLDER…: compiles the C files in the folders whose objects are older than the file, a header or this script. Removes objects whose
# file is gone: all are linked. Adds coverage for the fuzzers.
compile() {
    local object file objects=' '
    mkdir -p "$build"
    while read -r file; do objects+="$(object_of "$file") "; done < <(find Sources/CJWTKernels Sources/COpenSSL Tests/Kernels -name '*.c')
    for object in "$build"/*.o; do [[ $objects = *" $object "* ]] || rm -f "$object"; done
    find "$@" -name '*.c' | while read -r file; do
        object=$(object_of "$file")
        if [ ! "$object" -nt "$file" ] || [ "$0" -nt "$object" ] ||
            [ -n "$(find Sources/CJWTKernels Sources/COpenSSL Tests/Kernels -name '*.h' -newer "$object")" ]; then
            printf '%s\0%s\0' "$object" "$file"
        fi
    done | xargs -0 -r -n 2 -P "$jobs" "$clang" -std=gnu17 -O1 -g -fno-omit-frame-pointer "${sanitizers[@]}" \
        -fsanitize=fuzzer-no-link -I Sources/CJWTKernels/include -I Sources/COpenSSL/include -c -o
}

check() {
    compile Sources/CJWTKernels Sources/COpenSSL Tests/Kernels/Differential
    "$clang" "${sanitizers[@]}" -fuse-ld=lld "$build"/{Sources,Tests_Kernels_Differential}_*.o -lcrypto -o "$build/kernel-differential"
    "$build/kernel-differential" "${1:-20000}"
}

fuzz() {
    local runs=${1:-100000}
    shift || true
    [ $# -gt 0 ] || set -- p256 p384 p521 ed25519 rsa sha
    compile Sources/CJWTKernels Tests/Kernels/Fuzz
    mkdir -p Fuzz/crashes
    scripts/fuzz_ledger.py commit "$build"
    printf '%s\0' "$@" | xargs -0 -n 1 -P "$jobs" scripts/sanitized_kernels.sh fuzz_one "$runs"
}

# fuzz_one RUNS FUZZER: prints the fuzzer's closing numbers, or after a failure its whole output.
fuzz_one() {
    local program=$build/$2-fuzzer executed bound=$1 found
    "$clang" "${sanitizers[@]}" -fsanitize=fuzzer -fuse-ld=lld "$build"/Sources_CJWTKernels_*.o "$build/Tests_Kernels_Fuzz_$2.o" -lcrypto \
        -o "$program"
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    found=$work/corpus
    [ -z "${MINUTES:-}" ] || { bound=-1 found=.build-fuzz/corpora/$2; }
    mkdir -p "$found"
    if scripts/fuzz_ledger.py run "$2" "$program" -runs="$bound" -max_len=4096 -timeout=60 -print_final_stats=1 -verbosity=0 \
        -artifact_prefix=Fuzz/crashes/"$2"-kernels- "$found" "Tests/Kernels/Fuzz/$2_corpus" >"$work/log" 2>&1; then
        executed=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log")
        # Without numbers, the last line has the reason why there is nothing to fuzz on this machine.
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
