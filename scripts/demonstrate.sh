#!/usr/bin/env bash
# Shows what Assay does, in stages: verify, gateway, logins. Each builds what it shows, and says how long that took.
#   scripts/demonstrate.sh [STAGE]     stops after STAGE. BUILT=1: everything is built.
set -euo pipefail
cd "$(dirname "$0")/.."

stages=(verify gateway logins)
last=${1:-logins}
if [[ " ${stages[*]} " != *" $last "* ]]; then
    echo "no stage is called $last; there are ${stages[*]}" >&2
    exit 2
fi

products() {
    case $1 in
        verify) echo assay bench ;;
        gateway) echo assay-gateway loopback-provider ;;
        logins) echo assay-idaas login-walk ;;
    esac
}

shows() {
    case $1 in
        verify) echo "real tokens, and the verdict on each" ;;
        gateway) echo "an issuer whose keys change, and the service in front of nginx" ;;
        logins) echo "four logins at the reference identity provider" ;;
    esac
}

started=$SECONDS
for stage in "${stages[@]}"; do
    echo
    echo "== $stage: $(shows "$stage")"
    if [ -z "${BUILT:-}" ]; then
        read -ra wanted <<<"$(products "$stage")"
        scripts/build.sh "${wanted[@]}"
    fi
    shown=$SECONDS
    "scripts/demonstrations/$stage.sh"
    echo
    echo "$stage: shown in $((SECONDS - shown)) s; $((SECONDS - started)) s since the start"
    [ "$stage" != "$last" ] || break
done
