#!/usr/bin/env bash
# Runs the stages of scripts/stages.sh, prints the time of each, and ends with the totals: `N passed, N failed, N skipped`.
#   scripts/test.sh [--long] [STAGE…]    runs the named stages, by default all; --long runs the long stages, in full
# A stage's output goes to .build/test/STAGE.log and is printed only if the stage fails.
set -uo pipefail
cd "$(dirname "$0")/.."
. scripts/stages.sh

results=.build/test

# The opening stages run before three parallel lanes, the closing stages after them, beside the last list. One lane computes, the second mostly waits for
# time-outs and servers, and the third for gateways. Each runs its stages one after another; the first two then take what is left.
opening=(build)
computing=(libraries unit_computing unit_slider kernels engines threads kernels_asan counts c_interface proofs_quick neon linkage simulation \
    vectors compile_failure mutated_tokens fuzz_kernels scoreboard_runner conformance implementation mutants_runner allocations hit_path \
    load_runner constant_time residue fork_locks apple_adapters lint)
waiting=(unit_waiting unit_gateway unit_command encryption_peers surroundings wire interoperation python_binding browser relying_party \
    proofs_of_possession mcp_client crash postgres readme walk_through)
gateway=(gateways library_gateway nginx_module envoy_module hosts signals demonstration load go_package lua_package nginx_lua)
closing=(mapping gateway_load)

# The load measures how soon an answer comes, and mostly waits: beside it run stages that keep one core busy, with a lower priority.
beside=(evp docs sbom citations snippets models_cited coverage_names)

# What links the libraries waits for the stage that makes them.
linking=(linkage counts c_interface python_binding go_package lua_package nginx_lua library_gateway nginx_module envoy_module mcp_client hosts signals surroundings)

# The result of these stages depends on files and programs alone, not on time or seeds. One that passed runs again after a change to any
# file of the repository, or with FRESH=1.
constant=(engines counts linkage neon conformance vectors implementation mutants_runner load_runner allocations hit_path fork_locks \
    compile_failure apple_adapters evp docs lint citations snippets proofs_quick models_cited coverage_names sbom)

# usage: prints the command's arguments and the stages of a run.
usage() {
    sed -n 's/^# \{0,3\}//; 2,4p' scripts/test.sh
    printf 'Stages: %s\n' "${opening[*]} ${computing[*]} ${waiting[*]} ${gateway[*]} ${closing[*]} ${beside[*]}"
}

if [ "${1:-}" = --long ]; then
    shift
    long=1
    opening=(build_products libraries)
    linking=()
    computing=(kernels broken_instructions processors proofs arm64 mutated_tokens kernels_asan c_interface_sanitized models fuzz fuzz_coverage scoreboard)
    waiting=(crash postgres threads python_binding packages dockerfile traits reproducible debian_13)
    gateway=(gateways nginx_module nginx_versions envoy_module tiers hosts signals load soak go_package lua_package nginx_lua)
    closing=(gateway_load)
    beside=()
fi

