#!/usr/bin/env bash
# Loads `assay serve` with idle, slow and reset connections; with --long with ten thousand of them, and then with the soak: run.sh [--long]
# SOAK=600 sets the seconds of the soak. Needs .build/release/assay and loopback-provider, and the packages of `scripts/dependencies.sh test`.
set -euo pipefail
cd "$(dirname "$0")/../../.."

python=$(scripts/environment.sh python-gateways Tests/Gateways/requirements.txt)
status=0
"$python" Tests/Load/Gateway/connections.py "$@" || status=1
if [ "${1:-}" = --long ]; then "$python" Tests/Load/Gateway/soak.py "${SOAK:-600}" || status=1; fi
exit $status
