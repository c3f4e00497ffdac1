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

# block KIND NUMBER: prints a block of the page, which stands in a list.
block() {
    awk -v kind="$1" -v wanted="$2" '$1 == "```" kind { count++; is_in = 1; next } $1 == "```" { is_in = 0 } is_in && count == wanted' \
        /project/bindings/go/README.md | sed 's/^   //'
}

began=$(date +%s)
apt-get update -qq && apt-get install -y -qq --no-install-recommends golang-go gcc libc6-dev pkg-config \
    /project/.build-deb/libassay0_*.deb \
    /project/.build-deb/libassay-http0_*.deb /project/.build-deb/libassay-dev_*.deb >/dev/null 2>&1
check "apt installs Go, a compiler and libassay" 0 $?
check "no Swift is there" "" "$(command -v swift)"
mkdir /work && cd /work || exit 1
go mod init example.com/hello >/dev/null 2>&1
said=$(GOPROXY=file:///project/.build-go/proxy GONOSUMDB=assay.local go get assay.local/assay 2>&1)
check "go gets the module in one command, without a network" 0 "$?"
[ "$failed" = 0 ] || echo "$said"
block go 1 >main.go
check "the first program verifies a token" "valid: user-1" "$(go run . 2>&1 | head -n 1)"
block go 2 >main.go
block go 3 >main_test.go
block json 1 >settings.json
said=$(go vet . 2>&1 && go test . 2>&1 && go build . 2>&1)
check "the second one passes its test" 0 "$?"
./hello &
for _ in $(seq 100); do
    said=$(bash -c 'exec 3<>/dev/tcp/127.0.0.1/8080 && printf "GET / HTTP/1.0\r\nHost: a\r\n\r\n" >&3 && head -n 1 <&3' 2>/dev/null) && break
    sleep 0.1
done
check "and refuses a request without a token" "HTTP/1.0 401 Unauthorized" "${said%$'\r'}"
kill $!
[ "$failed" = 0 ] || echo "$said"
check "the page takes less than ten minutes" 1 "$(($(date +%s) - began < 600))"
echo "the page took $(($(date +%s) - began)) s"
echo "$passed passed, $failed failed"
exit $((failed > 0))
