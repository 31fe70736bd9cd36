#!/usr/bin/env bash
# The tests under ThreadSanitizer.
#
#   Scripts/test-threads.sh [--full]
#
# Without the proofs that have no second thread and take half a minute each here; in full, with them.
set -euo pipefail
cd "$(dirname "$0")/.."

skipped=()
if [ "${1:-}" != --full ]; then
  for suite in LayoutFuzzTests LargeEntitiesTests RandomEntitiesTests EntitiesChangesTests ElementChangesTests MutationTests; do
    if ! grep -rqE "(struct|enum|class) $suite\b" Tests; then
      echo "$suite, which is to be skipped, is not among the tests" >&2
      exit 1
    fi
    skipped+=(--skip "\.$suite/")
  done
fi
export TSAN_OPTIONS="halt_on_error=1 ${TSAN_OPTIONS:-}"
swift test --sanitize=thread --scratch-path .build-tsan "${skipped[@]}"
