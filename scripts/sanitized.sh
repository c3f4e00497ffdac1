#!/usr/bin/env bash
# Builds the mutation probe under AddressSanitizer and, in C, UndefinedBehaviorSanitizer: only that program and its dependencies, without
# any other package.
set -euo pipefail
cd "$(dirname "$0")/.."
swift build -c release --sanitize=address --scratch-path .build-asan --disable-default-traits --product mutation-probe \
    -Xcc -fsanitize=undefined -Xcc -fsanitize-trap=undefined
