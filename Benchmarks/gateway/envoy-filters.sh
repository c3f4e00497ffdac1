#!/usr/bin/env bash
# Measures what a decision costs Envoy's threads: jwt_authn beside the module of integrations/envoy. envoy-filters.sh [--rounds N]
# [--seconds S] [--proxied] [--json FILE]. Needs libassay in .build-lib/assay (scripts/libassay.sh), and the packages of
# `scripts/dependencies.sh test`.
set -euo pipefail
cd "$(dirname "$0")/../.."

python=$(scripts/environment.sh python-gateway-load Tests/Gateways/requirements.txt Benchmarks/gateway/requirements.txt)
exec "$python" Benchmarks/gateway/envoy_filters.py "$@"
