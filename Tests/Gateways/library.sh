#!/usr/bin/env bash
# Tests libassay inside a plain proxy: library.sh. Needs loopback-provider in .build/release and libassay in .build-lib/assay
# (scripts/libassay.sh).
set -euo pipefail
cd "$(dirname "$0")/../.."

python=$(scripts/environment.sh python-gateways Tests/Gateways/requirements.txt)
exec "$python" Tests/Gateways/run_library.py "$@"
