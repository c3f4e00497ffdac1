#!/usr/bin/env bash
# Installs the wheel of .build-python/dist in a minimal Debian, and follows the package's first page there: clean.sh [RELEASE]
# That Debian has Python and nothing else: no compiler, no OpenSSL headers, no Swift. What the page's later steps need of PyPI is
# downloaded before. Needs root and apt's mirror. Ends with "N passed, N failed".
set -uo pipefail
cd "$(dirname "$0")/../../.."

# The Python of each release.
declare -A versions=([bookworm]=3.11 [trixie]=3.13)

if [ "${1:-}" != inside ]; then
    release=${1:-$(. /etc/os-release && echo "$VERSION_CODENAME")}
    python=$(scripts/environment.sh python-binding bindings/python/tests/requirements.txt) || exit 1
    "$python" -m pip download --quiet --disable-pip-version-check --only-binary :all: --python-version "${versions[$release]}" \
        --dest ".build-python/$release" cryptography fastapi httpx pytest pytest-asyncio joserfc PyJWT || exit 1
    exec Tests/Packages/inside.sh "$release" bindings/python/tests/clean.sh inside "$release"
fi
release=$2

passed=0
failed=0

check() {
    if [ "$2" = "$3" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        printf 'FAIL %s: expected "%s", got "%s"\n' "$1" "$2" "$3"
    fi
}

apt-get update -qq && apt-get install -y -qq --no-install-recommends python3 python3-venv >/dev/null 2>&1
check "apt installs Python" 0 $?
python3 -m venv /venv
check "Python makes an environment" 0 $?
check "no Swift and no compiler are there" "" "$(command -v swift cc gcc clang)"

# The page, line by line, with a clock.
began=$(date +%s)
cd /project/.build-python/dist || exit 1
said=$(/venv/bin/pip install --quiet --disable-pip-version-check --no-index assay_jwt-*.whl 2>&1)
check "pip installs the wheel in one command, without a network" "0 " "$? $said"
installed=$(/venv/bin/pip list --format=freeze --disable-pip-version-check | sed 's/==.*//' | grep -vE '^(pip|setuptools)$')
check "it needs nothing beside Python" "assay-jwt" "$installed"
check "it loads without cryptography" "0.1.0" "$(/venv/bin/python -c '
import assay, assay._http, assay.asgi, assay.wsgi
print(assay.library_version)' 2>&1)"
check "a refusal" "malformed_token 401" "$(/venv/bin/python -c '
import assay
try:
    assay.Verifier("i", "a", {"keys": []}).verify("x")
except assay.VerificationError as refusal:
    print(refusal.name, refusal.status)' 2>&1)"
/venv/bin/pip install --quiet --disable-pip-version-check --no-index --find-links "/project/.build-python/$release" \
    "$(echo assay_jwt-*.whl)[testing]" fastapi httpx pytest pytest-asyncio joserfc PyJWT >/tmp/log 2>&1
check "pip installs what the page's later steps need" 0 $?
[ "$failed" = 0 ] || tail -n 5 /tmp/log
cd /tmp || exit 1
said=$(/venv/bin/python -m pytest -q -p no:cacheprovider -c /project/bindings/python/pyproject.toml --rootdir /project/bindings/python \
    /project/bindings/python/tests/test_{pages,vectors,remote_keys,claims,threads}.py 2>&1)
status=$?
check "the page runs, with the vectors and the keys of an issuer" 0 $status
[ $status = 0 ] || printf '%s\n' "$said" | tail -n 30
tail -n 1 <<<"$said"
echo "the page took $(($(date +%s) - began)) s"
printf '%d passed, %d failed\n' "$passed" "$failed"
exit $((failed > 0))
