#!/usr/bin/env bash
# Builds the nginx module: integrations/nginx/build.sh [FOLDER]. Needs gcc, and what nginx itself is compiled with (PCRE, zlib).
# NGINX is a folder with the sources of nginx 1.18 or later; the module is then for an nginx of exactly that version that was compiled
# --with-compat. By default it is for Debian's nginx, and needs the package nginx-dev.
# The module goes into FOLDER, .build-nginx by default, and nginx's objects into work/ below it. ASSAY_LIBRARY is the folder of
# libassay.so, by default .build-lib/assay, where scripts/libassay.sh puts it; ASSAY_INCLUDE that of assay.h, by default include/.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out=$(realpath -m "${1:-$root/.build-nginx}")
debian=/usr/share/nginx/src
sources=${NGINX:-$debian}

# refuse SENTENCE…: ends the build.
refuse() {
    printf '%s\n' "$@" >&2
    exit 1
}

# check_sources: refuses a folder without nginx, and an nginx that is too old.
check_sources() {
    local defined
    [ -n "${NGINX:-}" ] || [ -f $debian/conf_flags ] || refuse "nginx-dev is missing. Run: sudo apt-get install nginx-dev"
    [ -f "$sources/src/core/nginx.h" ] || refuse "$sources has no sources of nginx: there is no src/core/nginx.h."
    version=$(sed -n 's/^#define NGINX_VERSION *"\(.*\)"/\1/p' "$sources/src/core/nginx.h")
    defined=$(sed -n 's/^#define nginx_version *\([0-9]*\).*/\1/p' "$sources/src/core/nginx.h")
    ((${defined:-0} >= 1018000)) || refuse "The module needs nginx 1.18 or later. $sources has nginx ${version:-of an unknown version}."
}

# copy_sources: nginx configures and builds in its own folder, so it gets a copy. The copy stays for the next build: make then compiles what
# has changed. Other sources get a new one.
copy_sources() {
    work=$out/work
    # One build at a time in this folder.
    mkdir -p "$out"
    exec 9>"$out/lock"
    flock 9
    if [ "$(cat "$work/origin" 2>/dev/null)" != "$(realpath "$sources") $version" ]; then
        rm -rf "$work"
        mkdir -p "$work"
        echo "$(realpath "$sources") $version" >"$work/origin"
    fi
    cp -r --update "$sources/." "$work"
}

# flags_of_debian KIND: prints Debian's flags for compilers, where there is Debian.
flags_of_debian() { if command -v dpkg-buildflags >/dev/null; then dpkg-buildflags --get "$1"; fi; }

# configure: nginx adds -W -Wall -Werror itself, after its tests of the system. With these flags before them, a warning would count as a
# missing feature, and structures would differ from those of the running nginx.
configure() {
    local flags stamp script=./configure NGX_CONF_FLAGS=(--with-compat)
    # Debian's own flags. A clone of nginx's repository has its script in another place than a release.
    [ ! -f conf_flags ] || . ./conf_flags
    [ -f $script ] || script=auto/configure
    flags="$(flags_of_debian CFLAGS) -fPIC ${CFLAGS:-}"
    stamp=$(printf '%s\n' "$flags" "$ASSAY_LIBRARY" "$here"/src/* "$(cat "$here/config")" | sha256sum)
    if [ "$(cat configured 2>/dev/null)" != "$stamp" ]; then
        sh $script "${NGX_CONF_FLAGS[@]}" --with-cc-opt="$flags" --with-ld-opt="$(flags_of_debian LDFLAGS) ${LDFLAGS:-}" \
            --add-dynamic-module="$here" >configure.log || { cat configure.log >&2; exit 1; }
        echo "$stamp" >configured
    fi
}

check_sources
export ASSAY_LIBRARY=${ASSAY_LIBRARY:-$root/.build-lib/assay} ASSAY_INCLUDE=${ASSAY_INCLUDE:-$root/include}
[ -f "$ASSAY_LIBRARY/libassay.so" ] || refuse "There is no libassay.so in $ASSAY_LIBRARY. Run: make lib"
copy_sources
cd "$work"
configure
make -s -f objs/Makefile modules
cp objs/ngx_http_assay_module.so "$out/ngx_http_assay_module.so.new"
mv "$out/ngx_http_assay_module.so.new" "$out/ngx_http_assay_module.so"
echo "built $out/ngx_http_assay_module.so for nginx $version, $(stat -c %s "$out/ngx_http_assay_module.so") bytes"
