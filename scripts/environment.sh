#!/usr/bin/env bash
# Prints the path of Python in an environment under .build that has the pinned packages of requirement files. Creates the environment if it
# does not exist: scripts/environment.sh NAME REQUIREMENTS…
set -euo pipefail
cd "$(dirname "$0")/.."

environment=.build/$1
shift
stamp="$environment/.installed-$(cat "$@" | sha256sum | cut -c1-16)"
if [ ! -e "$stamp" ]; then
    mkdir -p .build
    # Two stages at once may need the same one.
    exec 9>"$environment.lock"
    flock 9
fi
if [ ! -e "$stamp" ]; then
    if ! python3 -m venv "$environment" >/dev/null 2>&1; then
        echo "Python's venv is needed. Run: apt-get install python3-venv" >&2
        exit 1
    fi
    "$environment/bin/pip" install --quiet --disable-pip-version-check "${@/#/--requirement=}" >&2
    touch "$stamp"
fi
echo "$PWD/$environment/bin/python"
