#!/usr/bin/env bash
# Prints the clang of the Swift toolchain: the compiler SwiftPM has for C, and one that has the sanitizers' and libFuzzer's libraries.
set -euo pipefail

resources=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": *"\(.*\)".*/\1/p')
clang=$resources/../../bin/clang
[ -x "$clang" ] || { echo "no clang in the Swift toolchain of $resources" >&2; exit 1; }
realpath "$clang"
