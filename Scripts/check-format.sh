#!/usr/bin/env bash
# The format of every Swift file of the repository, strictly.
set -euo pipefail
cd "$(dirname "$0")/.."

git ls-files -z '*.swift' | xargs -0 swift format lint --strict
long=$(git ls-files '*.swift' | xargs wc -l | awk '$2 != "total" && $1 > 310')
if [ -n "$long" ]; then
  echo "Files much longer than 300 lines:" >&2
  echo "$long" >&2
  exit 1
fi
