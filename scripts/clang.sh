#!/usr/bin/env bash
# Prints the path of the Swift toolchain's clang. SwiftPM compiles C with it, and it includes the libraries of sanitizers and libFuzzer.
set -euo pipefail

resources=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": *"\(.*\)".*/\1/p')
clang=$resources/../../bin/clang
[ -x "$clang" ] || { echo "no clang in the Swift toolchain of $resources" >&2; exit 1; }
realpath "$clang"
