#!/usr/bin/env bash
# Builds packages outside the repository that depend on this one by its path, each with other traits, from nothing, and runs their lines.
#   Tests/Client/Package/run.sh [none|HTTP|everything|example]…      by default all
# Prints the time of each build, without the downloads. Needs loopback-provider in .build/release for HTTP. Ends with "N passed, N failed".
set -uo pipefail
cd "$(dirname "$0")/../../.."
project=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

check() {
    if [ "$2" = "$3" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        printf 'FAIL %s: expected "%s", got "%s"\n' "$1" "$2" "$3"
    fi
}

# package NAME TRAITS PRODUCT…: makes the package NAME, builds it and prints the seconds.
package() {
    local name=$1 traits=$2 products
    shift 2
    products=$(printf '.product(name: "%s", package: "assay"), ' "$@")
    mkdir -p "$work/$name/Sources/$name"
    cp "Tests/Client/Package/$name.swift" "$work/$name/Sources/$name/main.swift"
    cat >"$work/$name/Package.swift" <<SWIFT
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "$name",
    dependencies: [.package(name: "assay", path: "$project"$traits)],
    targets: [.executableTarget(name: "$name", dependencies: [$products])]
)
SWIFT
    swift package --package-path "$work/$name" resolve >"$work/log" 2>&1
    local start=$SECONDS status=0
    swift build -c release --package-path "$work/$name" >>"$work/log" 2>&1 || status=1
    check "$name builds" 0 $status
    ((status == 0)) || tail -n 30 "$work/log"
    echo "$name: built in $((SECONDS - start)) s on $(getconf _NPROCESSORS_ONLN) cores"
}

# others NAME: prints how many other packages the package NAME resolved.
others() { find "$work/$1/.build/checkouts" -mindepth 1 -maxdepth 1 2>/dev/null | wc -l; }

run() { timeout 60 "$work/$1/.build/release/$1" "${@:2}" 2>&1; }

none() {
    package none ', traits: []' JWTCore
    check "without traits: other packages" 0 "$(others none)"
    check "without traits: a token of RFC 7515, then and today" "joe expired" \
        "$(run none "$(cat Examples/rfc/rfc7515-a3-es256.jwk)" "$(cat Examples/rfc/rfc7515-a3-es256.jwt)" | xargs)"
}

HTTP() {
    local issuer token
    package HTTP ', traits: ["HTTP"]' JWTCore JWKSCache HTTPGuard
    check "HTTP resolves no other package" 0 "$(others HTTP)"
    coproc provider { .build/release/loopback-provider; }
    read -r -t 30 _ issuer <&"${provider[0]}"
    echo token >&"${provider[1]}"
    read -r -t 30 token <&"${provider[0]}"
    check "HTTP: a token under fetched keys" jane "$(run HTTP "$issuer" "$token")"
    check "HTTP: a token with another signature" 1 "$(run HTTP "$issuer" "${token%?????}AAAAA" | grep -c signature)"
    kill "$provider_PID"
}

everything() {
    package everything '' JWTCore JWKSCache HTTPGuard GatewayServer IDaaSFlows AssayFlows IDaaSServer
    check "everything: both services read their settings" "listeners 1 listens at 127.0.0.1:8800" \
        "$(cd Examples/gateway && run everything "$project/Examples/gateway/gateway.yaml" "$project/Examples/idaas/idaas.yaml" | xargs)"
}

# The example that is a package of its own.
example() {
    local folder=Examples/AsyncHTTPClientTransport
    swift test --package-path $folder --scratch-path "$work/example" >"$work/log" 2>&1
    check "$folder passes its tests" 0 $?
    check "$folder runs its tests" 1 "$(grep -c 'Test run with 2 tests .*passed' "$work/log")"
    rm -f $folder/Package.resolved
}

[ $# -gt 0 ] || set -- none HTTP everything example
for name in "$@"; do
    case $name in none | HTTP | everything | example) "$name" ;; *) echo "no set of traits is called $name" >&2; exit 2 ;; esac
done
printf '%d passed, %d failed\n' "$passed" "$failed"
exit $((failed > 0))
