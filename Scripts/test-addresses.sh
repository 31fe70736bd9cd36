#!/usr/bin/env bash
# The tests under AddressSanitizer, by hand: what `swift test` takes can be given, as `--filter FlaskDiffTests`.
#
# XCTest itself leaks, so leaks are looked for by check-leaks.sh. What is freed is kept for a while by the sanitizer, but for
# less than the growth of memory that a test allows.
set -euo pipefail
cd "$(dirname "$0")/.."

export ASAN_OPTIONS="detect_leaks=0:quarantine_size_mb=8:${ASAN_OPTIONS:-}"
swift test --sanitize=address --scratch-path .build-asan "$@"
