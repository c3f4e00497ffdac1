#!/usr/bin/env bash
# The reference IDaaS as anybody sees it: its OpenAPI document is valid; a client that knows the document alone logs in by SMS, and so
# does a person at a terminal; what it answers to thousands of good and bad requests is as the document says, and each operation is seen to
# succeed (schemathesis, with hooks that log in); its metrics are Prometheus'.
#
# SECONDS_EACH bounds the requests at random, SEED is what they begin with. Needs Python with venv; packages come from requirements.txt.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/idaas.sh

environment=.build/python-wire
stamp="$environment/.installed-$(sha256sum Tests/Wire/requirements.txt | cut -c1-16)"
if [ ! -e "$stamp" ]; then
    python3 -m venv "$environment"
    "$environment/bin/pip" install --quiet --disable-pip-version-check -r Tests/Wire/requirements.txt
    touch "$stamp"
fi
python=$PWD/$environment/bin/python
wire=$PWD/Tests/Wire
work=$(mktemp -d)
trap 'kill "$idaas_pid" 2>/dev/null || true; rm -rf "$work"' EXIT

"$python" -m openapi_spec_validator Docs/openapi.json
start_idaas "$work" --config Tests/Wire/unlimited.yaml
"$python" Tests/Wire/walk.py "$idaas_url" demo "$ASSAY_DEV_TOKEN" +86-13912345678

"$python" Tests/Wire/terminal.py "$PWD/.build/release/assay" "$idaas_url" demo "$ASSAY_DEV_TOKEN"

# From a file, since it leaves out the operation that it has the document from.
"$python" -c 'import sys, urllib.request; sys.stdout.buffer.write(urllib.request.urlopen(sys.argv[1]).read())' "$idaas_url/openapi.json" \
    >"$work/openapi.json"

# Twice: what it can think of by itself, all of it, so that each operation is seen; then at random, one by one and along the links.
fuzz() {
    local name=$1
    shift
    (cd "$work" && ASSAY_WIRE_URL=$idaas_url ASSAY_WIRE_CLIENT=demo ASSAY_WIRE_COUNTS="$work/$name.json" \
        PYTHONPATH=$wire SCHEMATHESIS_HOOKS=hooks "$python" -m schemathesis.cli --config-file "$wire/schemathesis.toml" \
        run openapi.json --url "$idaas_url" --seed "${SEED:-1}" --no-color "$@" >"$work/schemathesis.out" 2>&1) || {
        cat "$work/schemathesis.out"
        exit 1
    }
    grep -E 'Tested:|API Links|generated|No issues' "$work/schemathesis.out"
}
fuzz described --phases examples,coverage
fuzz random --phases fuzzing,stateful --max-time "${SECONDS_EACH:-30}"
"$python" Tests/Wire/coverage.py "$idaas_url" "$work/described.json" "$work/random.json"
"$python" Tests/Wire/metrics.py "$idaas_url"
