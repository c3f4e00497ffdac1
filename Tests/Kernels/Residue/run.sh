#!/usr/bin/env bash
# Checks that deriving a key leaves no copy of it on the stack, with the objects of the release build.
set -euo pipefail
cd "$(dirname "$0")/../../.."

objects=${ASSAY_OBJECTS:-.build/release/COpenSSL.build}
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
"$(scripts/clang.sh)" -std=gnu17 -O1 -Wall -Wno-uninitialized -Wno-uninitialized-const-reference -I Sources/COpenSSL/include \
    Tests/Kernels/Residue/residue.c "$objects"/*.o -fuse-ld=lld -lcrypto -ldl -lpthread -o "$build/residue"
"$build/residue"
