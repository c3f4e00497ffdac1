#!/usr/bin/env bash
# Installs the requirements of the build; with the argument `run` also those of the demonstration, with `test` those of the tests, with
# `install` and `deb` those of the installation and of the packages, with `scoreboard` the verifiers that the scoreboard judges, with `wheel`
# those of the Python package, with `release` those of the tests in another release of Debian. Prints the exact command if it may not install. The demonstration does without its own.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(libssl-dev libjansson-dev libcurl4-openssl-dev zlib1g-dev libhiredis-dev libpng-dev libpq-dev libsqlite3-dev libyaml-dev pkg-config openssl)
if [ "${1:-}" = test ]; then
    python3 -c 'import ensurepip, venv' 2>/dev/null || packages+=(python3 python3-venv)
    # Tests/Browser drives a browser; the font has the Chinese characters of its pictures.
    packages+=(chromium chromium-driver fonts-wqy-microhei)
    # Tests/Client/RelyingParty runs Apache's program. The package apache2, which starts a server on port 80, is not needed.
    packages+=(apache2-bin libapache2-mod-auth-openidc)
    # Tests/Gateways runs the service behind these; promtool, of the package prometheus, checks its alert rules.
    packages+=(nginx-light caddy haproxy prometheus wrk)
    # scripts/postgres.sh starts a server for the tests of the identity server's store.
    packages+=(postgresql)
    # The tests of the memory of uses start servers of their own, and Tests/Gateways too.
    packages+=(redis-server)
    # Docs/WalkThroughWithCurl.md, which scripts/walk_through.py runs.
    packages+=(curl jq)
    # Tests/Gateways/nginx-module.sh looks for faults of memory.
    packages+=(valgrind)
    # Tests/Gateways/nginx-versions.sh compiles nginx 1.18, which knows the first PCRE alone, and later ones.
    packages+=(libpcre2-dev libpcre3-dev)
    # scripts/test.sh reports the processes of a stage that does not finish. gdb adds their stacks, where it is installed.
    packages+=(procps)
    # Proofs/models.
    packages+=(spin)
    # Scoreboard/tests judges one verifier at the vectors' time, and Tests/Surroundings runs programs at other times and with other locales.
    packages+=(libfaketime locales)
    # Examples/LuaJIT, which Tests/CInterface runs, and bindings/lua/nginx.
    packages+=(luajit)
    # bindings/lua.
    packages+=(lua5.3 lua5.4 liblua5.3-dev liblua5.4-dev gcc)
    # Tests/Kernels/NEON builds and runs AArch64 code. clang with its sanitizers and libFuzzer is part of the Swift toolchain.
    [ "$(uname -m)" = aarch64 ] || packages+=(gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user)
fi
# The verifiers of Scoreboard/harness/verifiers.py that Debian has, their compilers, and a library that stops their clocks.
if [ "${1:-}" = scoreboard ]; then
    python3 -c 'import ensurepip, venv' 2>/dev/null || packages+=(python3 python3-venv)
    packages+=(cargo g++ haproxy libcjose0 libcpp-jwt-dev libcrypt-jwt-perl libfaketime libjansson4 libjose0 libjwt0 librhonabwy1.1)
    packages+=(erlang-jiffy erlang-jose libjson-webtoken-perl libmojo-jwt-perl libpoco-dev)
    packages+=(librust-jsonwebtoken-dev golang-github-dgrijalva-jwt-go-dev golang-github-dvsekhvalnov-jose2go-dev)
    packages+=(golang-github-golang-jwt-jwt-dev golang-gopkg-square-go-jose.v2-dev node-jose ruby-json-jwt ruby-jwt)
fi
# What Tests/Packages/release-inside.sh runs in a minimal Debian: the C interface, gateways with their modules, and packages.
if [ "${1:-}" = release ]; then
    packages+=(caddy g++ groff haproxy libc6-dev luajit make nginx-light procps prometheus python3 python3-venv valgrind)
    # What Swift's compiler and package manager need.
    packages+=(ca-certificates git libncurses6 libxml2)
fi
# The extension modules of bindings/python.
case ${1:-} in test | wheel) packages+=(gcc libc6-dev python3-dev python3-venv) ;; esac
# scripts/command.sh makes the man page from the help.
case ${1:-} in install | deb) command -v python3 >/dev/null || packages+=(python3) ;; esac
# What the modules of nginx and Envoy, and their packages, are built with.
case ${1:-} in test | deb | release) packages+=(debhelper gcc nginx-dev) ;; esac
[ "${1:-}" != run ] || [ -x /usr/sbin/nginx ] || packages+=(nginx-light)
missing=()
for package in "${packages[@]}"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done

if ! command -v swift >/dev/null; then
    echo "A Swift toolchain is needed (6.3 or later): https://www.swift.org/install" >&2
    exit 1
fi
# Some packages start a server when they are installed, which needs ports that may be in use. The tests start their own.
keep_servers_stopped() {
    local policy=/usr/sbin/policy-rc.d
    [ ! -e $policy ] || return 0
    printf '#!/bin/sh\nexit 101\n' | "${sudo[@]}" tee $policy >/dev/null
    "${sudo[@]}" chmod 755 $policy
    trap '"${sudo[@]}" rm -f /usr/sbin/policy-rc.d' EXIT
}
install() {
    sudo=()
    ((EUID == 0)) || sudo=(sudo -n)
    if ! "${sudo[@]}" true 2>/dev/null; then
        echo "Missing packages. Run: sudo apt-get install ${missing[*]}" >&2
        [ "${missing[*]}" != nginx-light ] || return 0
        exit 1
    fi
    echo "installing ${missing[*]}"
    keep_servers_stopped
    "${sudo[@]}" apt-get update -qq
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}
((${#missing[@]} == 0)) || install

if [ "${1:-}" = test ]; then
    scripts/environment.sh python vectors/requirements.txt vectors/adapters/requirements.txt >/dev/null
    scripts/environment.sh python-supply-chain scripts/supply_chain/requirements.txt >/dev/null
    scripts/environment.sh python-jose Tests/Unit/JWTDecryptionTests/requirements.txt >/dev/null
    scripts/environment.sh python-wire Tests/Wire/requirements.txt >/dev/null
    scripts/environment.sh python-interoperation Tests/Interoperation/requirements.txt >/dev/null
    scripts/environment.sh python-wheel bindings/python/requirements.txt >/dev/null
    scripts/environment.sh python-binding bindings/python/tests/requirements.txt >/dev/null
    scripts/environment.sh python-browser Tests/Browser/requirements.txt >/dev/null
    scripts/environment.sh python-proofs Proofs/requirements.txt >/dev/null
    scripts/environment.sh python-scoreboard Scoreboard/requirements.txt >/dev/null
    scripts/environment.sh python-gateways Tests/Gateways/requirements.txt >/dev/null
    # Without it one gateway's function is not run, and the suite says so; bindings/lua/nginx needs it.
    Tests/Gateways/nginx-lua.sh >/dev/null || true
fi
