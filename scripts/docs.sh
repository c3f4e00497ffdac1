#!/usr/bin/env bash
# Builds JWTCore's documentation archive to .build/docs, from its symbols and Sources/JWTCore/Docs.docc.
set -euo pipefail
cd "$(dirname "$0")/.."

graphs=.build/symbol-graphs
rm -rf "$graphs" .build/docs
mkdir -p "$graphs"
swift build -c release --product bench >/dev/null
swift package dump-symbol-graph --minimum-access-level public >/dev/null 2>&1 || true
find .build -name 'JWTCore*.symbols.json' -not -path "$graphs/*" -exec cp {} "$graphs" \;
docc convert Sources/JWTCore/Docs.docc --additional-symbol-graph-dir "$graphs" --output-path .build/docs \
    --fallback-display-name JWTCore --fallback-bundle-identifier assay.JWTCore --warnings-as-errors
echo "written to .build/docs"
