#!/usr/bin/env bash
# Tests the reference IDaaS from outside: its OpenAPI document is valid; a client that knows only the document logs in by SMS, and so does
# a user at a terminal; the answers to thousands of good and bad requests match the document, and each operation succeeds at least once
# (schemathesis, with hooks that log in); Prometheus' parser reads its metrics.
#
# SECONDS_EACH limits the time of the random requests, SEED seeds them. Needs Python with venv; packages come from requirements.txt.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/idaas.sh

python=$(scripts/environment.sh python-wire Tests/Wire/requirements.txt)
wire=$PWD/Tests/Wire
work=$(mktemp -d)
trap 'kill "$idaas_pid" 2>/dev/null || true; rm -rf "$work"' EXIT

"$python" -m openapi_spec_validator Docs/openapi.json
before=$(($(date +%s) - 1))
start_idaas "$work" --config Tests/Wire/unlimited.yaml --simulators
"$python" Tests/Wire/walk.py "$idaas_url" demo "$ASSAY_DEV_TOKEN" +86-13912345678

"$python" Tests/Wire/terminal.py "$PWD/.build/release/assay" "$idaas_url" demo "$ASSAY_DEV_TOKEN"

ASSAY_WIRE_STREAM=$(.build/release/assay idaas stream add --dev --db "${DATABASE:-$work/idaas.sqlite}" --name Wire --audience wire --poll --json |
    "$python" -c 'import json, sys; row = json.load(sys.stdin)[0]; print(row["id"], row["secret"])')
export ASSAY_WIRE_STREAM

# The document comes from a file: schemathesis does not test the operation from which it reads the document.
"$python" -c 'import sys, urllib.request; sys.stdout.buffer.write(urllib.request.urlopen(sys.argv[1]).read())' "$idaas_url/openapi.json" \
    >"$work/openapi.json"

# Two runs: first all cases that schemathesis derives from the document, so that each operation is reached; then random requests, single
# and linked.
fuzz() {
    local name=$1
    shift
    (cd "$work" && ASSAY_WIRE_URL=$idaas_url ASSAY_WIRE_CLIENT=demo ASSAY_WIRE_COUNTS="$work/$name.json" \
        PYTHONPATH=$wire SCHEMATHESIS_HOOKS=hooks "$python" -m schemathesis.cli --config-file "$wire/schemathesis.toml" \
        run openapi.json --url "$idaas_url" --seed "${SEED:-1}" --no-color "$@" >"$work/schemathesis.out" 2>&1) || {
        cat "$work/schemathesis.out"
        exit 1
    }
    grep -E 'Tested:|API Links|generated|No issues' "$work/schemathesis.out" || true
}
fuzz described --phases examples,coverage
fuzz random --phases fuzzing,stateful --max-time "${SECONDS_EACH:-30}"
"$python" Tests/Wire/coverage.py "$idaas_url" "$work/described.json" "$work/random.json"
"$python" Tests/Wire/metrics.py "$idaas_url" "$before"
