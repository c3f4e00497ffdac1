#!/usr/bin/env bash
# Tests HAProxy of another release of Debian with module assay inside it: haproxy-release.sh RELEASE
# Its program and libraries are those of a minimal Debian; module assay is compiled there. The checks run here, on the same loopback.
# Needs root, apt's mirror, libassay in .build-lib/assay and loopback-provider in .build/release. Ends with "N passed, N failed".
set -euo pipefail
cd "$(dirname "$0")/../.."
project=$PWD

# Mounts are those of this script alone.
if [ "${1:-}" != --enter ]; then
    if ((EUID != 0)); then
        echo "HAProxy of $1 skipped: it needs root"
        exit 0
    fi
    archive=$(Tests/Packages/clean-root.sh "$1")
    python=$(scripts/environment.sh python-gateways Tests/Gateways/requirements.txt)
    work=$(mktemp -d)
    status=0
    unshare -m --propagation private "$0" --enter "$archive" "$work" "$python" || status=$?
    rmdir "$work"/{root,bin} "$work"
    exit $status
fi
archive=$2 work=$3 python=$4 root=$3/root

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
inside apt-get update -qq
inside apt-get install -y -qq --no-install-recommends haproxy libjansson4 gcc libc6-dev liblua5.3-dev liblua5.4-dev >"$root/log" 2>&1 ||
    { tail -n 20 "$root/log"; exit 1; }
version=$(inside haproxy -vv | sed -n 's/.*Built with Lua version *: Lua \([0-9.]*\)\.[0-9]*$/\1/p')
export ASSAY_LUA_CORE=$project/.build-lua/$(basename "$archive" .tar)-$version
inside "$project/bindings/lua/build.sh" "$version" "$ASSAY_LUA_CORE"
mount -t tmpfs tmpfs "$work/bin"
printf '#!/bin/sh\nexec chroot %s /usr/sbin/haproxy "$@"\n' "$root" >"$work/bin/haproxy"
chmod 755 "$work/bin/haproxy"
export PATH=$work/bin:$PATH
echo "$(haproxy -v | head -n 1), Lua $version"
"$python" Tests/Gateways/run_haproxy.py
