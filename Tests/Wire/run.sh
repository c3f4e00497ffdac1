#!/usr/bin/env bash
# The reference IDaaS as anybody sees it: its OpenAPI document is valid; a client that knows the document alone logs in by SMS, and so
# does a person at a terminal; what it answers to thousands of good and bad requests is as the document says (schemathesis); its metrics are Prometheus'.
#
# SECONDS_EACH bounds schemathesis, SEED is what it begins with. Needs Python with venv; packages come from requirements.txt.
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
work=$(mktemp -d)
trap 'kill "$idaas_pid" 2>/dev/null || true; rm -rf "$work"' EXIT

"$python" -m openapi_spec_validator Docs/openapi.json
start_idaas "$work" --config Tests/Wire/unlimited.yaml
"$python" Tests/Wire/walk.py "$idaas_url" demo "$ASSAY_DEV_TOKEN" +86-13912345678

"$python" Tests/Wire/terminal.py "$PWD/.build/release/assay" "$idaas_url" demo "$ASSAY_DEV_TOKEN"

# By design, so that the four checks which want otherwise are left out: a business error is a 400, for credentials too (the vendor's
# protocol has no other status for it), members that are not described are ignored, and who ends a session that is none has ended it.
(cd "$work" && "$python" -m schemathesis.cli run "$idaas_url/openapi.json" --mode all --max-time "${SECONDS_EACH:-40}" --seed "${SEED:-1}" --no-color \
    --exclude-checks negative_data_rejection,positive_data_acceptance,ignored_auth,missing_required_header \
    -H 'X-client-id: demo' -H 'X-device-fingerprint: 4f1c' -H 'X-agent: schemathesis' -H 'X-operating-sys-version: Debian 12' \
    -H "X-Assay-Dev: $ASSAY_DEV_TOKEN" >schemathesis.out 2>&1) || {
    cat "$work/schemathesis.out"
    exit 1
}
grep -E 'Tested:|generated|No issues' "$work/schemathesis.out"
"$python" Tests/Wire/metrics.py "$idaas_url"
