#!/usr/bin/env bash
# Tests the C interface as a C program meets it: installs it into a folder, compiles programs against the folder through pkg-config, and
# runs them. Compares the libraries' symbols, the codes and the verdicts on all vectors with what is checked in.
#   run.sh                  the installed shared libraries and the archive; ASSAY_LINKED=1: they are in .build-lib
#   run.sh address|thread   the programs and libassay under a sanitizer
# ROUNDS is the number of dlopen rounds, FORKS that of the forks beside busy threads.
set -uo pipefail
cd "$(dirname "$0")/../.."

sanitizer=${1:-}
tests=Tests/CInterface
clang=$(scripts/clang.sh)
tools=$(dirname "$clang")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

check() {
    if [ "$2" = "$3" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        printf 'FAIL %s: expected "%s", got "%s"\n' "$1" "$2" "$3"
    fi
}

# run COMMAND…: runs a program that closes with its totals, and adds them.
run() {
    local said status=0
    said=$(timeout 900 "$@" 2>&1) || status=$?
    grep -vE '^[0-9]+ passed, [0-9]+ failed' <<<"$said"
    if [[ $said =~ ([0-9]+)\ passed,\ ([0-9]+)\ failed ]]; then
        passed=$((passed + BASH_REMATCH[1]))
        failed=$((failed + BASH_REMATCH[2]))
    fi
    check "$(basename "$1") ends with success" 0 "$status"
}

DESTDIR=$work PREFIX=/opt/assay ASSAY_SANITIZE=$sanitizer scripts/libassay.sh install || exit 1
export PKG_CONFIG_PATH=$work/opt/assay/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$work LD_LIBRARY_PATH=$work/opt/assay/lib
library=$work/opt/assay/lib/libassay.so
http_library=$work/opt/assay/lib/libassay-http.so
python3 $tests/fixtures.py "$work"
read -ra flags <<<"-std=c11 -O1 -g -Wall -Wextra -Wpedantic -Werror -I$work -I$tests $(pkg-config --cflags assay)"
read -ra links <<<"$(pkg-config --libs assay) -lpthread -ldl -lm"
[ -z "$sanitizer" ] || flags+=("-fsanitize=$sanitizer" -fuse-ld=lld)
# The toolchain's ThreadSanitizer intercepts libdispatch, and so must find it.
[ "$sanitizer" != thread ] || links+=(-L"$tools/../lib/swift_static/linux" -ldispatch -lBlocksRuntime -lstdc++)

# compile SOURCE LIBRARY…
compile() { "$clang" "${flags[@]}" -o "$work/$(basename "$1" .c)" "$1" "${@:2}" "${links[@]}"; }

programs="verify claims result_sizes policies verifiers misuse_null misuse_new misuse_calls misuse_results
    keys_rotation keys_outage keys_limits gateway_decisions gateway_certificates gateway_browsers gateway_settings gateway_hosts gateway_lists
    gateway_uses gateway_texts gateway_threads threads shared_result"
for program in $programs process first_calls load codes; do compile $tests/$program.c || exit 1; done

if [ -n "$sanitizer" ]; then
    # The Swift runtime keeps what it has made for a type; a leak would be found in the C programs' own memory.
    export ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS=halt_on_error=1
    for program in $programs; do run "$work/$program"; done
    # ThreadSanitizer cannot follow threads that begin in a forked child.
    [ "$sanitizer" = thread ] || { run "$work/process" 5; run "$work/first_calls"; }
    printf '%d passed, %d failed\n' "$passed" "$failed"
    exit $((failed > 0))
fi

compile $tests/load_http.c || exit 1
compile $tests/gateway_memory.c || exit 1
run "$work/gateway_memory"
for program in options client fetching gateways process gateway_process exits; do
    compile $tests/http_$program.c -lassay-http || exit 1
done
for program in $programs; do run "$work/$program"; done
run "$work/process" "${FORKS:-40}"
run "$work/first_calls"
run "$work/load" "$library" "${ROUNDS:-200}"

# libassay-http, against an issuer that runs until its standard input ends.
mkdir "$work/issuer"
mkfifo "$work/stop"
python3 $tests/issuer.py "$work/issuer" <"$work/stop" >"$work/port" 3>&- &
exec 3>"$work/stop"
for ((attempt = 0; attempt < 600; attempt++)); do
    [ ! -s "$work/port" ] || break
    sleep 0.1
done
check "the issuer has its certificates and a port" yes "$([ -s "$work/port" ] && echo yes)"
port=$(cat "$work/port")
python3 $tests/fixtures.py "$work" "https://localhost:$port"
for program in options client fetching gateways; do run "$work/http_$program" "$port" "$work/issuer" 3>&-; done
for program in process gateway_process exits; do run "$work/http_$program" "$port" "$work/issuer" "${FORKS:-40}" 3>&-; done
run "$work/load_http" "$http_library" 20 "https://localhost:$port/keys" 3>&-
exec 3>&-

# The headers, in other languages and older ones.
for header in "$work/opt/assay/include/"*.h; do
    name=$(basename "$header")
    "$clang" -std=c99 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -x c "$header"
    check "C99 reads $name" 0 $?
    "$clang" -std=c++11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -x c++ "$header"
    check "C++ reads $name" 0 $?
    check "$name names nothing of Swift" "" "$(grep -i swift "$header")"
done
header=$work/opt/assay/include/assay.h

# The binary interface.
"$clang" "${flags[@]}" -fsyntax-only $tests/abi/*.c
check "constants, structures and functions are unchanged" 0 $?
check "abi has every function" "$(sort $tests/symbols/*.txt)" "$(sed -n 's/^FUNCTION(\([a-z0-9_]*\),.*/\1/p' $tests/abi/*.c | sort)"

# exported FILE: the functions that a dynamic library shows.
exported() { "$tools/llvm-nm" -D --defined-only "$1" | awk '$2 != "A" { print $3 }' | sed 's/@.*//' | sort -u; }

# check_shared NAME BYTES LIBRARIES: what the linker was to do for a shared library.
check_shared() {
    local file=$work/opt/assay/lib/lib$1.so dynamic declared flag
    dynamic=$(readelf -dW "$file")
    declared=$(sed -n 's/^ *\(assay_.*\);$/\1/p' ".build-lib/assay/$1.map" | grep -v '^assay_private_')
    check "$1: its list of symbols is what the header declares" "$declared" "$(cat "$tests/symbols/$1.txt")"
    check "$1: exports what the header declares" "$declared" "$(exported "$file" | grep -v '^assay_private_')"
    check "$1: soname" "lib$1.so.0" "$(sed -n 's/.*soname: \[\(.*\)\]/\1/p' <<<"$dynamic")"
    for flag in NODELETE NOW; do check "$1: $flag" yes "$(grep -q "FLAGS_1.*$flag" <<<"$dynamic" && echo yes)"; done
    check "$1: relocations are read-only" yes "$(readelf -lW "$file" | grep -q GNU_RELRO && echo yes)"
    check "$1: the stack is not executable" RW "$(readelf -lW "$file" | awk '$1 == "GNU_STACK" { print $7 }')"
    check "$1: at most $2 bytes" yes "$([ "$(stat -L -c %s "$file")" -le "$2" ] && echo yes)"
    check "$1: other libraries" "$3" "$(sed -n 's/.*NEEDED.*\[\(.*\)\.so.*/\1/p' <<<"$dynamic" | grep -vE '^ld-linux' | sort -u | xargs)"
}

check_shared assay 13107200 "libc libcrypto libgcc_s libjansson libm libstdc++ libz"
check_shared assay-http 131072 "libassay libc libcrypto libcurl libssl libz"
check "libassay exports to libassay-http what that calls" \
    "$(sort -u <(sed 's/^assay_/assay_private_/' $tests/symbols/assay-http.txt) <(echo assay_private_http_attach))" \
    "$(exported "$library" | grep '^assay_private_')"
check "libassay-http has no Swift" "" "$("$tools/llvm-nm" -D "$http_library" | grep -i swift)"
check "the archive defines what the header declares" "$(cat $tests/symbols/assay.txt)" \
    "$("$tools/llvm-nm" -g --defined-only "${library%.so}.a" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u)"

# The codes.
named=$("$work/codes")
documented=$({
    awk -F ' *[|] *' 'NF >= 7 && $2 ~ /^[0-9]+$/ { print $2, $3 }' Sources/JWTCore/Docs.docc/Errors.md
    awk -F ' *[|] *' '$2 ~ /^6[0-9][0-9]$/ { print $2, $3 }' Docs/CInterface.md
} | sort -n)
check "codes of the documents" "$documented" "$(awk '$1 >= 100' <<<"$named")"
constants=$(sed -n '/^typedef uint32_t assay_code/,/^};/s/^ *ASSAY_\([A-Z0-9_]*\) = \([0-9]*\).*/\2 \1/p' "$header" | sort -n)
check "codes of the header" "$named" "${constants,,}"

# The archive, without the shared library in sight.
read -ra static <<<"$(pkg-config --static --libs assay)"
for program in verify claims verifiers policies; do
    "$clang" "${flags[@]}" -o "$work/static_$program" $tests/$program.c "${static[@]/#-lassay/-l:libassay.a}"
    check "$program.c links the archive" 0 $?
    check "$program.c needs no libassay.so" "" "$(readelf -d "$work/static_$program" | grep libassay)"
    run "$work/static_$program"
done

# The verdicts.
run python3 $tests/adapter.py "$library" --check vectors ${ASSAY_CONFORMANCE:+"$ASSAY_CONFORMANCE/wycheproof"}
if [ -x .build/release/assay ]; then
    # The check before skips ML-DSA where libcrypto lacks it. This protocol has no word for that.
    mkdir "$work/vectors"
    cp vectors/*.json "$work/vectors"
    openssl list -signature-algorithms | grep -q ML-DSA-44 || rm "$work/vectors/mldsa.json"
    run .build/release/assay conformance --implementation "python3 $tests/adapter.py $library" "$work/vectors"
    run python3 $tests/differential.py "$library" .build/release/assay vectors ${ASSAY_CONFORMANCE:+"$ASSAY_CONFORMANCE"}
fi

# The examples.
"$clang" "${flags[@]}" -o "$work/example" Examples/C/verify.c "${links[@]}"
expected="valid: subject user-1, expires 1800000300, role admin, role user
signature_invalid: reply 401
  WWW-Authenticate: Bearer realm=\"example\", error=\"invalid_token\", error_description=\"the signature does not verify\""
check "Examples/C" "$expected" "$("$work/example" "$work/jwks.json" https://idp.example client-1 1800000000 <"$work/tokens")"
if command -v luajit >/dev/null; then
    said=$(ASSAY_LIBRARY=$library luajit Examples/LuaJIT/verify.lua "$work/jwks.json" https://idp.example client-1 1800000000 \
        <"$work/tokens")
    check "Examples/LuaJIT" "${expected/, expires 1800000300, role admin, role user/, role admin}" "$said"
else
    echo "LuaJIT skipped: luajit is not installed"
fi
printf '%d passed, %d failed\n' "$passed" "$failed"
exit $((failed > 0))
