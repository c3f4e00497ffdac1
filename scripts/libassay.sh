#!/usr/bin/env bash
# Builds and links the C interface: libassay (libassay.so.0, libassay.a) and libassay-http (libassay-http.so.0), which adds an HTTP client.
#   scripts/libassay.sh [install]           builds into .build-lib/assay; install also installs below $DESTDIR$PREFIX (default /usr/local)
# LIBDIR is the folder of the libraries below the prefix (default lib). HTTP=no leaves out libassay-http. ASSAY_LINKED=1
# says that the libraries are there.
# ASSAY_SANITIZE=address|thread builds libassay.so.0 alone with that sanitizer, into .build-lib-address or .build-lib-thread.
#
# SwiftPM cannot link the Swift runtime statically into a dynamic library, nor set its soname, nor call it libassay beside the executable
# assay. So this script links SwiftPM's objects. All traits but HTTP are off: with them the key cache would report to swift-metrics.
#
# The Swift code of both libraries is in libassay, so that a process has one Swift runtime. libassay-http has the C code that needs libcurl,
# and gives libassay its functions (libassay/table.h). Both are of one build. libassay/fork.c mends the runtime in forked children.
set -euo pipefail
cd "$(dirname "$0")/.."
export SWIFT_DETERMINISTIC_HASHING=1

sanitizer=${ASSAY_SANITIZE:-}
with_http=${HTTP:-yes}
[ -z "$sanitizer" ] || with_http=no
build=.build-lib${sanitizer:+-$sanitizer}
out=$build/assay
clang=$(scripts/clang.sh)
tools=$(dirname "$clang")
static=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")/lib/swift_static/linux
runtime=$static/$(uname -m)/swiftrt.o
libdir=${LIBDIR:-lib}
version=$(awk '/define ASSAY_VERSION_(MAJOR|MINOR|PATCH) / { text = text dot $3; dot = "." } END { print text }' include/assay.h)
major=${version%%.*}

# declared HEADER PREFIX: prints the functions that a header declares.
declared() { "$clang" -E -P -x c "$1" | tr '\n' ' ' | tr ';' '\n' | grep -oE "\b$2[a-z0-9_]+ *\(" | tr -d ' (' | sort -u; }

# A report of a sanitizer names lines.
debug_info=(-debug-info-format none)
[ -z "$sanitizer" ] || debug_info=()

# build_product PRODUCT TRAITS…: builds a product and prints its objects, relative to $build/release.
build_product() {
    local log=$build/log product=$1
    shift
    if ! swift build -c release "$@" "${debug_info[@]}" --scratch-path "$build" --product "$product" ${sanitizer:+--sanitize=$sanitizer} >"$log" 2>&1; then
        cat "$log" >&2
        return 1
    fi
    # SwiftPM's list, because the object of a file that is gone stays in the folder.
    sed -E "s|^.*/release/||; s|['\"]\$||" "$build/release/$product.product/Objects.LinkFileList"
}

build_objects() {
    local traits=(--disable-default-traits) listed
    mkdir -p "$out"
    [ "$with_http" != yes ] || traits=(--traits HTTP)
    listed=$(build_product CAssay "${traits[@]}")
    mapfile -t objects < <(LC_ALL=C sort <<<"$listed")
    objects=("${objects[@]/#/$build/release/}")
    if [ "$with_http" = yes ]; then
        listed=$(build_product CAssayHTTP "${traits[@]}")
        mapfile -t http_objects < <(LC_ALL=C sort <<<"$listed")
        http_objects=("${http_objects[@]/#/$build/release/}")
    fi
    [ -n "$sanitizer" ] || strip_objects
    compile fork
    objects+=("$out/fork.o")
}

