#!/usr/bin/env bash
# The README's own test command, taken from the README; then that nothing in the debug build warns.
set -euo pipefail
cd "$(dirname "$0")/.."

command=$(awk '/^## The two commands/ { found = 1 } found && /^swift test/ { print; exit }' README.md)
if [ -z "$command" ]; then
  echo "The README does not name its test command" >&2
  exit 1
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
swift build --build-tests 2>&1 | tee "$log"
if grep -E '(warning|error):' "$log"; then
  echo "The debug build is not free of warnings" >&2
  exit 1
fi
$command
