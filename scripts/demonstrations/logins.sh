#!/usr/bin/env bash
# Logs in at the reference IDaaS in four ways, and verifies each id_token. Exits with 0 only if every verdict is the expected one.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/demonstrations/common.sh

. scripts/idaas.sh
. scripts/gateway.sh

echo
echo "Logins at the reference IDaaS, and the time of each step: through WeChat, with one click, confirmed on the phone, and by SMS:"
mkdir "$work/idaas"
start_idaas "$work/idaas" --simulators
started+=("$idaas_pid")
ASSAY_ID_TOKEN_FILE=$work/id_token .build/release/login-walk "$idaas_url" demo "$assay" --dev --db "$work/idaas/idaas.sqlite" || wrong "the logins"

echo
mkdir "$work/gateway"
start_gateway "$work/gateway" "$idaas_issuer" demo
echo "$gateway_name, by the keys of the reference IDaaS:"
opened=$(ask_until '200 *' "Authorization: Bearer $(cat "$work/id_token")")
show "200 ${opened##* }" "a request with the id_token of the login by SMS" "$opened"
show "401 missing_token" "a request without a token" "$(ask_gateway)"
finish
