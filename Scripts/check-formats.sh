#!/usr/bin/env bash
# Whether this version reads what the last release has written: an archive, a journal, a group, a history. The release is built in a folder of
# its own, and its program of the same name writes. Without a release, or with one that has no such program, this version reads its own.
#
#   Scripts/check-formats.sh [REVISION]     the newest tag by default
set -euo pipefail
cd "$(dirname "$0")/.."
revision=${1:-$(Scripts/releases.py)}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

Scripts/build.sh Checks --product format-check
writer=.build/debug/format-check
if [[ -z $revision ]]; then
  echo "no release yet: this version reads its own files"
else
  commit=$(git rev-parse --verify "$revision^{commit}")
  # The folder of check-api.py, which builds the whole there.
  earlier=.build/api/r$commit
  if [[ ! -d $earlier ]]; then
    rm -rf "$earlier.part"
    git clone --quiet --shared --no-checkout . "$earlier.part"
    git -C "$earlier.part" checkout --quiet "$commit"
    mv "$earlier.part" "$earlier"
  fi
  if [[ -d $earlier/Checks/Sources/format-check ]]; then
    swift build --package-path "$earlier/Checks" --scratch-path "$earlier/.build" --product format-check
    writer=$earlier/.build/debug/format-check
  else
    echo "$revision has no format-check: this version reads its own files"
  fi
fi

"$writer" write "$folder"
.build/debug/format-check read "$folder"
