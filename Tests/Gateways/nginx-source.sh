#!/usr/bin/env bash
# Fetches nginx's own release that a Debian release has, with apt, and prints the folder of its sources: nginx-source.sh RELEASE
# It goes below .build-nginx-sources, once; `make clean` deletes it.
set -euo pipefail
cd "$(dirname "$0")/../.."

release=$1
out=$PWD/.build-nginx-sources/$release
if [ ! -e "$out/configure" ]; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    mkdir -p "$work/lists/partial" "$out"
    Tests/Packages/sources.sh deb-src "$release" >"$work/sources.list"
    options=(-qq -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists="$work/lists"
        -o APT::Sandbox::User=root)
    apt-get "${options[@]}" update >&2
    # Without Debian's patches, which repair faults and keep nginx's binary interface.
    (cd "$work" && apt-get "${options[@]}" source --tar-only nginx >&2)
    tar -C "$out" --strip-components=1 -xf "$work"/nginx_*.orig.tar.*z
fi
echo "$out"
