#!/usr/bin/env bash
# Compiles each file here twice: unchanged, which must succeed, and with -D VIOLATE, which must fail with the message the file expects.
# Escapes of ~Escapable views and copies of ~Copyable values are found by -emit-sil, not by -typecheck.
#
# Files in Within/ are compiled as one more file of JWTCore, the others as a client of its release build.
# A path to such a build may be given: Tests/Client/CompileFailure/run.sh [.build/release]
set -uo pipefail
cd "$(dirname "$0")/../../.."

build=${1:-.build/release}
[ -d "$build/Modules" ] || {
    echo "no release build in $build: swift build -c release" >&2
    exit 1
}

language=(-swift-version 6 -strict-memory-safety -enable-upcoming-feature InternalImportsByDefault
    -enable-upcoming-feature MemberImportVisibility -enable-experimental-feature Lifetimes)
modules=(-I "$build/Modules" -Xcc -fmodule-map-file=Sources/CJansson/module.modulemap
    -Xcc -fmodule-map-file="$build/CJWTKernels.build/module.modulemap" -Xcc -fmodule-map-file="$build/COpenSSL.build/module.modulemap"
    -Xcc -fmodule-map-file="$build/CReadCopyUpdate.build/module.modulemap" -Xcc -fmodule-map-file="$build/CCurl.build/module.modulemap")
# SwiftPM names a package after its folder. JWTCore uses what Locks shows in the package alone.
package=$(sed -n 's/.*"-module-name","JWTCore".*"-package-name","\([^"]*\)".*/\1/p' "$build.yaml" | head -n 1)
library=(-module-name JWTCore -package-name "$package" -parse-as-library)
mapfile -t sources < <(find Sources/JWTCore -name '*.swift' | sort)

compile() { # file, then further flags
    local file=$1 context=(-emit-sil)
    shift
    # Of the library's files the compiler reads what the file refers to, and no more.
    case $file in */Within/*) context=(-frontend -emit-sil "${library[@]}" "${sources[@]}" -primary-file) ;; esac
    swiftc "${context[@]}" "$file" -o /dev/null "${language[@]}" "${modules[@]}" "$@" 2>&1
}

passed=0
failed=0
report() { # verdict, file, what happened, messages
    if [ "$1" = passed ]; then
        passed=$((passed + 1))
        return
    fi
    failed=$((failed + 1))
    printf 'FAILED %s: %s\n%s\n' "$2" "$3" "$4" >&2
}

for file in Tests/Client/CompileFailure/*.swift Tests/Client/CompileFailure/Within/*.swift; do
    expected=$(sed -n 's|^// Expected: ||p' "$file")
    if messages=$(compile "$file"); then report passed "$file"; else report failed "$file" 'does not compile as it is' "$messages"; fi
    if messages=$(compile "$file" -D VIOLATE); then
        report failed "$file" 'compiles with -D VIOLATE' ''
    elif [ -n "$expected" ] && grep -qF "$expected" <<<"$messages"; then
        report passed "$file"
    else
        report failed "$file" "fails otherwise than with: $expected" "$messages"
    fi
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
