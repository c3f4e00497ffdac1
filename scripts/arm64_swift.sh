#!/usr/bin/env bash
# Prints a folder with Debian's Swift for arm64: `host` has the compiler, for this machine, and `arm64` has the standard library, glibc and
# jansson. Downloads 1.1 GB of packages once and keeps 0.7 GB, without root and without a change to the system. They are Debian unstable's,
# because earlier releases have no Swift 6.2, and come from the mirror of this machine's apt.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$PWD/.build/arm64-swift
[ "$(dpkg --print-architecture 2>/dev/null)" = amd64 ] || { echo "Debian on x86-64 is needed" >&2; exit 1; }
if [ ! -e "$folder/complete" ]; then
    rm -rf "$folder"
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    mirror=$(Tests/Packages/sources.sh deb sid | awk '$3 == "sid" { print $2; exit }')
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror sid main" >"$work/sources.list"

    # packages ARCHITECTURE NAME…: downloads packages into a folder named after the architecture.
    packages() {
        local at=$work/$1
        mkdir -p "$at"/{lists/partial,archives/partial}
        options=(-qq -o APT::Architecture="$1" -o APT::Architectures="$1" -o Dir::State="$at" -o Dir::State::lists="$at/lists"
            -o Dir::State::status=/dev/null -o Dir::Cache="$at" -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=-
            -o APT::Sandbox::User=root)
        (cd "$at" && apt-get "${options[@]}" update && apt-get "${options[@]}" download "${@:2}") >&2
    }
    # unpack ARCHITECTURE FOLDER PATTERN…: unpacks what has such a path.
    unpack() {
        local package
        mkdir -p "$folder/$2"
        for package in "$work/$1"/*.deb; do
            dpkg-deb --fsys-tarfile "$package" | { tar -x -C "$folder/$2" --wildcards "${@:3}" 2>/dev/null || true; }
        done
    }
    packages amd64 swiftlang libswiftlang libc6 libgcc-s1 libstdc++6 libuuid1 zlib1g libzstd1
    unpack amd64 host './usr/libexec/swift/bin/swift-frontend' './usr/libexec/swift/lib/clang/*/include' './usr/libexec/swift/lib/swift/linux/*.so' \
        './usr/libexec/swift/lib/swift/host/*.so' './usr/lib/x86_64-linux-gnu/*.so*'
    packages arm64 swiftlang libswiftlang libc6 libc6-dev linux-libc-dev libgcc-s1 libstdc++6 libjansson-dev zlib1g-dev zlib1g
    unpack arm64 arm64 --exclude='*/swift/embedded' --exclude='*/swift/host' './usr/libexec/swift/lib/swift' './usr/include' \
        './usr/lib/aarch64-linux-gnu' './usr/lib/ld-linux-aarch64.so.1' './usr/lib/linux/uapi/arm64'
    ln -s usr/lib "$folder/arm64/lib"
    ln -s ../../../../../host/usr/libexec/swift/lib/clang "$folder/arm64/usr/libexec/swift/lib/clang"
    [ -e "$folder/host/usr/libexec/swift/bin/swift-frontend" ] && [ -e "$folder/arm64/usr/libexec/swift/lib/swift/linux/libswiftCore.so" ] ||
        { echo "Debian's packages of Swift have other files than expected" >&2; exit 1; }
    touch "$folder/complete"
fi
echo "$folder"
