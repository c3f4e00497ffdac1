#!/usr/bin/env bash
# Proves the kernels' arithmetic: scripts/prove.sh [NAME…] [--quick] [--list] [--jobs N]. Docs/Proofs.md explains it.
# ASSAY_TARGET=aarch64 proves the portable kernels from what clang writes for AArch64. Without that machine's headers it prints that and
# succeeds; NEON_REQUIRED=1 makes that a failure.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "$(uname -m)" != x86_64 ]; then
    echo "skipped: the proofs read what clang writes for x86-64"
    exit 0
fi
if [ "${ASSAY_TARGET:-x86_64}" = aarch64 ] && [ ! -e /usr/aarch64-linux-gnu/include/stdint.h ]; then
    echo "skipped: the proofs for AArch64 need its C library's headers (Debian and Ubuntu: apt-get install libc6-dev-arm64-cross)"
    [ "${NEON_REQUIRED:-0}" = 0 ]
    exit
fi
python=$(scripts/environment.sh python-proofs Proofs/requirements.txt)
exec "$python" Proofs/prove.py "$@"
