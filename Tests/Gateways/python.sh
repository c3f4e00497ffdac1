#!/usr/bin/env bash
# Tests the middlewares of the Python package in real servers, with every attack on gateways: python.sh [--long]
# Needs loopback-provider in .build/release, libassay in .build-lib/assay, and the wheel in .build-python/dist (bindings/python/wheel.sh).
set -euo pipefail
cd "$(dirname "$0")/../.."

python=$(scripts/environment.sh python-gateways Tests/Gateways/requirements.txt)
ASSAY_PYTHON=$(scripts/environment.sh python-binding bindings/python/tests/requirements.txt)
site=$PWD/.build-python/site
rm -rf "$site"
python3 -m zipfile -e .build-python/dist/*.whl "$site"
export ASSAY_PYTHON PYTHONPATH=$site
exec "$python" Tests/Gateways/run_python.py "$@"
