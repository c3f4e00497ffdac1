#!/usr/bin/env bash
# Prints what a shell sets to build the Go package with the libassay of this tree: eval "$(bindings/go/environment.sh)"
# Needs libassay in .build-lib/assay (scripts/libassay.sh), and `go` on the PATH or in GO.
set -euo pipefail
cd "$(dirname "$0")/../.."

library=${ASSAY_LIBRARY:-$PWD/.build-lib/assay}
root=$PWD/.build-go
[ -e "$library/libassay.so" ] || { echo "no libassay in $library: run scripts/libassay.sh" >&2; exit 1; }

mkdir -p "$root/pkgconfig"
printf '%s\n' "Name: assay" "Description: libassay of this tree" "Version: $(sed -n 's/.*ASSAY_VERSION_\(MAJOR\|MINOR\|PATCH\) //p' include/assay.h | paste -sd .)" \
    "Libs: -L$library -lassay" "Cflags: -I$PWD/include" >"$root/pkgconfig/assay.pc"
echo "export PKG_CONFIG_PATH='$root/pkgconfig' LD_LIBRARY_PATH='$library${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}' GOCACHE='$root/cache' GOFLAGS=-mod=mod GOTOOLCHAIN=local"
