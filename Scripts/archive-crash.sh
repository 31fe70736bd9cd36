#!/bin/sh
# Kills a process that archives, at random moments, and looks at what it left: no torn archive, no acknowledged state
# lost, at most one temporary file, gone after the next start. The same check must catch a writer that writes in place.
# Then two processes save to one folder.
#
#   Scripts/archive-crash.sh [kills, 100 if not given; 1000 is the full count]
set -eu
cd "$(dirname "$0")/../Checks"
kills=${1:-100}
swift build -c release >/dev/null
check=$PWD/.build/release/archive-check
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo "with the protocol:"
"$check" crash "$folder/protocol" "$kills"
echo "in place, to be caught:"
"$check" crash "$folder/plain" 60 plain
"$check" share "$folder/share" 300
