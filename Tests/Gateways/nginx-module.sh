#!/usr/bin/env bash
# Tests the module of integrations/nginx in real nginx: nginx-module.sh [--long]. Needs .build/release/loopback-provider, libassay in
# .build-lib/assay, and the packages nginx-light, nginx-dev, openssl and valgrind.
set -euo pipefail
cd "$(dirname "$0")/../.."

python=$(scripts/environment.sh python-gateways Tests/Gateways/requirements.txt)
export LD_LIBRARY_PATH=${ASSAY_LIBRARY:-$PWD/.build-lib/assay}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
exec "$python" Tests/Gateways/run_nginx_module.py "$@"
