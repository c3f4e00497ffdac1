#!/usr/bin/env bash
# Compiles assay for AArch64 and runs its vectors in the emulator, by the kernels and by libcrypto: run.sh [VECTORS…]
# The paths are by default those of the stage `conformance`. Without what scripts/arm64_program.py needs it prints that and succeeds;
# NEON_REQUIRED=1 makes that a failure.
set -euo pipefail
cd "$(dirname "$0")/../.."

skip() {
    echo "skipped: $1"
    [ "${NEON_REQUIRED:-0}" = 0 ]
    exit
}

command -v qemu-aarch64 >/dev/null || command -v qemu-aarch64-static >/dev/null || skip "qemu-aarch64 is not installed"
command -v aarch64-linux-gnu-gcc >/dev/null || skip "aarch64-linux-gnu-gcc is not installed"
scripts/arm64_libcrypto.sh >/dev/null || skip "libcrypto for arm64 cannot be downloaded"
scripts/arm64_swift.sh >/dev/null || skip "Swift for arm64 cannot be downloaded"
if (($# == 0)); then
    set -- vectors ${ASSAY_CONFORMANCE:+"$ASSAY_CONFORMANCE/wycheproof" "$ASSAY_CONFORMANCE/json"}
fi
words=$(scripts/arm64_program.py assay)
eval "assay=($words)"
for tier in tables openssl; do
    "${assay[@]}" conformance --engine $tier "$@" | tail -n 20
done
