#!/usr/bin/env bash
# Fuzzes each target for RUNS inputs (default one million), from its corpus. A crash stores its input in Fuzz/crashes and ends the script.
# The verification kernels get a twentieth of RUNS: each input has up to eight signatures, which libcrypto also verifies.
set -euo pipefail
cd "$(dirname "$0")/../Fuzz"

runs=${1:-1000000}
# The fuzzers are guided by the coverage of the library's Swift and C code.
swift build -c release --scratch-path ../.build-fuzz --sanitize=address -Xswiftc -sanitize=fuzzer -Xcc -fsanitize=fuzzer-no-link \
    -Xcc -fsanitize=undefined -Xcc -fsanitize-trap=undefined
mkdir -p crashes
for target in TokenFuzzer HeaderFuzzer PayloadFuzzer KeySetFuzzer CheckRequestFuzzer DecisionFuzzer; do
    echo "== $target"
    corpus=$(mktemp -d)
    "../.build-fuzz/release/$target" -runs="$runs" -max_len=4096 -print_final_stats=1 -verbosity=0 -artifact_prefix=crashes/"$target"- \
        "$corpus" "${target}_corpus" 2>&1 | grep -vE '^stat::(slowest|peak)' || { rm -rf "$corpus"; exit 1; }
    rm -rf "$corpus"
done

echo "== kernels"
../scripts/sanitized_kernels.sh fuzz $((runs / 20))
