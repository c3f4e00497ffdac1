#!/usr/bin/env bash
# Checks that a fork waits for every lock that libcrypto takes in a call of COpenSSL, with the objects of the release build. A function of
# COpenSSL.h that no case calls is a failure.
set -euo pipefail
cd "$(dirname "$0")/../../.."

objects=${ASSAY_OBJECTS:-.build/release/COpenSSL.build}
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
missing=0
for function in $(grep -v '^typedef' Sources/COpenSSL/include/COpenSSL.h | grep -oE '\bcossl_[a-z0-9_]+\(' | tr -d '(' | sort -u); do
    grep -qw "$function" Tests/Kernels/ForkLocks/*.c || { echo "FAIL $function: no case calls it"; missing=$((missing + 1)); }
done
"$(scripts/clang.sh)" -std=gnu17 -O1 -Wall -I Sources/COpenSSL/include Tests/Kernels/ForkLocks/*.c "$objects"/*.o \
    -fuse-ld=lld -lcrypto -ldl -lpthread -o "$build/locks"
"$build/locks"
((missing == 0))
