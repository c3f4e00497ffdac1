#!/usr/bin/env bash
# Tests module assay: test.sh [--long]. Vectors, the interface and memory, with each Lua of Debian; every attack on gateways through HAProxy.
# In full also with the sanitizers for addresses and undefined behaviour, ten million calls, and HAProxy of Debian 13.
# Needs libassay in .build-lib/assay and loopback-provider in .build/release.
set -euo pipefail
cd "$(dirname "$0")/../.."

long=
[ "${1:-}" = --long ] && long=1
library=${ASSAY_LIBRARY:-$PWD/.build-lib/assay}
export LD_LIBRARY_PATH=$library${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LUA_PATH="$PWD/bindings/lua/?.lua;$PWD/bindings/lua/tests/?.lua"
gateways=$(scripts/environment.sh python-gateways Tests/Gateways/requirements.txt)

# tests LUA FOLDER: all but memory.
tests() {
    LUA_CPATH="$2/?.so" "$1" bindings/lua/tests/vectors.lua vectors/*.json
    LUA_CPATH="$2/?.so" "$1" bindings/lua/tests/interface.lua vectors
    LUA_CPATH="$2/?.so" "$1" bindings/lua/tests/tasks.lua vectors
    LUA_CPATH="$2/?.so" "$1" bindings/lua/tests/ending.lua vectors
}
python3 bindings/lua/page.py
for version in 5.3 5.4; do
    folder=$PWD/.build-lua/$version
    bindings/lua/build.sh $version "$folder"
    tests lua$version "$folder"
    LUA_CPATH="$folder/?.so" lua$version bindings/lua/tests/memory.lua vectors "$([ "$long" ] && echo 10000000 || echo 200000)"
    [ -n "$long" ] || continue
    CFLAGS="-fsanitize=address,undefined -fno-sanitize-recover=all" bindings/lua/build.sh $version "$folder-sanitized"
    ASAN_OPTIONS=detect_leaks=0 LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)" \
        tests lua$version "$folder-sanitized"
done
"$gateways" Tests/Gateways/run_haproxy.py ${long:+--long}
[ -z "$long" ] || Tests/Gateways/lua-release.sh trixie haproxy
