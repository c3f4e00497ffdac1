#!/usr/bin/env bash
# Runs a Python program with the pinned packages of vectors/requirements.txt and of the adapters, in an environment under .build.
set -euo pipefail
cd "$(dirname "$0")/.."

environment=.build/python
stamp="$environment/.installed-$(cat vectors/requirements.txt vectors/adapters/requirements.txt | sha256sum | cut -c1-16)"
if [ ! -e "$stamp" ]; then
    mkdir -p .build
    if ! python3 -m venv "$environment" >/dev/null 2>&1; then
        echo "Python's venv is needed. Run: apt-get install python3-venv" >&2
        exit 1
    fi
    "$environment/bin/pip" install --quiet --disable-pip-version-check -r vectors/requirements.txt -r vectors/adapters/requirements.txt
    touch "$stamp"
fi
exec "$environment/bin/python" "$@"
