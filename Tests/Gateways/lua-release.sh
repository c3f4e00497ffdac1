#!/usr/bin/env bash
# Tests a gateway of another release of Debian with module assay for Lua inside it: lua-release.sh RELEASE haproxy|nginx
# Its program, Lua and libraries are those of a minimal Debian; what must be compiled is compiled there. The checks run here, on the same
# loopback. Needs root, apt's mirror, libassay in .build-lib/assay and loopback-provider in .build/release. Ends with "N passed, N failed".
set -euo pipefail
cd "$(dirname "$0")/../.."
project=$PWD

# Mounts are those of this script alone.
if [ "${1:-}" != --enter ]; then
    if ((EUID != 0)); then
        echo "$2 of $1 skipped: it needs root"
        exit 0
    fi
    archive=$(Tests/Packages/clean-root.sh "$1")
    python=$(scripts/environment.sh python-gateways Tests/Gateways/requirements.txt)
    work=$(mktemp -d)
    status=0
    unshare -m --propagation private "$0" --enter "$1" "$2" "$archive" "$work" "$python" || status=$?
    rmdir "$work"/{root,bin} "$work"
    exit $status
fi
release=$2 gateway=$3 archive=$4 work=$5 python=$6 root=$5/root

mkdir "$root" "$work/bin"
mount -t tmpfs tmpfs "$root"
tar -C "$root" -xf "$archive"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
# Files of the tests have the same paths inside.
for folder in "${TMPDIR:-/tmp}" "$project"; do
    mkdir -p "$root$folder"
    mount --rbind "$folder" "$root$folder"
done
cp /etc/resolv.conf "$root/etc/resolv.conf"
inside() {
    chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive \
        ${http_proxy:+http_proxy="$http_proxy"} "$@"
}
installed() {
    printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
    chmod 755 "$root/usr/sbin/policy-rc.d"
    inside apt-get update -qq
    inside apt-get install -y -qq --no-install-recommends "$@" >"$root/log" 2>&1 || { tail -n 20 "$root/log"; exit 1; }
}
# wrapped NAME: a program of the root, under its name here. It keeps its number and takes signals.
wrapped() {
    mount -t tmpfs tmpfs "$work/bin"
    printf '#!/bin/sh\nexec chroot %s /usr/sbin/%s "$@"\n' "$root" "$1" >"$work/bin/$1"
    chmod 755 "$work/bin/$1"
    export PATH=$work/bin:$PATH
}

case $gateway in
    haproxy)
        installed haproxy libjansson4 gcc libc6-dev liblua5.3-dev liblua5.4-dev
        version=$(inside haproxy -vv | sed -n 's/.*Built with Lua version *: Lua \([0-9.]*\)\.[0-9]*$/\1/p')
        export ASSAY_LUA_CORE=$project/.build-lua/$release-$version
        inside "$project/bindings/lua/build.sh" "$version" "$ASSAY_LUA_CORE"
        wrapped haproxy
        echo "$(haproxy -v | head -n 1), Lua $version"
        "$python" Tests/Gateways/run_haproxy.py
        ;;
    nginx)
        installed nginx-light libnginx-mod-http-lua libjansson4 libcurl4
        # Where Tests/Gateways/nginx_lua.py looks for modules and files of Lua, here and inside.
        export ASSAY_NGINX_LUA=$project/.build-lua/$release-nginx
        rm -rf "$ASSAY_NGINX_LUA"
        mkdir -p "$ASSAY_NGINX_LUA"/usr/{lib/nginx,share/lua}
        cp -rL "$root/usr/lib/nginx/modules" "$ASSAY_NGINX_LUA/usr/lib/nginx"
        cp -r "$root/usr/share/lua/5.1" "$ASSAY_NGINX_LUA/usr/share/lua"
        export LD_LIBRARY_PATH=${ASSAY_LIBRARY:-$project/.build-lib/assay}
        wrapped nginx
        nginx -v
        inside dpkg-query -W -f '${Package} ${Version}\n' libnginx-mod-http-lua lua-resty-core
        "$python" Tests/Gateways/run_nginx_lua.py
        ;;
    *)
        echo "there is no gateway $gateway" >&2
        exit 2
        ;;
esac
