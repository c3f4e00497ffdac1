#!/usr/bin/env bash
# Exchanges SD-JWTs with the package sd-jwt, and documents in JWS JSON serialization with jwcrypto and joserfc, in both directions: what one
# makes the other verifies, and both refuse what was changed. Needs Python with venv; packages come from requirements.txt.
set -euo pipefail
cd "$(dirname "$0")/../.."

python=$(scripts/environment.sh python-interoperation Tests/Interoperation/requirements.txt)
"$python" -W ignore Tests/Interoperation/run.py "${EXCHANGE:-.build/release/interoperation-exchange}"
