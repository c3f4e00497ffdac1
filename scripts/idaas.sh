# Source this file to start a reference IDaaS in development.
#
# start_idaas DIRECTORY [OPTION…]: starts a server on a free port of loopback, with its database in DIRECTORY and a client, `demo` unless
# the options have --client. Sets idaas_url, idaas_issuer, ASSAY_DEV_TOKEN (exported) and idaas_pid. Fails without changes if a server of
# DIRECTORY is already running. ASSAY names another command instead of .build/release/assay, DATABASE another database than a file in DIRECTORY.
start_idaas() {
    local directory=$1 lock
    shift
    [[ " $* " == *' --client '* ]] || set -- --client demo "$@"
    # The server inherits the lock. The system releases it when the server ends for any reason.
    exec {lock}>>"$directory/idaas.lock"
    if ! flock -n "$lock"; then
        echo "A reference IDaaS already uses $directory: $(grep '^ready' "$directory/idaas.out" 2>/dev/null || echo 'not ready yet')" >&2
        exec {lock}>&-
        return 1
    fi
    # Only the owner may read these files: one has the development token. Files of an earlier start could have wider permissions.
    rm -f "$directory/idaas.out" "$directory/idaas.log"
    (umask 077 && : >"$directory/idaas.out" && : >"$directory/idaas.log")
    # The store's key is created beside the store; nothing outside DIRECTORY changes.
    "${ASSAY:-.build/release/assay}" idaas serve --dev --db "${DATABASE:-$directory/idaas.sqlite}" --listen 127.0.0.1:0 "$@" \
        >"$directory/idaas.out" 2>"$directory/idaas.log" &
    idaas_pid=$!
    exec {lock}>&-
    # A minute, because a busy machine takes long to make the first RSA keys; a server that fails ends at once.
    for _ in {1..1200}; do
        if grep -q '^development token' "$directory/idaas.out"; then break; fi
        kill -0 "$idaas_pid" 2>/dev/null || break
        sleep 0.05
    done
    if ! read -r _ idaas_url _ idaas_issuer < <(grep '^ready' "$directory/idaas.out"); then
        cat "$directory/idaas.log" >&2
        return 1
    fi
    ASSAY_DEV_TOKEN=$(sed -n 's/^development token //p' "$directory/idaas.out")
    export ASSAY_DEV_TOKEN
}