# strip_objects: replaces the objects by copies without what depends on the folder of the build: debug information, and the compiler's hash
# of its own arguments. The linker derives the build id from its input, so stripping the library afterwards would be too late.
strip_objects() {
    rm -rf "$out/objects"
    # libassay-http declares the functions of its header, and calls these.
    renamed >"$out/renamed"
    objects=("${objects[@]#"$build/release/"}")
    http_objects=("${http_objects[@]#"$build/release/"}")
    mkdir -p "$out/objects"
    (cd "$out/objects" && printf '%s\0' "${objects[@]%/*}" "${http_objects[@]%/*}" | LC_ALL=C sort -zu | xargs -0 mkdir -p)
    printf '%s\n' "${objects[@]}" "${http_objects[@]}" | LC_ALL=C sort -u | xargs -P "$(getconf _NPROCESSORS_ONLN)" -I '{}' \
        "$tools/llvm-objcopy" --strip-debug --remove-section=.swift_modhash --redefine-syms="$out/renamed" "$build/release/{}" "$out/objects/{}"
    objects=("${objects[@]/#/"$out/objects/"}")
    http_objects=("${http_objects[@]/#/"$out/objects/"}")
}

# renamed: prints the functions of libassay-http's header, and their names in libassay.
renamed() { declared include/assay_http.h assay_http_ | sed 's/^assay_\(.*\)/assay_\1 assay_private_\1/'; }

# link_shared NAME SYMBOLS PRIVATE INPUT…: links lib$NAME.so, which exports the symbols alone, and those of PRIVATE for the other library.
# -z nodelete: the Swift runtime cannot be unloaded. -z defs: nothing may be missing. --gc-sections drops what the interface does not reach.
link_shared() {
    local name=$1 symbols=$2 private=$3 soname=lib$1.so.$major map=$out/$1.map node=${1^^}
    shift 3
    printf '%s {\n    global:\n%s\n    local: *;\n};\n' "${node//-/_}_$major" "$(sed 's/.*/        &;/' <<<"$symbols")" >"$map"
    [ -z "$private" ] || printf 'ASSAY_PRIVATE {\n    global:\n%s\n};\n' "$(sed 's/.*/        &;/' <<<"$private")" >>"$map"
    local definitions=(-Xlinker -z -Xlinker defs)
    # A sanitizer's symbols come from the program.
    [ -z "$sanitizer" ] || definitions=(-Xlinker --unresolved-symbols=ignore-all)
    swiftc -use-ld=lld -emit-library -O -static-stdlib "${definitions[@]}" -o "$out/$soname" "$@" -lcrypto -ljansson -lz \
        -Xlinker --version-script="$map" -Xlinker -soname="$soname" -Xlinker --gc-sections \
        -Xlinker -z -Xlinker nodelete -Xlinker -z -Xlinker now -Xlinker -z -Xlinker relro
    [ -n "$sanitizer" ] || "$tools/llvm-objcopy" --strip-unneeded "$out/$soname"
    ln -sf "$soname" "$out/lib$name.so"
    echo "built $out/$soname, $(stat -c %s "$out/$soname") bytes"
}

