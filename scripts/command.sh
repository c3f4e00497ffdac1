#!/usr/bin/env bash
# Links the command assay and the programs that it starts, assay-gateway and assay-idaas, each with the Swift runtime in it, so that they run
# without a toolchain, into .build-command, with the man page and the completions for bash, zsh and fish.
#   scripts/command.sh [install]            install also installs below $DESTDIR$PREFIX (default /usr/local)
# PROGRAMS="assay" leaves out the others, which are installed into libexec/assay, where assay finds them. ZSHDIR is the folder of zsh's
# completions below the prefix. ASSAY_BUILT=1 says that .build has the objects, ASSAY_LINKED=1 that .build-command is complete.
#
# `swift build --static-swift-stdlib` would compile every package once more. The objects are the same, so this script links those of .build.
set -euo pipefail
cd "$(dirname "$0")/.."

out=.build-command
read -ra programs <<<"${PROGRAMS:-assay assay-gateway assay-idaas}"
zshdir=${ZSHDIR:-share/zsh/site-functions}
clang=$(scripts/clang.sh)
tools=$(dirname "$clang")
static=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")/lib/swift_static/linux

# icu_object: makes the object of ICU's data without what the command does not need. The linker then leaves out the archive's own.
icu_object() {
    local member=icu_packaged_data.cpp.o symbol
    "$tools/llvm-ar" x --output $out "$static/lib_FoundationICU.a" $member
    symbol=$("$tools/llvm-nm" --defined-only --just-symbol-name --extern-only $out/$member)
    "$tools/llvm-objcopy" --dump-section .rodata=$out/icu.dat $out/$member
    python3 scripts/icu_data.py $out "$symbol" >$out/icu.s
    "$clang" -c -o $out/icu.o $out/icu.s
    rm $out/$member $out/icu.dat $out/icu-kept.dat
}

# SwiftPM calls the main function of an executable by the executable's name. Foundation refers to its parts by module, not by library, so
# they are named here. --gc-sections drops what a program does not reach, unless its symbols are exported, and --as-needed the libraries.
# pack-relative-relocs saves three megabytes of relocations, in the file and in memory; glibc reads them since 2.36.
link() {
    local name=$1
    swiftc -use-ld=lld -emit-executable -O -static-stdlib -o "$out/$name.new" @".build/release/$name.product/Objects.LinkFileList" \
        $out/icu.o -Xlinker --as-needed -lcrypto -lcurl -ljansson -lpng -lsqlite3 -lssl -lz -lFoundationInternationalization \
        -l_FoundationICU -l_FoundationCollections -l_FoundationCShims -lCoreFoundation -Xlinker --defsym=main="${name//-/_}_main" \
        -Xlinker --gc-sections -Xlinker --no-export-dynamic -Xlinker -z -Xlinker now -Xlinker -z -Xlinker relro \
        -Xlinker -z -Xlinker pack-relative-relocs
    "$tools/llvm-objcopy" --strip-all "$out/$name.new"
    mv "$out/$name.new" "$out/$name"
    echo "linked $out/$name, $(stat -c %s "$out/$name") bytes"
}

link_all() {
    [ -n "${ASSAY_BUILT:-}" ] || scripts/build.sh "${programs[@]}"
    mkdir -p $out
    icu_object
    for name in "${programs[@]}"; do link "$name"; done
}

describe() {
    local shell
    for shell in bash zsh fish; do $out/assay --generate-completion-script $shell >$out/completion.$shell; done
    for name in "${programs[@]}"; do "$out/$name" --experimental-dump-help; done | python3 scripts/manual.py "$($out/assay --version)" >$out/assay.1
}

install_command() {
    local root=${DESTDIR:-}${PREFIX:-/usr/local} name folder
    for name in "${programs[@]}"; do
        folder=$root/libexec/assay
        [ "$name" != assay ] || folder=$root/bin
        install -D -m 755 "$out/$name" "$folder/$name.new"
        # A running program keeps its file, because the new one gets a new inode.
        mv "$folder/$name.new" "$folder/$name"
    done
    install -D -m 644 $out/assay.1 "$root/share/man/man1/assay.1"
    install -D -m 644 $out/completion.bash "$root/share/bash-completion/completions/assay"
    install -D -m 644 $out/completion.zsh "$root/$zshdir/_assay"
    install -D -m 644 $out/completion.fish "$root/share/fish/vendor_completions.d/assay.fish"
    echo "installed ${programs[*]} below $root"
}

if [ -z "${ASSAY_LINKED:-}" ]; then
    link_all
    describe
fi
[ "${1:-}" != install ] || install_command
