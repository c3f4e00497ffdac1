#!/usr/bin/env bash
# Builds assay/core.so for a version of Lua: build.sh [5.3|5.4] [FOLDER]. FOLDER is .build-lua/VERSION without one, and becomes what
# LUA_CPATH names. CFLAGS may add options. Needs liblua5.3-dev or liblua5.4-dev, and libassay: of ASSAY_LIBRARY, of .build-lib/assay
# (`make lib`), or the one that is installed.
set -euo pipefail
cd "$(dirname "$0")/../.."

version=${1:-5.3}
folder=${2:-.build-lua/$version}
library=${ASSAY_LIBRARY:-.build-lib/assay}
places=(-L"$library")
if [ ! -e "$library/libassay.so" ]; then
    [ -z "${ASSAY_LIBRARY:-}" ] && gcc -shared -o /dev/null -lassay 2>/dev/null ||
        { echo "no libassay in $library, and none is installed: run make lib" >&2; exit 1; }
    places=()
fi

mkdir -p "$folder/assay"
# A symbol that the library lacks is found when the module loads, and not by a request.
gcc -std=gnu11 -O2 -g -Wall -Wextra -Werror -Wshadow -Wconversion -Wno-sign-conversion -fPIC -fvisibility=hidden -shared -Iinclude \
    -I"/usr/include/lua$version" ${CFLAGS:-} -o "$folder/assay/core.so" bindings/lua/core/*.c \
    "${places[@]}" -lassay -Wl,-z,now -Wl,-z,relro -pthread
