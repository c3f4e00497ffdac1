#!/usr/bin/env bash
# Makes a minimal Debian with debootstrap, from the mirrors of this machine's apt, and prints the path of its archive: clean-root.sh [RELEASE]
# The release is by default this machine's. The archive is made once; `make clean` deletes it. ROOTS is another folder for archives. A
# debootstrap that is not installed is downloaded for the run. Needs root.
set -euo pipefail
cd "$(dirname "$0")/../.."

release=${1:-$(. /etc/os-release && echo "$VERSION_CODENAME")}
archive=${ROOTS:-$PWD/.build-clean-root}/$release.tar
if [ ! -s "$archive" ]; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    sources=$(Tests/Packages/sources.sh deb "$release")
    mirror=$(awk -v release="$release" '$3 == release { print $2; exit }' <<<"$sources")
    if ! command -v debootstrap >/dev/null; then
        (cd "$work" && apt-get download -qq -o APT::Sandbox::User=root debootstrap >/dev/null && dpkg-deb -x debootstrap_*.deb tool)
        export DEBOOTSTRAP_DIR=$work/tool/usr/share/debootstrap PATH=$work/tool/usr/sbin:$PATH
    fi
    debootstrap --variant=minbase "$release" "$work/root" "$mirror" >"$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; exit 1; }
    # With the release's updates.
    echo "$sources" >"$work/root/etc/apt/sources.list"
    mkdir -p "${archive%/*}"
    tar -C "$work/root" --one-file-system -cf "$archive.new" .
    mv "$archive.new" "$archive"
fi
echo "$archive"
