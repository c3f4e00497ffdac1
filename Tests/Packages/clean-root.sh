#!/usr/bin/env bash
# Makes a minimal Debian of this machine's release with debootstrap, from the mirror of this machine's apt, and prints the path of its
# archive. It is made once; `make clean` deletes it. A debootstrap that is not installed is downloaded for the run. Needs root.
set -euo pipefail
cd "$(dirname "$0")/../.."

release=$(. /etc/os-release && echo "$VERSION_CODENAME")
archive=$PWD/.build-clean-root/$release.tar
if [ ! -s "$archive" ]; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' "Codename: $release" | head -n 1)
    if ! command -v debootstrap >/dev/null; then
        (cd "$work" && apt-get download -qq -o APT::Sandbox::User=root debootstrap >/dev/null && dpkg-deb -x debootstrap_*.deb tool)
        export DEBOOTSTRAP_DIR=$work/tool/usr/share/debootstrap PATH=$work/tool/usr/sbin:$PATH
    fi
    debootstrap --variant=minbase "$release" "$work/root" "$mirror" >"$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; exit 1; }
    mkdir -p "${archive%/*}"
    tar -C "$work/root" --one-file-system -cf "$archive.new" .
    mv "$archive.new" "$archive"
fi
echo "$archive"
