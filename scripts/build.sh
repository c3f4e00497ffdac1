#!/usr/bin/env bash
# Builds a product in release: assay and bench unless told otherwise. Says what the compiler said only if it failed.
set -euo pipefail
cd "$(dirname "$0")/.."

# SwiftPM passes traits on in the order of a set, which differs from run to run unless it is told otherwise; and with another order
# everything is compiled anew.
export SWIFT_DETERMINISTIC_HASHING=1

for product in "${@:-}"; do
    arguments=(-c release)
    [ -n "$product" ] && arguments+=(--product "$product")
    echo "building ${product:-everything} (release)"
    log=$(mktemp)
    if ! swift build "${arguments[@]}" >"$log" 2>&1; then
        cat "$log" >&2
        rm -f "$log"
        exit 1
    fi
    rm -f "$log"
done
