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

# argument_parser: compiles ArgumentParser once more, with the file of scripts/argument_parser in place of the one that needs
# FoundationEssentials. The sources are those of the build.
argument_parser() {
    local sources=.build/checkouts/swift-argument-parser/Sources/ArgumentParser files
    mapfile -t files < <(find $sources -name '*.swift' ! -path '*/Utilities/Foundation.swift' | LC_ALL=C sort)
    swiftc -c -o $out/argument_parser.o -O -whole-module-optimization -parse-as-library -module-name ArgumentParser \
        -package-name swift_argument_parser -swift-version 6 -suppress-warnings -I .build/release/Modules \
        -Xfrontend -function-sections "${files[@]}" scripts/argument_parser/Foundation.swift
}

# swift_link NAME OUTPUT ARGUMENT…: SwiftPM calls the main function of an executable by the executable's name. Foundation refers to its parts
# by module, not by library, so they are named here. --gc-sections drops what a program does not reach, unless its symbols are exported, and
# --as-needed the libraries. pack-relative-relocs saves relocations, in the file and in memory; glibc reads them since 2.36.
swift_link() {
    local name=$1 output=$2 library libraries=()
    shift 2
    # The compiler puts the linker's own arguments last, so a library without -Xlinker would come before --as-needed.
    for library in crypto curl hiredis jansson png pq sqlite3 ssl yaml z; do libraries+=(-Xlinker "-l$library"); done
    swiftc -use-ld=lld -emit-executable -O -static-stdlib -o "$output" -L "$static" "$@" \
        -Xlinker --as-needed "${libraries[@]}" -lFoundationInternationalization -l_FoundationICU \
        -l_FoundationCollections -l_FoundationCShims -lCoreFoundation -lswiftSynchronization \
        -Xlinker --defsym=main="${name//-/_}_main" -Xlinker --gc-sections -Xlinker --no-export-dynamic -Xlinker -z -Xlinker now \
        -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker pack-relative-relocs
}

# link NAME: links twice, first to know the objects. swift_records.py marks what nothing reaches; the second link leaves that out.
link() {
    local name=$1
    grep -v /ArgumentParser.build/ ".build/release/$name.product/Objects.LinkFileList" >$out/$name.inputs
    swift_link "$name" "$out/$name.new" @$out/$name.inputs $out/argument_parser.o $out/icu.o -Xlinker --trace 2>$out/$name.trace ||
        { cat $out/$name.trace >&2; return 1; }
    python3 scripts/swift_records.py "${name//-/_}_main" $out/$name.trace $out/$name.objects
    swift_link "$name" "$out/$name.new" @$out/$name.objects/list -Xlinker -z -Xlinker start-stop-gc -Xlinker --no-eh-frame-hdr \
        -Xlinker -Map=$out/$name.map
    rm -r $out/$name.objects
    "$tools/llvm-objcopy" --strip-all "$out/$name.new"
    mv "$out/$name.new" "$out/$name"
    echo "linked $out/$name, $(stat -c %s "$out/$name") bytes"
}

link_all() {
    [ -n "${ASSAY_BUILT:-}" ] || scripts/build.sh "${programs[@]}"
    mkdir -p $out
    icu_object
    argument_parser
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
