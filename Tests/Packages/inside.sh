#!/usr/bin/env bash
# Runs a script of this project in a minimal Debian, where the project is read-only at /project: inside.sh RELEASE SCRIPT [ARGUMENT…]
# RELEASE is that of Tests/Packages/clean-root.sh, "" for this machine's. Needs root and apt's mirror. A machine that lacks what this needs says
# so in a line with "skipped", and ends with success.
set -uo pipefail
cd "$(dirname "$0")/../.."
project=$PWD

if [ "${1:-}" = --enter ]; then
    root=$2 archive=$3
    shift 3
    {
        mount -t tmpfs tmpfs "$root" && tar -C "$root" -xf "$archive" && mkdir "$root/project" &&
            mount --bind -o ro "$project" "$root/project" && mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" &&
            cp /etc/resolv.conf "$root/etc/resolv.conf"
    } || { echo "clean root skipped: this machine mounts nothing"; exit 0; }
    exec chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive \
        ${http_proxy:+http_proxy="$http_proxy"} "/project/$1" "${@:2}"
fi

if ((EUID != 0)); then
    echo "clean root skipped: it needs root"
    exit 0
fi
archive=$(Tests/Packages/clean-root.sh ${1:+"$1"}) || exit 1
work=$(mktemp -d)
unshare -m --propagation private Tests/Packages/inside.sh --enter "$work" "$archive" "${@:2}"
status=$?
rmdir "$work"
exit $status
