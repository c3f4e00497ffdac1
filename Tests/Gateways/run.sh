#!/usr/bin/env bash
# Tests `assay serve` behind nginx, Caddy, HAProxy, Envoy and a client of Traefik's contract, each with the configuration of its page in
# integrations/: run.sh [--long] [GATEWAY…]. Needs .build/release/assay and loopback-provider, and the packages of
# `scripts/dependencies.sh test`.
set -euo pipefail
cd "$(dirname "$0")/../.."

python=$(scripts/environment.sh python-gateways Tests/Gateways/requirements.txt)
exec "$python" Tests/Gateways/run.py "$@"
