# scripts/test.sh sources this file. It has a function for each stage. The status of the function decides about success. Its output lines
# `N passed, N failed` are counted; a stage without such lines counts as one check. If `long` is 1, the long stages run in full.

long=0

# Third-party vectors and the SDK documents are not part of the repository; tests read them from their own folders, if present.
[ -n "${ASSAY_CONFORMANCE:-}" ] || { [ -d ../shared/conformance ] && export ASSAY_CONFORMANCE="$PWD/../shared/conformance"; }
[ -n "${ASSAY_SDK_DOCS:-}" ] || { [ -d ../shared/sdk-docs ] && export ASSAY_SDK_DOCS="$PWD/../shared/sdk-docs"; }

release=.build/release
# amount FULL SHORT: prints the size of a long stage.
amount() { if ((long)); then echo "$1"; else echo "$2"; fi; }

# Builds all products as `make run` does, and the tests.
build() { scripts/build.sh --build-tests; }

build_products() { scripts/build.sh; }

# The suites that wait for time-outs and servers run in their own process. So do the slider's, which keep a core busy for long. The tests
# of a process share one thread per core, so one kind would delay the other. The suites of the command line block these threads
# while a command runs.
waiting_suites='(IDaaSServer|IDaaSFlows|HTTPGuard|Secrets|SecuritySentence)Tests[.]'

unit_computing() { unit unit_computing --skip "$waiting_suites" --skip '^(CommandLine|Slider|GatewayServer)Tests[.]'; }

unit_slider() { unit unit_slider --filter '^SliderTests[.]'; }

unit_waiting() { unit unit_waiting --filter "$waiting_suites"; }

unit_command() { unit unit_command --filter '^CommandLineTests[.]'; }

unit_gateway() { unit unit_gateway --filter '^GatewayServerTests[.]'; }

# Without a bound, hundreds of tests share two threads, and a test can stand still for longer than the time-outs that it tests.
at_once=16

# unit NAME SELECTION…: runs the selected tests and writes their results to .build/test/NAME.xml. It runs the program directly, because
# `swift test` would plan the whole build first.
unit() {
    local results=.build/test/$1.xml status=0
    shift
    rm -f "$results"
    $release/assayPackageTests.xctest --testing-library swift-testing --experimental-maximum-parallelization-width $at_once \
        --xunit-output "$results" "$@" || status=1
    sed -n 's/.*<testsuite .*errors="[0-9]*" tests="\([0-9]*\)" failures="\([0-9]*\)" skipped="\([0-9]*\)".*/\1 \2 \3/p' "$results" |
        awk '{ printf "%d passed, %d failed, %d skipped\n", $1 - $2 - $3, $2, $3 }'
    return $status
}

# Encrypted tokens of three other implementations open here, and ours open there.
encryption_peers() {
    ASSAY_JOSE_PYTHON=$(scripts/environment.sh python-jose Tests/Unit/JWTDecryptionTests/requirements.txt) || return 1
    export ASSAY_JOSE_PYTHON
    unit encryption_peers --filter '^JWTDecryptionTests[.]PeerTests'
}

# Checks that every item of the SDK documents has its place in the code, and a test that just ran.
mapping() { python3 Tests/Requirements/mapping.py; }

# Type-checks what only Apple's systems compile, against stubs of their SDKs.
apple_adapters() { python3 Tests/AppleStubs/check.py; }

conformance() {
    $release/assay conformance vectors || return 1
    if [ -z "${ASSAY_CONFORMANCE:-}" ]; then
        echo "skipped: third-party vectors; set ASSAY_CONFORMANCE to their folder"
        return 0
    fi
    $release/assay conformance "$ASSAY_CONFORMANCE/wycheproof" "$ASSAY_CONFORMANCE/json"
}

