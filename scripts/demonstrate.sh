#!/usr/bin/env bash
# Shows what Assay does, in stages: verify, gateway, logins; and speed, if it is asked for. Each builds what it shows, and says how long that
# took.
#   scripts/demonstrate.sh [STAGE]     stops after STAGE, by default logins. BUILT=1: everything is built.
set -euo pipefail
cd "$(dirname "$0")/.."

stages=(verify gateway logins speed)
last=${1:-logins}
if [[ " ${stages[*]} " != *" $last "* ]]; then
    echo "no stage is called $last; there are ${stages[*]}" >&2
    exit 2
fi

# The verifier alone, without the commands that need HTTP: it is there in half the time. The later stages compile it once more, whole.
build_first() {
    export ASSAY=.build/first/release/assay
    SCRATCH=.build/first TRAITS=CommandLine scripts/build.sh assay
}

build_for() {
    case $1 in
        verify) build_first ;;
        # The largest program first: its modules keep both cores busy.
        gateway) scripts/build.sh assay-gateway assay loopback-provider ;;
        logins) scripts/build.sh assay-idaas login-walk ;;
        speed) scripts/build.sh bench ;;
    esac
}

shows() {
    case $1 in
        verify) echo "real tokens, and the verdict on each" ;;
        gateway) echo "an issuer whose keys change, and the service in front of nginx" ;;
        logins) echo "four logins at the reference identity provider" ;;
        speed) echo "verifications, and OpenSSL's bare operation" ;;
    esac
}

# The logins are shown on loopback.
export ASSAY_TLS=0

started=$SECONDS
for stage in "${stages[@]}"; do
    echo
    echo "== $stage: $(shows "$stage")"
    unset ASSAY
    [ -n "${BUILT:-}" ] || build_for "$stage"
    shown=$SECONDS
    "scripts/demonstrations/$stage.sh"
    echo
    echo "$stage: shown in $((SECONDS - shown)) s; $((SECONDS - started)) s since the start"
    [ "$stage" != "$last" ] || break
done
