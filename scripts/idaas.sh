# To be sourced: a reference IDaaS in development for whoever wants one.
#
# start_idaas DIRECTORY [OPTION…]: starts one on a free port of loopback, with its database in DIRECTORY and a client `demo`. Sets
# idaas_url, idaas_issuer, ASSAY_DEV_TOKEN (exported) and idaas_pid.
start_idaas() {
    local directory=$1
    shift
    # For their owner alone: the development token is printed into one, which a file of an earlier start may leave open to others.
    rm -f "$directory/idaas.out" "$directory/idaas.log"
    (umask 077 && : >"$directory/idaas.out" && : >"$directory/idaas.log")
    # The store's key is made beside it; nothing outside of DIRECTORY is touched.
    .build/release/assay idaas serve --dev --db "$directory/idaas.sqlite" --listen 127.0.0.1:0 --client demo "$@" \
        >"$directory/idaas.out" 2>"$directory/idaas.log" &
    idaas_pid=$!
    for _ in {1..200}; do
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
