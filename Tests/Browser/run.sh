#!/usr/bin/env bash
# With headless Chromium: looks at the gateway's status page and at the page of bench; logs in on the login page, as people do, and attacks
# it. Pictures of each step go to .build/test/browser.
# Needs Debian's chromium and chromium-driver, and Python with venv; packages come from requirements.txt.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/idaas.sh
. scripts/ports.sh

assay=$PWD/.build/release/assay
python=$(scripts/environment.sh python-browser Tests/Browser/requirements.txt)
work=$(mktemp -d)
servers=()
trap 'kill "${servers[@]}" 2>/dev/null || true; rm -rf "$work"' EXIT
artefacts=$PWD/.build/test/browser
rm -rf "$artefacts"

# A second server with TLS, for the flags of the cookie.
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 \
    -keyout "$work/tls.key" -out "$work/tls.pem" 2>/dev/null
mkdir "$work/secure" "$work/plain"
start_idaas "$work/secure" --client shop --tls-cert "$work/tls.pem" --tls-key "$work/tls.key"
servers+=("$idaas_pid")
secure=$idaas_url

start_idaas "$work/plain" --config Tests/Wire/unlimited.yaml
servers+=("$idaas_pid")
redirect=http://127.0.0.1:$(free_port)/callback
database=(--dev --db "$work/plain/idaas.sqlite")
password='correct horse battery staple'

client() { "$assay" idaas client add "${database[@]}" "$@" >/dev/null; }
# user MOBILE OPTION…: adds a user with the password.
user() {
    "$assay" idaas user add "${database[@]}" --mobile "$@" >/dev/null
    "$assay" idaas user set-password "${database[@]}" "$1" <<<"$password" >/dev/null
}

client --id shop --name Shop --password --second-factor whenBound
"$assay" idaas client web "${database[@]}" shop --redirect "$redirect" --public >/dev/null
client --id markup --name "<script>document.title='run'</script><img src=x onerror=\"document.title='run'\">" --password --second-factor whenBound
"$assay" idaas client web "${database[@]}" markup --redirect "$redirect" --public >/dev/null
# A quotation mark and an angle bracket, each with a combining accent.
client --id accent --name $'"\u0301 onfocus="document.title=\'run\'" autofocus x=">\u0301<\u0301script>document.title=\'run\'</script>'
"$assay" idaas client web --dev --db "$work/secure/idaas.sqlite" shop --redirect "$redirect" --public >/dev/null
user +86-13912340001 --user-name jane --name "<b>Jane</b>"
user +86-13912340002 --user-name john --name John

timeout 300 "$python" Tests/Browser/status.py "$assay" "$artefacts"
timeout 300 "$python" Tests/Browser/bench.py "$PWD/.build/release/bench" "$artefacts"
timeout 900 "$python" Tests/Browser/walk.py "$assay" "$idaas_url" "$idaas_issuer" "$ASSAY_DEV_TOKEN" "$secure" "$artefacts" "$redirect"
