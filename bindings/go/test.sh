#!/usr/bin/env bash
# Tests the Go package: test.sh [--long]. Vectors, races, fuzzers, examples, and every attack on gateways through net/http.
# Needs libassay in .build-lib/assay and loopback-provider in .build/release.
set -euo pipefail
cd "$(dirname "$0")/../.."

long=
[ "${1:-}" = --long ] && long=1
go=${GO:-$(dirname "$(scripts/environment.sh python-go bindings/go/requirements.txt)")/go}
gateways=$(scripts/environment.sh python-gateways Tests/Gateways/requirements.txt)
variables=$(bindings/go/environment.sh)
eval "$variables"
export ASSAY_GO_HOST=$PWD/.build-go/host

python3 bindings/go/page.py
cd bindings/go
# PyPI's Go has the source of gofmt alone.
"$go" build -o ../../.build-go/gofmt cmd/gofmt
unformatted=$(../../.build-go/gofmt -l .)
[ -z "$unformatted" ] || { echo "not formatted: $unformatted"; exit 1; }
"$go" vet ./...

# tests FLAG…: a line for each test that failed, and the totals.
tests() {
    "$go" test -count=1 -v "$@" ./... 2>&1 |
        awk '/^ *--- PASS/ { passed++ } /^ *--- FAIL/ { failed++ } /^ *--- SKIP/ { skipped++ }
            !/^(=== |ok |\?|PASS|--- PASS|--- SKIP)/ { print }
            END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped; exit failed > 0 || passed == 0 }'
}
ASSAY_GO_CALLS=${long:+10000000} tests -timeout 1h
# The race detector has memory of its own for each address that was ever used. AddressSanitizer keeps freed memory, and looks for leaks at the
# end.
tests -race -skip '^TestManyCallsLeaveMemoryAsItWas$'
[ -z "$long" ] || tests -asan -skip '^TestManyCallsLeaveMemoryAsItWas$'
for fuzzer in FuzzVerify FuzzTarget FuzzMember; do
    "$go" test -run '^$' -fuzz "^$fuzzer\$" -fuzztime "$([ "$long" ] && echo 10m || echo 3s)" . >../../.build-go/$fuzzer.log ||
        { cat ../../.build-go/$fuzzer.log; exit 1; }
done
"$go" build -o "$ASSAY_GO_HOST" ./internal/host
"$go" run ./internal/speed 1 >/dev/null
cd ../..
exec "$gateways" Tests/Gateways/run_go.py
