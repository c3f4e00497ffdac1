#!/usr/bin/env bash
# Builds and tests this project in a minimal Debian, which release.sh has made: the core, requests by this release's libcurl, the C interface,
# the service and both modules behind this release's gateways, and the packages. Each part prints its counts and seconds.
set -uo pipefail
cd "$(dirname "$0")/../.."
. scripts/stages.sh

passed=0
failed=0

check() {
    if [ "$2" = "$3" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        printf 'FAIL %s: expected "%s", got "%s"\n' "$1" "$2" "$3"
    fi
}

# part NAME COMMAND…: runs a part, and prints all that it says if it fails. What it counts is the sum of its closing lines.
part() {
    local name=$1 start=$SECONDS said status=0 counts
    shift
    said=$("$@" 2>&1) || status=$?
    counts=$(awk '/^[0-9]+ passed, [0-9]+ failed/ { passed += $1; failed += $3; skipped += $5 } /^[a-zA-Z0-9 -]*skipped: / { skipped++ }
        END { print passed + 0, failed + 0, skipped + 0 }' <<<"$said")
    read -r part_passed part_failed part_skipped <<<"$counts"
    echo "$name: $part_passed passed, $part_failed failed, $part_skipped skipped, $((SECONDS - start)) s"
    check "$name ends with success" 0 "$status"
    ((status == 0)) || printf '%s\n' "$said"
    passed=$((passed + part_passed))
    failed=$((failed + part_failed))
}

# none_skipped NAME LEAST: the part before has skipped nothing, and has counted at least so many.
none_skipped() {
    check "$1: skipped" 0 "$part_skipped"
    check "$1: at least $2 have passed, of $part_passed" 1 $((part_passed >= $2))
}

# install_packages: what the parts need. dependencies.sh keeps servers from starting.
install_packages() { apt-get update -qq && scripts/dependencies.sh release && scripts/dependencies.sh deb; }

# versions: what this release is known for. The names are those of its packages.
versions() { dpkg-query -W -f '${Package} ${Version}\n' nginx haproxy caddy libssl-dev; }

all_vectors() { .build/release/assay conformance vectors; }

# only_mldsa: the vectors of ML-DSA alone.
only_mldsa() {
    local folder
    folder=$(mktemp -d)
    cp vectors/mldsa.json "$folder" && .build/release/assay conformance "$folder"
}

modules_of_sources() { Tests/Gateways/nginx-versions.sh "$(. /etc/os-release && echo "$VERSION_CODENAME")"; }

echo "$(. /etc/os-release && echo "$PRETTY_NAME")"
part "packages of the release" install_packages
((failed == 0)) || exit 1
versions
part "build" build
((failed == 0)) || exit 1
part "libassay" libraries
mkdir -p .build/test
part "core" unit core --filter '^JWTCoreTests[.]'
none_skipped core 250
part "requests" unit requests --filter '^HTTPGuardTests[.]'
none_skipped requests 80
part "vectors" all_vectors
none_skipped vectors 8000
part "vectors of ML-DSA" only_mldsa
none_skipped "vectors of ML-DSA" 20
part "C interface" c_interface
none_skipped "C interface" 8000
part "service behind gateways" gateways
part "nginx module" nginx_module
part "nginx module from nginx's sources" modules_of_sources
part "Envoy module" envoy_module
part "make deb" env ASSAY_BUILT=1 scripts/deb.sh
part "packages in a copy" Tests/Packages/run.sh
none_skipped "packages in a copy" 20
printf '%d passed, %d failed\n' "$passed" "$failed"
exit $((failed > 0))
