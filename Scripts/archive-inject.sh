#!/bin/sh
# Fails (EIO, ENOSPC, EINTR), delays, and kills at, each system call of a save in turn, of one state and of a group:
# the old archive or the new one is there, there is at most one fault, and the next save succeeds. The same for an
# archive with a journal, whose writes are also cut short: its first save, saves that begin a journal, append to it and
# fold it in, and reading it, whole, torn and damaged. Linux only; needs the right to trace processes.
#
#   Scripts/archive-inject.sh [injections into an archive with a journal, 60 of some 800 if not given; 0 is all]
#
# FLASK_ELEMENTS is how many elements that archive has, 2,000 if not said otherwise; FLASK_SEED chooses the injections.
set -eu
cd "$(dirname "$0")/.."
Scripts/install-tools.sh --proofs
Scripts/build.sh Checks --configuration release --product archive-check
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
.build/release/archive-check inject "$folder/archives"
.build/release/archive-check inject "$folder/group" group
.build/release/archive-check journal-inject "$folder/journal" "${1:-60}"
