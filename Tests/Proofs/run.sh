#!/usr/bin/env bash
# DPoP proofs of clients that are not ours, at the command and at the service.
#   Tests/Proofs/run.sh [FOLDER]        FOLDER has the programs; .build/release by default
set -euo pipefail
cd "$(dirname "$0")/../.."
programs=$(realpath "${1:-.build/release}")
python=$(scripts/environment.sh python-proofs Tests/Proofs/requirements.txt)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" Tests/Proofs/run.py "$programs" "$work"
