#!/usr/bin/env bash
# Installs the packages from .build-deb (`make deb`) with apt in a minimal Debian, uses them there, and removes them: clean.sh [RELEASE]
# Unlike run.sh's copy of this machine, that Debian has only what the packages depend on. It is of this machine's release, or of the one
# that the packages were built in. Needs root and apt's mirror. Ends with "N passed, N failed".
set -uo pipefail
cd "$(dirname "$0")/../.."

[ "${1:-}" = inside ] || exec Tests/Packages/inside.sh "${1:-}" Tests/Packages/clean.sh inside

passed=0
failed=0

check() {
    if [ "$2" = "$3" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        printf 'FAIL %s: expected "%s", got "%s"\n' "$1" "$2" "$3"
    fi
}

# files: prints every file, without those of apt and dpkg about themselves, and without nginx's first page, which it leaves.
files() {
    find / -xdev \( -path /project -o -path /proc -o -path /dev -o -path /tmp -o -path /var/lib/dpkg -o -path /var/lib/apt \
        -o -path /var/cache -o -path /var/log -o -path /var/www \) -prune -o -type f -print | sort
}

# completion WORD…: prints what bash completes after the words.
completion() {
    bash -c 'source /usr/share/bash-completion/completions/assay
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
        $(complete -p assay | sed "s/.*-F \([^ ]*\).*/\1/") assay "${@: -1}" "${@: -2:1}" 2>/dev/null
        echo "${COMPREPLY[*]}"' _ "$@"
}

verify() { assay verify --key "/project/Examples/rfc/$1.jwk" "${@:2}" "$(cat "/project/Examples/rfc/$1.jwt")" 2>&1; }

# No package starts a server here.
printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
chmod 755 /usr/sbin/policy-rc.d
apt-get update -qq
check "apt reads its mirror" 0 $?
before=$(files)
packages=()
deb() { ls /project/.build-deb/"$1"_*.deb; }
for name in assay libassay0 libassay-http0; do packages+=("$(deb "$name")"); done
said=$(apt-get install -y -qq --no-install-recommends "${packages[@]}" 2>&1)
check "apt installs the packages and what they depend on" 0 $?
[ "$failed" = 0 ] || printf '%s\n' "$said" | tail -n 20

version=$(dpkg-query -W -f '${Version}' assay)
check "no Swift is there" "" "$(find / -xdev \( -path /project -o -path /proc \) -prune -o -name '*swift*' -print)"
check "the version" "$version" "$(assay --version)"
# is_small PACKAGE KIB
is_small() {
    local installed
    installed=$(dpkg-query -W -f '${Installed-Size}' "$1")
    check "$1 installs at most $2 KiB: $installed KiB" 1 $((installed <= $2))
    echo "the package $1 has $(stat -c %s "$(deb "$1")") bytes, and installs $installed KiB"
}
check "a token of RFC 7515, in its time" 0 "$(verify rfc7515-a3-es256 --now 1300819000 >/dev/null; echo $?)"
check "its claims" 1 "$(verify rfc7515-a3-es256 --now 1300819000 | grep -c joe)"
check "the same token today" "1 1" "$(verify rfc7515-a3-es256 >/tmp/said; echo $? "$(grep -c expired /tmp/said)")"
said=$(assay conformance /project/vectors | tail -n 1)
check "all vectors: $said" 1 "$(grep -cE '^[0-9]{5} passed, 0 failed' <<<"$said")"
check "no identity provider is there" "" "$(ls /usr/libexec/assay 2>/dev/null)"
said=$(assay serve --config /project/Examples/gateway/gateway.yaml 2>&1)
check "assay serve says which package has it" "2 1" "$? $(grep -c 'package assay-gateway' <<<"$said")"
said=$(assay idaas user list 2>&1)
check "assay idaas says which package has it" "2 1" "$? $(grep -c 'package assay-idaas' <<<"$said")"
said=$(apt-get install -y -qq --no-install-recommends "$(deb assay-gateway)" "$(deb assay-idaas)" 2>&1)
check "apt installs the other programs" 0 $?
is_small assay 11700
is_small assay-gateway 20600
is_small assay-idaas 38500
examples=/usr/share/doc/assay-gateway/examples
check "the example of the gateways' pages" 0 "$(assay config check $examples/assay.yaml >/dev/null 2>&1; echo $?)"
check "the example with every setting" 0 "$(assay config check $examples/gateway.yaml >/dev/null 2>&1; echo $?)"
units=(/lib/systemd/system/assay-{gateway.service,gateway.socket,idaas.service})
check "the units of systemd" 3 "$(ls "${units[@]}" 2>/dev/null | wc -l)"
check "and none is enabled" "" "$(find /etc/systemd -name 'assay*')"
mkdir /tmp/idaas
database=(--dev --db /tmp/idaas/idaas.sqlite)
ASSAY=assay
. /project/scripts/idaas.sh
start_idaas /tmp/idaas
check "the reference identity service starts" 0 $?
said=$(assay idaas user add "${database[@]}" --mobile +86-13912340001 --name Jane 2>&1)
check "a user is added: $said" 0 $?
check "and is listed" 1 "$(assay idaas user list "${database[@]}" 2>&1 | grep -c Jane)"
kill "$idaas_pid"
wait "$idaas_pid"

# The modules. apt brings the nginx that the module's package names.
. /project/scripts/ports.sh
said=$(apt-get install -y -qq --no-install-recommends "$(deb libnginx-mod-http-assay)" "$(deb assay-envoy-module)" 2>&1)
check "apt installs the modules, and nginx with them" 0 $?
needed=$(dpkg-query -W -f '${Depends}' libnginx-mod-http-assay | grep -oE 'nginx-abi-[0-9.]+-[0-9]+')
nginx_version=$(nginx -v 2>&1 | sed 's#.*nginx/\([0-9.]*\).*#\1#')
check "the module's package names the binary interface of nginx" "nginx-abi-$nginx_version" "${needed%-*}"
check "which a package of nginx has" 1 "$(dpkg-query -W -f '${Provides}\n' | grep -cwF -- "$needed")"
port=$(free_port)
mkdir /tmp/site
echo 'the application' >/tmp/site/index.html
assay keys new --algorithm ES256 /tmp/key.jwk >/tmp/keys.jwks 2>/tmp/said
token=$(assay sign --key /tmp/key.jwk --lifetime 600 '{"iss":"https://idp.example","sub":"jane","aud":"client-1"}' 2>>/tmp/said)
check "a token to try" 3 "$(tr . '\n' <<<"$token" | wc -l)"
cat >/tmp/nginx.conf <<CONF
include /etc/nginx/modules-enabled/*.conf;
user root;
pid /tmp/nginx.pid;
error_log stderr warn;
events {}
http {
    access_log off;
    assay_issuer https://idp.example;
    assay_audiences client-1;
    assay_keys_file /tmp/keys.jwks;
    server {
        listen 127.0.0.1:$port;
        location / { assay on; root /tmp/site; }
    }
}
CONF
nginx -c /tmp/nginx.conf -g 'daemon off;' &
nginx_pid=$!
check "nginx $nginx_version with the module listens" 0 "$(listens "$port"; echo $?)"
# answer TOKEN: prints the status of a request.
answer() {
    exec 4<>"/dev/tcp/127.0.0.1/$port"
    printf 'GET / HTTP/1.1\r\nHost: api.example\r\nConnection: close\r\n%s\r\n' "${1:+Authorization: Bearer $1$'\r\n'}" >&4
    head -n 1 <&4 | cut -d ' ' -f 2
    exec 4>&-
}
check "a request without a token" 401 "$(answer '')"
check "a request with a token" 200 "$(answer "$token")"
check "a request with another signature" 401 "$(answer "${token%?????}AAAAA")"
kill "$nginx_pid"
wait "$nginx_pid"

# pretended VERSION: makes a package called envoy of that version, and prints whether dpkg takes it beside the module's: 0 or 1.
pretended() {
    mkdir -p "/tmp/envoy-$1/DEBIAN"
    printf 'Package: envoy\nVersion: %s\nArchitecture: all\nMaintainer: nobody <nobody@assay.invalid>\nDescription: a gateway\n' "$1" \
        >"/tmp/envoy-$1/DEBIAN/control"
    dpkg-deb --build "/tmp/envoy-$1" "/tmp/envoy-$1.deb" >/dev/null
    dpkg --install "/tmp/envoy-$1.deb" >/tmp/said 2>&1
    echo "$?"
    dpkg --purge envoy >/dev/null 2>&1
}
envoy=$(dpkg-query -W -f '${Suggests}' assay-envoy-module | grep -oE '[0-9]+\.[0-9]+')
check "a package of Envoy $envoy is taken" 0 "$(pretended "$envoy.3")"
check "one of a newer Envoy is not" 1 "$(pretended "${envoy%.*}.$((${envoy#*.} + 1)).0")"
check "one of an older Envoy is not" 1 "$(pretended "${envoy%.*}.$((${envoy#*.} - 1)).9")"
check "dpkg's sentence: $(cat /tmp/said)" 1 "$(grep -c 'assay-envoy-module .*breaks envoy (<< ' /tmp/said)"

check "completion of a command" verify "$(completion assay ver)"
check "completion of an option" --issuer "$(completion assay verify --iss)"
check "zsh's completion" "#compdef assay" "$(head -n 1 /usr/share/zsh/vendor-completions/_assay)"
check "fish's completion" 1 "$(($(grep -c "complete -c 'assay'\|complete -c assay" /usr/share/fish/vendor_completions.d/assay.fish) > 10))"

# A package that one of Debian's own recommends would stay: libc6 recommends libidn2-0, which libcurl needs.
said=$(apt-get purge -y -qq --autoremove -o APT::AutoRemove::RecommendsImportant=false -o APT::AutoRemove::SuggestsImportant=false \
    assay assay-gateway assay-idaas libassay0 libassay-http0 libnginx-mod-http-assay assay-envoy-module 2>&1)
check "apt removes the packages" 0 $?
check "no file of them is left" "" "$(diff <(echo "$before") <(files) | grep '^[<>]')"
printf '%d passed, %d failed\n' "$passed" "$failed"
exit $((failed > 0))
