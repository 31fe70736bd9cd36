#!/bin/sh
# Kills a process that archives, at random moments, and looks at what it left: no torn archive, no acknowledged state
# lost, at most one temporary file, gone after the next start. The same check must catch a writer that writes in place.
# The same for a process that appends to a journal. Then the same for a group of two substances between which amounts are moved; two
# processes that save to one folder; and what many groups leave behind.
#
#   Scripts/archive-crash.sh [kills, 100 if not given; 1000 is the full count]
set -eu
cd "$(dirname "$0")/.."
kills=${1:-100}
Scripts/build.sh Checks --configuration release --product archive-check
check=$PWD/.build/release/archive-check
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo "with the protocol:"
"$check" crash "$folder/protocol" "$kills"
echo "in place, to be caught:"
"$check" crash "$folder/plain" 60 plain
"$check" journal-crash "$folder/journal" "$kills"
"$check" group-crash "$folder/group" "$kills"
"$check" share "$folder/share" 300
"$check" remains "$folder/remains" "$((kills * 10))"
