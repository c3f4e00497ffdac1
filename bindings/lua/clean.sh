#!/usr/bin/env bash
# Follows the pages of module assay in a minimal Debian, with the packages from .build-deb (`make deb`): clean.sh [RELEASE]
# The first page, with each Lua of that release; HAProxy in process; and nginx with Lua. That Debian has what the pages name, openssl for
# keys and tokens, and no Swift. Needs root and apt's mirror. Ends with "N passed, N failed".
set -uo pipefail
cd "$(dirname "$0")/../.."

[ "${1:-}" = inside ] || exec Tests/Packages/inside.sh "${1:-}" bindings/lua/clean.sh inside
. scripts/ports.sh

passed=0
failed=0
started=()
trap 'kill "${started[@]}" 2>/dev/null' EXIT

check() {
    if [ "$2" = "$3" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        printf 'FAIL %s: expected "%s", got "%s"\n' "$1" "$2" "$3"
    fi
}

# installed PACKAGE…: in one command.
installed() { apt-get install -y -qq --no-install-recommends "$@" >/tmp/log 2>&1 || { tail -n 5 /tmp/log; return 1; }; }

encoded() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }

# signed CLAIMS: prints a token.
signed() {
    local text
    text=$(printf '{"alg":"RS256","typ":"JWT"}' | encoded).$(printf '%s' "$1" | encoded)
    echo "$text.$(printf '%s' "$text" | openssl dgst -sha256 -sign /tmp/key.pem | encoded)"
}

# answer PORT [TOKEN]: prints the status and the body of a response.
answer() {
    exec 4<>"/dev/tcp/127.0.0.1/$1"
    printf 'GET / HTTP/1.1\r\nHost: api.example\r\nConnection: close\r\nX-Auth-Subject: mallory\r\n%s\r\n' \
        "${2:+Authorization: Bearer $2$'\r\n'}" >&4
    tr -d '\r' <&4 | awk 'NR == 1 { printf "%s", $2 } is_body { printf " %s", $0 } /^$/ { is_body = 1 }'
    exec 4>&-
}

# gateway NAME PORT: the answers of a gateway, whose application answers with the subject.
gateway() {
    check "$1 listens" 0 "$(listens "$2"; echo $?)"
    check "$1: a request without a token" 401 "$(answer "$2" | cut -d ' ' -f 1)"
    check "$1: with another signature" 401 "$(answer "$2" "${good%?????}AAAAA" | cut -d ' ' -f 1)"
    check "$1: with a token, for its subject" "200 jane" "$(answer "$2" "$good")"
}

# fences FILE LANGUAGE: prints the blocks of a page.
fences() { sed -n "/^ *\`\`\`$2\$/,/^ *\`\`\`\$/p" "$1" | grep -v '```' | sed 's/^   //'; }

. /etc/os-release
echo "$PRETTY_NAME"
apt-get update -qq
installed openssl
check "apt installs openssl" 0 $?
openssl genrsa -out /tmp/key.pem 2048 2>/dev/null
openssl rsa -in /tmp/key.pem -pubout -out /tmp/keys.pem 2>/dev/null
now=$(date +%s)
good=$(signed "{\"iss\":\"https://idp.example\",\"aud\":\"api\",\"sub\":\"jane\",\"exp\":$((now + 3600))}")
late=$(signed "{\"iss\":\"https://idp.example\",\"aud\":\"api\",\"sub\":\"jane\",\"exp\":$((now - 3600))}")

