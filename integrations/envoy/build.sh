#!/usr/bin/env bash
# Builds the Envoy module, integrations/envoy/*.c, against libassay: build.sh [OUT]
# OUT is a folder, .build-lib/envoy by default; it receives libassay_envoy.so. ASSAY_LIBRARY is the folder of libassay.so, by default
# .build-lib/assay, where scripts/libassay.sh puts it. RPATH=FOLDER[:FOLDER] says where the module looks for libassay.so.0; by default
# beside itself, and then where the dynamic linker looks.
set -euo pipefail
cd "$(dirname "$0")/../.."

out=${1:-.build-lib/envoy}
library=${ASSAY_LIBRARY:-.build-lib/assay}
if [ ! -e "$library/libassay.so" ]; then
    echo "There is no $library/libassay.so. Run: scripts/libassay.sh" >&2
    exit 1
fi
mkdir -p "$out"
# -z now: every callback that Envoy has is found when it loads the module, and version.c sees which it lacks. -z nodelete: threads have
# memory whose destructor is in the module, and libassay cannot be unloaded either.
"${CC:-gcc}" -std=gnu11 -O2 -g -fPIC -shared -fvisibility=hidden -Wall -Wextra -Wstrict-prototypes -Werror \
    -fstack-protector-strong -D_FORTIFY_SOURCE=2 -Iinclude ${CFLAGS:-} \
    -o "$out/libassay_envoy.so" integrations/envoy/*.c \
    -L"$library" -lassay -ljansson -lpthread -Wl,-rpath,"${RPATH:-\$ORIGIN}" -Wl,-z,now -Wl,-z,relro -Wl,-z,nodelete
echo "built $out/libassay_envoy.so, $(stat -c %s "$out/libassay_envoy.so") bytes"
