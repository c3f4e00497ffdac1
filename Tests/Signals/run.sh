#!/usr/bin/env bash
# A logout at the identity server reaches every gateway: the service by an event, the modules of nginx and Envoy by the service's log of
# revocations, a second service by polling, and a third one and two more modules by the status list alone. Prints how long each took.
#   Tests/Signals/run.sh [USERS [SESSIONS]]        USERS log in and out, 3 by default; last, SESSIONS end together
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/idaas.sh

python=$(scripts/environment.sh python-wire Tests/Wire/requirements.txt)
python_gateways=$(scripts/environment.sh python-gateways Tests/Gateways/requirements.txt)
ENVOY=$("$python_gateways" -c 'import envoy, pathlib; print(pathlib.Path(envoy.__file__).parent / "_bin" / "envoy")')
export ENVOY LD_LIBRARY_PATH=${ASSAY_LIBRARY:-$PWD/.build-lib/assay}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
work=$(mktemp -d)
trap 'kill "$idaas_pid" 2>/dev/null || true; rm -rf "$work"' EXIT
chmod 755 "$work"

integrations/nginx/build.sh >/dev/null
RPATH=$(realpath "${ASSAY_LIBRARY:-.build-lib/assay}") ASSAY_LIBRARY=${ASSAY_LIBRARY:-$PWD/.build-lib/assay} integrations/envoy/build.sh "$work" >/dev/null
cat Tests/Wire/unlimited.yaml Tests/Signals/idaas.yaml >"$work/idaas.yaml"
start_idaas "$work" --config "$work/idaas.yaml"
PYTHONPATH=Tests/Wire:Tests/Gateways "$python" Tests/Signals/run.py "$work" "$idaas_url" "$idaas_issuer" "${1:-3}" "${2:-20000}"
