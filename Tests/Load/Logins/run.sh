#!/usr/bin/env bash
# A thousand users log in at once, from a second process. First with raised limits: all succeed. Then with the default limits: as many
# succeed as one address may make attempts, and every other gets a retry time. Last, a flood of wrong passwords.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. scripts/idaas.sh
ulimit -n "$(ulimit -Hn)"
work=$(mktemp -d)
trap 'kill "$idaas_pid" 2>/dev/null || true; rm -rf "$work"' EXIT

run() { # NAME LOGINS SUCCESSES [OPTION…]
    mkdir "$work/$1"
    start_idaas "$work/$1" "${@:4}"
    .build/release/idaas-load "$idaas_url" demo "$idaas_pid" "$2" "$3"
    kill "$idaas_pid"
    wait "$idaas_pid" || true
}
echo "limits raised:"
run raised "${LOGINS:-1000}" "${LOGINS:-1000}" --config Tests/Wire/unlimited.yaml
echo "limits as they are:"
run default "${LOGINS:-1000}" 30 --config Tests/Load/Logins/one-address.yaml
echo "wrong passwords:"
run flood flood 300 --config Tests/Wire/unlimited.yaml --simulators
