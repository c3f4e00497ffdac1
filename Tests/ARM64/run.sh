#!/usr/bin/env bash
# Compiles assay for AArch64 and runs its vectors in the emulator, by the kernels and by libcrypto, and then the core's tests:
# run.sh [VECTORS…]
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

# Left out: ExhaustedMemoryTests, because QEMU's user mode accepts a limit of memory and does not apply it, and tests that fork while other
# threads run, because QEMU then sometimes stops in the child with an assertion of its own.
words=$(scripts/arm64_program.py JWTCoreTests)
eval "tests=($words)"
results=.build/arm64/JWTCoreTests.xml status=0
rm -f "$results"
"${tests[@]}" --no-parallel --quiet --skip ExhaustedMemoryTests --skip Fork --xunit-output "$results" || status=1
sed -n 's/.*<testsuite .*errors="[0-9]*" tests="\([0-9]*\)" failures="\([0-9]*\)" skipped="\([0-9]*\)".*/\1 \2 \3/p' "$results" |
    awk '{ printf "%d passed, %d failed, %d skipped\n", $1 - $2 - $3, $2, $3 }'
exit $status
