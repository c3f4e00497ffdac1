# Source this file in a demonstration: it sets `assay` and `work`, and ends with `finish`.

assay=${ASSAY:-.build/release/assay}
work=$(mktemp -d)
started=() gateway_pids=()
trap 'kill "${started[@]}" "${gateway_pids[@]}" 2>/dev/null || true; rm -rf "$work"' EXIT
faults=()

# expect OUTCOME "description" COMMAND…: runs the command, shows its outcome, and records a fault if it differs from OUTCOME.
expect() {
    local outcome=$1 what=$2 got
    shift 2
    if got=$("$@" 2>&1); then got=valid; else got=$(sed -n 's/^refused \([a-z0-9_]*\).*/\1/p' <<<"$got"); fi
    show "$outcome" "$what" "$got"
}

# show OUTCOME "description" GOT: the same for an outcome that is already known.
show() {
    printf '  %-58s %s\n' "$2" "$3"
    if [ "$3" != "$1" ]; then
        printf '    expected %s\n' "$1"
        wrong "$2: $3 instead of $1"
    fi
}

# wrong FAULT: records a fault. The last lines of the demonstration name all of them.
wrong() { faults+=("$1"); }

base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }

# start_provider: starts an OpenID provider on loopback and sets `issuer`.
start_provider() {
    coproc PROVIDER { exec .build/release/loopback-provider; }
    started+=("$PROVIDER_PID")
    exec {from_provider}<&"${PROVIDER[0]}" {to_provider}>&"${PROVIDER[1]}"
    read -r -t 30 _ issuer <&"$from_provider"
}

# tell COMMAND…: prints the provider's answer to a command.
tell() {
    local answer
    echo "$*" >&"${to_provider}"
    read -r -t 30 answer <&"${from_provider}" && echo "$answer"
}

# ask_until PATTERN [FIELD…]: asks the gateway until the answer has the pattern, for a minute at most, and prints the last answer. The
# service answers while it still fetches its first keys, or has not yet read its files after a signal.
ask_until() {
    local pattern=$1 answer end=$((SECONDS + 60))
    shift
    until answer=$(ask_gateway "$@") && [[ $answer == $pattern ]] || ((SECONDS > end)); do sleep 0.1; done
    echo "$answer"
}

# finish: prints the faults, and exits with 0 only if there are none.
finish() {
    ((${#faults[@]})) || return 0
    printf 'wrong: %s\n' "${faults[@]}" >&2
    exit 1
}
