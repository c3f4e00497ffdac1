#!/usr/bin/env bash
# Builds the documentation of every public module to .build/docs, from the modules of the release build and each module's Docs.docc. A
# warning is an error.
set -euo pipefail
cd "$(dirname "$0")/.."

release=$PWD/.build/release
graphs=.build/symbol-graphs
modules=(JWTCore JWKSCache HTTPGuard JWKSHTTP IDaaSWire IDaaSFlows IDaaSHTTP IDaaSServer AssayTesting)
target=$(swiftc -print-target-info | sed -n 's/.*"unversionedTriple": *"\(.*\)".*/\1/p')

# The C modules that the Swift modules import, from the build's manifest.
maps=()
while read -r map; do maps+=(-Xcc "-fmodule-map-file=$map"); done < <(
    grep -o '"-fmodule-map-file=[^"]*"' .build/release.yaml | sort -u | sed 's/^"-fmodule-map-file=//; s/"$//')

# archive MODULE: writes its archive to .build/docs/MODULE.doccarchive.
archive() {
    local module=$1 catalog=() graph=$graphs/$1
    mkdir -p "$graph"
    swift symbolgraph-extract -module-name "$module" -I "$release/Modules" -target "$target" "${maps[@]}" \
        -minimum-access-level public -skip-synthesized-members -output-dir "$graph"
    [ ! -d "Sources/$module/Docs.docc" ] || catalog=("Sources/$module/Docs.docc")
    docc convert "${catalog[@]}" --additional-symbol-graph-dir "$graph" --output-path ".build/docs/$module.doccarchive" \
        --fallback-display-name "$module" --fallback-bundle-identifier "assay.$module" --warnings-as-errors
}

failed=0
rm -rf "$graphs" .build/docs
mkdir -p .build/docs
for module in "${modules[@]}"; do
    if archive "$module"; then echo "$module: written to .build/docs/$module.doccarchive"; else failed=$((failed + 1)); fi
done
echo "$((${#modules[@]} - failed)) passed, $failed failed"
exit $((failed > 0))
