#!/usr/bin/env bash
# Builds products in release, by default all targets: scripts/build.sh [PRODUCT | --build-tests]…
# SCRATCH is another folder than .build, TRAITS the traits in place of the default ones. DEBUG_INFO=dwarf is for profilers and debuggers:
# without it a build takes a tenth less time.
# Shows progress while it builds: one moving line on a terminal, a line every few seconds in a pipe. Shows the compiler's output only if the
# build fails.
set -euo pipefail
cd "$(dirname "$0")/.."

# SwiftPM passes on traits in the order of a set. Without fixed hashing the order changes between runs, and each change recompiles all code.
export SWIFT_DETERMINISTIC_HASHING=1

# The time of a full build: 21 minutes on one core, five more with the tests. Four of these minutes cannot be divided among cores.
core_minutes=21
least_minutes=4
[ -z "${TRAITS:-}" ] || least_minutes=1
[[ " $* " != *' --build-tests '* ]] || core_minutes=26
log=$(mktemp)
trap 'rm -f "$log"' EXIT
started=$SECONDS

expected() {
    local cores minutes
    if [ -d "${SCRATCH:-.build}/release/Modules" ]; then
        echo "what is built already is kept"
        return
    fi
    [ -z "${TRAITS:-}" ] || core_minutes=2
    cores=$(getconf _NPROCESSORS_ONLN)
    minutes=$((core_minutes / cores))
    echo "about $((minutes > least_minutes ? minutes : least_minutes)) minutes on $cores cores, with 6 GB of memory"
}

# show STEP: prints the step of the build and the elapsed time.
show() {
    local line
    printf -v line '%3d:%02d  %s  %s' $(((SECONDS - started) / 60)) $(((SECONDS - started) % 60)) "$what" "$1"
    if [ -t 1 ]; then printf '\r\033[K%.*s' "$(($(tput cols 2>/dev/null || echo 80) - 1))" "$line"; else printf '%s\n' "$line"; fi
}

# follow: reads and stores the build's output, and shows its last step every second on a terminal, every five seconds elsewhere.
follow() {
    local line step=starting interval=5 shown=$SECONDS status
    [ -t 1 ] && interval=1
    while true; do
        status=0
        IFS= read -r -t 1 line || status=$?
        if ((status == 0)); then
            printf '%s\n' "$line" >>"$log"
            [[ $line = '['* || $line = [A-Z]*ing\ * ]] && step=$line
        elif ((status <= 128)); then
            break
        fi
        if ((SECONDS - shown >= interval)); then
            show "$step"
            shown=$SECONDS
        fi
    done
    [ ! -t 1 ] || printf '\r\033[K'
}

# build ARGUMENT…: one build.
build() {
    : >"$log"
    if ! swift build -c release -debug-info-format "${DEBUG_INFO:-none}" ${SCRATCH:+--scratch-path "$SCRATCH"} ${TRAITS:+--traits "$TRAITS"} "$@" 2>&1 | follow; then
        cat "$log" >&2
        exit 1
    fi
}

[ $# -gt 0 ] || set -- everything
# SwiftPM refuses a second build in a folder; this one waits for the first.
mkdir -p "${SCRATCH:-.build}"
exec 7>"${SCRATCH:-.build}/building"
flock 7
echo "building $* (release): $(expected)"
for what in "$@"; do
    case $what in
        everything) build ;;
        --build-tests) build --build-tests --explicit-target-dependency-import-check error ;;
        *) build --product "$what" ;;
    esac
done
echo "built in $((SECONDS - started)) s"
