#!/usr/bin/env bash
# JWTCore alone: resolves no other package, links neither Foundation nor NIO.
set -uo pipefail
cd "$(dirname "$0")"
passed=0
failed=0

check() {
    if [ "$2" = "$3" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        printf 'FAIL %s: expected "%s", got "%s"\n' "$1" "$2" "$3"
    fi
}

swift build -c release >/dev/null || exit 1
program=.build/release/LinkageTest
check "it runs" missing_algorithm "$("$program")"
check "packages checked out" "" "$(ls .build/checkouts .build/repositories 2>/dev/null | grep -v '^\.build\|^$')"
check "pins" "" "$(grep -o '"identity" : "[^"]*"' Package.resolved 2>/dev/null)"
check "Foundation or NIO linked" "" "$(ldd "$program" | grep -iE 'foundation|nio' || true)"
check "libraries linked" "crypto jansson" "$(ldd "$program" | grep -oE 'lib(crypto|jansson)' | sed 's/lib//' | sort -u | xargs)"
printf '%d passed, %d failed\n' "$passed" "$failed"
exit $((failed > 0))
