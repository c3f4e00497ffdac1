#!/usr/bin/env bash
# Keeps every host of the decision core busy while keys rotate, issuers fail, files of revocations change and programs reload: soak.sh SECONDS
# Needs what hosts.sh needs.
set -euo pipefail
cd "$(dirname "$0")/../.."

python=$(scripts/environment.sh python-gateways Tests/Gateways/requirements.txt)
export LD_LIBRARY_PATH=${ASSAY_LIBRARY:-$PWD/.build-lib/assay}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
exec "$python" Tests/Gateways/run_soak.py "$@"
