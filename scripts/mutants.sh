#!/usr/bin/env bash
# Judges mutants of the verifier by proofs, vectors and tests, and writes the score into Docs/Mutants.md. Forty minutes
# on two cores, and more where nothing is built.
#   scripts/mutants.sh [--seed S] [--count N] [arithmetic] [swift] [c] [neon]    all parts unless some are named; of each, N mutants
# Each part writes a line of JSON for each mutant to .build-mutants/PART.jsonl. The page changes only in a run of all parts without --count.
set -uo pipefail
cd "$(dirname "$0")/.."

seed=1 count='' parts=()
while (($# > 0)); do
    case $1 in
        --seed) seed=$2; shift ;;
        --count) count=$2; shift ;;
        arithmetic | swift | c | neon) parts+=("$1") ;;
        *) sed -n 's/^# \{0,3\}//; 2,5p' "$0" >&2; exit 2 ;;
    esac
    shift
done
page=(--page Docs/Mutants.md)
[[ ${#parts[@]} = 0 && -z $count ]] || page=()
((${#parts[@]} > 0)) || parts=(arithmetic swift c neon)

# judge PART: its mutants. Fails where one survived, or where nothing could be judged.
judge() {
    local file=.build-mutants/$1.jsonl options=(--seed "$seed" ${count:+--count "$count"})
    case $1 in
        arithmetic)
            "$(scripts/environment.sh python-proofs Proofs/requirements.txt)" Proofs/mutants.py --folder .build-mutants/arithmetic \
                --count 200 "${options[@]}" --json "$file" ;;
        *) python3 Tests/Mutants/run.py "$1" "${options[@]}" --json "$file" ;;
    esac
}

mkdir -p .build-mutants
files=() failed=0
for part in "${parts[@]}"; do
    judge "$part" || failed=1
    files+=(".build-mutants/$part.jsonl")
done
python3 Tests/Mutants/report.py "${page[@]}" --seed "$seed" "${files[@]}" || failed=1
exit $failed
