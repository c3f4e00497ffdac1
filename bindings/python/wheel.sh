#!/usr/bin/env bash
# Builds the wheel and the source distribution of assay-jwt into .build-python/dist: wheel.sh
# The libraries are those of .build-lib/assay (scripts/libassay.sh), or of the folder ASSAY_LIBRARY. auditwheel puts them and what they need
# into the wheel, and says which systems it is for by the versions of glibc's functions that it finds there.
set -euo pipefail
cd "$(dirname "$0")/../.."

libraries=$(realpath "${ASSAY_LIBRARY:-.build-lib/assay}")
out=$PWD/.build-python/dist
[ -e "$libraries/libassay-http.so.0" ] || { echo "there is no libassay-http in $libraries: run scripts/libassay.sh" >&2; exit 1; }
python=$(scripts/environment.sh python-wheel bindings/python/requirements.txt)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cp -r bindings/python/. "$work/package"
cp LICENSE "$work/package/"
export PATH=${python%/*}:$PATH ASSAY_LIBRARY=$libraries ASSAY_INCLUDE=$PWD/include LD_LIBRARY_PATH=$libraries
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || echo 1700000000)
export SOURCE_DATE_EPOCH
"$python" -m build --no-isolation --outdir "$work/dist" "$work/package" >"$work/log" 2>&1 || { tail -n 30 "$work/log" >&2; exit 1; }
auditwheel repair --wheel-dir "$work/repaired" "$work"/dist/*.whl >"$work/log" 2>&1 || { tail -n 30 "$work/log" >&2; exit 1; }
cp "$work"/dist/*.tar.gz "$work/repaired/"
# Another program may be reading the wheel before this one.
mkdir -p "${out%/*}"
rm -rf "$out.new"
cp -r "$work/repaired" "$out.new"
rm -rf "$out"
mv "$out.new" "$out"
for file in "$out"/*; do echo "built ${file#"$PWD/"}, $(stat -c %s "$file") bytes"; done
