#!/usr/bin/env bash
# Tests the wheel as a program meets it: installs it into an environment of its own and runs pytest there. Ends with "N passed, N failed".
#   run.sh [ARGUMENT…]           the wheel of .build-python/dist (bindings/python/wheel.sh); arguments are pytest's
#   run.sh address [ARGUMENT…]   the extension modules under AddressSanitizer, with the libraries of .build-lib/assay or ASSAY_LIBRARY
set -uo pipefail
cd "$(dirname "$0")/../../.."

tests=bindings/python/tests
python=$(scripts/environment.sh python-binding $tests/requirements.txt) || exit 1
export PYTHONDONTWRITEBYTECODE=1
project=$PWD

# install_wheel: replaces the installed package by this wheel.
install_wheel() {
    local wheels=(.build-python/dist/*.whl)
    [ -e "${wheels[0]}" ] || { echo "there is no wheel: run bindings/python/wheel.sh" >&2; return 1; }
    "$python" -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps --no-index "${wheels[0]}"
}

# build_sanitized: compiles the modules beside the sources of the package, in a folder that PYTHONPATH names.
build_sanitized() {
    local out=$PWD/.build-python/address build
    build=$(scripts/environment.sh python-wheel bindings/python/requirements.txt) || return 1
    ASSAY_LIBRARY=$(realpath "${ASSAY_LIBRARY:-.build-lib/assay}")
    rm -rf "$out"
    mkdir -p "$out"
    cp -r bindings/python/. "$out/source"
    : >"$out/source/README.md"
    if ! (cd "$out/source" && ASSAY_SANITIZE=address ASSAY_LIBRARY=$ASSAY_LIBRARY ASSAY_INCLUDE=$project/include \
        "$build" setup.py --quiet build --build-base "$out/build" --build-lib "$out/lib") >"$out/log" 2>&1; then
        tail -n 20 "$out/log"
        return 1
    fi
    "$python" -m pip uninstall --quiet --disable-pip-version-check --yes assay-jwt
    export PYTHONPATH=$out/lib LD_LIBRARY_PATH=$ASSAY_LIBRARY LD_PRELOAD PYTHONMALLOC=malloc
    # Python frees nothing at its end, and libassay's runtime keeps what it has made for a type.
    export ASAN_OPTIONS=detect_leaks=0:halt_on_error=1:detect_stack_use_after_return=1
    LD_PRELOAD=$(gcc -print-file-name=libasan.so)
}

# source_distribution: builds the package from its source distribution with an installed libassay, as pkg-config finds it, and prints the
# versions of the libraries that it then uses.
source_distribution() {
    local build work=$1
    build=$(scripts/environment.sh python-wheel bindings/python/requirements.txt) || return 1
    DESTDIR=$work PREFIX=/usr ASSAY_LINKED=1 scripts/libassay.sh install >"$work/log" || return 1
    PKG_CONFIG_PATH=$work/usr/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$work "$build" -m pip install --quiet --disable-pip-version-check \
        --no-build-isolation --no-deps --target "$work/site" .build-python/dist/*.tar.gz >"$work/log" 2>&1 || { tail -n 20 "$work/log"; return 1; }
    LD_LIBRARY_PATH=$work/usr/lib PYTHONPATH=$work/site "$build" -c 'import assay, assay._http; print(assay.library_version, assay.__version__)'
}

built=
if [ "${1:-}" = address ]; then
    shift
    build_sanitized || exit 1
else
    install_wheel || exit 1
    if [ $# = 0 ]; then
        folder=$(mktemp -d)
        built=$(source_distribution "$folder")
        built=${built:-no package}
        rm -rf "$folder"
        [ "$built" = "0.1.0 0.1.0" ] || echo "FAIL the source distribution: $built"
    fi
fi
said=$("$python" -X faulthandler -m pytest -q -p no:cacheprovider -c bindings/python/pyproject.toml --rootdir bindings/python \
    "${@:-$tests}" 2>&1)
status=$?
[ $status = 0 ] || printf '%s\n' "$said" | tail -n 200
count() { grep -oE "[0-9]+ $1" <<<"$(tail -n 1 <<<"$said")" | grep -oE '^[0-9]+' || echo 0; }
failed=$(($(count failed) + $(count error)))
passed=$(count passed)
case $built in "0.1.0 0.1.0") passed=$((passed + 1)) ;; ?*) failed=$((failed + 1)) ;; esac
printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$(count skipped)"
exit $((failed > 0 || status != 0))
