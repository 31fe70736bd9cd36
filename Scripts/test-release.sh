#!/usr/bin/env bash
# The tests as release builds them.
#
#   Scripts/test-release.sh [--full]
#
# In full, what must hold for a million mixes is tried with a million.
set -euo pipefail
cd "$(dirname "$0")/.."

[ "${1:-}" != --full ] || export FLASK_FULL=1
swift test -c release -Xswiftc -enable-testing --scratch-path .build-release-tests
