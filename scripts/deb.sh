#!/usr/bin/env bash
# Builds Debian packages into .build-deb: assay, assay-gateway, assay-idaas, libassay0, libassay-http0, libassay-dev, libnginx-mod-http-assay and assay-envoy-module.
# Needs the packages debhelper and nginx-dev, and those of `scripts/dependencies.sh deb`. ASSAY_BUILT=1: .build has the objects of
# the programs.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(awk '/define ASSAY_VERSION_(MAJOR|MINOR|PATCH) / { text = text dot $3; dot = "." } END { print text }' include/assay.h)
packaged=$(dpkg-parsechangelog -S Version)
if [ "$version" != "$packaged" ]; then
    echo "debian/changelog has version $packaged, include/assay.h $version." >&2
    exit 1
fi
log=.build-deb/log
rm -rf .build-deb
mkdir .build-deb
as_root=()
((EUID == 0)) || as_root=(fakeroot)
trap '"${as_root[@]}" debian/rules clean >/dev/null 2>&1' EXIT
if ! "${as_root[@]}" debian/rules binary >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
for package in .build-deb/*.deb; do echo "built $package, $(stat -c %s "$package") bytes"; done
