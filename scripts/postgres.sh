#!/usr/bin/env bash
# A PostgreSQL server for tests, on a Unix socket alone:
#   scripts/postgres.sh start FOLDER          makes the cluster in FOLDER if it is not there, and prints the environment for tests
#   scripts/postgres.sh restart FOLDER        ends all connections
#   scripts/postgres.sh kill FOLDER           what a power failure leaves
#   scripts/postgres.sh standby FOLDER        adds a synchronous replica, at port 5433 of the same folder
#   scripts/postgres.sh promote FOLDER        kills the server and makes the replica the one that writes
#   scripts/postgres.sh stop FOLDER           stops both at once
# Commits wait for the disk, unless POSTGRES_OPTIONS, more options of the server, say otherwise. PostgreSQL refuses to run as root, so root runs it as the user postgres.
set -euo pipefail

[ $# -ge 2 ] || {
    sed -n '2,9s/^# //p' "$0" >&2
    exit 2
}
folder=$2
programs=$(find /usr/lib/postgresql -maxdepth 2 -name bin | sort -V | tail -1)
[ -n "$programs" ] || {
    echo "scripts/postgres.sh: there is no PostgreSQL; scripts/dependencies.sh test installs it" >&2
    exit 2
}

as_postgres() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }

# serve CLUSTER PORT: starts the server of a cluster, and returns when it answers. The server gets no other descriptor of the caller, who may wait
# until all copies are closed.
serve() (
    local descriptor
    for descriptor in /proc/self/fd/*; do
        descriptor=${descriptor##*/}
        ((descriptor < 3 || descriptor == 255)) || eval "exec $descriptor>&-"
    done
    as_postgres "$programs/pg_ctl" -D "$folder/$1" -w -s -l "$folder/$1.log" \
        -o "-k '$folder' -p $2 -c listen_addresses='' -c max_connections=400 ${POSTGRES_OPTIONS:-}" start >&2
)

# killed CLUSTER: kills the server of a cluster, and returns when its processes are gone.
killed() {
    local process
    process=$(head -1 "$folder/$1/postmaster.pid")
    as_postgres kill -KILL "$process"
    while kill -0 "$process" 2>/dev/null; do sleep 0.05; done
}

case $1 in
    start)
        mkdir -p "$folder"
        [ "$(id -u)" != 0 ] || chown postgres "$folder"
        [ -d "$folder/data" ] ||
            as_postgres "$programs/initdb" -D "$folder/data" -U postgres -A trust -E UTF8 --locale=C >"$folder/initdb.log"
        serve data 5432
        echo "export ASSAY_TEST_POSTGRES='$folder'"
        ;;
    restart)
        as_postgres "$programs/pg_ctl" -D "$folder/data" -w -s -m fast stop >&2
        serve data 5432
        ;;
    stop)
        for cluster in data standby; do
            # One that was killed has left its file.
            [ ! -e "$folder/$cluster/postmaster.pid" ] ||
                as_postgres "$programs/pg_ctl" -D "$folder/$cluster" -w -s -m immediate stop 2>/dev/null || true
        done
        ;;
    kill) killed data ;;
    standby)
        as_postgres "$programs/pg_basebackup" -h "$folder" -U postgres -D "$folder/standby" -R -c fast
        echo "primary_conninfo = 'host=$folder port=5432 user=postgres application_name=standby'" >>"$folder/standby/postgresql.auto.conf"
        # After a restart of the server, every commit waits until the replica is back.
        echo "wal_retrieve_retry_interval = '100ms'" >>"$folder/standby/postgresql.auto.conf"
        serve standby 5433
        # From now on a commit waits until the replica has it on its disk.
        as_postgres psql -q -A -t -h "$folder" -U postgres -c "ALTER SYSTEM SET synchronous_standby_names = 'standby'" \
            -c 'SELECT pg_reload_conf()' >/dev/null
        ;;
    promote)
        killed data
        # The new server has no replica to wait for.
        as_postgres "$programs/pg_ctl" -D "$folder/standby" -w -s promote >&2
        ;;
    *)
        echo "scripts/postgres.sh: unknown command: $1" >&2
        exit 2
        ;;
esac
