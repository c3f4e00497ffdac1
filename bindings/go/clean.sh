#!/usr/bin/env bash
# Follows the first page of the Go package in a minimal Debian, with the packages from .build-deb (`make deb`): clean.sh [RELEASE]
# That Debian has what the page names: Go, a C compiler and libassay. No Swift. Needs root and apt's mirror. Ends with "N passed, N failed".
set -uo pipefail
cd "$(dirname "$0")/../.."

if [ "${1:-}" != inside ]; then
    python3 bindings/go/module.py .build-go/proxy || exit 1
    exec Tests/Packages/inside.sh "${1:-}" bindings/go/clean.sh inside
fi

passed=0
failed=0

check() {
    if [ "$2" = "$3" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        printf 'FAIL %s: expected "%s", got "%s"\n' "$1" "$2" "$3"
    fi
}

# blocks: prints the Go of the page, which stands in a list.
blocks() { sed -n '/^ *```go$/,/^ *```$/p' /project/bindings/go/README.md | grep -v '```' | sed 's/^   //'; }

began=$(date +%s)
apt-get update -qq && apt-get install -y -qq --no-install-recommends golang-go gcc libc6-dev pkg-config \
    /project/.build-deb/libassay0_*.deb \
    /project/.build-deb/libassay-http0_*.deb /project/.build-deb/libassay-dev_*.deb >/dev/null 2>&1
check "apt installs Go, a compiler and libassay" 0 $?
check "no Swift is there" "" "$(command -v swift)"
mkdir /work && cd /work || exit 1
{
    printf 'package main\n\nimport (\n\t"fmt"\n\t"net/http"\n\t"net/http/httptest"\n\t"testing"\n\n\t"assay.local/assay"\n\t"assay.local/assay/assaytest"\n)\n\n'
    printf 'type Account struct {\n\tID string `json:"sub"`\n}\n\n'
    blocks
} >page_test.go
go mod init example.test/page >/dev/null 2>&1
said=$(GOPROXY=file:///project/.build-go/proxy GONOSUMDB=assay.local go get assay.local/assay 2>&1)
check "go gets the module in one command, without a network" 0 "$?"
[ "$failed" = 0 ] || echo "$said"
said=$(go vet . 2>&1 && go test . 2>&1)
check "the program of the page passes its test" 0 "$?"
[ "$failed" = 0 ] || echo "$said"
check "the page takes less than ten minutes" 1 "$(($(date +%s) - began < 600))"
echo "the page took $(($(date +%s) - began)) s"
echo "$passed passed, $failed failed"
exit $((failed > 0))
