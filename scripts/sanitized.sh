#!/usr/bin/env bash
# Builds the mutation probe under AddressSanitizer and, in C, UndefinedBehaviorSanitizer. Only that program: nothing else is needed there.
set -euo pipefail
cd "$(dirname "$0")/.."
swift build -c release --sanitize=address --scratch-path .build-asan --product mutation-probe \
    -Xcc -fsanitize=undefined -Xcc -fsanitize-trap=undefined
