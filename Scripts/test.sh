#!/usr/bin/env bash
# The README's own test command, taken from the README, after a debug build that must be free of warnings.
set -euo pipefail
cd "$(dirname "$0")/.."

command=$(awk '/^## The two commands/ { found = 1 } found && /^swift test/ { print; exit }' README.md)
if [ -z "$command" ]; then
  echo "The README does not name its test command" >&2
  exit 1
fi
# Into .build, where the command builds, too.
Scripts/build.sh . --build-tests
$command
