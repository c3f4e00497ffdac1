#!/usr/bin/env bash
# Checks that a client of JWTCore resolves no other package and links neither Foundation nor NIO, and that one of AssayTesting builds in the
# same way.
set -uo pipefail
cd "$(dirname "$0")"
# The trait is that of the C interface, with which this build shares what is compiled. The stage `traits` tests a client without traits.
build=$(cd ../../.. && pwd)/.build-lib
passed=0
failed=0

check() {
    if [ "$2" = "$3" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        printf 'FAIL %s: expected "%s", got "%s"\n' "$1" "$2" "$3"
    fi
}

said=$(SWIFT_DETERMINISTIC_HASHING=1 flock "$build/building" swift build -c release -debug-info-format none --scratch-path "$build" 2>&1) || {
    echo "$said"
    exit 1
}
program=$build/release/LinkageTest
check "it runs" missing_algorithm "$("$program")"
check "the testing kit runs" jane "$("$build/release/TestingKit")"
check "the testing kit links NIO or libpng" "" "$(ldd "$build/release/TestingKit" | grep -iE 'nio|png' || true)"
check "packages checked out" "" "$(find "$build"/checkouts "$build"/repositories -mindepth 1 2>/dev/null)"
check "pins" "" "$(grep -o '"identity" : "[^"]*"' Package.resolved 2>/dev/null)"
check "Foundation or NIO linked" "" "$(ldd "$program" | grep -iE 'foundation|nio' || true)"
check "libraries linked" "crypto jansson" "$(ldd "$program" | grep -oE 'lib(crypto|jansson)' | sed 's/lib//' | sort -u | xargs)"
printf '%d passed, %d failed\n' "$passed" "$failed"
exit $((failed > 0))
