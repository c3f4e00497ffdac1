#!/usr/bin/env bash
# Measures logins at one server on SQLite, and at one, two and three servers on one PostgreSQL, one after the other:
#   Tests/Load/Logins/engines.sh [LOGINS]     LOGINS users (600) log in by an SMS code, all at once, divided among the servers
# For each prints logins a second, the processor time of a login at the servers and at the database, and what a login costs the
# database: transactions, bytes of its log, connections; and how long each request took, while all wait. The clients run on the same machine.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. scripts/idaas.sh
logins=${1:-600}
ulimit -n "$(ulimit -Hn)"
work=$(mktemp -d)
chmod 755 "$work"
database=$work/database
servers=()
# Several servers on one database have one key.
ASSAY_IDAAS_KEY=$(openssl rand -hex 32)
export ASSAY_IDAAS_KEY
trap 'kill "${servers[@]}" 2>/dev/null || true; scripts/postgres.sh stop "$database" 2>/dev/null || true; rm -rf "$work"' EXIT

# sql STATEMENT: its result, in the database of the servers.
sql() { psql "$DATABASE" -Atqc "$1"; }

# processor PROCESS…: the seconds of processor time of these processes and their ended children.
processor() {
    local process fields total=0
    for process in "$@"; do
        read -ra fields <<<"$(sed 's/.*) //' "/proc/$process/stat")"
        total=$((total + fields[11] + fields[12] + fields[13] + fields[14]))
    done
    awk -v ticks="$total" -v second="$(getconf CLK_TCK)" 'BEGIN { printf "%.2f", ticks / second }'
}

database_processor() {
    local postmaster
    postmaster=$(head -1 "$database/data/postmaster.pid")
    processor "$postmaster" $(pgrep -P "$postmaster")
}

# measure NAME SERVERS: each server has its own clients.
measure() {
    local name=$1 count=$2 place clients=() started ended before after transactions log
    servers=()
    for ((place = 0; place < count; place++)); do
        mkdir "$work/$name-$place"
        start_idaas "$work/$name-$place" --config Tests/Wire/unlimited.yaml
        servers+=("$idaas_pid")
        printf '%s %s\n' "$idaas_url" "$ASSAY_DEV_TOKEN" >"$work/$name-$place/address"
    done
    before=$(processor "${servers[@]}")
    if [ -n "${DATABASE:-}" ]; then
        transactions=$(sql "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()")
        log=$(sql "SELECT pg_current_wal_insert_lsn() - '0/0'")
        database_before=$(database_processor)
    fi
    started=$(date +%s%N)
    for ((place = 0; place < count; place++)); do
        read -r idaas_url ASSAY_DEV_TOKEN <"$work/$name-$place/address"
        ASSAY_DEV_TOKEN=$ASSAY_DEV_TOKEN .build/release/idaas-load "$idaas_url" demo "${servers[place]}" \
            "$((logins / count))" "$((logins / count))" $((place * logins)) >"$work/$name-$place/load" &
        clients+=($!)
    done
    for client in "${clients[@]}"; do wait "$client"; done
    ended=$(date +%s%N)
    after=$(processor "${servers[@]}")
    awk -v name="$name" -v logins="$((logins / count * count))" -v ns="$((ended - started))" -v before="$before" -v after="$after" 'BEGIN {
        printf "%-16s %7.1f logins a second, %6.1f ms of processor a login at the servers", name, logins / ns * 1e9, (after - before) * 1000 / logins }'
    if [ -n "${DATABASE:-}" ]; then
        awk -v logins="$((logins / count * count))" -v before="$database_before" -v after="$(database_processor)" \
            -v xacts="$(($(sql "SELECT pg_stat_force_next_flush(); SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()" | tail -1) - transactions))" \
            -v bytes="$(($(sql "SELECT pg_current_wal_insert_lsn() - '0/0'") - log))" \
            -v connections="$(sql "SELECT count(*) - 1 FROM pg_stat_activity WHERE datname = current_database()")" 'BEGIN {
            printf ", %.1f ms at the database; %.1f transactions, %.0f bytes of log a login; %d connections", (after - before) * 1000 / logins,
                xacts / logins, bytes / logins, connections }'
    fi
    echo
    # Of the first server's clients.
    sed -n 's/^  \(.*requests, p50\)/    \1/p' "$work/$name-0/load"
    kill "${servers[@]}"
    wait "${servers[@]}" || true
    servers=()
}

measure sqlite 1
variables=$(scripts/postgres.sh start "$database")
eval "$variables"
for count in 1 2 3; do
    psql -h "$database" -U postgres -d postgres -qc "CREATE DATABASE servers_$count"
    export DATABASE="postgresql:///servers_$count?host=$database&user=postgres"
    measure "postgresql-$count" "$count"
done
