#!/usr/bin/env bash
# The tests under ThreadSanitizer.
set -euo pipefail
cd "$(dirname "$0")/.."

export TSAN_OPTIONS="halt_on_error=1 ${TSAN_OPTIONS:-}"
swift test --sanitize=thread --scratch-path .build-tsan
