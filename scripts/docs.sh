#!/usr/bin/env bash
# Builds the documentation of every public module, from the modules of the release build and each module's Docs.docc, into one archive with
# one landing page: .build/docs/Assay.doccarchive. A warning is an error.
set -euo pipefail
cd "$(dirname "$0")/.."

release=$PWD/.build/release
graphs=.build/symbol-graphs
modules=(JWTCore JWTDecryption TokenStatus SharedSignals JWKSCache StatusListCache HTTPGuard Gateway GatewayServer IDaaSFlows IDaaSWire IDaaSServer AssayTesting)
target=$(swiftc -print-target-info | sed -n 's/.*"unversionedTriple": *"\(.*\)".*/\1/p')

# The C modules that the Swift modules import, from the build's manifest.
maps=()
while read -r map; do maps+=(-Xcc "-fmodule-map-file=$map"); done < <(
    grep -o '"-fmodule-map-file=[^"]*"' .build/release.yaml | sort -u | sed 's/^"-fmodule-map-file=//; s/"$//')
# Debian has libpq's headers in a folder of their own.
for flag in $(pkg-config --cflags-only-I libpq); do maps+=(-Xcc "$flag"); done

# archive MODULE: writes its archive to .build/docs/modules/MODULE.doccarchive.
archive() {
    local module=$1 catalog=() graph=$graphs/$1
    mkdir -p "$graph"
    swift symbolgraph-extract -module-name "$module" -I "$release/Modules" -target "$target" "${maps[@]}" \
        -minimum-access-level public -skip-synthesized-members -output-dir "$graph"
    [ ! -d "Sources/$module/Docs.docc" ] || catalog=("Sources/$module/Docs.docc")
    docc convert "${catalog[@]}" --additional-symbol-graph-dir "$graph" --output-path ".build/docs/modules/$module.doccarchive" \
        --fallback-display-name "$module" --fallback-bundle-identifier "assay.$module" --warnings-as-errors
}

# landing: merges the archives. Fails if the landing page does not name a module, or the module's page is not there.
landing() {
    local module archives=() missing=0
    for module in "${modules[@]}"; do archives+=(".build/docs/modules/$module.doccarchive"); done
    docc merge "${archives[@]}" --synthesized-landing-page-name Assay --synthesized-landing-page-kind Library --output-path "$merged"
    for module in "${modules[@]}"; do
        # JSON of DocC escapes each slash.
        if ! grep -qF "documentation\\/$module\"" "$merged/data/documentation.json" ||
            [ ! -s "$merged/documentation/${module,,}/index.html" ]; then
            echo "FAIL the landing page has no $module" >&2
            missing=1
        fi
    done
    [ -s "$merged/documentation/index.html" ] && ((missing == 0))
}

merged=.build/docs/Assay.doccarchive
failed=0
rm -rf "$graphs" .build/docs
mkdir -p .build/docs/modules
for module in "${modules[@]}"; do
    if ! archive "$module"; then failed=$((failed + 1)); fi
done
((failed > 0)) || landing || failed=1
echo "$((${#modules[@]} + 1 - failed)) passed, $failed failed"
((failed == 0)) || exit 1
echo "open it: python3 -m http.server --bind 127.0.0.1 --directory $merged 8000"
echo "and then http://127.0.0.1:8000/documentation/ in a browser"
