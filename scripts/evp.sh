#!/usr/bin/env bash
# Runs the vectors as if libcrypto had no deprecated functions, so that SHA-2, HMAC and ECDSA go through EVP. Recompiles only COpenSSL, and
# links the command again from the objects of the release build, with that build's link command.
set -euo pipefail
cd "$(dirname "$0")/.."

build=.build-evp
clang=$(scripts/clang.sh)
mkdir -p "$build"
rm -f "$build"/*.o
for file in Sources/COpenSSL/*.c; do printf '%s\0%s\0' "$build/$(basename "$file").o" "$file"; done |
    xargs -0 -n 2 -P "$(getconf _NPROCESSORS_ONLN)" "$clang" -O2 -DNDEBUG -DOPENSSL_NO_DEPRECATED -DOPENSSL_API_COMPAT=30000 \
        -I Sources/COpenSSL/include -c -o
{
    grep -v '/COpenSSL\.build/' .build/release/assay.product/Objects.LinkFileList
    printf '%s\n' "$PWD/$build"/*.o
} >"$build/objects"

# The link command from the build's manifest, with these objects and another output.
python3 - "$build" <<'PYTHON' | xargs -0 env
import json, re, sys

commands = map(json.loads, re.findall(r"^ *args: (\[.*\])$", open(".build/release.yaml").read(), re.MULTILINE))
link = next(command for command in commands if "-emit-executable" in command and command[command.index("-o") + 1].endswith("/assay"))
link[link.index("-o") + 1] = f"{sys.argv[1]}/assay"
print(*(f"@{sys.argv[1]}/objects" if part.endswith("assay.product/Objects.LinkFileList") else part for part in link), sep="\0", end="")
PYTHON
ASSAY_OBJECTS=$build Tests/Kernels/ForkLocks/run.sh
ASSAY_EVP=1 ASSAY_OBJECTS=$build Tests/Kernels/Residue/run.sh
"$build/assay" conformance vectors ${ASSAY_CONFORMANCE:+"$ASSAY_CONFORMANCE/wycheproof"}
