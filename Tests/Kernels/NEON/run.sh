#!/bin/sh
# Tests the NEON kernels and the portable verification kernels: builds the agreement checks for AArch64 and runs them and the self tests,
# under qemu on any other machine. Compiles every kernel file, as far as AArch64 supports it.
# Ends with "N passed, N failed". Without a cross compiler or qemu it prints that and succeeds; NEON_REQUIRED=1 makes that a failure.
set -eu

root=$(cd "$(dirname "$0")/../../.." && pwd)

skip() {
    echo "skipped: $1 (Debian and Ubuntu: apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user)"
    [ "${NEON_REQUIRED:-0}" = 0 ]
    exit
}

if [ "$(uname -m)" = aarch64 ]; then
    compiler=${CC:-cc} emulator=
else
    compiler=aarch64-linux-gnu-gcc
    emulator=$(command -v qemu-aarch64 || command -v qemu-aarch64-static) || skip "qemu-aarch64 is not installed"
fi
command -v "$compiler" >/dev/null || skip "$compiler is not installed"

build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
"$compiler" -std=gnu17 -O2 -Wall -Wextra -Werror -Wconversion -Wno-sign-conversion -static -pthread \
    -I "$root/Sources/CJWTKernels/include" -I "$root/Tests/Kernels/CKernelAgreement/include" \
    "$root"/Sources/CJWTKernels/*.c "$root"/Sources/CJWTKernels/*/*.c "$root"/Tests/Kernels/CKernelAgreement/*.c "$root/Tests/Kernels/NEON/main.c" \
    -o "$build/agreement"
$emulator "$build/agreement"
