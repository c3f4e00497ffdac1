#!/usr/bin/env bash
# Sends random requests through every host of the decision core and compares each with the library's own decision: hosts.sh SECONDS
# SEED=N repeats the requests of a run. Needs .build/release/assay and loopback-provider, libassay in .build-lib/assay, and the packages of
# `scripts/dependencies.sh test`.
set -euo pipefail
cd "$(dirname "$0")/../.."

python=$(scripts/environment.sh python-gateways Tests/Gateways/requirements.txt)
export LD_LIBRARY_PATH=${ASSAY_LIBRARY:-$PWD/.build-lib/assay}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
bindings/lua/build.sh 5.3
exec "$python" Tests/Gateways/run_hosts.py "$@"
