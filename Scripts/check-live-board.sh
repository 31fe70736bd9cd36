#!/usr/bin/env bash
# Tests the example of a board that lives in browsers: with real connections, a thousand at once, and in headless Chromium; and two servers of
# it with one database in PostgreSQL, one of which is killed under load.
#
#   Scripts/check-live-board.sh
#
# Needs what Scripts/install-tools.sh --browser installs.
set -euo pipefail
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

Scripts/install-tools.sh --browser
Scripts/build.sh Examples/LiveBoard --build-tests
swift test --package-path Examples/LiveBoard --scratch-path .build --skip-build --quiet
.build/venv/bin/python Scripts/check_live_board.py .build/debug/live-board "$scratch"
.build/venv/bin/python Scripts/check_live_board_servers.py .build/debug/live-board "$scratch"