# chosen STAGE…: prints the stages that the command line names, or all.
chosen() {
    local stage
    for stage in "$@"; do
        if ((${#named[@]} == 0)) || [[ " ${named[*]} " = *" $stage "* ]]; then echo "$stage"; fi
    done
}

# tally LOG: prints the passed, failed and skipped totals from the closing lines of checks, and the number of these lines.
tally() {
    awk '/^[0-9]+ passed, [0-9]+ failed/ { passed += $1; failed += $3; skipped += $5; lines++ }
        /^[a-z0-9-]+ +[0-9]+ cases, 0 failed$/ { passed++; lines++ }
        /^[a-z0-9 -]*skipped: / { skipped++; lines++ }
        END { print passed + 0, failed + 0, skipped + 0, lines + 0 }' "$1"
}

# fingerprint: prints a digest of what the constant stages depend on; nothing without git.
fingerprint() {
    git rev-parse --git-dir >/dev/null 2>&1 || return 0
    {
        git ls-files -z --cached --others --exclude-standard | xargs -0 sha256sum
        [ -z "${ASSAY_CONFORMANCE:-}" ] || find -L "$ASSAY_CONFORMANCE" -type f -printf '%p %s %T@\n' | sort
        swift --version
        openssl version -a
        uname -a
        grep -m 1 -E '^(flags|Features)' /proc/cpuinfo
        env | grep -E '^(ASSAY_|NEON_)' | sort
    } 2>&1 | sha256sum
}

# keep NAME PASSED FAILED SKIPPED: stores the numbers of a constant stage that passed, unless a file changed meanwhile.
keep() {
    [[ -n $now && $2 -gt 0 && " ${constant[*]} " = *" $1 "* && $(fingerprint) = "$now" ]] || return 0
    mkdir -p "$results/kept"
    printf '%s\n' "$now" "$2 $3 $4" >"$results/kept/$1"
}

# kept NAME: prints the numbers of a constant stage that passed with the same files.
kept() {
    [[ -z ${FRESH:-} && -n $now && -e $results/kept/$1 && $(head -n 1 "$results/kept/$1") = "$now" ]] && sed -n 2p "$results/kept/$1"
}

# descendants PID: prints the process and all below it.
descendants() {
    local child
    echo "$1"
    for child in $(pgrep -P "$1"); do descendants "$child"; done
}

# stuck PID: prints the processes of a stage that took too long and where their threads are, and kills them.
stuck() {
    local processes process
    mapfile -t processes < <(descendants "$1")
    echo "FAILED: not finished after $limit s. Its processes:"
    ps -o pid,ppid,stat,etimes,args -p "$(IFS=, && echo "${processes[*]}")" | cut -c 1-200
    for process in "${processes[@]}"; do
        if command -v gdb >/dev/null && ! pgrep -P "$process" >/dev/null; then
            timeout 60 gdb -p "$process" -batch -ex 'thread apply all backtrace 12' 2>/dev/null </dev/null | cut -c 1-160 | head -n 120
        fi
    done
    kill -KILL "${processes[@]}" 2>/dev/null
}

# bounded NAME: runs the stage for at most `limit` seconds.
bounded() {
    local job alarm
    # Both without the lock of this run, and the alarm without its output: a program that outlives a killed run would keep them.
    "$1" 8>&- &
    job=$!
    sleep "$limit" >/dev/null 2>&1 8>&- &
    alarm=$!
    wait -n "$job" "$alarm"
    if kill -0 "$job" 2>/dev/null; then stuck "$job"; else kill "$alarm"; fi
    wait "$job" 2>/dev/null
}

# spent FILE: sums the processor time in the output of `times`, in seconds.
spent() { awk '{ for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); total += t[1] * 60 + t[2] } } END { printf "%d", total }' "$1"; }

# stage NAME: runs the stage, stores `NAME outcome seconds passed failed skipped processor-seconds` and prints the outcome. A stage without
# closing lines counts as one check. One whose closing lines count nothing has tested nothing, and fails.
stage() {
    local log=$results/$1.log clock=$results/$1.times start outcome=passed passed failed skipped lines numbers before
    if [[ " ${linking[*]} " = *" $1 "* ]] && ! linked; then
        echo "$1 FAILED 0 0 1 0 0" | tee "$results/$1.result" | row
        echo "FAILED: there are no libraries" >"$log"
        return
    fi
    start=$SECONDS
    # Not in a pipe: its shell would print its own time.
    times >"$clock"
    before=$(spent "$clock")
    if numbers=$(kept "$1"); then
        echo "$1 kept 0 $numbers 0" | tee "$results/$1.result" | row
        return
    fi
    if [ "$1" = build ]; then bounded build 2>&1 | tee "$log" 8>&-; else bounded "$1" >"$log" 2>&1 </dev/null; fi || outcome=FAILED
    read -r passed failed skipped lines < <(tally "$log")
    if ((passed + failed + skipped == 0)) && [ $outcome = passed ]; then
        if ((lines == 0)); then passed=1; else outcome=FAILED; fi
    fi
    if ((failed == 0)) && [ $outcome = FAILED ]; then failed=1; fi
    if ((failed > 0)); then outcome=FAILED; fi
    times >"$clock"
    echo "$1 $outcome $((SECONDS - start)) $passed $failed $skipped $(($(spent "$clock") - before))" | tee "$results/$1.result" | row
    if [ $outcome = FAILED ]; then sed "s/^/  $1: /" "$log"; else keep "$1" "$passed" "$failed" "$skipped"; fi
}

# linked: waits for the end of the stage `libraries`, if this run has it. Fails if that failed.
linked() {
    [ -n "$(chosen libraries)" ] || return 0
    until [ -s "$results/libraries.result" ]; do sleep 0.2; done
    ! grep -q FAILED "$results/libraries.result"
}

row() {
    awk '{ printf "%-16s %-6s %5d s %5d of processor %8d passed %5d failed %5d skipped\n", $1, $2, $3, $7, $4, $5, $6; fflush() }'
}

# take LIST…: prints the first stage of the first non-empty list and removes it from the list.
take() {
    local list name
    (
        flock 9
        for list in "$@"; do
            if name=$(head -n 1 "$list") && [ -n "$name" ]; then
                sed -i 1d "$list"
                echo "$name"
                break
            fi
        done
    ) 9>"$results/lock"
}

lane() {
    local name
    while name=$(take "$@") && [ -n "$name" ]; do stage "$name"; done
}

# lanes: runs the lanes at once. The computing lane has a lower priority.
lanes() {
    chosen "${computing[@]}" >"$results/computing"
    chosen "${waiting[@]}" >"$results/waiting"
    chosen "${gateway[@]}" >"$results/gateway"
    set -m
    (renice -n 5 $BASHPID >/dev/null 2>&1; lane "$results/computing" "$results/waiting" "$results/gateway") &
    lane_groups=($!)
    lane "$results/waiting" "$results/computing" "$results/gateway" &
    lane_groups+=($!)
    lane "$results/gateway" &
    lane_groups+=($!)
    set +m
    wait "${lane_groups[@]}"
    lane_groups=()
}

# in_order STAGE…: runs the chosen stages one after another. Fails if one of them fails.
in_order() {
    local name status=0
    for name in $(chosen "$@"); do
        stage "$name"
        ! grep -q FAILED "$results/$name.result" || status=1
    done
    return $status
}

# close_lanes: runs the closing stages, and beside them what is left.
close_lanes() {
    set -m
    (renice -n 5 $BASHPID >/dev/null 2>&1; in_order "${beside[@]}") &
    lane_groups=($!)
    set +m
    in_order "${closing[@]}"
    wait "${lane_groups[@]}"
    lane_groups=()
}

# faults LOG: prints the lines that report a fault, each with what follows it; if there are none, the last lines of the log. A name of a
# test can have such a word, so lines that only say that a test started or passed do not count.
faults() {
    local fault='recorded an issue|caught error' lines
    lines=$(grep -vE '[◇✔] ' "$1")
    grep -qE "$fault" <<<"$lines" || fault='^FAIL|✘|error:|FAILED|Traceback|Assertion|^[A-Za-z.]+(Error|Exception)'
    (grep -m 5 -A 4 -E "$fault" <<<"$lines" || tail -n 12 "$1") | cut -c 1-300 | head -n 20
}

# close: prints the table, in the order of the lanes, the faults of each failed stage, and the totals.
close() {
    local name
    printf '\n'
    for name in "${opening[@]}" "${computing[@]}" "${waiting[@]}" "${gateway[@]}" "${closing[@]}" "${beside[@]}"; do
        if [ -e "$results/$name.result" ]; then row <"$results/$name.result"; fi
    done
    for name in $(awk '$2 == "FAILED" { print $1 }' "$results"/*.result); do
        printf '\n%s failed:\n' "$name"
        faults "$results/$name.log" | sed 's/^/  /'
    done
    times >"$results/total.times"
    printf '%-16s %12d s %5d of processor\n' total "$SECONDS" "$(spent "$results/total.times")"
    ! grep -q ' FAILED ' "$results"/*.result ||
        echo "failed stages: $(awk '$2 == "FAILED" { print $1 }' "$results"/*.result | paste -sd ' ')"
    ! grep -q ' kept ' "$results"/*.result || echo "kept: passed before with the same files; FRESH=1 runs these stages again"
    cat "$results"/*.result | awk '{ passed += $4; failed += $5; skipped += $6 }
        END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped; exit failed > 0 || passed == 0 }'
}

if [ "${1:-}" = --help ]; then
    usage
    exit
fi
named=("$@")
for name in "${named[@]}"; do
    if ! declare -F "$name" >/dev/null; then
        echo "No stage is called $name." >&2
        usage >&2
        exit 2
    fi
done
lane_groups=()
# The background jobs have their own process groups, which an interrupt does not reach.
trap '((${#lane_groups[@]} == 0)) || kill -- "${lane_groups[@]/#/-}" 2>/dev/null; exit 130' INT TERM
mkdir -p "$results"
exec 8>"$results/running"
flock -n 8 || { echo "Another run of the tests is under way in this folder." >&2; exit 1; }
# SwiftPM leaves a folder for each build, and a test that is killed its own. Other users enter it: some tests give up root.
TMPDIR=$(mktemp -d "${TMPDIR:-/tmp}/assay-test.XXXXXX")
export TMPDIR
chmod 755 "$TMPDIR"
trap 'rm -rf "$TMPDIR"' EXIT
rm -f "$results"/*.result "$results"/*.log "$results"/*.times
now=$(fingerprint)
# In seconds. The longest short stage, a build from nothing beside other work, has taken 1,380.
limit=${LIMIT:-$(amount 14400 2700)}
((${#named[@]} > 0)) || echo "logs: $results; on two cores about $(amount 120 25) minutes from nothing"
if in_order "${opening[@]}"; then
    lanes
    close_lanes
fi
close
