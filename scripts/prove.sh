#!/usr/bin/env bash
# Proves the kernels' arithmetic: scripts/prove.sh [NAME…] [--quick] [--list] [--jobs N]. Docs/Proofs.md explains it.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "$(uname -m)" != x86_64 ]; then
    echo "skipped: the proofs read what clang writes for x86-64"
    exit 0
fi
python=$(scripts/environment.sh python-proofs Proofs/requirements.txt)
exec "$python" Proofs/prove.py "$@"
