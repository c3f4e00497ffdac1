#!/usr/bin/env bash
# Fetches the sources of a package that a Debian release has, with apt, and prints their folder: source.sh PACKAGE RELEASE
# They are upstream's, without Debian's patches, and go below .build-sources, once; `make clean` deletes them.
set -euo pipefail
cd "$(dirname "$0")/../.."

package=$1 release=$2
out=$PWD/.build-sources/$release/$package
if [ ! -e "$out/.complete" ]; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    mkdir -p "$work/lists/partial" "$out"
    Tests/Packages/sources.sh deb-src "$release" >"$work/sources.list"
    options=(-qq -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists="$work/lists"
        -o APT::Sandbox::User=root)
    apt-get "${options[@]}" update >&2
    (cd "$work" && apt-get "${options[@]}" source --tar-only "$package" >&2)
    tar -C "$out" --strip-components=1 -xf "$work/${package}"_*.orig.tar.*z
    touch "$out/.complete"
fi
echo "$out"
