#!/usr/bin/env bash
# A client of the MCP Python SDK gets access tokens of the reference IDaaS for a server of the same SDK: it discovers the metadata, registers
# by a request and by its metadata document, authorises by PKCE with the user's consent, and refreshes. Needs Python with venv; packages come
# from requirements.txt.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. scripts/idaas.sh
. scripts/ports.sh

python=${PYTHON:-$(scripts/environment.sh python-mcp Tests/Client/MCP/requirements.txt)}
assay=${ASSAY:-$PWD/.build/release/assay}
work=$(mktemp -d)
trap 'kill "$idaas_pid" 2>/dev/null || true; wait; rm -rf "$work"' EXIT
idaas_pid=

# A certificate of loopback, which the server trusts for documents.
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1 \
    -keyout "$work/key.pem" -out "$work/certificate.pem" 2>/dev/null
cat "$work/certificate.pem" "$work/key.pem" >"$work/both.pem"
resource_port=$(free_port)
document_port=$(free_port)
cat Tests/Wire/unlimited.yaml - >"$work/idaas.yaml" <<END
oauth:
  resources:
    - {uri: "http://127.0.0.1:$resource_port/mcp", name: Walked, scopes: [walk.read, walk.write]}
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

timeout 300 "$python" Tests/Client/MCP/walk.py "$assay" "$work/idaas.sqlite" "$idaas_url" "$idaas_issuer" "$password" "$resource_port" \
    "https://localhost:$document_port/client.json" "$work/both.pem" || {
    tail -20 "$work/idaas.log" >&2
    exit 1
}
