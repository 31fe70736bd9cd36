#!/usr/bin/env bash
# The tests as release builds them, in full length: what must hold for a million mixes is tried with a million.
#
# Those of FlaskInsight and FlaskTesting run in a process of their own: while they look for what lives in a flux, everything that other tests
# of the process make is noted, too, which takes too long with a hundred thousand of each.
set -euo pipefail
cd "$(dirname "$0")/.."

export FLASK_FULL=1
test_release() { swift test -c release -Xswiftc -enable-testing --scratch-path .build-release-tests "$@"; }
test_release --skip 'FlaskInsightTests|FlaskTestingTests'
test_release --skip-build --filter 'FlaskInsightTests|FlaskTestingTests'