# The first page: its lines as they are, in a copy of the files that it names.
began=$SECONDS
mkdir /work && cp -r --parents bindings/lua include vectors /work && cd /work || exit 1
installed /project/.build-deb/libassay{0,-http0,-dev}_*.deb gcc libc6-dev liblua5.4-dev lua5.4
check "apt installs libassay, Lua and a compiler" 0 $?
check "no Swift is there" "" "$(command -v swift)"
fences bindings/lua/README.md sh >/tmp/page.sh
. /tmp/page.sh
check "the page builds the module, and says where it is" 1 "$([ -e .build-lua/5.4/assay/core.so ] && echo "${#LUA_CPATH}" | grep -c .)"
fences bindings/lua/README.md lua >first.lua
check "the first program" "valid: jane expired: reply 401 malformed_token: reply 401" \
    "$(printf '%s\n' "$good" "$late" a.b | lua5.4 first.lua /tmp/keys.pem https://idp.example api 2>&1 | xargs)"
echo "the first page took $((SECONDS - began)) s"

# tests LUA: all but memory.
tests() {
    local name arguments=(vectors)
    for name in vectors interface tasks; do
        [ "$name" != vectors ] || arguments=(vectors/*.json)
        LUA_PATH="bindings/lua/?.lua;bindings/lua/tests/?.lua" "$1" "bindings/lua/tests/$name.lua" "${arguments[@]}" >/tmp/log 2>&1
        check "$1: $name, $(tail -n 1 /tmp/log)" 0 $?
        arguments=(vectors)
    done
}
tests lua5.4
installed lua5.3 liblua5.3-dev luajit && bindings/lua/build.sh 5.3
check "the module for Lua 5.3" 0 $?
LUA_CPATH="$PWD/.build-lua/5.3/?.so" tests lua5.3
tests luajit

# HAProxy, by its page.
installed haproxy
version=$(haproxy -vv | sed -n 's/.*Built with Lua version *: Lua \([0-9.]*\)\.[0-9]*$/\1/p')
echo "$(haproxy -v | head -n 1), Lua $version"
bindings/lua/build.sh "$version" "/usr/local/lib/lua/$version"
mkdir -p "/usr/local/share/lua/$version" && cp -r bindings/lua/assay.lua bindings/lua/assay "/usr/local/share/lua/$version"
cp bindings/lua/haproxy/assay.lua /etc/haproxy/assay.lua
cp /tmp/keys.pem /etc/haproxy/keys.pem
cat >/etc/haproxy/assay.json <<'JSON'
{
  "providers": [{
    "name": "idp", "issuer": "https://idp.example", "audiences": ["api"], "keys": {"file": "keys.pem"},
    "claims": [{"header": "x-auth-subject", "claim": "sub"}]
  }],
  "policies": [{"name": "idp", "requires": "idp"}],
  "policy": "idp"
}
JSON
port=$(free_port) application=$(free_port)
sed "s/127.0.0.1:8080/127.0.0.1:$port/; s/127.0.0.1:900[01]/127.0.0.1:$application/" bindings/lua/haproxy/haproxy.cfg >/tmp/haproxy.cfg
cat >>/tmp/haproxy.cfg <<CONF

frontend application
    bind 127.0.0.1:$application
    http-request return status 200 content-type text/plain lf-string "%[req.hdr(x-auth-subject)]"
CONF
env -u LUA_PATH -u LUA_CPATH haproxy -db -f /tmp/haproxy.cfg >/tmp/haproxy.log 2>&1 &
started+=("$!")
gateway "HAProxy" "$port"
[ "$failed" = 0 ] || cat /tmp/haproxy.log

# nginx with Lua, by its page.
installed nginx-light libnginx-mod-http-lua
check "apt installs nginx with Lua" 0 $?
nginx -v
mkdir -p /usr/local/share/lua/5.1 && cp -r bindings/lua/assay.lua bindings/lua/assay /usr/local/share/lua/5.1
cp /etc/haproxy/{assay.json,keys.pem} /etc/nginx
port=$(free_port) application=$(free_port)
server="server { listen 127.0.0.1:$application; location / { default_type text/plain; return 200 \$http_x_auth_subject; } }"
sed "s#modules/#/usr/lib/nginx/modules/#; s#127.0.0.1:8080#127.0.0.1:$port#; s#127.0.0.1:9000#127.0.0.1:$application#; s#^http {#& $server#" \
    bindings/lua/nginx/nginx.conf >/tmp/nginx.conf
nginx -c /tmp/nginx.conf -g 'daemon off; user root;' >/tmp/nginx.log 2>&1 &
started+=("$!")
gateway "nginx with Lua" "$port"
[ "$failed" = 0 ] || cat /tmp/nginx.log
echo "all pages took $((SECONDS - began)) s"
printf '%d passed, %d failed\n' "$passed" "$failed"
exit $((failed > 0))
