#!/usr/bin/env bash
# Tests `assay serve` behind nginx, Caddy, HAProxy, Envoy, and clients of the contracts of Traefik and APISIX, each with the configuration of
# its page in integrations/: run.sh [--long] [GATEWAY…]. Needs .build/release/assay and loopback-provider, and the packages of
# `scripts/dependencies.sh test`.
set -euo pipefail
cd "$(dirname "$0")/../.."

python=$(scripts/environment.sh python-gateways Tests/Gateways/requirements.txt)
# Where Debian's Lua module for nginx cannot be had, the function for APISIX is not run.
ASSAY_NGINX_LUA=$(Tests/Gateways/nginx-lua.sh) || echo "apisix skipped: Debian's Lua module for nginx cannot be had"
export ASSAY_NGINX_LUA
exec "$python" Tests/Gateways/run.py "$@"
