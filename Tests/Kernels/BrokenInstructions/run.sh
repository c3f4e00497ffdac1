#!/usr/bin/env bash
# Runs the self tests of the verification kernels with multiplications that are wrong, as on a faulty CPU: each must fail.
# Ends with "N passed, N failed".
set -euo pipefail
cd "$(dirname "$0")/../../.."

if [ "$(uname -m)" != x86_64 ]; then
    echo "skipped: the changed instructions are those of x86-64"
    exit 0
fi
clang=$(scripts/clang.sh)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
here=$PWD/Tests/Kernels/BrokenInstructions
cp -r Sources/CJWTKernels "$work/kernels"

# change FILE OLD NEW: replaces a text everywhere in a file, which must have it.
change() {
    grep -qF -- "$2" "$work/kernels/$1" || { echo "$1 no longer has: $2" >&2; exit 1; }
    python3 - "$work/kernels/$1" "$2" "$3" <<'END'
import pathlib, sys
path = pathlib.Path(sys.argv[1])
path.write_text(path.read_text().replace(sys.argv[2], sys.argv[3]))
END
}

# compile SOURCE OBJECT
compile() { "$clang" -std=gnu17 -O1 -w -I "$work/kernels/include" -I "$here" -include "$here/broken.h" -c "$1" -o "$2"; }

# run ARGUMENT…: links and runs the program, and adds its totals.
passed=0 failed=0
run() {
    local said status=0
    "$clang" -o "$work/program" "$work"/*.o -lpthread
    said=$("$work/program" "$@") || status=$?
    sed '$d' <<<"$said"
    [[ $said =~ ([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]] || { echo "no totals, exit code $status"; exit 1; }
    passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2]))
}

change rsa/rsa_muludq_multiply.h 'return (a & UINT32_MAX) * (b & UINT32_MAX);' 'return BROKEN_PRODUCT((a & UINT32_MAX) * (b & UINT32_MAX));'
export -f compile
export clang work here
(cd "$work/kernels" && find * -name '*.c') | xargs -P "$(getconf _NPROCESSORS_ONLN)" -I '{}' \
    bash -c 'compile "$work/kernels/{}" "$work/$(tr / _ <<<"{}").o"'
compile "$here/main.c" "$work/main.o"
run
run scalar holds

# MULX that gives one more, in the rows and in the squares. LEA leaves the carries as they are.
scalar() {
    cp "$work/kernels/$1" "$work/original"
    change "$1" "$2" "${2}leaq 1(%[low]), %[low]\\n\\t"
    compile "$work/kernels/rsa/rsa_scalar_multiply.c" "$work/rsa_rsa_scalar_multiply.c.o"
    run scalar
    cp "$work/original" "$work/kernels/$1"
}
scalar rsa/rsa_scalar_rows.h ', %[low], %[r8]\n\t'
scalar rsa/rsa_scalar_squares.h ', %[low], %[high]\n\t'
echo "$passed passed, $failed failed"
[ $failed = 0 ]
