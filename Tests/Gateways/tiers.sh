#!/usr/bin/env bash
# Attacks both modules and the service once with each tier of the engine. Needs what nginx-module.sh, envoy-module.sh and run.sh need.
set -euo pipefail
cd "$(dirname "$0")/../.."

python=$(scripts/environment.sh python-gateways Tests/Gateways/requirements.txt)
export LD_LIBRARY_PATH=${ASSAY_LIBRARY:-$PWD/.build-lib/assay}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
exec "$python" Tests/Gateways/run_tiers.py
