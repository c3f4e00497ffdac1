#!/usr/bin/env bash
# Runs sbom.py with its pinned packages, on the build in .build and .build-lib.
set -euo pipefail
cd "$(dirname "$0")/../.."
python=$(scripts/environment.sh python-supply-chain scripts/supply_chain/requirements.txt)
exec "$python" scripts/supply_chain/sbom.py "$@"
