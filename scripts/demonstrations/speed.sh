#!/usr/bin/env bash
# Times whole verifications.
set -euo pipefail
cd "$(dirname "$0")/../.."

echo
echo "Whole verifications of one token after another, beside OpenSSL's bare operation (a ratio above 1: the whole takes less time),"
echo "and refusals of texts that are no tokens (refuse.junk):"
.build/release/bench --quick --only rs256.single --only es256.single --only ed25519.single --only hs256.single --only refuse.junk | sed 's/^/  /'

