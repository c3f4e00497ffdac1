#!/usr/bin/env bash
# Looks for faults of memory under valgrind while LuaJIT runs the tests of the module by FFI: memory.sh
# LuaJIT's own allocator hides what is written beside a buffer. So this LuaJIT is compiled from Debian's sources with malloc, once, in
# .build-luajit; `make clean` deletes it. Needs libassay in .build-lib/assay, valgrind, make and apt's mirror. Ends with "N passed, N failed".
set -euo pipefail
cd "$(dirname "$0")/../../.."

folder=$PWD/.build-luajit
luajit=$folder/src/luajit
if [ ! -x "$luajit" ]; then
    sources=$(Tests/Packages/source.sh luajit2 "$(. /etc/os-release && echo "$VERSION_CODENAME")")
    rm -rf "$folder"
    cp -r "$sources" "$folder"
    flags="-DLUAJIT_USE_SYSMALLOC -DLUAJIT_USE_VALGRIND -DLUAJIT_ENABLE_GC64"
    make -s -C "$folder/src" XCFLAGS="$flags" CCDEBUG=-g luajit >"$folder/log" 2>&1 ||
        { tail -n 20 "$folder/log"; exit 1; }
fi
export LD_LIBRARY_PATH=${ASSAY_LIBRARY:-$PWD/.build-lib/assay}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LUA_PATH="$PWD/bindings/lua/?.lua;$PWD/bindings/lua/tests/?.lua;$folder/src/?.lua"

# watched FILE ARGUMENT…: what valgrind finds is on the output, and the status is 9.
watched() { valgrind -q --error-exitcode=9 --num-callers=20 "$luajit" -joff "$@" 2>&1; }

passed=0
failed=0
check() {
    if [ "$2" = "$3" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        printf 'FAIL %s: expected "%s", got "%s"\n%s\n' "$1" "$2" "$3" "$said"
    fi
}

# That it finds anything: libassay writes past the end of a buffer.
said=$(watched /dev/stdin <<'LUA'
local ffi = require("ffi")
local c = require("assay.ffi.library").c
c.assay_gateway_check(ffi.new("char[?]", 8), 4096, "x", 1)
LUA
) && status=0 || status=$?
check "a write past the end of a buffer is found" "9 1" "$status $(grep -c 'Invalid write' <<<"$said" | sed 's/^[1-9].*/1/')"
for name in interface tasks; do
    said=$(watched "bindings/lua/tests/$name.lua" vectors) && status=0 || status=$?
    check "$name: $(tail -n 1 <<<"$said")" 0 "$status"
done
said=$(watched bindings/lua/tests/vectors.lua vectors/*.json) && status=0 || status=$?
check "vectors: $(tail -n 1 <<<"$said")" 0 "$status"
echo "$passed passed, $failed failed"
exit $((failed > 0))
