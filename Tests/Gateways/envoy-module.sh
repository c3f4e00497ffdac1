#!/usr/bin/env bash
# Tests Envoy with the module of integrations/envoy, which is built for the run: envoy-module.sh [--long]. Needs loopback-provider in
# .build/release and libassay in .build-lib/assay (scripts/libassay.sh), and the packages of `scripts/dependencies.sh test`.
set -euo pipefail
cd "$(dirname "$0")/../.."

python=$(scripts/environment.sh python-gateways Tests/Gateways/requirements.txt)
exec "$python" Tests/Gateways/run_envoy_module.py "$@"
