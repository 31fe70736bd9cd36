#!/usr/bin/env bash
# The tests under ThreadSanitizer: all of them, those that `swift test` chooses with what is given (`--filter FlaskCoreTests`), or with
# --concurrent those of the modules in which threads meet. FlaskDiff and FlaskRefs compute with values, and the snippets of the
# documentation run one after the other.
set -euo pipefail
cd "$(dirname "$0")/.."

export TSAN_OPTIONS="halt_on_error=1 ${TSAN_OPTIONS:-}"
if [[ ${1:-} == --concurrent ]]; then
  set -- --filter '^(FlaskCoreTests|FlaskArchiveTests|FlaskInsightTests|FlaskTestingTests)\.'
fi
swift test --sanitize=thread --scratch-path .build-tsan "$@"
