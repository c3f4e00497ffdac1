#!/usr/bin/env bash
# Builds the nginx module from nginx's own releases, as `make nginx-module NGINX=FOLDER` does, and tests it: nginx-versions.sh [RELEASE…]
# By default nginx 1.18 of Debian 11 and 1.26 of Debian 13, both compiled here --with-compat, and the 1.22 of Debian 12. This machine's own
# release has its nginx from the package. Needs what nginx-module.sh needs, and libpcre2-dev, libpcre3-dev, zlib1g-dev.
# Ends with "N passed, N failed".
set -euo pipefail
cd "$(dirname "$0")/../.."

library=${ASSAY_LIBRARY:-$PWD/.build-lib/assay}
export LD_LIBRARY_PATH=$library
own=$(. /etc/os-release && echo "$VERSION_CODENAME")
passed=0
failed=0

check() {
    if [ "$2" = "$3" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        printf 'FAIL %s: expected "%s", got "%s"\n' "$1" "$2" "$3"
    fi
}

# compiled FOLDER SOURCES OPTION…: compiles an nginx in the folder, once, and prints its path.
compiled() {
    local built=$1 sources=$2
    shift 2
    if [ ! -x "$built/objs/nginx" ]; then
        mkdir -p "$built"
        cp -r "$sources/." "$built"
        (cd "$built" && ./configure --prefix="$PWD/run" "$@" --with-cc-opt='-O1 -Wno-error' && make -s -j 2) >"$built.log" 2>&1 ||
            { tail -n 20 "$built.log" >&2; return 1; }
        mkdir -p "$built/run/logs"
    fi
    echo "$PWD/$built/objs/nginx"
}

# nginx_of RELEASE SOURCES: prints the path of the release's nginx. That of another release is compiled, with other options than the module:
# what the two must share is --with-compat.
nginx_of() {
    if [ "$1" = "$own" ]; then
        PATH=$PATH:/usr/sbin command -v nginx
    else
        compiled ".build-nginx/$1/nginx" "$2" --with-compat --with-debug --with-http_v2_module --with-http_auth_request_module \
            --with-http_realip_module --with-http_dav_module --with-threads
    fi
}

# version_of NGINX: prints its version.
version_of() { "$1" -v 2>&1 | sed 's#.*nginx/\([0-9.]*\).*#\1#'; }

# test_release RELEASE: builds the release's nginx and the module for it, and runs the module's tests.
test_release() {
    local sources nginx said status=0
    sources=$(Tests/Packages/source.sh nginx "$1")
    nginx=$(nginx_of "$1" "$sources")
    make --no-print-directory nginx-module NGINX="$sources" ASSAY_LIBRARY="$library" OUT=".build-nginx/$1"
    check "$1: the module is for nginx $(version_of "$nginx")" "nginx/$(version_of "$nginx")" \
        "nginx/$(sed -n 's/^#define NGINX_VERSION *"\(.*\)"/\1/p' "$sources/src/core/nginx.h")"
    said=$(ASSAY_NGINX=$nginx ASSAY_NGINX_MODULE=$PWD/.build-nginx/$1/ngx_http_assay_module.so Tests/Gateways/nginx-module.sh 2>&1) || status=$?
    echo "$1, nginx $(version_of "$nginx"): $(tail -n 1 <<<"$said")"
    check "$1: the module's tests" 0 $status
    ((status == 0)) || printf '%s\n' "$said"
    ! [[ $said =~ ([0-9]+)\ passed,\ ([0-9]+)\ failed ]] || count "${BASH_REMATCH[@]:1}"
}

# count PASSED FAILED: adds the counts of another program.
count() {
    passed=$((passed + $1))
    failed=$((failed + $2))
}

# refused NGINX MODULE: prints what nginx says about a module of another version. It compares the versions after it has loaded the module.
refused() {
    printf 'load_module %s;\npid /dev/null;\nerror_log stderr;\nevents {}\n' "$2" >"$work/nginx.conf"
    "$1" -t -c "$work/nginx.conf" 2>&1 || true
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- bullseye bookworm trixie
for release in "$@"; do test_release "$release"; done

# Each nginx refuses each other's module, with both versions.
for release in "$@"; do
    nginx=$(nginx_of "$release" "$(Tests/Packages/source.sh nginx "$release")")
    for other in "$@"; do
        [ "$other" != "$release" ] || continue
        said=$(refused "$nginx" "$PWD/.build-nginx/$other/ngx_http_assay_module.so")
        check "nginx of $release refuses the module of $other: $said" 1 "$(grep -cE 'module ".*" version [0-9]+ instead of [0-9]+' <<<"$said")"
    done
done

# An nginx of the same version without --with-compat refuses the module.
sources=$(Tests/Packages/source.sh nginx "$1")
said=$(refused "$(compiled ".build-nginx/$1/incompatible" "$sources")" "$PWD/.build-nginx/$1/ngx_http_assay_module.so")
check "an nginx without --with-compat refuses the module: $said" 1 "$(grep -c 'is not binary compatible' <<<"$said")"

# Folders that have no nginx, or one that is too old.
mkdir -p "$work/old/src/core"
printf '#define nginx_version      1016001\n#define NGINX_VERSION      "1.16.1"\n' >"$work/old/src/core/nginx.h"
check "a folder with an older nginx" "The module needs nginx 1.18 or later. $work/old has nginx 1.16.1." \
    "$(NGINX=$work/old integrations/nginx/build.sh "$work/out" 2>&1)"
check "a folder without nginx" "$work has no sources of nginx: there is no src/core/nginx.h." \
    "$(NGINX=$work integrations/nginx/build.sh "$work/out" 2>&1)"
printf '%d passed, %d failed\n' "$passed" "$failed"
exit $((failed > 0))
