#!/usr/bin/env bash
# Installs the packages of .build-deb (`make deb`) in a copy of this machine's files without a Swift toolchain, uses the libraries and
# loads both modules there, and removes the packages. The machine itself does not change: the copy is an overlay in a mount namespace of
# its own. Needs root, loopback-provider in .build/release, nginx and Envoy (`scripts/dependencies.sh test`).
# Ends with "N passed, N failed".
set -uo pipefail
cd "$(dirname "$0")/../.."
project=$PWD

# Runs this script again, in the copy.
enter() {
    local work=$1
    mount -t tmpfs tmpfs "$work" && mkdir "$work"/{upper,work,root} || return 1
    mount -t overlay overlay -o "lowerdir=/,upperdir=$work/upper,workdir=$work/work" "$work/root" || return 1
    mkdir -p "$work/root$project"
    mount --bind "$project" "$work/root$project"
    mount --rbind /proc "$work/root/proc"
    mount --rbind /dev "$work/root/dev"
    mount -t tmpfs tmpfs "$work/root$(dirname "$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")")"
    exec chroot "$work/root" "$project/Tests/Packages/run.sh" inside
}

case ${1:-} in
    enter) enter "$2" || { echo "packages skipped: this machine has no overlay file system"; exit 0; } ;;
    inside) ;;
    *)
        if ((EUID != 0)); then
            echo "packages skipped: they need root, to install into a copy of this machine"
            exit 0
        fi
        work=$(mktemp -d)
        # An issuer on loopback, which needs the toolchain's libraries.
        coproc provider { .build/release/loopback-provider; }
        provider_pid=$provider_PID
        read -r -t 30 _ issuer <&"${provider[0]}"
        echo 'claims {}' >&"${provider[1]}"
        read -r -t 30 token <&"${provider[0]}"
        export issuer token
        unshare -m --propagation private "$0" enter "$work"
        status=$?
        kill "$provider_pid"
        rmdir "$work"
        exit $status
        ;;
esac

passed=0
failed=0
work=$(mktemp -d)
started=()
trap 'kill "${started[@]}" 2>/dev/null; rm -rf "$work"' EXIT
. scripts/ports.sh

check() {
    if [ "$2" = "$3" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        printf 'FAIL %s: expected "%s", got "%s"\n' "$1" "$2" "$3"
    fi
}

names=(assay assay-gateway assay-idaas libassay0 libassay-http0 libassay-dev libnginx-mod-http-assay assay-envoy-module)
check "there is no Swift toolchain" "" "$(command -v swift)"
mapfile -t packages < <(printf ".build-deb/%s_*.deb\n" "${names[@]}" | xargs -I{} bash -c 'ls {}')
said=$(dpkg -i "${packages[@]}" 2>&1)
check "dpkg installs the packages" 0 "$?"
[ "$failed" = 0 ] || printf '%s\n' "$said"

# The command, with its man page and completions.
check "the command's version" "$(dpkg-parsechangelog -S Version)" "$(assay --version)"
assay verify --key Examples/rfc/rfc7515-a3-es256.jwk --now 1300819000 "$(cat Examples/rfc/rfc7515-a3-es256.jwt)" >/dev/null
check "a token of RFC 7515" 0 $?
for program in /usr/bin/assay /usr/libexec/assay/assay-gateway /usr/libexec/assay/assay-idaas; do
    check "$program links no library of Swift" "" "$(ldd $program | grep -iE 'swift|foundation|not found')"
    check "$program is stripped" "" "$(readelf -SW $program | grep -E '\.symtab|\.debug')"
    check "$program is position-independent, and its relocations are read-only" "BIND_NOW DYN" \
        "$(readelf -hdW $program | grep -oE '\bDYN\b|BIND_NOW' | LC_ALL=C sort -u | xargs)"
done
if command -v groff >/dev/null; then
    zcat /usr/share/man/man1/assay.1.gz >"$work/assay.1"
    check "groff reads the man page without a warning" "" "$(groff -man -ww -z "$work/assay.1" 2>&1)"
    groff -man -Tascii -P-cbou -rLL=200n "$work/assay.1" >"$work/assay.txt"
    check "the man page lacks no option of the help" "" \
        "$({ assay --experimental-dump-help; /usr/libexec/assay/assay-gateway --experimental-dump-help;
            /usr/libexec/assay/assay-idaas --experimental-dump-help; } | python3 Tests/Packages/manual_options.py "$work/assay.txt")"
fi

# The library, for a C program.
cat >"$work/version.c" <<'C'
#include <assay.h>
#include <stdio.h>
int main(void) { return puts(assay_version()) < 0; }
C
read -ra flags <<<"$(pkg-config --cflags --libs assay)"
gcc -o "$work/version" "$work/version.c" "${flags[@]}"
check "a C program is linked by pkg-config" 0 $?
check "it runs" "$(dpkg-parsechangelog -S Version)" "$("$work/version")"

# nginx, with keys of an issuer on loopback.
port=$(free_port)
mkdir "$work/site"
echo 'the application' >"$work/site/index.html"
cat >"$work/nginx.conf" <<CONF
include /etc/nginx/modules-enabled/50-mod-http-assay.conf;
user root;
pid $work/nginx.pid;
error_log stderr warn;
events {}
http {
    access_log off;
    assay_allow_loopback on;
    assay_issuer $issuer;
    assay_audiences client-1;
    server {
        listen 127.0.0.1:$port;
        location / { assay on; root $work/site; }
    }
}
CONF
/usr/sbin/nginx -t -q -c "$work/nginx.conf"
check "nginx loads the module" 0 $?
/usr/sbin/nginx -c "$work/nginx.conf" -g 'daemon off;' &
started+=("$!")
listens "$port"
ask() { python3 - "$port" "$@" <<'PY'
import http.client, sys
connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=30)
connection.request("GET", "/", headers={"Authorization": "Bearer " + sys.argv[2]} if len(sys.argv) > 2 else {})
print(connection.getresponse().status)
PY
}
check "a request without a token" 401 "$(ask)"
check "a request with a token" 200 "$(ask "$token")"
check "a request with another signature" 401 "$(ask "${token%?????}AAAAA")"

# Envoy, which loads the module when it reads its configuration.
envoy=$(find .build/python-gateways -path '*_bin/envoy' 2>/dev/null | head -n 1)
if [ -n "$envoy" ]; then
    ENVOY_DYNAMIC_MODULES_SEARCH_PATH=/usr/lib/assay "$envoy" --mode validate -l error -c integrations/envoy/envoy.yaml >"$work/envoy.log" 2>&1
    check "Envoy loads the module" 0 $?
    ENVOY_DYNAMIC_MODULES_SEARCH_PATH=/nowhere "$envoy" --mode validate -l critical -c integrations/envoy/envoy.yaml >/dev/null 2>&1
    check "Envoy without the module's folder refuses the configuration" 1 $?
else
    echo "Envoy skipped: it is not installed"
fi

kill "${started[@]}"
wait 2>/dev/null
started=()
said=$(dpkg --purge "${names[@]}" 2>&1)
check "dpkg removes the packages" 0 "$?"
check "no file of them is left" "" \
    "$(ls -d /usr/bin/assay /usr/libexec/assay /usr/share/*/*/*assay* /usr/lib/assay /usr/lib/*/libassay* /usr/include/assay*.h \
        /usr/lib/nginx/modules/*assay* /etc/nginx/modules-*/*assay* 2>/dev/null)"
printf '%d passed, %d failed\n' "$passed" "$failed"
exit $((failed > 0))
