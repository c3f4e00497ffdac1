#!/usr/bin/env bash
# An independent relying party logs in at the reference IDaaS: Apache's mod_auth_openidc, by authorization code with PKCE, over loopback.
# Needs Debian's apache2-bin and libapache2-mod-auth-openidc. Apache runs without privileges, with the configuration beside this file.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. scripts/idaas.sh
. scripts/ports.sh

assay=$PWD/.build/release/assay
apache=/usr/sbin/apache2
export MODULES=/usr/lib/apache2/modules
for file in "$apache" "$MODULES/mod_auth_openidc.so"; do
    [ -e "$file" ] || { echo "$file is missing. Run: scripts/dependencies.sh test" >&2; exit 1; }
done
work=$(mktemp -d)
processes=()
trap 'kill "${processes[@]}" 2>/dev/null || true; wait; rm -rf "$work"' EXIT

# fail REASON: prints it and Apache's messages, and ends the run.
fail() {
    echo "$1" >&2
    cat "$work/apache.err" "$WORK/error.log" >&2
    exit 1
}

start_idaas "$work" --config Tests/Wire/unlimited.yaml
processes+=("$idaas_pid")
PORT=$(free_port)
SECRET=$(openssl rand -hex 32)
export PORT SECRET ISSUER=$idaas_issuer WORK=$work/apache
password='correct horse battery staple'

database=(--dev --db "$work/idaas.sqlite")
"$assay" idaas client add "${database[@]}" --id shop --name Shop --password >/dev/null
"$assay" idaas client web "${database[@]}" shop --redirect "http://127.0.0.1:$PORT/callback" \
    --logout-redirect "http://127.0.0.1:$PORT/goodbye.html" <<<"$SECRET" >/dev/null
"$assay" idaas user add "${database[@]}" --mobile +86-13912340001 --user-name jane --name Jane >/dev/null
"$assay" idaas user set-password "${database[@]}" +86-13912340001 <<<"$password" >/dev/null

mkdir -p "$WORK/site"
cp Tests/Client/RelyingParty/apache.conf "$WORK"
echo 'the application' >"$WORK/site/private.html"
echo 'goodbye' >"$WORK/site/goodbye.html"
unprivileged=()
if ((EUID == 0)); then
    unprivileged=(setpriv --reuid=nobody --regid=nogroup --clear-groups)
    chmod 711 "$work"
    chown -R nobody:nogroup "$WORK"
fi
"${unprivileged[@]}" "$apache" -f "$WORK/apache.conf" -DFOREGROUND 2>"$work/apache.err" &
processes+=($!)
# Apache writes the file once it listens.
for _ in {1..600}; do
    [ ! -e "$WORK/apache.pid" ] && kill -0 $! 2>/dev/null || break
    sleep 0.1
done
[ -e "$WORK/apache.pid" ] || fail "Apache does not listen."

timeout 300 python3 Tests/Client/RelyingParty/walk.py "http://127.0.0.1:$PORT" "$idaas_url" "$idaas_issuer" "$password" ||
    fail "The walk ends with status $?."