# Runs the vectors with the kernels of each tier, and compares every verdict with OpenSSL's. All tiers must say the same in each line, but
# for the one that counts the kernels' verdicts. Then runs the core's tests with the signatures' kernels of a machine without AVX-512,
# except EngineTests and LyingKernelTests, which choose tiers themselves and expect all tiers of this machine, and those that verify nothing.
engines() {
    local tier said status has_ifma=1 all=(vectors ${ASSAY_CONFORMANCE:+"$ASSAY_CONFORMANCE/wycheproof"}) of_openssl=''
    for tier in openssl tables avx2 avx512f avxifma ifma; do
        status=0
        said=$($release/assay conformance --engine "$tier" "${all[@]}" 2>&1) || status=$?
        if [[ $tier = @(avx2|avx512f|avxifma|ifma) && $status = 2 && $said = *'does not run on this machine'* ]]; then
            echo "skipped: $tier, which this machine does not have"
            [ $tier != ifma ] || has_ifma=0
            continue
        fi
        tail -n 20 <<<"$said"
        [ $status = 0 ] || return 1
        said=$(sed "/^$tier: /d" <<<"$said")
        [ "$tier" != openssl ] || of_openssl=$said
        if [ "$said" != "$of_openssl" ]; then
            echo "$tier says something else than openssl:"
            diff <(echo "$of_openssl") <(echo "$said")
            return 1
        fi
    done
    # Without IFMA the stage unit_computing has run them so.
    ((!has_ifma)) || ASSAY_ENGINE=avx2 unit engines --filter JWTCoreTests --skip 'JWTCoreTests\.(EngineTests|LyingKernelTests|KernelAgreement|JSON)'
}

# The vectors on processors that this machine is not, in the emulator: one without AVX, BMI2 and ADX, and one with AVX2 and without ADX. The
# emulator ends a program that uses an instruction which its processor lacks.
processors() {
    local emulator kind tier
    emulator=$(command -v qemu-x86_64 || command -v qemu-x86_64-static) || { echo "skipped: qemu-x86_64 is not installed"; return; }
    [ "$(uname -m)" = x86_64 ] || { echo "skipped: this machine is no x86-64"; return; }
    while read -r kind tier; do
        echo "$kind, $tier:"
        "$emulator" -cpu "$kind" "$release/assay" conformance --engine "$tier" vectors ${ASSAY_CONFORMANCE:+"$ASSAY_CONFORMANCE/wycheproof"} |
            tail -n 20 || return 1
    done <<<'Nehalem tables
max,-adx,-avx512f avx2'
}

# The verification kernels against libcrypto, from new seeds each time: ten million cases a check, or a million. The long run takes two
# processes, which take about equally long on two cores. The short one leaves a core to the suites that wait beside it.
kernels() {
    # A little more than ten million: one check rounds down.
    local cases=${ASSAY_KERNEL_CASES:-$(amount 10200000 1020000)} seed=${ASSAY_KERNEL_SEED:-$(date +%s)} failures=0
    if ((!long)); then
        $release/kernel-differential "$cases" "$seed"
        return
    fi
    local first=(ecdsa-tables sha rsa-padding rsa-lanes)
    $release/kernel-differential "$cases" "$seed" "${first[@]}" &
    $release/kernel-differential "$cases" "$seed" "${first[@]/#/-}" || failures=1
    wait $! || failures=1
    return $failures
}

# The same with fewer cases, and a short run of each kernel fuzzer, under AddressSanitizer and UndefinedBehaviorSanitizer.
kernels_asan() { scripts/sanitized_kernels.sh check "$(amount 200000 10000)"; }

# The self tests of the kernels on a CPU whose multiplications are wrong in a lane: each must fail.
broken_instructions() { Tests/Kernels/BrokenInstructions/run.sh; }

fuzz_kernels() { scripts/sanitized_kernels.sh fuzz 500; }

# Proves the kernels' arithmetic from the compiler's output: all of it, or what takes less than a minute.
proofs() { scripts/prove.sh; }

proofs_quick() { scripts/prove.sh --quick; }

# Two minutes of processor time for each target and kernel.
fuzz() { ASSAY_FUZZ_SERVERS=1 scripts/fuzz.sh; }

fuzz_coverage() { ASSAY_FUZZ_SERVERS=1 scripts/fuzz_coverage.sh; }

# Checks that what the long stage fuzz_coverage names exists, and that it names every source.
coverage_names() { python3 scripts/fuzz_coverage.py --names; }

# Checks that a fork waits for every lock that libcrypto takes for COpenSSL.
fork_locks() { Tests/Kernels/ForkLocks/run.sh; }

# Checks that deriving a key leaves no copy of it on the stack.
residue() { Tests/Kernels/Residue/run.sh; }

# Checks that the comparison of HMACs takes the same path for every tag.
constant_time() { Tests/Kernels/ConstantTime/run.sh; }

# Searches the models of what concurrent readers rest on.
models() { python3 Proofs/models/verify.py $(amount --long ''); }

