#!/usr/bin/env bash
# Runs every test, stage by stage; prints what each took. A stage alone: scripts/test.sh unit conformance
set -uo pipefail
cd "$(dirname "$0")/.."

# Third-party vectors are not part of the repository; tests read them in place where they are.
[ -n "${ASSAY_CONFORMANCE:-}" ] || { [ -d ../shared/conformance ] && export ASSAY_CONFORMANCE="$PWD/../shared/conformance"; }

# Nor are the SDK documents that the flows are held against.
[ -n "${ASSAY_SDK_DOCS:-}" ] || { [ -d ../shared/sdk-docs ] && export ASSAY_SDK_DOCS="$PWD/../shared/sdk-docs"; }

stages=(${@:-unit mapping conformance engines kernels kernels_asan fuzz_kernels implementation simulation allocations hit_path counts \
    linkage compile_failure apple demonstration wire load crash threads evp mutations neon})
without_http=(--disable-default-traits --traits CommandLine,Metrics)
kernel_log=$(mktemp)
trap 'rm -f "$kernel_log"' EXIT
summary=()
failed=0

# As scripts/build.sh builds, for the same reason; tests themselves hash as they like.
build() { SWIFT_DETERMINISTIC_HASHING=1 swift build -c release "$@"; }

unit() {
    build --build-tests --explicit-target-dependency-import-check error || return 1
    # Tests share as many threads as there are cores, and some of them wait for time-outs: what keeps a core busy for long runs by itself.
    local group groups=0 failures=0
    rm -f .build/unit-*.xml
    for group in '--skip (IDaaSServer|IDaaSFlows|Secrets|SecuritySentence|Slider)Tests[.]' '--filter (IDaaSServer|IDaaSFlows|Secrets|SecuritySentence)Tests[.]' '--filter ^SliderTests[.]'; do
        swift test -c release --skip-build --xunit-output ".build/unit-$((++groups)).xml" ${group%% *} "${group#* }" || failures=1
    done
    return $failures
}

# Every item of the SDK documents has its place in the code, and a test that just ran.
mapping() { python3 scripts/mapping.py; }

conformance() {
    .build/release/assay conformance vectors || return 1
    if [ -z "${ASSAY_CONFORMANCE:-}" ]; then
        echo "third-party vectors skipped: set ASSAY_CONFORMANCE to their folder"
        return 0
    fi
    .build/release/assay conformance "$ASSAY_CONFORMANCE/wycheproof" "$ASSAY_CONFORMANCE/json"
}

# The vectors again, with every verdict by the kernels of one tier and held against OpenSSL's; then the core's tests as a machine without
# IFMA runs them, all but EngineTests, which choose tiers themselves and expect all that this machine has.
engines() {
    local tier said status
    for tier in openssl tables ifma; do
        status=0
        said=$(.build/release/assay conformance --engine "$tier" vectors \
            ${ASSAY_CONFORMANCE:+"$ASSAY_CONFORMANCE/wycheproof"} 2>&1) || status=$?
        if [[ $tier = ifma && $status = 2 && $said = *'does not run on this machine'* ]]; then
            echo "ifma skipped: this machine has none"
            continue
        fi
        tail -n 20 <<<"$said"
        [ $status = 0 ] || return 1
    done
    ASSAY_ENGINE=tables swift test -c release --skip-build --filter JWTCoreTests --skip 'JWTCoreTests\.EngineTests'
}

# The verification kernels against libcrypto, ten million cases a check and from new seeds each time. Two processes, which take about
# equally long on two cores.
kernels() {
    # A little more than ten million: one check rounds down.
    local cases=${ASSAY_KERNEL_CASES:-10200000} seed failures=0
    seed=${ASSAY_KERNEL_SEED:-$(date +%s)}
    .build/release/kernel-differential "$cases" "$seed" ecdsa-tables sha rsa-padding >"$kernel_log" 2>&1 &
    .build/release/kernel-differential "$cases" "$seed" p256-ifma ed25519 rsa-ifma || failures=1
    wait $! || failures=1
    cat "$kernel_log"
    return $failures
}

# The same with fewer cases, and a short run of each fuzzer of the kernels, under AddressSanitizer and UndefinedBehaviorSanitizer.
kernels_asan() { scripts/sanitized_kernels.sh check 20000; }

fuzz_kernels() { scripts/sanitized_kernels.sh fuzz 500; }

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

# What each operation takes (allocations, retains and releases exactly, instructions within 5 %) against Benchmarks/Thresholds.
counts() {
    build --package-path Benchmarks/counting --scratch-path .build-counts --product gate && .build-counts/release/gate
}

linkage() { Tests/LinkageTest/run.sh; }

compile_failure() { Tests/CompileFailure/run.sh; }

# What only Apple's systems compile, against stubs of their modules.
apple() { Tests/AppleStubs/run.sh; }

# What `make run` shows.
demonstration() { scripts/demonstrate.sh; }

# The reference IDaaS as anybody sees it who has its OpenAPI document.
wire() { Tests/Wire/run.sh; }

load() { Tests/IDaaSLoad/run.sh; }

# A few of the 200 kills of `make crash`.
crash() { .build/release/idaas-crash .build/release/assay 10; }

# Without NIO, which takes long to build and is tested by others.
threads() { swift test -c release --sanitize=thread --scratch-path .build-tsan "${without_http[@]}" --filter ThreadSafety; }

# As with a libcrypto built without its deprecated functions: everything through EVP.
evp() {
    build --product assay --scratch-path .build-evp "${without_http[@]}" -Xcc -DOPENSSL_NO_DEPRECATED -Xcc -DOPENSSL_API_COMPAT=30000 &&
        .build-evp/release/assay conformance vectors ${ASSAY_CONFORMANCE:+"$ASSAY_CONFORMANCE/wycheproof"}
}

# Three million mutated tokens, headers, payloads and key sets, other ones each time, under AddressSanitizer and
# UndefinedBehaviorSanitizer. `make mutations` takes ten million.
mutations() {
    scripts/sanitized.sh && .build-asan/release/mutation-probe "${ASSAY_MUTATIONS:-3000000}"
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
