#!/usr/bin/env bash
# Times verifications from Go beside those from C, with libassay in .build-lib/assay: speed.sh [ROUNDS]
set -euo pipefail
cd "$(dirname "$0")/../.."

go=${GO:-$(dirname "$(scripts/environment.sh python-go bindings/go/requirements.txt)")/go}
variables=$(bindings/go/environment.sh)
eval "$variables"
cd bindings/go
exec "$go" run ./internal/speed "$@"
