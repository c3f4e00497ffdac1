#!/usr/bin/env bash
# Judges JWT verifiers by the vectors, and prints a line for each: run.sh [OPTIONS], with the options of run.py (--help).
# Installs nothing: scripts/dependencies.sh scoreboard does. A verifier that is not installed is skipped with the reason.
set -euo pipefail
cd "$(dirname "$0")/.."
python=$(scripts/environment.sh python-scoreboard Scoreboard/requirements.txt)
scripts/environment.sh python-scoreboard-gehirn Scoreboard/requirements-gehirn.txt >/dev/null
exec "$python" Scoreboard/run.py "$@"
