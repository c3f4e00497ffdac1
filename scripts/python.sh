#!/usr/bin/env bash
# Runs a Python program with the pinned packages of vectors/requirements.txt and vectors/adapters/requirements.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
python=$(scripts/environment.sh python vectors/requirements.txt vectors/adapters/requirements.txt)
exec "$python" "$@"
