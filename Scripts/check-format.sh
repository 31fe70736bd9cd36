#!/usr/bin/env bash
# The format of every Swift file of the repository, strictly; the length of files, and of the lines of comments and pages.
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
# Rows of tables and blocks of code can't be wrapped.
git ls-files -z '*.md' | python3 -c '
import pathlib, re, sys
wide = []
for name in filter(None, sys.stdin.read().split("\0")):
    fenced = False
    for number, line in enumerate(pathlib.Path(name).read_text().split("\n"), 1):
        fenced ^= bool(re.match(r"\s*(```|~~~)", line))
        if len(line) > 140 and not fenced and not line.lstrip().startswith(("|", "<!--")):
            wide.append(f"{name}:{number}: {line[:80]}…")
if wide:
    sys.exit("Lines of pages of more than 140 columns:\n" + "\n".join(wide))'
