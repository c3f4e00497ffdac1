#!/usr/bin/env bash
# Measures what the module of integrations/nginx adds to nginx: nginx-module.sh [ROUNDS [SECONDS]]. Needs loopback-provider in .build/release,
# libassay in .build-lib/assay (scripts/libassay.sh), and the packages of `scripts/dependencies.sh test`.
set -euo pipefail
cd "$(dirname "$0")/../.."

python=$(scripts/environment.sh python-gateways Tests/Gateways/requirements.txt)
export LD_LIBRARY_PATH=${ASSAY_LIBRARY:-$PWD/.build-lib/assay}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
exec "$python" Benchmarks/gateway/nginx_module.py "$@"
