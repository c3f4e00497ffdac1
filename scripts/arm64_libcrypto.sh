#!/usr/bin/env bash
# Prints a folder with Debian's libcrypto for arm64, to be linked into programs that run in the emulator: its `usr/include` and
# `usr/lib/aarch64-linux-gnu/libcrypto.a`. Downloads the package once, with apt but without root and without a change to the system.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$PWD/.build/arm64-libcrypto
library=$folder/usr/lib/aarch64-linux-gnu/libcrypto.a
if [ ! -e "$library" ]; then
    command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || { echo "apt-get is needed, of Debian or Ubuntu" >&2; exit 1; }
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    mkdir -p "$work"/{lists/partial,archives/partial} "$folder"
    options=(-qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State="$work" -o Dir::State::lists="$work/lists"
        -o Dir::State::status=/dev/null -o Dir::Cache="$work" -o APT::Sandbox::User=root)
    (cd "$work" && apt-get "${options[@]}" update && apt-get "${options[@]}" download libssl-dev) >&2
    dpkg-deb -x "$work"/libssl-dev_*_arm64.deb "$folder"
fi
[ -e "$library" ] || { echo "$library is not in the package" >&2; exit 1; }
echo "$folder"
