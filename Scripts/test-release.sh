#!/usr/bin/env bash
# The tests as release builds them, in full length: what must hold for a million mixes is tried with a million.
set -euo pipefail
cd "$(dirname "$0")/.."

export FLASK_FULL=1
swift test -c release -Xswiftc -enable-testing --scratch-path .build-release-tests
