#!/usr/bin/env bash
# Tests the example of a board that lives in browsers: with real connections, a thousand at once, and in headless Chromium.
#
#   Scripts/check-live-board.sh
#
# Needs what Scripts/check-inspector.sh installs; INSPECTOR_VENV as there.
set -euo pipefail
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
venv=${INSPECTOR_VENV:-.build/venv}

[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/python" -c 'import playwright, jsonpatch' 2> /dev/null ||
  "$venv/bin/pip" install --quiet playwright==1.65.2 jsonpatch==1.33
Scripts/build.sh Examples/LiveBoard --build-tests
swift test --package-path Examples/LiveBoard --scratch-path .build --skip-build --quiet
"$venv/bin/python" Scripts/check_live_board.py .build/debug/live-board "$scratch"
