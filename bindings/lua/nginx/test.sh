#!/usr/bin/env bash
# Tests module assay for LuaJIT, and inside nginx with lua-nginx-module: test.sh [--long]. Vectors, the interface, tasks and memory; every
# attack on gateways. In full also under valgrind, ten million calls, and nginx of Debian 13. Needs libassay and libassay-http in
# .build-lib/assay, loopback-provider in .build/release, and the packages luajit and nginx-light.
set -euo pipefail
cd "$(dirname "$0")/../../.."

long=
[ "${1:-}" = --long ] && long=1
library=${ASSAY_LIBRARY:-$PWD/.build-lib/assay}
export LD_LIBRARY_PATH=$library${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LUA_PATH="$PWD/bindings/lua/?.lua;$PWD/bindings/lua/tests/?.lua"
gateways=$(scripts/environment.sh python-gateways Tests/Gateways/requirements.txt)
ASSAY_NGINX_LUA=$(Tests/Gateways/nginx-lua.sh)
export ASSAY_NGINX_LUA

python3 bindings/lua/nginx/declarations.py
# Both ways in which LuaJIT runs.
for mode in on off; do
    luajit -j$mode bindings/lua/tests/vectors.lua vectors/*.json
    luajit -j$mode bindings/lua/tests/interface.lua vectors
    luajit -j$mode bindings/lua/tests/tasks.lua vectors
    luajit -j$mode bindings/lua/tests/ending.lua vectors
done
[ -z "$long" ] || bindings/lua/nginx/memory.sh
luajit bindings/lua/tests/memory.lua vectors "$([ "$long" ] && echo 10000000 || echo 200000)"
"$gateways" Tests/Gateways/run_nginx_lua.py
[ -z "$long" ] || Tests/Gateways/lua-release.sh trixie nginx
