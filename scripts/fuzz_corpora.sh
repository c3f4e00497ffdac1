#!/usr/bin/env bash
# Minimises the committed corpora: of the inputs that are committed, that fuzzing has found and that Fuzz/seeds makes from the vectors,
# keeps for each target as few and as short ones as reach the same code. Needs the targets of scripts/fuzz.sh, built.
#   scripts/fuzz_corpora.sh [TARGET…]
set -euo pipefail
cd "$(dirname "$0")/../Fuzz"

most_bytes=460000
# Inputs that fuzzing has found are kept up to this size; the seeds have the long ones.
most_found=640
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PYTHONDONTWRITEBYTECODE=1 python3 seeds "$work/seeds"
[ $# -gt 0 ] || set -- $(../scripts/fuzz.sh --list | grep Fuzzer)
for target in "$@"; do
    program=../.build-fuzz/release/$target
    [ -x "$program" ] || program=../.build-fuzz-servers/release/$target
    [ -x "$program" ] || { echo "$target is not built" >&2; continue; }
    mkdir -p "$work/$target" "$work/found" "../.build-fuzz/corpora/$target" "${target}_corpus"
    rm -f "$work/found/"*
    find "../.build-fuzz/corpora/$target" -type f -size "-$((most_found + 1))c" -exec cp -t "$work/found" {} +
    "$program" -set_cover_merge=1 -use_counters=0 -max_len=4096 -timeout=60 "$work/$target" "${target}_corpus" "$work/seeds/$target" \
        "$work/found" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    rm -rf "${target}_corpus"
    cp -r "$work/$target" "${target}_corpus"
    echo "$target: $(find "${target}_corpus" -type f | wc -l) inputs"
done
bytes=$(find . -path './*_corpus/*' -type f -printf '%s\n' | awk '{ sum += $1 } END { print sum }')
echo "$bytes bytes in all, at most $most_bytes"
((bytes <= most_bytes))
