#!/usr/bin/env bash
# Type-checks the code of IDaaSFlows that only Apple's systems compile, against stubs of their frameworks. It proves that the code is
# Swift; it does not run it.
# A path to a release build may be given: Tests/AppleStubs/run.sh [.build/release]
set -euo pipefail
cd "$(dirname "$0")/../.."

build=${1:-.build/release}
[ -d "$build/Modules" ] || {
    echo "no release build in $build: swift build -c release" >&2
    exit 1
}

stubs=$(mktemp -d)
trap 'rm -rf "$stubs"' EXIT
for framework in Tests/AppleStubs/*/; do
    name=$(basename "$framework")
    swiftc -emit-module -parse-as-library -swift-version 6 -module-name "$name" -o "$stubs/$name.swiftmodule" "$framework"*.swift
done

# SwiftPM calls a root package after its folder.
package=$(basename "$PWD" | tr '[:upper:]' '[:lower:]')
mapfile -t sources < <(find Sources/IDaaSFlows -name '*.swift' | sort)
swiftc -typecheck -parse-as-library -module-name IDaaSFlows -package-name "$package" -swift-version 6 -strict-memory-safety -warnings-as-errors \
    -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature MemberImportVisibility \
    -enable-upcoming-feature ExistentialAny -enable-experimental-feature Lifetimes -I "$stubs" -I "$build/Modules" \
    -Xcc -fmodule-map-file=Sources/CJansson/module.modulemap -Xcc -fmodule-map-file="$build/CJWTKernels.build/module.modulemap" \
    -Xcc -fmodule-map-file="$build/COpenSSL.build/module.modulemap" \
    -Xcc -fmodule-map-file="$build/CReadCopyUpdate.build/module.modulemap" "${sources[@]}"
echo "the code for Apple's systems type-checks"
