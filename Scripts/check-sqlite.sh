#!/usr/bin/env bash
# Tests the stores of shared groups (Stores), and the example of an archive in SQLite (Examples/SQLiteArchive).
#
#   Scripts/check-sqlite.sh --conformance    the store conforms, and two processes share a group: the gate
#   Scripts/check-sqlite.sh [KILLS]          and real processes: KILLS of four in the middle of saves (8), ten greedy ones, a full disk, two versions
#                                            beside each other, a database that is replaced by a backup
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/build.sh Stores --build-tests
if [[ ${1:-} == --conformance ]]; then
  swift test --package-path Stores --scratch-path .build --skip-build --filter 'SQLiteStoreTests'
  exit
fi
FLASK_KILLS=${1:-8} FLASK_GREEDY=10 swift test --package-path Stores --scratch-path .build --skip-build
Scripts/build.sh Examples/SQLiteArchive --build-tests
swift test --package-path Examples/SQLiteArchive --scratch-path .build --skip-build