# Checks that the statements that the models cite stand in the source, with the same memory orders.
models_cited() { python3 Proofs/models/verify.py --citations; }

# Checks that the vectors are the output of their generator.
vectors() { scripts/python.sh vectors/generate.py --check; }

# Checks that the vectors can test another verifier: PyJWT must pass most cases and fail some.
implementation() {
    local closing
    closing=$($release/assay conformance --implementation 'scripts/python.sh vectors/adapters/pyjwt.py' vectors | tail -n 1)
    echo "PyJWT by our vectors: $closing"
    [[ $closing =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed ]] && ((BASH_REMATCH[1] > 1000 && BASH_REMATCH[2] > 0))
}

# The scoreboard's runner: broken adapters must be counted as such, and PyJWT must be judged.
scoreboard_runner() { "$(scripts/environment.sh python-scoreboard Scoreboard/requirements.txt)" Scoreboard/tests/test.py; }

# What judges mutants: a survivor must fail a run, and a hang or a crash must refuse a mutant.
mutants_runner() { python3 Tests/Mutants/tests/test.py; }

# What loads gateways: a row cannot have the name of a tier of the engine that its program does not run.
load_runner() { python3 Benchmarks/gateway/tests/test.py; }

# Judges every verifier that Debian and PyPI have, and Assay in three tiers, by the vectors and by Wycheproof's files of tokens.
scoreboard() {
    scripts/dependencies.sh scoreboard >/dev/null || return 1
    [ -d .build-python/dist ] || bindings/python/wheel.sh || return 1
    Scoreboard/run.sh --vectors vectors ${ASSAY_CONFORMANCE:+--vectors "$ASSAY_CONFORMANCE/wycheproof"} --json .build/test/scoreboard.json \
        && Scoreboard/run.sh --kind dpop --json .build/test/scoreboard.json \
        && Scoreboard/run.sh --kind encrypted --json .build/test/scoreboard.json \
        && Scoreboard/run.sh --kind selective --json .build/test/scoreboard.json \
        && Scoreboard/run.sh --kind documents --json .build/test/scoreboard.json
}

# Simulates the key cache under a virtual clock: thousands of seeded histories with events of networks, publishers and tokens.
simulation() { $release/key-cache-simulation; }

allocations() { $release/allocation-probe; }

hit_path() { $release/hit-path-probe; }

# Compares the counts of each operation with Benchmarks/Thresholds: allocations, retains and releases exactly, instructions within 5 %.
counts() {
    SWIFT_DETERMINISTIC_HASHING=1 flock .build-lib/building swift build -c release -debug-info-format none \
        --package-path Benchmarks/counting --scratch-path .build-lib --product gate && .build-lib/release/gate
}

linkage() { Tests/Client/Linkage/run.sh; }

# libassay and libassay-http, for the stages that use them.
libraries() { scripts/libassay.sh; }

# The C interface from outside: installed into a folder, used by C programs, a LuaJIT program and all vectors.
c_interface() { ASSAY_LINKED=1 Tests/CInterface/run.sh; }

# The Python package: builds the wheel, installs it, and runs its tests, with all vectors and the frameworks of the middlewares, and the attacks
# on gateways through uvicorn and gunicorn. In full with ten million calls, under AddressSanitizer, and in clean roots of Debian 12 and 13.
python_binding() {
    local failures=0
    bindings/python/wheel.sh || return 1
    ASSAY_CALLS=$(amount 10000000 100000) bindings/python/tests/run.sh || failures=1
    Tests/Gateways/python.sh $(amount --long '') || failures=1
    if ((long)); then
        bindings/python/tests/run.sh address || failures=1
        bindings/python/tests/clean.sh bookworm || failures=1
        bindings/python/tests/clean.sh trixie || failures=1
    fi
    return $failures
}

# Its programs and its library under AddressSanitizer and ThreadSanitizer.
c_interface_sanitized() { Tests/CInterface/run.sh address && Tests/CInterface/run.sh thread; }

compile_failure() { Tests/Client/CompileFailure/run.sh; }

# The demonstration of `make run`.
demonstration() { BUILT=1 scripts/demonstrate.sh speed; }

# Runs each program without /proc, with few descriptors, threads and little memory, and in a broken environment.
surroundings() { python3 Tests/Surroundings/run.py; }

