#!/usr/bin/env bash
# Measures other libraries and Assay on the same tokens and prints the table. Installs the required packages, or names the missing ones.
#   Benchmarks/peers/run.sh [--quick] [--json FILE] [--only NAME]…
set -euo pipefail
cd "$(dirname "$0")/../.."

work=.build-peers
environment=$work/python
requirements=Benchmarks/peers/requirements.txt
stamp="$environment/.installed-$(sha256sum <$requirements | cut -c1-16)"

if [ ! -e "$stamp" ]; then
    if ! python3 -m venv "$environment" >/dev/null 2>&1; then
        echo "Python's venv is needed. Run: apt-get install python3-venv" >&2
        exit 1
    fi
    echo "installing the Python packages of $requirements" >&2
    pip=("$environment/bin/pip" install --quiet --disable-pip-version-check)
    # Packages that cannot be installed are skipped one by one; their peers report it.
    if "${pip[@]}" -r $requirements; then touch "$stamp"; else
        grep -v '^#' $requirements | while read -r package; do "${pip[@]}" "$package" || true; done
    fi
fi
exec "$environment/bin/python" Benchmarks/peers/harness/main.py --work "$work" "$@"
