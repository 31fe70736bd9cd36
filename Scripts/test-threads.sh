#!/usr/bin/env bash
# The tests under ThreadSanitizer, but for the long ones of `Hardening`, which run under it by hand:
#   swift test --sanitize=thread --scratch-path .build-tsan --filter Hardening
set -euo pipefail
cd "$(dirname "$0")/.."

export TSAN_OPTIONS="halt_on_error=1 ${TSAN_OPTIONS:-}"
swift test --sanitize=thread --scratch-path .build-tsan --skip Hardening
