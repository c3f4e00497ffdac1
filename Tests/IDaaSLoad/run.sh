#!/usr/bin/env bash
# A thousand people log in at once, from a second process: first with the limits raised, when all succeed; then with the limits as they
# are, when as many succeed as one address may send tries in a minute, and every other is told when to come again.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/idaas.sh
ulimit -n "$(ulimit -Hn)"
work=$(mktemp -d)
trap 'kill "$idaas_pid" 2>/dev/null || true; rm -rf "$work"' EXIT

run() { # NAME SUCCESSES [OPTION…]
    mkdir "$work/$1"
    start_idaas "$work/$1" "${@:3}"
    .build/release/idaas-load "$idaas_url" demo "$idaas_pid" "${LOGINS:-1000}" "$2"
    kill "$idaas_pid"
    wait "$idaas_pid" || true
}
echo "limits raised:"
run raised "${LOGINS:-1000}" --config Tests/Wire/unlimited.yaml
echo "limits as they are:"
run default 30
