#!/usr/bin/env bash
# Programs as users write them, in which threads read what others have changed, under ThreadSanitizer: it must be quiet. As release builds
# them: in a debug build the sanitizer does not see every read. One in which nothing orders anything must be caught.
#
#   Scripts/check-threads.sh [seconds, 60 if not given]
set -euo pipefail
cd "$(dirname "$0")/.."
export TSAN_OPTIONS="halt_on_error=1 ${TSAN_OPTIONS:-}"

SCRATCH=.build-tsan-release Scripts/build.sh Checks --configuration release --sanitize=thread --product thread-check
program=.build-tsan-release/release/thread-check
status=0
"$program" 5 unordered > /dev/null 2>&1 || status=$?
# How the sanitizer ends a program.
if [[ $status -ne 66 ]]; then
  echo "FAILED: this check does not see a race" >&2
  exit 1
fi
"$program" "${1:-60}"
