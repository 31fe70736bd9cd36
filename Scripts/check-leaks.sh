#!/usr/bin/env bash
# Makes, uses and drops everything that Flask can make, and fails if memory is left that nobody refers to (LeakSanitizer).
# Swift's own tables are referred to for ever, and so are Flask's per type; neither counts. Linux only.
#
#   Scripts/check-leaks.sh [debug|release, release if not given] [how many of each, 50 if not given]
#
# How much is left that somebody does refer to, and how long it takes, says the same program:
#   swift run --package-path Checks -c release leak-check growth [how many of each, 100000 if not given]
set -euo pipefail
cd "$(dirname "$0")/../Checks"
configuration=${1:-release}
count=${2:-50}
scratch=.build-asan

build=(--configuration "$configuration" --sanitize=address --scratch-path "$scratch" --product leak-check)
swift build "${build[@]}" --quiet
check=$(swift build "${build[@]}" --show-bin-path)/leak-check
ASAN_OPTIONS=detect_leaks=1 "$check" leaks "$count"