# is_curl OBJECT: whether an object is C code that needs libcurl.
is_curl() { [[ $1 = */CCurl.build/* ]]; }

# compile NAME: compiles a part of scripts/libassay.
compile() {
    "$clang" -std=gnu11 -O2 -fPIC -Wall -Wextra -Werror -ffile-prefix-map="$PWD=." -Iinclude -ISources/CCurl/include \
        -c -o "$out/$1.o" "scripts/libassay/$1.c"
}

# link_http: libassay-http is C alone. It finds libassay beside itself.
link_http() {
    local object curl=()
    compile entry
    for object in "${http_objects[@]}"; do if is_curl "$object"; then curl+=("$object"); fi; done
    printf 'ASSAY_HTTP_%s {\n    global:\n%s\n    local: *;\n};\n' "$major" \
        "$(declared include/assay_http.h assay_http_ | sed 's/.*/        &;/')" >"$out/assay-http.map"
    "$clang" -shared -fuse-ld=lld -o "$out/libassay-http.so.$major" "$out/entry.o" "${curl[@]}" -L"$out" -lassay -lcurl -lssl -lcrypto -lz \
        -Wl,--version-script="$out/assay-http.map",-soname="libassay-http.so.$major",--gc-sections,-rpath,'$ORIGIN' \
        -Wl,-z,defs,-z,nodelete,-z,now,-z,relro,-z,noexecstack
    "$tools/llvm-objcopy" --strip-unneeded "$out/libassay-http.so.$major"
    ln -sf "libassay-http.so.$major" "$out/libassay-http.so"
    echo "built $out/libassay-http.so.$major, $(stat -c %s "$out/libassay-http.so.$major") bytes"
}

# link_assay: libassay, with the Swift code of libassay-http.
link_assay() {
    local object all=("${objects[@]}") private=
    if [ "$with_http" = yes ]; then
        compile forward
        private=$(renamed | cut -d ' ' -f 2; echo assay_private_http_attach)
        for object in "${http_objects[@]}" "$out/forward.o"; do
            is_curl "$object" || [[ " ${objects[*]} " = *" $object "* ]] || all+=("$object")
        done
    fi
    link_shared assay "$(declared include/assay.h assay_)" "$private" "${all[@]}"
}

# All of Swift becomes one object, in which only the interface is visible.
link_archive() {
    ld -r -o "$out/assay.o" "${objects[@]}" "$runtime" -L"$static" --start-group -lswiftCore -lswift_Concurrency \
        -lswift_StringProcessing -lswift_RegexParser -lswiftSynchronization -lswiftGlibc -ldispatch -lBlocksRuntime --end-group
    declared include/assay.h assay_ >"$out/symbols"
    "$tools/llvm-objcopy" --keep-global-symbols="$out/symbols" --strip-debug "$out/assay.o"
    rm -f "$out/libassay.a" "$out/symbols"
    "$tools/llvm-ar" rcsD "$out/libassay.a" "$out/assay.o"
    rm "$out/assay.o"
    echo "built $out/libassay.a, $(stat -c %s "$out/libassay.a") bytes"
}

# pkg_config NAME DESCRIPTION LINE…: prints the pkg-config file of a library.
pkg_config() {
    cat <<PC
prefix=${PREFIX:-/usr/local}
libdir=\${prefix}/$libdir
includedir=\${prefix}/include

Name: $1
Description: $2
Version: $version
Libs: -L\${libdir} -l$1
Cflags: -I\${includedir}
PC
    shift 2
    printf '%s\n' "$@"
}

# install_shared NAME: a running program keeps the library that it has mapped, because the new one gets a new inode.
install_shared() {
    install -m 755 "$out/lib$1.so.$major" "$root/$libdir/lib$1.so.$major.new"
    mv "$root/$libdir/lib$1.so.$major.new" "$root/$libdir/lib$1.so.$major"
    ln -sf "lib$1.so.$major" "$root/$libdir/lib$1.so"
}

install_libraries() {
    root=${DESTDIR:-}${PREFIX:-/usr/local}
    install -d "$root/$libdir/pkgconfig" "$root/include"
    install -m 644 include/assay.h "$root/include/assay.h"
    install_shared assay
    [ -n "$sanitizer" ] || install -m 644 "$out/libassay.a" "$root/$libdir/libassay.a"
    pkg_config assay "Verifies JSON Web Tokens" "Requires.private: libcrypto >= 3.0, jansson, zlib" \
        "Libs.private: -lstdc++ -lm -lpthread -ldl" >"$root/$libdir/pkgconfig/assay.pc"
    if [ "$with_http" = yes ]; then
        install -m 644 include/assay_http.h "$root/include/assay_http.h"
        install_shared assay-http
        pkg_config assay-http "Fetches keys for libassay" "Requires: assay = $version" >"$root/$libdir/pkgconfig/assay-http.pc"
    fi
    echo "installed libassay $version below $root"
}

link_all() {
    # SwiftPM refuses a second build in a folder; this one waits for the first.
    mkdir -p "$build"
    exec 7>"$build/building"
    flock 7
    build_objects
    link_assay
    [ -n "$sanitizer" ] || link_archive
    [ "$with_http" != yes ] || link_http
}

[ -n "${ASSAY_LINKED:-}" ] || link_all
[ "${1:-}" != install ] || install_libraries
