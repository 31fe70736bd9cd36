#!/usr/bin/env bash
# Tests the inspector: its server and its bridges with Swift tests, its page in headless Chromium, with a running process, a
# recording of the sample, one of 100,000 operations and states that hold markup.
#
#   Scripts/check-inspector.sh [folder for screenshots]
#
# Installs Chromium and Playwright if they are missing: the latter in .build/venv, or in INSPECTOR_VENV if that is set.
set -euo pipefail
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
pictures=${1:-$scratch}
venv=${INSPECTOR_VENV:-.build/venv}

if ! command -v chromium-headless-shell > /dev/null; then
  root=()
  [ "$(id -u)" -eq 0 ] || root=(sudo)
  "${root[@]}" apt-get update -qq > /dev/null
  DEBIAN_FRONTEND=noninteractive "${root[@]}" apt-get install -qq -y --no-install-recommends chromium-headless-shell \
    fonts-dejavu-core > /dev/null
fi
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/python" -c 'import playwright, jsonpatch' 2> /dev/null ||
  "$venv/bin/pip" install --quiet playwright==1.65.2 jsonpatch==1.33

Scripts/build.sh Inspector --build-tests
swift test --package-path Inspector --scratch-path .build --skip-build --quiet
Scripts/build.sh Examples --product FlaskSample
.build/debug/FlaskSample --quiet --limit 20 --record "$scratch/sample.flask" > /dev/null
"$venv/bin/python" Scripts/check_inspector.py .build/debug "$pictures" \
  "$scratch/sample.flask"
