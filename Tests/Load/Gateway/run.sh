#!/usr/bin/env bash
# Loads `assay serve` with idle, slow and reset connections; with --long with ten thousand of them, and then with the soak, and nginx and
# Envoy with the modules with theirs: run.sh [--long]. SOAK=600 sets the seconds of each soak. Needs .build/release/assay and
# loopback-provider, libassay in .build-lib/assay for the modules, and the packages of `scripts/dependencies.sh test`.
set -euo pipefail
cd "$(dirname "$0")/../../.."

python=$(scripts/environment.sh python-gateways Tests/Gateways/requirements.txt)
status=0
"$python" Tests/Load/Gateway/connections.py "$@" || status=1
if [ "${1:-}" = --long ]; then
    export LD_LIBRARY_PATH=${ASSAY_LIBRARY:-$PWD/.build-lib/assay}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    for soak in soak module_soak; do "$python" "Tests/Load/Gateway/$soak.py" "${SOAK:-600}" || status=1; done
fi
exit $status
