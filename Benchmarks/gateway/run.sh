#!/usr/bin/env bash
# Loads `assay serve`, alone and behind gateways, beside the gateways' own verification and Apache's: run.sh [--quick] [--json FILE]
# [--rounds N] [--only ROW]… [--engine TIER] Needs .build/release/assay and the packages of `scripts/dependencies.sh test`.
set -euo pipefail
cd "$(dirname "$0")/../.."

python=$(scripts/environment.sh python-gateway-load Tests/Gateways/requirements.txt Benchmarks/gateway/requirements.txt)
export LD_LIBRARY_PATH=${ASSAY_LIBRARY:-$PWD/.build-lib/assay}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
ASSAY_NGINX_LUA=$(Tests/Gateways/nginx-lua.sh)
export ASSAY_NGINX_LUA
exec "$python" Benchmarks/gateway/main.py "$@"
