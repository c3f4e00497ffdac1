#!/usr/bin/env bash
# Runs every test, stage by stage; prints what each took. A stage alone: scripts/test.sh unit conformance
set -uo pipefail
cd "$(dirname "$0")/.."

# Third-party vectors are not part of the repository; tests read them in place where they are.
[ -n "${ASSAY_CONFORMANCE:-}" ] || { [ -d ../shared/conformance ] && export ASSAY_CONFORMANCE="$PWD/../shared/conformance"; }

stages=(${@:-unit conformance implementation simulation allocations hit_path linkage compile_failure threads evp mutations neon})
without_http=(--disable-default-traits --traits CommandLine,Metrics)
summary=()
failed=0

unit() {
    swift build -c release --build-tests --explicit-target-dependency-import-check error || return 1
    swift test -c release --skip-build
}

conformance() {
    .build/release/assay conformance vectors || return 1
    if [ -z "${ASSAY_CONFORMANCE:-}" ]; then
        echo "third-party vectors skipped: set ASSAY_CONFORMANCE to their folder"
        return 0
    fi
    .build/release/assay conformance "$ASSAY_CONFORMANCE/wycheproof" "$ASSAY_CONFORMANCE/json"
}

# The vectors are what their generator makes, and another verifier can be judged by them: PyJWT must get most right and some wrong.
implementation() {
    scripts/python.sh vectors/generate.py --check || return 1
    local closing
    closing=$(.build/release/assay conformance --implementation 'scripts/python.sh vectors/adapters/pyjwt.py' vectors | tail -n 1)
    echo "PyJWT by our vectors: $closing"
    [[ $closing =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed ]] && ((BASH_REMATCH[1] > 1000 && BASH_REMATCH[2] > 0))
}

# The key cache under a virtual clock: thousands of seeded lives with everything that networks, publishers and tokens do.
simulation() { .build/release/key-cache-simulation; }

allocations() { .build/release/allocation-probe; }

hit_path() { .build/release/hit-path-probe; }

linkage() { Tests/LinkageTest/run.sh; }

compile_failure() { Tests/CompileFailure/run.sh; }

# Without NIO, which takes long to build and is tested by others.
threads() { swift test -c release --sanitize=thread --scratch-path .build-tsan "${without_http[@]}" --filter ThreadSafety; }

# As with a libcrypto built without its deprecated functions: everything through EVP.
evp() {
    swift build -c release --product assay --scratch-path .build-evp "${without_http[@]}" -Xcc -DOPENSSL_NO_DEPRECATED -Xcc -DOPENSSL_API_COMPAT=30000 &&
        .build-evp/release/assay conformance vectors ${ASSAY_CONFORMANCE:+"$ASSAY_CONFORMANCE/wycheproof"}
}

# Ten million mutated tokens, headers, payloads and key sets, under AddressSanitizer and UndefinedBehaviorSanitizer.
mutations() {
    scripts/sanitized.sh && .build-asan/release/mutation-probe "${ASSAY_MUTATIONS:-10000000}"
}

neon() { Tests/NEON/run.sh; }

for stage in "${stages[@]}"; do
    printf '\n== %s\n' "$stage"
    start=$SECONDS
    if "$stage"; then outcome=passed; else
        outcome=FAILED
        failed=1
    fi
    summary+=("$(printf '%-16s %-6s %4d s' "$stage" "$outcome" $((SECONDS - start)))")
done

printf '\n'
printf '%s\n' "${summary[@]}"
exit $failed
