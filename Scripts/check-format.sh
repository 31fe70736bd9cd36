#!/usr/bin/env bash
# The format of every Swift file of the repository, strictly; the length of files, and of the lines of comments.
set -euo pipefail
cd "$(dirname "$0")/.."

git ls-files -z '*.swift' | xargs -0 swift format lint --strict
long=$(git ls-files '*.swift' | xargs wc -l | awk '$2 != "total" && $1 > 310')
if [ -n "$long" ]; then
  echo "Files much longer than 300 lines:" >&2
  echo "$long" >&2
  exit 1
fi
# The formatter leaves comments as they are.
wide=$(git ls-files -z 'Sources/*.swift' | LC_ALL=C.UTF-8 xargs -0 grep -nHE '^.{121,}$' | grep -E '^[^:]+:[0-9]+: *//' || true)
if [ -n "$wide" ]; then
  echo "Comments of more than 120 columns:" >&2
  echo "$wide" >&2
  exit 1
fi
