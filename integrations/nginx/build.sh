#!/usr/bin/env bash
# Builds the nginx module against Debian's nginx: integrations/nginx/build.sh [FOLDER]. Needs the packages nginx-dev and gcc.
# The module goes into FOLDER, .build-nginx by default, and nginx's objects into work/ below it. ASSAY_LIBRARY is the folder of
# libassay.so, by default .build-lib/assay, where scripts/libassay.sh puts it; ASSAY_INCLUDE that of assay.h, by default include/.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out=$(realpath -m "${1:-$root/.build-nginx}")
sources=/usr/share/nginx/src

if [ ! -f $sources/conf_flags ]; then
    echo "nginx-dev is missing. Run: sudo apt-get install nginx-dev" >&2
    exit 1
fi
export ASSAY_LIBRARY=${ASSAY_LIBRARY:-$root/.build-lib/assay} ASSAY_INCLUDE=${ASSAY_INCLUDE:-$root/include}
if [ ! -f "$ASSAY_LIBRARY/libassay.so" ]; then
    echo "There is no libassay.so in $ASSAY_LIBRARY. Run: make lib" >&2
    exit 1
fi

# nginx configures and builds in its own folder, so it gets a copy. The copy stays for the next build: make then compiles what has changed.
work=$out/work
mkdir -p "$work"
cp -r --update $sources/. "$work"
cd "$work"
. ./conf_flags
# nginx adds -W -Wall -Werror itself, after its tests of the system. With these flags before them, a warning would count as a missing
# feature, and structures would differ from those of the running nginx.
flags="$(dpkg-buildflags --get CFLAGS) -fPIC ${CFLAGS:-}"
stamp=$(printf '%s\n' "$flags" "$ASSAY_LIBRARY" "$here"/src/* "$(cat "$here/config")" | sha256sum)
if [ "$(cat configured 2>/dev/null)" != "$stamp" ]; then
    sh ./configure "${NGX_CONF_FLAGS[@]}" --with-cc-opt="$flags" --with-ld-opt="$(dpkg-buildflags --get LDFLAGS) ${LDFLAGS:-}" \
        --add-dynamic-module="$here" >configure.log || { cat configure.log >&2; exit 1; }
    echo "$stamp" >configured
fi
make -s -f objs/Makefile modules
cp objs/ngx_http_assay_module.so "$out/ngx_http_assay_module.so.new"
mv "$out/ngx_http_assay_module.so.new" "$out/ngx_http_assay_module.so"
echo "built $out/ngx_http_assay_module.so, $(stat -c %s "$out/ngx_http_assay_module.so") bytes"