# Tests the reference IDaaS from outside, by its OpenAPI document.
wire() { Tests/Wire/run.sh; }

# Exchanges SD-JWTs and documents in JWS JSON serialization with Python's packages for them.
interoperation() { Tests/Interoperation/run.sh; }

# Logs in on the login page with headless Chromium, and attacks it.
browser() { Tests/Browser/run.sh; }

# Logs in at an application behind Apache's mod_auth_openidc, which knows only the standards.
relying_party() { Tests/Client/RelyingParty/run.sh; }

# A client of the MCP SDK registers at the reference IDaaS, and calls servers of the SDK with its access tokens: one that verifies them
# itself, and one behind nginx, with the module and with the service.
mcp_client() { Tests/Client/MCP/run.sh; }

# Tests the forward-auth service behind real gateways; in full with rotations, reloads and kills one after another.
gateways() { Tests/Gateways/run.sh $(amount --long ''); }

# Tests libassay in a plain proxy, by the same checks.
library_gateway() { Tests/Gateways/library.sh; }

# The package for Go: the vectors, races, fuzzers, its examples, and the attacks on gateways through net/http. In full with ten million calls
# and under AddressSanitizer.
go_package() { bindings/go/test.sh $(amount --long ''); }

# The module for Lua: the vectors, its interface, its tasks, memory, and the attacks on gateways through HAProxy that decides itself.
lua_package() { bindings/lua/test.sh $(amount --long ''); }

# The same module for LuaJIT, and the attacks on gateways through nginx with Lua that decides itself.
nginx_lua() { bindings/lua/nginx/test.sh $(amount --long ''); }

# Tests nginx and Envoy with the modules of integrations/ in them, as the stage `gateways` tests the service.
nginx_module() { Tests/Gateways/nginx-module.sh $(amount --long ''); }

envoy_module() { Tests/Gateways/envoy-module.sh $(amount --long ''); }

# The attacks on both modules and on the service, once with each tier of the engine.
tiers() { Tests/Gateways/tiers.sh; }

# Sends random requests through every host of the decision core, and compares each with the library's own decision.
hosts() { Tests/Gateways/hosts.sh "$(amount 600 15)"; }

# Every host at once for ten minutes, while keys rotate, the issuer fails, revocations change and programs reload.
soak() { Tests/Gateways/soak.sh 600; }

# A logout at the identity server reaches the service, both modules and a gateway that polls; so do 20,000 sessions that end together, and
# 100,000 in the long run.
signals() { Tests/Signals/run.sh 3 "$(amount 100000 20000)"; }

# DPoP proofs of clients that are not ours, at the command and at the service.
proofs_of_possession() { Tests/Proofs/run.sh; }

# Builds the Debian packages, and uses them in a copy of this machine without a Swift toolchain and in a minimal Debian.
packages() {
    local failures=0
    scripts/deb.sh || return 1
    Tests/Packages/run.sh || failures=1
    Tests/Packages/clean.sh || failures=1
    bindings/go/clean.sh || failures=1
    bindings/lua/clean.sh || failures=1
    bindings/lua/clean.sh trixie || failures=1
    return $failures
}

# Builds and tests the project in Debian 13 (trixie): the core, the C interface, the service and the modules behind that Debian's gateways,
# and the packages, which are installed there.
debian_13() { Tests/Packages/release.sh trixie; }

# Builds the nginx module from the sources of nginx 1.18, 1.22 and 1.26, and tests it in each.
nginx_versions() { Tests/Gateways/nginx-versions.sh; }

# Runs the steps of the Dockerfile without a container engine.
dockerfile() { python3 Tests/Packages/dockerfile.py; }

# Two builds of libassay in different folders give the same bytes.
reproducible() { scripts/reproducible.sh; }

# The bill of materials, the licence of every part, and no foreign notice in any file.
sbom() { scripts/supply_chain/sbom.sh; }

# Packages outside the repository that depend on this one with each set of traits, from nothing.
traits() { Tests/Client/Package/run.sh; }

# Idle, slow and reset connections by the thousand; in full with ten thousand, and ten minutes of load with rotations, reloads and faults
# of the issuer.
gateway_load() { Tests/Load/Gateway/run.sh $(amount --long ''); }

# A thousand people log in at once, or three hundred.
load() { LOGINS=${LOGINS:-$(amount 1000 300)} Tests/Load/Logins/run.sh; }

