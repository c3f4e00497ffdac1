#!/usr/bin/env bash
# Installs what building needs, and with the argument `test` what the tests need, or says the exact command where it may not.
set -euo pipefail

packages=(libssl-dev libjansson-dev libsqlite3-dev pkg-config openssl)
if [ "${1:-}" = test ]; then
    python3 -c 'import ensurepip, venv' 2>/dev/null || packages+=(python3 python3-venv)
    # Tests/NEON builds and runs AArch64 code. clang with its sanitizers and libFuzzer is part of the Swift toolchain.
    [ "$(uname -m)" = aarch64 ] || packages+=(gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user)
fi
missing=()
for package in "${packages[@]}"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done

if ! command -v swift >/dev/null; then
    echo "A Swift toolchain is needed (6.3 or later): https://www.swift.org/install" >&2
    exit 1
fi
if ((${#missing[@]} == 0)); then exit 0; fi

if ((EUID == 0)); then
    echo "installing ${missing[*]}"
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    sudo apt-get update -qq && sudo DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
else
    echo "Missing packages. Run: sudo apt-get install ${missing[*]}" >&2
    exit 1
fi
