#!/usr/bin/env bash
# Counts the instructions of a verification on AArch64, by our kernels and by libcrypto, and of whole tokens, in QEMU's user mode:
#   counts.sh [--json FILE] [CPU…]
# A CPU is one of `qemu-aarch64 -cpu help`; libcrypto chooses its code by it. These are instructions and not time. `bench --counts FILE` shows
# the whole tokens of the first CPU.
# Needs gcc-aarch64-linux-gnu, libc6-dev-arm64-cross, qemu-user, openssl, and Debian's packages of libcrypto and Swift for arm64, which it
# downloads.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
json=
if [ "${1:-}" = --json ]; then
    json=$(realpath "$2")
    shift 2
fi
libcrypto=$("$root/scripts/arm64_libcrypto.sh")
clang=$("$root/scripts/clang.sh")
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
cd "$build"

flags=(-target aarch64-unknown-linux-gnu -isystem /usr/aarch64-linux-gnu/include -isystem "$libcrypto/usr/include"
    -isystem "$libcrypto/usr/include/aarch64-linux-gnu" -D_GNU_SOURCE -O2 -fPIC -fno-omit-frame-pointer -Wall
    -I "$root/Sources/CJWTKernels/include" -I "$root/Benchmarks/arm64/CMark")
for source in "$root"/Sources/CJWTKernels/*.c "$root"/Sources/CJWTKernels/*/*.c "$root/Benchmarks/arm64/verifications.c"; do
    "$clang" "${flags[@]}" -c "$source" -o "$(cksum <<<"$source" | cut -d ' ' -f 1).o"
done
aarch64-linux-gnu-gcc -static -pthread ./*.o "$libcrypto/usr/lib/aarch64-linux-gnu/libcrypto.a" -o verifications 2>link.log || {
    cat link.log
    exit 1
}
cc -O2 -shared -fPIC -fvisibility=hidden "$root/Benchmarks/arm64/instructions.c" -o instructions.so

for bits in 2048 3072 4096; do openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:$bits -out rsa$bits.pem 2>/dev/null; done
for bits in 256 384 521; do openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-$bits -out p$bits.pem; done
openssl genpkey -algorithm ed25519 -out ed25519.pem

(($#)) && cpus=("$@") || cpus=(neoverse-n1 cortex-a57)
printf '%-14s %-26s %14s %12s %12s\n' CPU verification instructions products 'by vectors'
for cpu in "${cpus[@]}"; do
    qemu-aarch64 -cpu "$cpu" -plugin ./instructions.so -d plugin -D counted ./verifications . >named
    # Each line of `counted` is "row instructions products vectors", and each of `named` "row rounds name".
    paste -d ' ' counted named | awk -v cpu="$cpu" '
        $1 != $5 { print "rows do not match"; exit 1 }
        { name = $7; for (i = 8; i <= NF; i++) name = name " " $i
          printf "%-14s %-26s %14d %12d %12d\n", cpu, name, $2 / $6, $3 / $6, $4 / $6 }'
done

printf '\n%-14s %-26s %14s %12s %12s %12s %6s\n' CPU 'whole token' instructions products 'by vectors' libcrypto ratio
for cpu in "${cpus[@]}"; do
    "$root/Benchmarks/arm64/tokens.py" ./instructions.so "$cpu" ${json:+"$json"}
    json=
done
