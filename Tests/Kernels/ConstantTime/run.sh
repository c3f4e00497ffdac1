#!/usr/bin/env bash
# Checks that the comparison of HMACs, and of the tags of encrypted tokens, takes the same path for every tag, in the objects of the release
# build: by counted instructions. Of HMACs also with valgrind, which follows the secret through our code and that of libcrypto. Each way must
# see a comparison of HMACs that stops early.
set -euo pipefail
cd "$(dirname "$0")/../../.."

objects=${ASSAY_OBJECTS:-.build/release/COpenSSL.build}
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
clang=$(scripts/clang.sh)
# valgrind 3.19 cannot read the debugging sections of this clang.
"$clang" -std=gnu11 -O2 -I Sources/COpenSSL/include -I Tests/Probes/CInstructionCount/include \
    Tests/Kernels/ConstantTime/hmac.c Tests/Probes/CInstructionCount/instruction_count.c \
    "$objects"/*.o -lcrypto -fuse-ld=lld -Wl,--strip-debug -o "$build/hmac"
"$build/hmac" count
"$clang" -std=gnu11 -O2 -I Sources/COpenSSL/include -I Tests/Probes/CInstructionCount/include \
    Tests/Kernels/ConstantTime/decryption.c Tests/Probes/CInstructionCount/instruction_count.c \
    "$objects"/*.o -lcrypto -lm -fuse-ld=lld -Wl,--strip-debug -o "$build/decryption"
"$build/decryption" count

follow() { valgrind --quiet --error-exitcode=9 --track-origins=no "$build/hmac" mark "$@" >"$build/log" 2>&1; }
passed=0 failed=0
if follow; then
    echo "valgrind: no branch and no address depends on the secret"
    passed=1
else
    cat "$build/log"
    failed=1
fi
status=0
follow leaky || status=$?
if ((status == 9)); then passed=$((passed + 1)); else
    echo "FAIL: valgrind does not see a comparison that stops early (status $status)"
    failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
((failed == 0))
