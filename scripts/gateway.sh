# Source this file to run nginx in front of a demonstration upstream, protected by `assay serve`.
#
# start_gateway DIRECTORY ISSUER AUDIENCE: starts the service and, if the machine has nginx, nginx with the configuration of
# integrations/nginx-auth-request, with every file in DIRECTORY. Sets gateway_name, gateway_port, gateway_fields and gateway_pids. Without
# nginx, ask_gateway asks the service itself, as nginx would.
# ask_gateway [FIELD…]: asks for /orders with these fields, and prints the status and the code of a refusal or the subject that the upstream
# is given.

. scripts/ports.sh

write_gateway_settings() {
    cat >"$1/gateway.yaml" <<YAML
listeners:
  - {name: nginx, profile: nginx, tcp: "127.0.0.1:$4"}
administration: {tcp: "127.0.0.1:0"}
providers:
  - name: idp
    issuer: $2
    audiences: [$3]
    claims: [{header: x-auth-subject, claim: sub}]
policies:
  - {name: api, requires: idp, realm: api}
routes:
  - {policy: api}
revocations: revocations.yaml
transport: {allowLoopback: true}
log: {access: none}
YAML
    echo 'revocations: []' >"$1/revocations.yaml"
}

# The page's configuration with other addresses, and with more time for the service's answer on a busy machine. The upstream that it
# protects is a second server of the same nginx.
write_nginx_configuration() {
    local directory=$1 service=$2 gateway=$3 upstream=$4 paths=
    for kind in client_body proxy fastcgi uwsgi scgi; do paths+="${kind}_temp_path $directory/$kind; "; done
    {
        ((EUID != 0)) || echo 'user root;'
        sed -e "s#/run/assay-nginx.pid#$directory/nginx.pid#" -e "s/127.0.0.1:9191/127.0.0.1:$service/" \
            -e "s/127.0.0.1:8080/127.0.0.1:$gateway/" -e "s/127.0.0.1:900[01]/127.0.0.1:$upstream/" \
            -e "s#^http {#http { $paths server { listen 127.0.0.1:$upstream; location / { return 200 \"\$http_x_auth_subject\"; } }#" \
            integrations/nginx-auth-request/nginx.conf
    } >"$directory/nginx.conf"
    cp integrations/nginx-auth-request/assay-location.conf "$directory"
    sed 's/read_timeout 2s/read_timeout 30s/' integrations/nginx-auth-request/assay-server.conf >"$directory/assay-server.conf"
}

start_gateway() {
    local directory=$1 service nginx
    service=$(free_port)
    write_gateway_settings "$directory" "$2" "$3" "$service"
    .build/release/assay serve --config "$directory/gateway.yaml" >"$directory/gateway.out" 2>"$directory/gateway.log" &
    gateway_pids=("$!")
    gateway_port=$service gateway_name='Assay serve, asked as nginx would ask it'
    gateway_fields=('X-Original-Method: GET' 'X-Original-URI: /orders')
    listens "$service" || { cat "$directory/gateway.out" "$directory/gateway.log" >&2; return 1; }
    nginx=$(PATH=$PATH:/usr/sbin command -v nginx) || return 0
    gateway_port=$(free_port)
    gateway_name="nginx $("$nginx" -v 2>&1 | sed 's#.*/##'), protected by assay serve" gateway_fields=()
    write_nginx_configuration "$directory" "$service" "$gateway_port" "$(free_port)"
    "$nginx" -e stderr -c "$directory/nginx.conf" -g 'daemon off;' 2>"$directory/nginx.log" &
    gateway_pids+=("$!")
    listens "$gateway_port" || { cat "$directory/nginx.log" >&2; return 1; }
}

ask_gateway() {
    local connection answer
    exec {connection}<>"/dev/tcp/127.0.0.1/$gateway_port"
    printf '%s\r\n' 'GET /orders HTTP/1.1' 'Host: api.example' 'Connection: close' "${gateway_fields[@]}" "$@" '' >&"$connection"
    answer=$(tr -d '\r' <&"$connection")
    exec {connection}>&-
    awk 'NR == 1 { status = $2 } tolower($1) == "x-assay-code:" { code = $2 } tolower($1) == "x-auth-subject:" { subject = $2 }
        NF == 0 { body = 1 } body && NF { subject = $1 } END { print status, status == 200 ? subject : code }' <<<"$answer"
}