# 200 kills, or ten.
crash() { $release/idaas-crash $release/assay "$(amount 200 10)"; }

# with_postgres COMMAND…: runs a command with a PostgreSQL server in a folder of its own; FOLDER among the arguments stands for the folder.
with_postgres() {
    local folder variables status=0
    folder=$(mktemp -d)
    # Not within `eval`, which succeeds with nothing: then every test that wants a server would be left out.
    variables=$(scripts/postgres.sh start "$folder") || return 1
    eval "$variables"
    "${@//FOLDER/$folder}" || status=1
    scripts/postgres.sh stop "$folder"
    rm -rf "$folder"
    unset ASSAY_TEST_POSTGRES
    return $status
}

# The identity server on PostgreSQL: the tests of its store and the security sentences, and users who log in at three servers while these and the
# database fail. In full also all its unit tests, the crash test of one server, and the client that knows only the document.
postgres() {
    local failures=0 crash=($release/idaas-crash $release/assay)
    # These tests lose no power: the crash tests do.
    POSTGRES_OPTIONS='-c fsync=off' with_postgres unit postgres --filter "$(amount '^(IDaaSServer|SecuritySentence)Tests[.]' \
        '^(SecuritySentenceTests|IDaaSServerTests[.]((Postgres)?(Store|Trouble)Tests|Signal|AuditStream))')" || failures=1
    with_postgres "${crash[@]}" "$(amount 200 4)" 50 3 FOLDER || failures=1
    if ((long)); then
        with_postgres "${crash[@]}" 1 1000 3 FOLDER || failures=1
        with_postgres "${crash[@]}" 200 50 1 FOLDER || failures=1
        ASSAY_IDAAS_KEY=$(openssl rand -hex 32) with_postgres env DATABASE='postgresql:///postgres?host=FOLDER&user=postgres' \
            Tests/Wire/run.sh || failures=1
    fi
    return $failures
}

# Races: the tests of thread safety under ThreadSanitizer. The long run also tests the code as it is optimized, whose build takes longer.
threads() {
    local configuration said targets='JWTCoreTests DPoPTests JWKSCacheTests StatusListCacheTests ReplayMemoryTests'
    said=$(mktemp)
    for configuration in debug $(amount release ''); do
        ASSAY_TARGETS=$targets swift test -c "$configuration" --sanitize=thread --scratch-path .build-tsan \
            --disable-testable-imports --filter ThreadSafety 2>&1 | tee "$said" || return 1
        # SwiftPM succeeds where the filter finds nothing. Each target has a suite.
        [[ $(<"$said") =~ Test\ run\ with\ [0-9]+\ tests?\ in\ ([0-9]+)\ suite ]] && ((BASH_REMATCH[1] >= $(wc -w <<<"$targets"))) ||
            { echo "FAIL: the filter did not find the tests"; return 1; }
    done
}

evp() { scripts/evp.sh; }

# Mutated tokens, headers, payloads and key sets, different in each run: a million; in the long run ten million, under AddressSanitizer and
# UndefinedBehaviorSanitizer. A build with sanitizers takes longer than these million.
mutated_tokens() {
    if ((long)); then
        scripts/sanitized.sh && .build-asan/release/mutation-probe "${ASSAY_MUTATIONS:-10000000}"
    else
        $release/mutation-probe "${ASSAY_MUTATIONS:-1000000}"
    fi
}

neon() { Tests/Kernels/NEON/run.sh; }

# The portable kernels against libcrypto's code for AArch64, in the emulator, their proofs from what clang writes for AArch64, and the vectors
# and the core's tests by the library for AArch64.
arm64() {
    Tests/Kernels/NEON/differential.sh "${ASSAY_KERNEL_CASES:-20000}" "${ASSAY_KERNEL_SEED:-$(date +%s)}" &&
        ASSAY_TARGET=aarch64 scripts/prove.sh && Tests/ARM64/run.sh
}

docs() { scripts/docs.sh; }

lint() { make --no-print-directory lint; }

# Checks that every Swift snippet of the documents is part of a compiled file.
snippets() { python3 scripts/snippets.py; }

# Runs every shell line of the README.
readme() { scripts/python.sh scripts/readme.py; }

# Runs the lines of the page that logs in with curl, and compares what they print with the page.
walk_through() { python3 scripts/walk_through.py; }

# Checks that every file and symbol that a page cites exists.
citations() { python3 scripts/citations.py; }
