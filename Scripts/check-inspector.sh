#!/usr/bin/env bash
# Tests the inspector: its server and its bridges with Swift tests, its page in headless Chromium, with a running process, a
# recording of the sample, one of 100,000 operations and states that hold markup.
#
#   Scripts/check-inspector.sh [folder for screenshots]
#
# Needs what Scripts/install-tools.sh --browser installs.
set -euo pipefail
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
pictures=${1:-$scratch}

Scripts/install-tools.sh --browser
Scripts/build.sh Inspector --build-tests
swift test --package-path Inspector --scratch-path .build --skip-build --quiet
Scripts/build.sh Examples --product FlaskSample
.build/debug/FlaskSample --quiet --limit 20 --record "$scratch/sample.flask" > /dev/null
.build/venv/bin/python Scripts/check_inspector.py .build/debug "$pictures" "$scratch/sample.flask"
