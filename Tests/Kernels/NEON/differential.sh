#!/usr/bin/env bash
# Runs kernel-differential for AArch64: the portable kernels against libcrypto's code for AArch64, under qemu on any other machine.
#   differential.sh [CASES [SEED [NAME…]]]
# The Swift toolchain's clang compiles it, as it compiles the package. Without a cross compiler, qemu or libcrypto it prints that and
# succeeds; NEON_REQUIRED=1 makes that a failure.
set -euo pipefail

root=$(cd "$(dirname "$0")/../../.." && pwd)

skip() {
    echo "skipped: $1 (Debian and Ubuntu: apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user)"
    [ "${NEON_REQUIRED:-0}" = 0 ]
    exit
}

emulator=$(command -v qemu-aarch64 || command -v qemu-aarch64-static) || skip "qemu-aarch64 is not installed"
command -v aarch64-linux-gnu-gcc >/dev/null || skip "aarch64-linux-gnu-gcc is not installed"
libcrypto=$("$root/scripts/arm64_libcrypto.sh") || skip "libcrypto for arm64 cannot be downloaded"

build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
flags=(-target aarch64-unknown-linux-gnu -isystem /usr/aarch64-linux-gnu/include -isystem "$libcrypto/usr/include"
    -isystem "$libcrypto/usr/include/aarch64-linux-gnu" -std=gnu17 -O2 -fno-omit-frame-pointer -w -I "$root/Sources/CJWTKernels/include"
    -I "$root/Sources/COpenSSL/include")
clang=$("$root/scripts/clang.sh")
cd "$build"
for source in "$root"/Sources/CJWTKernels/*.c "$root"/Sources/CJWTKernels/*/*.c "$root"/Sources/COpenSSL/*.c "$root"/Tests/Kernels/Differential/*.c
do
    "$clang" "${flags[@]}" -c "$source" -o "$(cksum <<<"$source" | cut -d ' ' -f 1).o"
done
# The C library's functions that read addresses need it at run time, which the linker says; nothing here calls them.
aarch64-linux-gnu-gcc -static -pthread ./*.o "$libcrypto/usr/lib/aarch64-linux-gnu/libcrypto.a" -o differential 2>link.log || {
    cat link.log
    exit 1
}
"$emulator" ./differential "${@:-200}"
