#!/usr/bin/env bash
# Times verifications from Go beside those from C, with libassay in .build-lib/assay: speed.sh [ROUNDS]
set -euo pipefail
cd "$(dirname "$0")/../.."

go=${GO:-$(dirname "$(scripts/environment.sh python-go bindings/go/requirements.txt)")/go}
eval "$(bindings/go/environment.sh)"
cd bindings/go
exec "$go" run ./internal/speed "$@"
