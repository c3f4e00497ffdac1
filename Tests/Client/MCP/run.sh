#!/usr/bin/env bash
# A client of the MCP Python SDK gets access tokens of the reference IDaaS for a server of the same SDK: it discovers the metadata, registers
# by a request and by its metadata document, authorises by PKCE with the user's consent, and refreshes. Then the server has no authorization
# of its own and stands behind nginx: with the module, and with the service (auth_request). Needs Python with venv, whose packages come from
# requirements.txt, and what Tests/Gateways/nginx-module.sh needs.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. scripts/idaas.sh
. scripts/ports.sh

python=${PYTHON:-$(scripts/environment.sh python-mcp Tests/Client/MCP/requirements.txt)}
assay=${ASSAY:-$PWD/.build/release/assay}
work=$(mktemp -d)
trap 'kill "${started[@]}" "$idaas_pid" 2>/dev/null || true; wait; rm -rf "$work"' EXIT
idaas_pid= started=()
export LD_LIBRARY_PATH=${ASSAY_LIBRARY:-$PWD/.build-lib/assay}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
module=${ASSAY_NGINX_MODULE:-$PWD/.build-nginx/ngx_http_assay_module.so}
[ -n "${ASSAY_NGINX_MODULE:-}" ] || integrations/nginx/build.sh >/dev/null

# A certificate of loopback, which the server trusts for documents.
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1 \
    -keyout "$work/key.pem" -out "$work/certificate.pem" 2>/dev/null
cat "$work/certificate.pem" "$work/key.pem" >"$work/both.pem"
resource_port=$(free_port)
document_port=$(free_port)
upstream_port=$(free_port)
module_port=$(free_port)
service_port=$(free_port)
cat Tests/Wire/unlimited.yaml - >"$work/idaas.yaml" <<END
oauth:
  resources:
    - {uri: "http://127.0.0.1:$resource_port/mcp", name: Walked, scopes: [walk.read, walk.write]}
    - {uri: "http://127.0.0.1:$module_port/mcp", name: Module, scopes: [walk.read, walk.write]}
    - {uri: "http://127.0.0.1:$service_port/mcp", name: Service, scopes: [walk.read, walk.write]}
  registration: true
  clientDocuments: true
  loginsOf: demo
  authorities: $work/certificate.pem
  allowsPrivateAddresses: true
END
start_idaas "$work" --config "$work/idaas.yaml"

password='correct horse battery staple'
database=(--dev --db "$work/idaas.sqlite")
"$assay" idaas client set "${database[@]}" demo --password >/dev/null
"$assay" idaas user add "${database[@]}" --mobile +86-13912340001 --user-name jane --name Jane >/dev/null
"$assay" idaas user set-password "${database[@]}" +86-13912340001 <<<"$password" >/dev/null

# written FILE: writes a file of this folder to the work folder, with this run's names.
written() {
    sed -e "s|WORK|$work|g" -e "s|MODULE_PORT|$module_port|g" -e "s|SERVICE_PORT|$service_port|g" -e "s|UPSTREAM_PORT|$upstream_port|g" \
        -e "s|MODULE|$module|g" -e "s|ISSUER|$idaas_issuer|g" "Tests/Client/MCP/$1" >"$work/$1"
}

# start_nginx FILE PORT: starts nginx with a file of this folder, waits for its port, and adds it to the programs of this run.
start_nginx() {
    written "$1"
    [ "$(id -u)" = 0 ] || sed -i '/^user root;$/d' "$work/$1"
    nginx -p "$work" -e "$work/$1.log" -t -q -c "$work/$1" || return 1
    nginx -p "$work" -e "$work/$1.log" -c "$work/$1" &
    started+=($!)
    listens "$2"
}

written gateway.yaml
for part in server location; do
    "$assay" config gateway "nginx-$part" --config "$work/gateway.yaml" --output "$work/assay-$part.conf"
done
"$assay" serve --config "$work/gateway.yaml" >"$work/service.out" 2>"$work/service.log" &
started+=($!)
start_nginx module.conf "$module_port"
start_nginx service.conf "$service_port"

timeout 300 "$python" Tests/Client/MCP/walk.py "$assay" "$work/idaas.sqlite" "$idaas_url" "$idaas_issuer" "$password" "$resource_port" \
    "https://localhost:$document_port/client.json" "$work/both.pem" "$upstream_port" "http://127.0.0.1:$module_port/mcp" \
    "http://127.0.0.1:$service_port/mcp" || {
    tail -n 20 "$work"/*.log >&2
    exit 1
}
